"""Writing of the container (segments, index, trailer), and a file that is replaced as a whole. Spec: 02, [W6]."""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, Protocol, Union, get_args

from arc_format.basics.errors import UsageError
from arc_format.container.inflation import BLOCK_BYTES, Point
from arc_format.container.layout import END_SIGNATURE, SIGNATURE
from arc_format.writing.primitives import string, varint

Compression = Literal["none", "zlib"]

#: The name of the writer in the index.
PRODUCER = "arc-format 1.0"


class WrittenPoints(NamedTuple):
    """The points of a segment, and the checksums of its parts if it contains strings."""

    points: list[Point]
    part_sums: list[int]


class Writable(Protocol):
    """A file that is open for writing."""

    def write(self, data: bytes, /) -> Any:
        """Writes some bytes."""


#: The target of an archive: a path, or an open file.
Target = Union[str, "os.PathLike[str]", Writable]


class SegmentWriter:
    """Writes segments without gaps, then index and trailer."""

    def __init__(self, file: Writable, compression: Compression, level: int | None = None) -> None:
        if compression not in get_args(Compression):
            raise UsageError(f"compression= is {compression!r}: it is one of {', '.join(get_args(Compression))}")
        if level is not None and (compression == "none" or isinstance(level, bool) or level not in range(1, 10)):
            raise UsageError(f"level= is {level!r} with compression={compression!r}: give a level from 1 to 9 with "
                             "compression='zlib'")
        self.file, self.compression, self.level = file, compression, level or zlib.Z_DEFAULT_COMPRESSION
        self.entries: list[bytes] = []
        self.checksums = bytearray()
        #: the points of the compressed segments of strings, rows and links
        self.points: list[WrittenPoints] = []
        header = SIGNATURE + struct.pack("<HHIIQ", 1, 0, 0, 0, 0)
        self.file.write(header + struct.pack("<I", zlib.crc32(header)))
        self.offset = 32

    def write(self, kind: bytes, payload: bytes, first: int, count: int, flags: int = 0,
              borders: Sequence[int] = ()) -> None:
        """Writes a segment. Compresses it if the result is smaller. Decompression can then begin at the borders."""
        codec, stored = 0, payload
        if self.compression == "zlib":
            short, points = _deflated(payload, self.level, borders)
            if len(short) < len(payload):
                codec, stored = 1, short
                if kind in (b"STRS", b"ROWS", b"LINK"):
                    self.points.append(WrittenPoints(points, _part_sums(payload, points) if kind == b"STRS" else []))
        self.checksums += self._write(kind, codec, stored, len(payload), flags)
        self.entries.append(kind + b"".join(map(varint, (codec, len(stored), len(payload), first, count))))

    def finish(self, row_count: int) -> None:
        """Writes index and trailer."""
        offset = self.offset
        index = string(PRODUCER) + varint(len(self.entries)) + b"".join(self.entries)
        self._write(b"INDX", 0, index, len(index))
        trailer = struct.pack("<QQII", offset, row_count, len(self.entries), zlib.crc32(self.checksums))
        self.file.write(trailer + struct.pack("<I", zlib.crc32(trailer)) + END_SIGNATURE)

    def _write(self, kind: bytes, codec: int, stored: bytes, raw: int, flags: int = 0) -> bytes:
        """Returns the checksum field."""
        header = struct.pack("<4sBBHQQ", kind, flags, codec, 0, len(stored), raw)
        padding = bytes(-(len(stored) + 4) % 8)
        checksum = struct.pack("<I", zlib.crc32(padding, zlib.crc32(stored, zlib.crc32(header))))
        for piece in (header, stored, padding + checksum):
            self.file.write(piece)
        self.offset += 28 + len(stored) + len(padding)
        return checksum


def _deflated(payload: bytes, level: int, borders: Sequence[int]) -> tuple[bytes, list[Point]]:
    """Returns the zlib blocks of a payload [Z2], and the points at the borders. Spec: 13.5."""
    data, points = bytearray(), list[Point]()
    for first in range(0, len(payload), BLOCK_BYTES):
        last = min(first + BLOCK_BYTES, len(payload))
        inner = [border for border in borders if first < border < last]
        block, stream = bytearray(), zlib.compressobj(level)
        for start, end in zip([first, *inner], inner, strict=False):
            block += stream.compress(payload[start:end]) + stream.flush(zlib.Z_FULL_FLUSH)
            points.append((end, len(data) + 4 + len(block)))
        block += stream.compress(payload[inner[-1] if inner else first:last]) + stream.flush()
        data += struct.pack("<I", len(block)) + block
    return bytes(data), points


def _part_sums(payload: bytes, points: list[Point]) -> list[int]:
    """Returns the checksum of each part of a payload. Spec: 13.5."""
    starts = sorted([*range(0, len(payload), BLOCK_BYTES), *(raw for raw, _ in points)])
    return [zlib.crc32(payload[start:end]) for start, end in zip(starts, [*starts[1:], len(payload)], strict=True)]


@contextmanager
def replaced(target: Target) -> Iterator[Writable]:
    """A file that replaces another file after everything is written, or leaves it unchanged."""
    if not isinstance(target, (str, os.PathLike)):
        if not hasattr(target, "write") or isinstance(target, io.TextIOBase):
            raise UsageError(f"nothing can be written to {target!r}: give a path, or a file that is open with 'wb'")
        yield target
        return
    path = os.fspath(target)
    if not path or os.path.isdir(path):
        raise UsageError(f"{path!r} is a folder: name a file in it" if path else "'' is no path: name a file")
    # Systems without POSIX locks can still read files, so only the first writer imports this module.
    from arc_format.writing.replacement import replacement

    with replacement(path) as file:
        yield file
