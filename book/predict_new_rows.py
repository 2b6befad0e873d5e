"""Predict with a saved classifier: the training data is not needed."""

import pandas as pd
import skops.io

from linlearn import estimators

FILE, TEXT = "new_rows.csv", ["Comments"]

ours = estimators.load("model.npz")
# a file with any other type beside scikit-learn's own is refused
theirs = skops.io.load("model.skops", trusted=["numpy.dtype"])


def read(file):  # the same as in training
    table = pd.read_csv(file)
    mass = table["Body Mass (g)"].astype(str).str.removesuffix(" g")
    table["Body Mass (g)"] = pd.to_numeric(mass)
    table[TEXT] = table[TEXT].fillna("")
    return table


new = read(FILE)
for name, model in {"linlearn": ours, "scikit-learn": theirs}.items():
    new[name] = model.predict(new)
    new[f"{name}, probability of {model.classes_[1]}"] = model.predict_proba(new)[:, 1]
new.to_csv("predicted.csv", index=False)
