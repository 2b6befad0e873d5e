"""The scripts that lesson 11 asks its readers to copy run from the file to the predictions.

One run is a process of its own, as a reader's is; the others need not import everything again.
"""

import contextlib
import io
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

BOOK = Path(__file__).parents[1] / "book"


def run(script, folder):
    """What a script prints in a folder."""
    env = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, script], cwd=folder, capture_output=True, text=True, env=env
    )
    assert not done.returncode, done.stderr[-2000:]
    return done.stdout


def run_here(script, folder):
    """The same in this process."""
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as told:
        runpy.run_path(str(script), run_name="__main__")
    return told.getvalue()


def predictions(tmp_path, training, new):
    """What the saved models predict for new rows, in a folder without the training data."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("model.npz", "model.skops", "model.json"):
        shutil.copy(training / name, elsewhere)
    new.to_csv(elsewhere / "new_rows.csv", index=False)
    run_here(BOOK / "predict_new_rows.py", elsewhere)
    found = pd.read_csv(elsewhere / "predicted.csv")
    chances = found.filter(like="probability")
    assert chances.shape == (len(new), 2) and chances.notna().all(axis=None)
    assert chances.diff(axis=1).abs().max(axis=None) < 1e-2
    return found


def test_the_saved_model_predicts_without_the_training_data(tmp_path):
    training = tmp_path / "training"
    training.mkdir()
    shutil.copy(BOOK / "penguins_raw.csv", training)
    told = run(BOOK / "table_to_model.py", training)
    loss = dict(re.findall(r"^(.*): mean logistic loss ([\d.]+)$", told, re.MULTILINE))
    assert loss["linlearn"] == loss["scikit-learn"] < loss["baseline"]
    assert "Certificate(" in told and "test accuracy" in told and "FEMALE" in told

    rows = pd.read_csv(BOOK / "penguins_raw.csv").iloc[[0, 3, 200]]
    rows.loc[200, "Body Mass (g)"] += " g"  # as in training, one has its unit
    rows.loc[0, "Species"] = "a species that is new"
    found = predictions(tmp_path, training, rows.drop(columns="Sex"))
    assert list(found["linlearn, FEMALE"]) == list(found["scikit-learn, FEMALE"])
    assert list(found["linlearn, FEMALE"])[2] == (rows.loc[200, "Sex"] == "FEMALE")


def test_the_scripts_take_another_table(tmp_path):
    """A rare class, categories written as numbers or truth values, gaps, no text."""
    rng, n = np.random.default_rng(0), 400
    region, months = rng.integers(1, 4, n), rng.normal(24, 8, n).round()
    odds = np.exp(-3 + 2.0 * (region == 2) - 0.05 * (months - 24))
    table = pd.DataFrame({"region": region, "months": months, "paperless": rng.random(n) < 0.5})
    table["state"] = np.where(rng.random(n) < odds / (1 + odds), "churned", "stayed")
    table.loc[::9, "region"] = np.nan
    table.loc[::7, "months"] = np.nan
    training = tmp_path / "training"
    training.mkdir()
    table.to_csv(training / "customers.csv", index=False)
    script = (BOOK / "table_to_model.py").read_text()
    for capital in (
        'FILE, LABEL = "customers.csv", "state"',
        'POSITIVE, THRESHOLD = "churned", 0.1',
        'NUMBERS = ["months"]',
        "UNITS = {}",
        'WORDS = ["region", "paperless"]',
        "TEXT = []",
    ):
        name = re.escape(capital.split(" = ")[0])
        script, changed = re.subn(rf"^{name} = .*", capital, script, flags=re.MULTILINE)
        assert changed == 1
    (training / "mine.py").write_text(script)
    run_here("mine.py", training)

    new = table.drop(columns="state").iloc[[0, 1]]
    new["region"] = np.nan  # a whole column
    likely = pd.DataFrame({"region": [2], "months": [2], "paperless": [True]})
    found = predictions(tmp_path, training, pd.concat([new, likely]))
    assert found["linlearn, probability of churned"].idxmax() == 2
    assert found["linlearn, churned"][2] and found["scikit-learn, churned"][2]
