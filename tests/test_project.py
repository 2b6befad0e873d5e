"""What the project says about itself is said once, or is the same everywhere, and is true."""

import doctest
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import warnings
from datetime import date
from pathlib import Path

import pytest
import yaml
from conftest import loud_skip
from guards import ROOT, opened
from linlearn_lessons import chapters, hours, lessons
from linlearn_notebooks import BRANCH

import linlearn
from tools.editions.plain import file_name

URL = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["repository"]["url"]
GUIDES = [
    "README.md",
    "CONTRIBUTING.md",
    *(f"docs/dev/{p.name}" for p in (ROOT / "docs/dev").glob("*.md")),
]
SAYS_URL = ("README.md", "CITATION.cff", "pyproject.toml", "index.ipynb")
# Folders that one machine has, and options that name a package registry.
PRIVATE = re.compile(
    r"(?<![\w.])/(?:work|root|home/\w+)/|(?:extra-)?index-url|trusted-host|find-links"
)


def text(name: str) -> str:
    return (ROOT / name).read_text("utf8")


def project() -> dict:
    return tomllib.loads(text("pyproject.toml"))["project"]


def tracked() -> list[Path]:
    """The files that git knows or would take in; all of them where git is missing."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    try:
        listed = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        loud_skip(
            "the list of tracked files (git does not answer)", "Run in a clone of the repository."
        )
    return [path for name in listed.splitlines() if (path := ROOT / name).is_file()]


@pytest.mark.parametrize("name", SAYS_URL)
def test_repository_address_is_said(name):
    """The pages that a newcomer reads first say where the project lives."""
    assert URL in text(name), f"{name} must name {URL}, the `repository: url:` of _config.yml"


def test_repository_address_is_the_same_everywhere():
    """Every address of this repository is the one in _config.yml, in Binder's and Colab's form too."""
    owner, name = URL.removeprefix("https://github.com/").split("/")
    form = rf"(?:github\.com/|mybinder\.org/v2/gh/|/github/)([\w.-]+)/{name}\b"
    for path in tracked():
        if path.suffix in (".md", ".cff", ".toml", ".yml", ".ipynb", ".py", ".txt"):
            others = set(re.findall(form, path.read_text("utf8"))) - {owner}
            assert not others, (
                f"{path.name} names {sorted(others)} instead of {owner}: mend it or _config.yml"
            )


@pytest.mark.parametrize(
    "path",
    [ROOT / "index.ipynb", *sorted((ROOT / "book").glob("[0-9][0-9]_*.ipynb"))],
    ids=lambda p: p.stem,
)
def test_import_cell_says_how_to_install(path):
    """Where a chapter is opened without the repository, its first code line tells what to install."""
    line = f'# %pip install "{project()["name"]}[book] @ git+{URL}"'
    first = opened(path).code[0]
    assert first.source.splitlines()[0] == line, (
        f"{path.stem}, cell `{first.id}` must begin with: {line}"
    )


def test_versions_agree():
    """The package, its metadata and the citation carry one version."""
    cited = yaml.safe_load(text("CITATION.cff"))["version"]
    assert linlearn.__version__ == project()["version"] == str(cited)


LOCKED = {  # each locked file, and what it is made from
    "requirements.txt": "book.in",
    **{
        f"requirements/{name}.txt": f"{name}.in"
        for name in ("bench", "lab", "editions", "installer")
    },
}
ENTRY = re.compile(
    r"^([\w.-]+==\S+)(?: ;[^\\\n]*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    re.MULTILINE,
)


def test_every_requirements_file_is_locked():
    """No file with requirements stands beside those that `make lock` writes and reads."""
    found = {
        str(p.relative_to(ROOT))
        for p in [*ROOT.glob("requirements*.txt"), *ROOT.glob("requirements/*")]
    }
    assert found == {*LOCKED, *(f"requirements/{name}" for name in LOCKED.values())}


@pytest.mark.parametrize("name", LOCKED)
def test_requirements_are_pinned_and_hashed(name):
    """Every package is pinned exactly, as its source asks, and every file of it has its hash."""
    rest = re.sub(r"^#.*\n", "", ENTRY.sub("", text(name)), flags=re.MULTILINE)
    assert not rest, f"{name}, pins without a hash, or other lines: {rest[:200]}; run `make lock`"
    asked = re.findall(r"^[^#\s-].*", text(f"requirements/{LOCKED[name]}"), re.MULTILINE)
    assert asked and all("==" in pin for pin in asked)
    missing = {pin.strip() for pin in asked} - {pin for pin, _ in ENTRY.findall(text(name))}
    assert not missing, f"{name} lacks {missing}: run `make lock`"


SMALL = "iniconfig"


def test_a_changed_hash_stops_the_installation(tmp_path):
    """What `make` and the README run: uv refuses a file with another hash, and so does pip after it."""
    if not shutil.which("sh"):
        loud_skip("the hashes of requirements.txt (sh is missing)", "Run where `make` runs.")
    entry = next(
        m[0] for m in ENTRY.finditer(text("requirements.txt")) if m[1].startswith(f"{SMALL}==")
    )
    (tmp_path / "sound.txt").write_text(entry)
    download = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "-d",
        str(tmp_path),
        "-r",
        str(tmp_path / "sound.txt"),
    ]
    if subprocess.run(download, capture_output=True).returncode:
        loud_skip("the hashes of requirements.txt (no package index answers)", "Connect to one.")
    for name in ("tools/venv.sh", "requirements/installer.txt", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changed = re.sub(r"(?<=sha256:)\w", lambda digit: "1" if digit[0] == "0" else "0", entry)
    (tmp_path / "requirements.txt").write_text(changed)
    done = subprocess.run(
        [shutil.which("sh"), "tools/venv.sh"],
        cwd=tmp_path,
        env=os.environ | {"PYTHON": sys.executable},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stdout
    assert "Hash mismatch for `iniconfig" in done.stderr, done.stderr
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in done.stderr, done.stderr
    assert not list(tmp_path.glob(f".venv/**/{SMALL}*")) and not list(
        tmp_path.glob(".venv/installed-*")
    )


@pytest.mark.parametrize(
    ("environment", "told"), [({}, "0"), ({"PYTHONDONTWRITEBYTECODE": "1"}, "1")]
)
def test_the_installer_is_told_whether_to_compile(environment, told):
    """uv takes 0 or 1 and stops at nothing: then pip would install, which takes minutes."""
    if not shutil.which("sh"):
        loud_skip("tools/venv.sh (sh is missing)", "Run where `make` runs.")
    script = text("tools/venv.sh")
    first = re.search(r"^compile=.*$", script, re.MULTILINE)[0]
    value = re.search(r"UV_COMPILE_BYTECODE=(\S+)", script)[1]
    command = [shutil.which("sh"), "-c", f"{first}\necho {value}"]
    assert (
        subprocess.run(command, env=environment, capture_output=True, text=True).stdout
        == f"{told}\n"
    )


def shell(*names: str, folder: Path) -> dict[str, str]:
    """An environment in which only these programs are found."""
    for name in names:
        (folder / name).symlink_to(shutil.which(name))
    return {"PATH": str(folder)}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "This needs Python 3.11 or later, and none was found on the PATH."),
        ({"PYTHON": "/bin/false"}, "PYTHON=/bin/false is not a Python 3.11 or later."),
    ],
)
def test_missing_python_is_said(asked, said, tmp_path):
    """Without a Python, or with a wrong one named, the reason is said and nothing is made."""
    if not shutil.which("sh"):
        loud_skip("tools/venv.sh (sh is missing)", "Run where `make` runs.")
    (tmp_path / "bin").mkdir()
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    (tmp_path / "requirements.txt").write_text("")
    done = subprocess.run(
        [shutil.which("sh"), "tools/venv.sh"],
        cwd=tmp_path,
        env=shell("cat", "cksum", "rm", folder=tmp_path / "bin") | asked,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and said in done.stderr, done.stdout + done.stderr
    assert not (tmp_path / ".venv").exists()


def test_no_machine_is_named():
    """No tracked file names a folder of one machine or a package registry."""
    mine = {Path(__file__), ROOT / "tests" / "test_guards.py"}
    for path in set(tracked()) - mine:
        try:
            found = PRIVATE.search(path.read_text("utf8"))
        except UnicodeDecodeError:
            continue
        assert not found, (
            f"{path.relative_to(ROOT)} names {found[0]!r}: write it relative, or leave it out"
        )


def test_licences_are_there():
    """Code, text and fonts each have their licence, and the wheel carries those of what is in it."""
    assert project()["license"] == "BSD-3-Clause AND OFL-1.1"
    assert project()["license-files"] == ["LICENSE", "linlearn/fonts/OFL.txt"]
    assert "Redistribution and use" in text("LICENSE")
    assert "Creative Commons Attribution 4.0" in text("LICENSES/CC-BY-4.0.txt")
    assert "(LICENSES/CC-BY-4.0.txt)" in text("README.md")


def test_metadata_says_what_the_tests_try():
    """Types are promised with their marker, and the Python versions are those of `make machines`."""
    from tools.machines import PYTHON_VERSIONS

    said = project()["classifiers"]
    assert "Typing :: Typed" in said and (ROOT / "linlearn/py.typed").exists()
    assert {f"Programming Language :: Python :: {v}" for v in PYTHON_VERSIONS} <= set(said)
    assert all(address.startswith(URL) for address in project()["urls"].values())


def test_distribution_has_its_own_name():
    """On PyPI `linlearn` is another project, so no text may tell a reader to install that."""
    assert project()["name"] == "linclass"
    other = re.compile(r"pip install (?:-\S+ )*[\\\"']*linlearn\b")
    for path in tracked():
        if path.suffix in (".md", ".ipynb", ".py", ".toml", ".yml") and path != Path(__file__):
            found = other.search(path.read_text("utf8"))
            assert not found, f"{path.name}: `{found[0]}` would install another project"


def test_packed_sources_carry_no_tests(tmp_path):
    """They hold the package with its data and licences, and nothing that cannot run without the book."""
    for path in tracked():
        packed = ("linlearn", "tests", "LICENSE", "README.md", "pyproject.toml", "MANIFEST.in")
        if (name := path.relative_to(ROOT)).parts[0] in packed:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, tmp_path / name)
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", "dist"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    with tarfile.open(next((tmp_path / "dist").glob("linclass-*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert not [name for name in names if name.startswith("tests")]
    wanted = {"LICENSE", "linlearn/py.typed", "linlearn/fonts/OFL.txt", "linlearn/explore/page.js"}
    assert wanted <= names


def test_citation_is_complete():
    """Who cites finds title, authors, version, date, licences and where the work is."""
    cited = yaml.safe_load(text("CITATION.cff"))
    assert cited["cff-version"] == "1.2.0" and cited["authors"] and cited["title"]
    assert cited["date-released"] <= date.today() and cited["abstract"].strip()
    assert cited["license"] == ["BSD-3-Clause", "CC-BY-4.0", "OFL-1.1"]


def test_workflows_trust_as_little_as_they_can():
    """No credentials are kept, nothing is written but Pages, and each action is one commit."""
    for path in (ROOT / ".github" / "workflows").glob("*.y*ml"):
        flow = yaml.safe_load(path.read_text("utf8"))
        assert flow["permissions"] == {"contents": "read"}
        steps = [step for job in flow["jobs"].values() for step in job["steps"]]
        for step in steps:
            used = step.get("uses", "")
            assert not used or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), (
                f"{path.name}: pin {used}"
            )
            if used.startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
        for job in flow["jobs"].values():
            assert job.get("permissions", {}).keys() <= {"pages", "id-token"}
            assert "permissions" not in job or "run" not in {k for s in job["steps"] for k in s}


def sessions(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text(name), re.DOTALL)


@pytest.mark.parametrize(
    ("name", "session"),
    [(name, s) for name in ("README.md", "docs/dev/certificates.md") for s in sessions(name)],
)
def test_example_prints_what_it_shows(name, session, tmp_path, monkeypatch):
    """A Python block that is a session with `>>>` prints what it shows, and needs no other block."""
    monkeypatch.chdir(tmp_path)  # some save files
    example = doctest.DocTestParser().get_doctest(session, {}, name, name, 0)
    assert len(example.examples) > 3, f"a ```python block of {name} must be a session with `>>>`"
    said: list[str] = []
    with warnings.catch_warnings(action="ignore"):  # a model is stopped early on purpose
        failed, _ = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert not failed, "".join(said)


def test_readme_says_which_sessions_need_more():
    """Scikit-learn is announced once, before the first session that needs it; skops and pandas where used."""
    before, after = text("README.md").split("This example and those that follow need scikit-learn:")
    assert not re.search("sklearn|breast_cancer", "".join(re.findall(r">>> .*", before)))
    rest = re.findall(r"(.*)\n+```python\n(.*?)```", after, re.DOTALL)
    for paragraph, session in rest:
        assert re.search("sklearn|breast_cancer", session), session[:60]
        needs = "pandas" in session or "estimators.save" in session
        assert needs == ("also needs skops and pandas:" in paragraph[-300:]), session[:60]


def test_readme_says_that_the_address_is_a_placeholder():
    """As long as the book is published nowhere, a newcomer must not take the address for a real one."""
    published = yaml.safe_load(text("_config.yml"))["sphinx"]["config"]["html_baseurl"]
    assert published or "placeholder" in text("README.md").partition(URL)[0]


def test_the_guides_lead_to_no_source_of_a_page():
    """Its directives are not shown on GitHub: lead to the plain notebook, or name the page."""
    for name in GUIDES:
        assert not re.search(r"\]\((?:\.\./)*book/[\w/]+\.(?:ipynb|md)", text(name)), name
    pages = [*(ROOT / "book").glob("*.ipynb"), ROOT / "index.ipynb"]
    numbers = {lesson.page: lesson.number for lesson in lessons(ROOT).values()}
    names = {str(path.relative_to(ROOT).with_suffix("")) for path in pages}
    there = {file_name(page, numbers.get(page, "")) for page in names}
    led_to = re.findall(rf"{URL}/blob/{BRANCH}/([^)]+)", text("README.md"))
    assert led_to and set(led_to) <= there


def test_readme_lists_the_lessons():
    """By chapter, in order, with the titles that they have, the core marked, and how long the tracks take."""
    known = lessons(ROOT)
    readme = text("README.md")
    listed = re.findall(r"^- \*\*(\d+) (.+)\*\*\n((?:  - .*\n)+)", readme, re.MULTILINE)
    wanted = []
    for k, (name, stems) in enumerate(chapters(ROOT).items()):
        own = ""
        for lesson in map(known.get, stems):
            star, question = "★ " * (lesson.track == "core"), lesson.title.removeprefix(lesson.name)
            notebook = f"{URL}/blob/{BRANCH}/{file_name(lesson.page, lesson.number)}"
            own += f"  - {star}{lesson.number} · [{lesson.name}]({notebook}){question}\n"
        wanted.append((str(k), name, own))
    assert listed == wanted
    for track in ("core", "theory"):
        own = [lesson.minutes for lesson in known.values() if lesson.track == track]
        assert f"{len(own)} lessons, about {hours(*own)}" in " ".join(readme.split())


@pytest.mark.parametrize("name", GUIDES)
def test_relative_links_exist(name):
    """What the README and the guides for contributors link to exists."""
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", text(name)) + re.findall(
        r'src="(?!https?:)([^"]+)"', text(name)
    )
    gone = [link for link in links if not (ROOT / name).parent.joinpath(link).exists()]
    assert not gone, f"{name} links to {gone}, which do not exist"


def test_make_targets_exist():
    """`make help` lists the promised targets, and every `make …` that the texts name is one of them."""
    if not shutil.which("make"):
        loud_skip("the Makefile (make is missing)", "Install make.")
    alone = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    shown = subprocess.run(
        ["make", "help"], cwd=ROOT, env=alone, capture_output=True, text=True, check=True
    ).stdout
    listed = set(re.findall(r"^\s*make (\w+)", shown, re.MULTILINE))
    promised = {
        "book",
        "test",
        "proofs",
        "browser",
        "axe",
        "fuzz",
        "machines",
        "lint",
        "serve",
        "lab",
        "outputs",
    }
    assert listed >= promised | {"bench", "clean"}
    for target in sorted(listed):
        dry = subprocess.run(
            ["make", "-n", target], cwd=ROOT, env=alone, capture_output=True, text=True
        )
        assert dry.returncode == 0, f"`make {target}`: {dry.stderr}"
    for name in (*GUIDES, "index.ipynb"):
        named = set(re.findall(r"`make (\w+)", text(name)))
        assert named <= listed, (
            f"{name} names make targets that do not exist: {sorted(named - listed)}"
        )


def test_continuous_integration_runs_make():
    """What CI runs is what a reader runs: the make targets, through `.ci/run`."""
    made = " ".join(re.findall(r"^make ([^>|&\n]*)", text(".ci/run"), re.MULTILINE)).split()
    assert {"proofs", "lint", "book", "test", "variants", "machines"} <= set(made)
    workflows = "".join(
        path.read_text("utf8") for path in (ROOT / ".github" / "workflows").glob("*.y*ml")
    )
    assert ".ci/run" in workflows or re.search(r"\bmake [\w ]*test\b", workflows)


def test_guides_stay_short():
    """CONTRIBUTING is read in one sitting; every page beside it is listed with the question it answers."""
    assert len((ROOT / "CONTRIBUTING.md").read_bytes()) <= 9_000
    listed = set(re.findall(r"\]\((\w+\.md)\)", text("docs/dev/README.md")))
    assert listed == {path.name for path in (ROOT / "docs/dev").glob("*.md")} - {"README.md"}


def test_paths_in_the_guides_exist():
    """A path that a guide writes in back-ticks is there; capitals stand for a name of one's own."""
    roots = "|".join(
        path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] not in "._"
    )
    for name in GUIDES:
        for path in re.findall(rf"`((?:{roots})/[\w./-]*)`", text(name)):
            assert (ROOT / path).exists() or re.search(r"NN|_N\b", path), f"{name} names {path}"
