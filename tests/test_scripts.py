"""The scripts that lesson 11 asks its readers to copy run from the file to the predictions."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd

BOOK = Path(__file__).parents[1] / "book"


def test_the_saved_model_predicts_without_the_training_data(tmp_path):
    training, elsewhere = tmp_path / "training", tmp_path / "elsewhere"
    training.mkdir(), elsewhere.mkdir()
    run = dict(
        check=True, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"}
    )

    shutil.copy(BOOK / "penguins_raw.csv", training)
    told = subprocess.run([sys.executable, BOOK / "table_to_model.py"], cwd=training, **run).stdout
    accuracy = dict(line.split(": accuracy ") for line in told.splitlines() if ": accuracy" in line)
    assert accuracy["linlearn"] == accuracy["scikit-learn"] > accuracy["baseline"]
    assert "Certificate(" in told and "test accuracy" in told

    for name in ("model.npz", "model.skops"):
        shutil.copy(training / name, elsewhere)
    rows = pd.read_csv(BOOK / "penguins_raw.csv").drop(columns="Sex").iloc[[0, 3, 200]]
    rows.loc[200, "Body Mass (g)"] += " g"  # as in training, one has its unit
    rows.loc[0, "Species"] = "a species that is new"
    rows.to_csv(elsewhere / "new_rows.csv", index=False)
    subprocess.run([sys.executable, BOOK / "predict_new_rows.py"], cwd=elsewhere, **run)
    found = pd.read_csv(elsewhere / "predicted.csv")
    assert list(found["linlearn"]) == list(found["scikit-learn"])
    chances = found.filter(like="probability")
    assert chances.shape == (3, 2) and chances.notna().all(axis=None)
    assert chances.diff(axis=1).abs().max(axis=None) < 1e-2
