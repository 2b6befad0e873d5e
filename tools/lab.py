"""Open the lessons in JupyterLab, as plain notebooks in a folder that is the learner's own.

python tools/lab.py [student | reader]

A notebook that is there already is never written again, whatever has changed in the book.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))
from tools.editions.plain import VARIANTS, Book, write_variant  # noqa: E402

OWN = ROOT / "my-notebooks"
LAB = [
    "--LabApp.news_url=None",
    "--LabApp.extension_manager=readonly",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.default_url=/lab/tree/index.ipynb",
]


def lay_out(book: Book, folder: Path, variant: str) -> list[str]:
    """Put into the folder what is not there yet, and return the names."""
    new = []
    with tempfile.TemporaryDirectory() as fresh:
        write_variant(book, Path(fresh), variant)
        for source in sorted(path for path in Path(fresh).rglob("*") if path.is_file()):
            target = folder / source.relative_to(fresh)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
                new.append(str(target.relative_to(folder)))
    return new


def main(arguments: list[str]) -> None:
    variant = arguments[0] if arguments else "student"
    if variant not in VARIANTS:
        sys.exit(f"`VARIANT` must be one of {', '.join(VARIANTS)}; got {variant!r}.")
    folder = OWN / variant
    new = lay_out(Book.built(ROOT, ROOT / "_build" / "numbers.json"), folder, variant)
    print(f"==> Your notebooks are in {folder.relative_to(ROOT)}: {len(new)} new files")
    print("    To get a fresh copy of one, rename or remove yours, and start again.", flush=True)
    raise SystemExit(subprocess.call([sys.executable, "-m", "jupyterlab", str(folder), *LAB]))


if __name__ == "__main__":
    main(sys.argv[1:])
