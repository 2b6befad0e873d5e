"""The benchmarks compare answers to the same question: run once, for correctness and not for time."""

import csv
import json

import pytest

import linlearn as ll
from benchmarks import blocks, inference
from benchmarks.__main__ import RESULTS, measure, merged, versions
from benchmarks.before import ROOT, Side, quotients
from benchmarks.duel import duel
from benchmarks.growth import JOBS, exponent, growth, zero_one_growth
from benchmarks.peers import best_offset
from benchmarks.results import markdown
from benchmarks.rows import rows
from benchmarks.sets import samples

SMALL = list(rows(["small"]))


@pytest.mark.parametrize("row", SMALL, ids=lambda row: f"{row.job} on {row.on}")
def test_ours_is_optimal_and_no_peer_is_better_than_the_bound(row):
    """Ours comes within 1e-8 of the certified bound; a peer that beat the bound would refute it."""
    ours, *others = measure(row, rounds=0, budget=0)
    assert ours["side"] == "ours" and ours["suboptimality"] <= 1e-8
    fit = row.ours(*samples(row.on))
    worse = -1 if row.bound(fit) >= ours["objective"] else 1
    for peer in others:
        assert worse * (peer["objective"] - row.bound(fit)) >= -1e-9 * max(1, abs(row.bound(fit)))


def test_the_perceptrons_make_the_same_updates_where_mistakes_are_frequent():
    """A fifth of all readings or more are updates, and both sides end on the same plane."""
    row = next(row for row in SMALL if "sweeps" in row.job)
    ours, peer = measure(row, rounds=0, budget=0)
    fit = row.ours(*samples(row.on))
    assert f" {len(fit.trace) - 1} updates" in row.job
    assert 5 * (len(fit.trace) - 1) > 20 * ours["n"]
    assert ours["suboptimality"] == 0 and peer["objective"] < 1e-9


@pytest.mark.parametrize("problem", [*inference.problems()][:2], ids=lambda problem: problem[0])
def test_summaries_agree_with_statsmodels(problem):
    pytest.importorskip("statsmodels")
    assert max(inference.compared(*problem[1:])[0]) < 1e-10


def test_a_duel_alternates_and_counts_its_rounds():
    """ours, peer, then peer, ours: who runs second in one round runs first in the next."""
    calls = []
    times = duel(lambda: calls.append("o"), {"p": lambda: calls.append("p")}, rounds=2, budget=60)
    assert "".join(calls) == "oppoop"
    assert times["p"].rounds == 2  # the first warms up


def test_the_best_offset_is_best():
    X, y = ll.data.gaussians(51, 2, delta=1.0, seed=3)
    plane = ll.Hyperplane([0.7, -0.2], 5.0)
    found = best_offset(plane, X, y)
    total = lambda b: ll.losses.HINGE.value(ll.margins(ll.Hyperplane(plane.w, b), X, y)).sum()  # noqa: E731
    assert total(found.b) <= min(total(b) for b in (y - X @ plane.w)) + 1e-12


def test_the_table_says_what_ran():
    kept = {"versions": {"numpy": "1"}, "rows": measure(SMALL[0], rounds=0, budget=0)}
    table = markdown(kept)
    assert (
        "numpy 1" in table and "**ours**" in table and table.count("\n|") == 2 + len(kept["rows"])
    )


def test_the_growth_of_cost_is_measured_and_told():
    """Every job at every size; the exponent of size^2 is 2; the search says how far it came."""
    lines = list(growth(n=(200, 400), d=(3, 5), at=(200, 4), rounds=1))
    assert [(line["job"], line["by"]) for line in lines].count(("LDA", "n")) == 2
    assert len(lines) == 4 * len(JOBS) and all(line["peak bytes"] > 0 for line in lines)
    hard = list(zero_one_growth(n=(100,), d=(1, 3, 4), most=20))
    assert [line["lower"] < line["upper"] for line in hard] == [False, True]  # then it stops
    table = markdown({"versions": {}, "rows": [], "growth": lines + hard})
    assert table.count("| LDA |") == 3 and "| 100 | 1 |" in table and "time against d" in table
    powers = [{"n": n, "seconds": 7 * n**2} for n in (10, 100, 1000)]
    assert exponent(powers, "n") == pytest.approx(2)


def test_rows_raced_anew_take_their_old_place():
    """A part run replaces its own rows and keeps the others, unless other versions were at work."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    new = {**kept["rows"][3], "seconds": -1.0}
    found = merged({"versions": kept["versions"], "rows": [new], "growth": []})
    same = [line for line in kept["rows"] if (line["job"], line["on"]) != (new["job"], new["on"])]
    assert [line for line in found["rows"] if line["seconds"] >= 0] == same
    assert found["rows"].index(new) == 0 and found["growth"] == kept["growth"]
    alone = {"versions": {**versions(), "linlearn": "other"}, "rows": [new], "growth": []}
    assert merged(dict(alone)) == alone


def test_the_fits_over_blocks_are_summed_up_by_their_medians(tmp_path):
    """A peer is measured by the best end that is proved for the same samples, not by its own."""
    run = {"cpu": 1.0, "others": 0.5, "peak": 7.0, "n": 10**6, "readings": 4, "back": []}
    ours = [run | {"wall": w, "lower": 1 - 1e-9, "upper": 1.0} for w in (3.0, 1.0, 2.0)]
    peer = [run | {"wall": 5.0, "lower": 0.5, "upper": 1.01, "readings": 0}]
    done = {
        "logistic, memory map": ours,
        "logistic, SGDClassifier, a pass": peer,
        "svm, Parquet": [],
    }
    lines = blocks.table(done)
    rows = list(csv.DictReader([blocks.HEAD, *lines]))
    assert [row["job"] for row in rows] == [
        "logistic, memory map",
        "logistic, SGDClassifier, a pass",
    ]
    assert [float(rows[0][key]) for key in ("runs", "wall", "least", "most")] == [3, 2, 1, 3]
    assert float(rows[0]["off"]) == pytest.approx(1e-9, rel=0.1)
    assert float(rows[1]["off"]) == pytest.approx(1e-2)
    assert rows[0]["back"] == "" and rows[1]["readings"] == ""


def test_the_jobs_over_blocks_run(tmp_path):
    """Few samples, through the same door: the peer's plane is judged, nothing is claimed too well."""
    blocks.write(tmp_path, 20_000)
    ours = blocks.run(tmp_path, "logistic, memory map")
    peer = blocks.run(tmp_path, "logistic, SGDClassifier, a pass")
    assert ours["readings"] == 0 and ours["lower"] <= ours["upper"] <= peer["upper"]
    assert blocks.machine() > 0 and ours["others"] >= 0


def test_the_floor_stands_beside_large_samples(monkeypatch):
    """From n on where it is raced, a fit is compared with a reading of X and with XᵀX; not below."""
    row = next(row for row in SMALL if row.job == "least squares")
    assert "grams" not in measure(row, rounds=0, budget=0)[0]
    monkeypatch.setattr("benchmarks.__main__.MANY", 100)
    lines = measure(row, rounds=2, budget=60)
    assert lines[0]["readings"] > 0 < lines[0]["grams"]
    assert [line["side"] for line in lines] == ["ours", *row.peers]
    told = f"| {lines[0]['readings']:.1f} | {lines[0]['grams']:.1f} |"
    assert told in markdown({"versions": {}, "rows": lines})


def test_versions_take_turns():
    """Each first in every other round; the first round is left out; a side runs its own tree's rows."""
    calls = []

    class Fake:
        def __init__(self, name, took):
            self.name, self.took = name, took

        def seconds(self, row):
            calls.append(self.name)
            return self.took

    assert quotients([Fake("old", 3.0), Fake("new", 2.0)], "row", 2) == [(3.0, 2.0)] * 2
    assert calls == ["new", "old", "old", "new", "new", "old"]
    row = "logistic, λ = 1e-3 | noisy 100×2"  # the tongue of both is UTF-8
    with Side(ROOT, ["small"]) as side:
        assert row in side.rows and "wide" not in "".join(side.rows)
        assert side.seconds(row) > 0
