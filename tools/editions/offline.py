"""The book in one archive: unpacked, it opens from a disk or a phone, and its search works, without a server.

It holds what pages lead to and load, as `linlearn_kept` lists it.
"""

import json
import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

NAME = "linear-classification"
FILES = re.compile(r"^const FILES = (\[.*\]);$", re.MULTILINE)
# The earliest that an archive can hold, so that a second one has the same bytes.
DATE = (1980, 1, 1, 0, 0, 0)


def write(html: Path, out: Path) -> None:
    """Write the archive into the folder `out`."""
    names = json.loads(FILES.search((html / "worker.js").read_text("utf8"))[1])
    with ZipFile(out / f"{NAME}.zip", "w") as archive:
        for name in names:
            entry = ZipInfo(f"{NAME}/{name}", DATE)
            archive.writestr(entry, (html / name).read_bytes(), ZIP_DEFLATED, compresslevel=9)
