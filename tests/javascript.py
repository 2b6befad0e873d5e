"""Node, to run the package's JavaScript in tests: Playwright's wheel brings one along."""

import json
import subprocess
from collections.abc import Sequence

from guards import ROOT
from playwright._impl._driver import compute_driver_executable  # private: known here only

MODULES = ROOT / "linlearn" / "explore"

# Reads [[module, name or dotted.name, ...arguments], …]; prints what they return, ±∞ as a word.
CALLS = """
import { readFileSync } from "node:fs";
const [folder, calls] = JSON.parse(readFileSync(0, "utf8")), out = [];
for (const [module, name, ...args] of calls) {
  const found = name.split(".").reduce((at, key) => at[key], await import(`${folder}/${module}.js`));
  out.push(found(...args));
}
console.log(JSON.stringify(out, (_, v) => (v === Infinity || v === -Infinity ? String(v) : v)));
"""


def node(*arguments: str, given: str = "") -> str:
    """What Node prints when `given` is its standard input; where it fails, its complaint."""
    command = [compute_driver_executable()[0], "--no-warnings", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def module(source: str, given: str = "") -> str:
    """The same for the text of a module."""
    return node("--input-type=module", "--eval", source, given=given)


def call(calls: Sequence[Sequence]) -> list:
    """The results of functions of the package, each call (module, name, *arguments)."""
    return json.loads(module(CALLS, json.dumps([MODULES.as_uri(), calls])))
