"""The properties draw the same examples in every run; `make fuzz` draws more, anew for each seed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from conftest import draw
from hypothesis import given, settings
from hypothesis import strategies as st

HERE = Path(__file__).parent
# Of all plugins these, in the order in which they come into every run.
ALONE = "-p conftest -p _hypothesis_pytestplugin -p no:cacheprovider"
PROPERTY = """
import json, sys
from hypothesis import given, settings, strategies as st
from pathlib import Path
DRAWN = []

@settings(max_examples=50)
@given(st.lists(st.integers()), st.floats())
def test_property(numbers, x):
    DRAWN.append((numbers, repr(x)))

def test_write():
    Path("drawn.json").write_text(json.dumps(DRAWN))
"""


def drawn(folder, *options, before="", **environment):
    """What the property is given in a run of its own, after other code ran in the same process."""
    (folder / "test_drawn.py").write_text(before + PROPERTY)
    command = [sys.executable, "-m", "pytest", "-q", *ALONE.split()]
    kept = {key: value for key, value in os.environ.items() if key not in ("CI", "EXAMPLES")}
    kept |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(HERE), **environment}
    done = subprocess.run(
        [*command, *options, "."], cwd=folder, env=kept, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads((folder / "drawn.json").read_text())


def test_every_run_draws_the_same_examples(tmp_path):
    """Whatever hashes, `CI`, and the modules that were imported before."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "earlier.py").write_text("\n".join(f"x = {k}" for k in range(10**6, 10**6 + 300)))
    first = drawn(tmp_path, PYTHONHASHSEED="1")
    assert len(first) == 50
    assert drawn(tmp_path, before="import earlier", PYTHONHASHSEED="2", CI="true") == first


def test_fuzzing_draws_more_and_the_seed_gives_them_back(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    fuzz = lambda seed: drawn(  # noqa: E731
        tmp_path, "--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}", EXAMPLES="3"
    )
    first = fuzz(1)
    assert len(first) == 150
    assert fuzz(1) == first != fuzz(2)


def test_a_sample_draws_a_quarter_of_what_a_numerical_property_asks_for():
    """Another file's property draws as many as it says."""

    def one(path):
        @settings(max_examples=50)
        @given(st.integers())
        def test(number):
            pass

        return SimpleNamespace(obj=test, path=path, get_closest_marker=lambda _: True)

    items = [one("tests/test_svm.py"), one("tests/test_book.py")]
    draw([*items, items[0]], 1, {"tests/test_svm.py"})
    found = [item.obj._hypothesis_internal_use_settings.max_examples for item in items]
    assert found == [12, 50]
