"""Write named arrays to a .npz file and read them back, validating everything in the file.

Members are not compressed, so that what is read is never larger than the file; a member named `checks` has
the sum of each, so that none can stand in another's place. Nothing in a file chooses a function or a path.
"""

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import isfinite, prod
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

CHECKS = "checks"


def write(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Write arrays to `path`, where `open_stored` finds them."""
    from zipfile import ZipFile  # which takes a while to import, and few need it

    with ZipFile(path, "w") as file:
        for name, values in arrays.items():
            _write_array(file, name, values)
        sums = {one.filename.removesuffix(".npy"): one.CRC for one in file.infolist()}
        _write_array(file, CHECKS, json.dumps(sums))


def _write_array(file: Any, name: str, values: Any) -> None:
    with file.open(f"{name}.npy", "w", force_zip64=True) as member:
        np.lib.format.write_array(member, np.asarray(values), allow_pickle=False)


@contextmanager
def open_stored(path: str | os.PathLike[str], by: str, kind: str) -> Iterator["Stored"]:
    """What lies in the file; whatever is wrong with it is one ValueError, which names the path.

    Parameters
    ----------
    by, kind : the function that writes such files, and the name of their format
    """
    given = os.fspath(path)
    again = f"save the {'fit' if by == 'Fit.save' else 'model'} again"
    wrong = (
        f"`path` must be a file written by `{by}`, in the format {kind!r}; cannot load {given!r}"
    )
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for
        raise ValueError(f"{wrong}: it is not a regular file.")
    with open(path, "rb") as file:
        try:
            yield Stored(file, again)
        except Exception as error:  # a damaged file can make anything go wrong
            why = " ".join(str(error).split())[:300].rstrip(".")
            if not isinstance(error, ValueError):
                why = f"the file is damaged ({type(error).__name__}: {why}); {again}"
            raise ValueError(f"{wrong}: {why}.") from None


class Stored:
    """The members of an open file, each read when it is asked for and its size is known to be true."""

    def __init__(self, file: IO[bytes], again: str) -> None:
        from zipfile import ZipFile

        self.size = os.fstat(file.fileno()).st_size
        self.file, self.again = ZipFile(file), again
        found = self.file.infolist()
        self.members = {one.filename.removesuffix(".npy"): one for one in found}
        if len(self.members) != len(found):
            raise ValueError("it contains two arrays of the same name")
        self.sums: dict[str, Any] | None = None

    def has(self, name: str) -> bool:
        """Whether it was written beside the others."""
        return self.sums is not None and name in self.sums

    def array(self, name: str, kinds: str, *shape: int | None) -> NDArray[Any]:
        """The array of that name, whose dtype is of one of `kinds`; None in `shape` is any length."""
        found = self._array(name)
        wanted = len(found.shape) == len(shape) and all(
            n in (None, m) for n, m in zip(shape, found.shape, strict=True)
        )
        if found.dtype.kind not in kinds or not wanted:
            raise ValueError(
                f"{name!r} has the unexpected type {found.dtype} or shape {found.shape}"
            )
        return found

    def json(self, name: str, keys: Iterable[str] | None = None) -> Any:
        """A dict that is written as text, with these keys alone."""
        found = json.loads(str(self.array(name, "U")), object_pairs_hook=_unique_keys)
        if not isinstance(found, dict) or (keys is not None and set(found) != set(keys)):
            raise ValueError(f"{name!r} does not have the expected keys")
        return found

    def head(self, name: str, kind: str, keys: Iterable[str]) -> Any:
        """The dict that says what the file is: of this format, or refused by the name of its own.

        Once the format is known, each member must be the one that was written under its name.
        """
        given = self.json(name).get("format")
        if given != kind:
            raise ValueError(
                f"its format is {given!r}, which another version wrote: fit and save again"
            )
        self.sums = self.sums or self.json(CHECKS)
        for one in self.sums:
            self._member(one)
        return self.json(name, ["format", *keys])

    def _member(self, name: str) -> Any:
        one = self.members.get(name)
        if one is None:
            raise ValueError(f"its member {name!r} is missing")
        if one.compress_type or one.compress_size != one.file_size or one.file_size > self.size:
            raise ValueError(f"its member {name!r} is compressed, or its size is wrong")
        if self.sums is not None and name != CHECKS and self.sums.get(name) != one.CRC:
            raise ValueError(
                f"the file is damaged ({name!r} has changed since it was written); {self.again}"
            )
        return one

    def _array(self, name: str) -> NDArray[Any]:
        with self.file.open(self._member(name)) as member:
            return _parsed(member.read(), name)  # which has its sum compared


def _parsed(data: bytes, name: str) -> NDArray[Any]:
    """The array of a .npy file of version 1.0, if its header tells how much follows."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
    at = file.tell()
    if version != (1, 0) or prod(shape) * dtype.itemsize != len(data) - at:
        raise ValueError(f"the length of {name!r} does not match its header")
    if dtype.kind == "U":  # NumPy takes any four bytes for a letter
        order = "be" if dtype.str[0] == ">" else "le"
        data[at:].decode(f"utf-32-{order}", "surrogatepass")
    return np.ndarray(shape, dtype, data, offset=at, order="F" if fortran else "C").copy()


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


# -- what JSON may hold -------------------------------------------------------------------------------


def is_number(value: object) -> bool:
    """Whether it is a finite number, and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def is_numbers(value: object) -> bool:
    return isinstance(value, list) and all(map(is_number, value))


def is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
