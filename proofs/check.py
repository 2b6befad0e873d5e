"""Check the proofs with Coq, or say that a pair of statements has been read.

python3 proofs/check.py                     compile the scripts, look at their axioms, compare goals and pairs
python3 proofs/check.py --accept LABEL ...  somebody has read both statements, line against line
python3 proofs/check.py --goals             record what is left to prove after each line of the shown proofs

Needs Python and `coqc`, and no other package.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from graphlib import TopologicalSorter
from pathlib import Path

import formal
from formal import bare, pairs, prose, scripts

BUILD = formal.HERE.parent / "_build" / "proofs"
CORES = os.cpu_count() or 1
LIBRARY = ("-q", "-w", "none", "-R", ".", "LinearClassification")
# Coq's real numbers are cuts in the rationals; the first three are what that costs. Its logarithm comes
# from the intermediate values of exp, and its mean value theorem from a maximum; that costs the fourth.
# None is ours.
AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
}
OF_CALCULUS = {"Classical_Prop.classic"}  # a statement is true, or its negation is
MISSING = """`coqc` must be on the PATH, and was not found. Debian's and Ubuntu's package `coq` has it (1 GB):
    apt-get install --no-install-recommends coq
then run `make proofs` again."""


def coq(name: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["coqc", *LIBRARY, f"{name}.v"], cwd=BUILD, capture_output=True, text=True, encoding="utf8"
    )


def compiled(among) -> list[str]:
    """What Coq says against the scripts; each is compiled after those that it imports, on every core."""
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    order = TopologicalSorter({script.name: script.imports for script in among.values()})
    order.prepare()
    running: dict[Future[subprocess.CompletedProcess], str] = {}
    with ThreadPoolExecutor(CORES) as pool:
        while order.is_active():
            for name in order.get_ready():
                (BUILD / f"{name}.v").write_text(among[name].source, "utf8")
                running[pool.submit(coq, name)] = name
            for ended in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(ended)
                if (run := ended.result()).returncode:
                    pool.shutdown(cancel_futures=True)
                    return [f"{name}.v does not check:\n{run.stderr}"]
                order.done(name)
    return []


def axioms(among) -> dict[str, set[str]]:
    """The axioms that each theorem and each example rests on, as Coq prints them; asked on every core."""
    theorems = [
        f"{s.name}.{proved}" for s in among.values() for proved in (*s.theorems, *s.examples)
    ]
    with ThreadPoolExecutor(CORES) as pool:
        answers = pool.map(lambda k: printed(f"Audit{k}", theorems[k::CORES], among), range(CORES))
        found = {theorem: mine for answer in answers for theorem, mine in answer.items()}
    return {theorem: found[theorem] for theorem in theorems}


def printed(name: str, theorems: list[str], among) -> dict[str, set[str]]:
    """The axioms of these theorems, asked for in a script of this name."""
    asked = [f"From LinearClassification Require {' '.join(among)}."]
    asked += [f"Print Assumptions {theorem}." for theorem in theorems]
    (BUILD / f"{name}.v").write_text("\n".join(asked), "utf8")
    run = coq(name)
    answers = re.split(
        r"^(?:Axioms:|Closed under the global context)$", run.stdout, flags=re.MULTILINE
    )[1:]
    if run.returncode or len(answers) != len(theorems):
        raise SystemExit(f"Coq did not answer for every theorem:\n{run.stdout}{run.stderr}")
    found = (set(re.findall(r"^([\w.]+)(?=\s*:)", a, flags=re.MULTILINE)) for a in answers)
    return dict(zip(theorems, found, strict=True))


def hidden(among) -> list[str]:
    """Names of ours that Coq takes from a library: one that is required below our definition hides it."""
    foreign = r"^R\d+:\d+ (?!LinearClassification\.)(\S+) \S+ (\S+) \w+$"
    found = []
    for name in among:
        ours = {mine for r in formal.reached(name, among) for mine in among[r].known}
        links = (BUILD / f"{name}.glob").read_text("utf8")  # what each name in the script leads to
        taken = sorted(set(re.findall(foreign, links, re.MULTILINE)))
        found += [f"{name}.v: `{word}` is that of {lib}" for lib, word in taken if word in ours]
    return found


def borrowed(used: dict[str, set[str]], among) -> list[str]:
    """Theorems that rest on more than the real numbers, and on calculus where they speak of no exp or ln."""
    return [
        f"{name} rests on {sorted(more)}, which must be proved"
        for name, mine in used.items()
        if (more := mine - AXIOMS - (OF_CALCULUS if speaks_of_exp(name, among) else set()))
    ]


def speaks_of_exp(name: str, among) -> bool:
    script, theorem = name.split(".")
    said = formal.statement(among[script], theorem, among)
    return bool(re.search(r"\b(exp|ln)\b", bare("\n".join(said))))


# Goals --------------------------------------------------------------------------------------


def recorded(script, proofs: list[str]) -> list[dict[str, str]]:
    """Each line of these proofs, and what is left to show after it."""
    parts = formal.sentences(script.source)
    feed = "".join(" ".join(bare(part).split()) + "\n" for part in parts)
    run = subprocess.run(
        ["coqtop", "-emacs", *LIBRARY],
        cwd=BUILD,
        input=feed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf8",
        check=True,
    )
    answers = re.split(r"<prompt>.*?</prompt>", run.stdout)[1:]
    if len(answers) != len(parts) + 1:
        raise SystemExit(f"{script.name}.v: {len(parts)} sentences, {len(answers) - 1} answers")
    return [
        {"text": parts[k].strip(), "left": left(answers[k])} for k in formal.lines_of(proofs, parts)
    ]


def left(answer: str) -> str:
    """The goals in what Coq says, without the numbers that it gives them."""
    goals = re.search(r"\d+ (?:focused )?goals?.*", answer, flags=re.DOTALL)
    return re.sub(r" \(ID \d+\)", "", goals[0]).strip() if goals else ""


def replayed(among, read) -> dict[Path, list[dict[str, str]]]:
    """What the pages show line by line, as Coq says it now."""
    asked = {label: pair["lines"] for label, pair in read.items() if "lines" in pair}
    return {
        formal.HERE / f"{label}.goals.json": recorded(among[lines["script"]], lines["proofs"])
        for label, lines in asked.items()
    }


def stale(among, read) -> list[str]:
    return [
        f"{path.name} is not what Coq says now: python3 proofs/check.py --goals"
        for path, lines in replayed(among, read).items()
        if not path.exists() or json.loads(path.read_text("utf8")) != lines
    ]


# Commands -----------------------------------------------------------------------------------


def accept(labels: list[str]) -> None:
    """Write down the hashes of pairs that somebody has read."""
    read, among, text = pairs(), scripts(), prose()
    for label in labels:
        read[label] |= formal.now(label, read[label], among, text)
    written = json.dumps(read, indent=1, ensure_ascii=False)
    (formal.HERE / "pairs.json").write_text(written + "\n", "utf8")


def record() -> None:
    among, read = scripts(), pairs()
    if wrong := compiled(among):
        raise SystemExit("\n".join(wrong))
    for path, lines in replayed(among, read).items():
        path.write_text(json.dumps(lines, indent=1, ensure_ascii=False) + "\n", "utf8")


def check() -> None:
    began = time.perf_counter()
    among, read, text = scripts(), pairs(), prose()
    wrong = [
        *formal.unproved(among),
        *formal.strange(among),
        *formal.foreign(among),
        *formal.ambiguous(among),
        *formal.unread(among, text, read),
        *formal.misquoted(among, text),
        *compiled(among),
    ]
    if wrong:
        raise SystemExit("\n".join(wrong))
    used = axioms(among)
    if wrong := [*hidden(among), *borrowed(used, among), *stale(among, read)]:
        raise SystemExit("\n".join(wrong))
    theorems = [f"{s.name}.{theorem}" for s in among.values() for theorem in s.theorems]
    free = sum(not used[theorem] for theorem in theorems)
    print(
        f"==> Coq has checked {len(theorems)} theorems in {len(among)} scripts, {free} without any axiom, "
        f"the others on those of its real numbers and of exp and ln ({time.perf_counter() - began:.0f} s)"
    )


def main(asked: list[str]) -> None:
    if asked[:1] == ["--accept"]:
        return accept(asked[1:])
    if not shutil.which("coqc"):
        raise SystemExit(MISSING)
    return record() if asked == ["--goals"] else check()


if __name__ == "__main__":
    main(sys.argv[1:])
