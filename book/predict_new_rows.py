"""Predict with a saved classifier: the training data is not needed."""

import pandas as pd
import skops.io

from linlearn import estimators

NEW, TEXT = "new_rows.csv", "Comments"

ours = estimators.load("model.npz")
trusted = skops.io.get_untrusted_types(file="model.skops")  # read the list first
theirs = skops.io.load("model.skops", trusted=trusted)

new = pd.read_csv(NEW)
new[TEXT] = new[TEXT].fillna("")
for name, model in {"linlearn": ours, "scikit-learn": theirs}.items():
    new[name] = model.predict(new)
    new[f"{name}, probability of {model.classes_[1]}"] = model.predict_proba(new)[:, 1]
new.to_csv("predicted.csv", index=False)
