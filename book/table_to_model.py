"""From a CSV file to a saved linear classifier: put your own names for those in capitals."""

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
NUMBERS = ["Culmen Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"]
WORDS = ["Species", "Island"]  # few different values
TEXT = ["Comments"]  # free text; [] if there is none


def read(file):  # what this table needs before a pipeline can read it
    table = pd.read_csv(file)
    mass = table["Body Mass (g)"].astype(str).str.removesuffix(" g")
    table["Body Mass (g)"] = pd.to_numeric(mass)
    table[TEXT] = table[TEXT].fillna("")
    return table


table = read(FILE).dropna(subset=[LABEL])  # a row without a label teaches nothing
X, y = table[[*NUMBERS, *WORDS, *TEXT]], table[LABEL]
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)


def with_columns(classifier):
    filled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    named = SimpleImputer(strategy="constant", fill_value="unknown")
    coded = make_pipeline(named, OneHotEncoder(handle_unknown="ignore"))
    parts = [(filled, NUMBERS), (coded, WORDS)]
    parts += [(TfidfVectorizer(min_df=2), name) for name in TEXT]  # words of two rows or more
    return make_pipeline(make_column_transformer(*parts), classifier)


ours = with_columns(estimators.Logistic(C=1))
theirs = with_columns(LogisticRegression(C=1))
for name, one in {"baseline": DummyClassifier(), "linlearn": ours, "scikit-learn": theirs}.items():
    print(f"{name}: accuracy {cross_val_score(one, X_train, y_train, cv=10).mean():.3f}")

ours.fit(X_train, y_train)
theirs.fit(X_train, y_train)
print(estimators.verify(ours, X_train, y_train))
print(ll.certify(theirs, X_train, y_train))

right = int((ours.predict(X_test) == y_test).sum())  # once, when all else is settled
interval = stats.binomtest(right, len(y_test)).proportion_ci()
print(f"test accuracy {right / len(y_test):.3f}, {interval.low:.3f} to {interval.high:.3f}")

estimators.save(ours, "model.npz")
skops.io.dump(theirs, "model.skops")
