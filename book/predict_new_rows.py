"""Predict with a saved classifier: the training data is not needed."""

import json
from pathlib import Path

import pandas as pd
import skops.io

from linlearn import estimators

FILE = "new_rows.csv"

ours = estimators.load("model.npz")
# a file with any other type beside scikit-learn's own is refused
theirs = skops.io.load("model.skops", trusted=["numpy.dtype"])
settings = json.loads(Path("model.json").read_text())
UNITS, WORDS, TEXT = (settings[name] for name in ("UNITS", "WORDS", "TEXT"))


def read(file):  # as in training
    table = pd.read_csv(file, dtype=dict.fromkeys([*WORDS, *TEXT, *UNITS], str))
    for name, unit in UNITS.items():
        table[name] = pd.to_numeric(table[name].str.removesuffix(unit))
    table[TEXT] = table[TEXT].fillna("")
    return table


new = read(FILE)
positive = settings["POSITIVE"]
for name, model in {"linlearn": ours, "scikit-learn": theirs}.items():
    probability = model.predict_proba(new)[:, list(model.classes_).index(positive)]
    new[f"{name}, probability of {positive}"] = probability
    new[f"{name}, {positive}"] = probability > settings["THRESHOLD"]
new.to_csv("predicted.csv", index=False)
