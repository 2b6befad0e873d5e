"""Write the editions of the course from its finished build.

python -m tools.editions [NAME …]        all of them, or those named, into _build/editions/NAME
"""

import shutil
import sys
import time
from importlib import import_module

from tools.editions import ROOT, Faulty, Missing

HTML = ROOT / "_build" / "html"
OUT = ROOT / "_build" / "editions"
# Each name is a module here, whose `write(html, out)` fills the folder `out`.
EDITIONS: tuple[str, ...] = ("notebooks", "pdf", "offline", "slides", "instructor", "moodle")


def main(names: list[str]) -> None:
    """Write the editions named, or all, and say how large they are and how long each took."""
    unknown = [name for name in names if name not in EDITIONS]
    if unknown:
        sys.exit(f"There is no edition {unknown[0]!r}. The editions are {', '.join(EDITIONS)}.")
    if not (HTML / "index.html").exists():
        sys.exit("The editions are made from the finished book. Run `make book` first.")
    failed = []
    for name in names or EDITIONS:
        out = OUT / name
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        begun = time.perf_counter()
        try:
            import_module(f"{__package__}.{name}").write(HTML, out)
        except Missing as reason:  # the others are written all the same
            failed.append(f"{name} was not written. {reason}")
            continue
        except Faulty as reason:
            failed.append(f"{name} is not as it should be. {reason}.")
        size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
        seconds = time.perf_counter() - begun
        print(f"  {out.relative_to(ROOT)}: {size / 1e6:.1f} MB in {seconds:.0f} s", flush=True)
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main(sys.argv[1:])
