"""The bytes of an archive, from any source."""

from __future__ import annotations

import io
import mmap
import os
from typing import Any, Protocol, Union

from arc_format.basics.errors import UsageError, reject
from arc_format.basics.limits import Limits


class Readable(Protocol):
    """A file that is open for reading: a file of Python, fsspec or pyarrow.fs."""

    def read(self, size: int = -1, /) -> Any:
        """Reads the next bytes."""


#: A path, bytes, or an open file.
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Readable]


def read_source(source: Source, limits: Limits) -> memoryview:
    """Reads all bytes of a source, within the limit [A1].

    A file with a path is mapped, so that only used parts are read. With the limits for untrusted files, the file is
    read into memory, because a mapped file that is truncated while it is read ends the process.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return memoryview(source).cast("B")
    if isinstance(source, (str, os.PathLike)):
        if os.path.isdir(source):
            raise UsageError(f"{os.fspath(source)!r} is a folder: arc_format.dataset opens all archives in it as one")
        with open(source, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > limits.file_bytes:
                reject("A1", 0, f"{size} bytes")
            if size and not limits.is_for_strangers:
                return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            return memoryview(file.read(limits.file_bytes + 1))
    if not hasattr(source, "read"):
        raise UsageError(f"no archive is in {source!r}: give a path, bytes, or a file that is open for reading")
    # A file that is open as text fails at the first bytes, with an error about its encoding.
    data = "" if isinstance(source, io.TextIOBase) else source.read(limits.file_bytes + 1)
    if isinstance(data, str):
        raise UsageError(f"{source!r} gives text, and an archive is bytes: open the file with 'rb'")
    return memoryview(data).cast("B")
