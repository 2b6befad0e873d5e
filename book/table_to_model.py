"""From a CSV file to a saved linear classifier: put your own values for those in capitals."""

import json
from pathlib import Path

import pandas as pd
import skops.io
from scipy import stats
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import linlearn as ll
from linlearn import estimators

FILE, LABEL = "penguins_raw.csv", "Sex"
POSITIVE, THRESHOLD = "FEMALE", 1 / 2  # predicted where its probability is above the threshold
NUMBERS = ["Culmen Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"]
UNITS = {"Body Mass (g)": " g"}  # units that stand in the file beside a number; {} if none do
WORDS = ["Species", "Island"]  # categories, also if the file writes them as numbers
TEXT = ["Comments"]  # free text; [] if there is none


def read(file):
    table = pd.read_csv(file, dtype=dict.fromkeys([*WORDS, *TEXT, *UNITS], str))
    for name, unit in UNITS.items():
        table[name] = pd.to_numeric(table[name].str.removesuffix(unit))
    table[TEXT] = table[TEXT].fillna("")
    return table


table = read(FILE).dropna(subset=[LABEL])  # a row without a label teaches nothing
X, y = table[[*NUMBERS, *WORDS, *TEXT]], table[LABEL]
print(y.value_counts().to_string())  # a label with a misprint would be a class of its own
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)


def with_columns(classifier):
    filled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    named = SimpleImputer(strategy="constant", fill_value="missing")
    coded = make_pipeline(named, OneHotEncoder(handle_unknown="ignore"))
    parts = [(filled, NUMBERS), (coded, WORDS)]
    parts += [(TfidfVectorizer(min_df=2), name) for name in TEXT]  # words of two rows or more
    return make_pipeline(make_column_transformer(*parts), classifier)


ours = with_columns(estimators.Logistic(C=1))
theirs = with_columns(LogisticRegression(C=1))
baseline = DummyClassifier(strategy="prior")
for name, one in {"baseline": baseline, "linlearn": ours, "scikit-learn": theirs}.items():
    score = cross_val_score(one, X_train, y_train, cv=10, scoring="neg_log_loss").mean()
    print(f"{name}: mean logistic loss {-score:.3f}")

ours.fit(X_train, y_train)
theirs.fit(X_train, y_train)
print(estimators.verify(ours, X_train, y_train))
print(ll.certify(theirs, X_train, y_train))  # "excess": how far its loss is from the least

positive = ours.predict_proba(X_test)[:, list(ours.classes_).index(POSITIVE)]
right = (positive > THRESHOLD) == (y_test == POSITIVE)  # once, when all else is settled
interval = stats.binomtest(int(right.sum()), len(y_test)).proportion_ci()
print(f"test accuracy {right.mean():.3f}, {interval.low:.3f} to {interval.high:.3f}")

estimators.save(ours, "model.npz")
skops.io.dump(theirs, "model.skops")
settings = dict(POSITIVE=POSITIVE, THRESHOLD=THRESHOLD, UNITS=UNITS, WORDS=WORDS, TEXT=TEXT)
Path("model.json").write_text(json.dumps(settings))
