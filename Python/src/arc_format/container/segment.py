"""Segments: headers, payloads, compression. Spec: 02.2 and 02.3."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from arc_format.basics.errors import reject
from arc_format.container import deflate
from arc_format.container.cursor import Cursor
from arc_format.container.inflation import Inflation

#: Kinds of segments that every reader knows, without the index. A directory is checked like an ignorable segment [S3].
KINDS = (b"META", b"CLSS", b"STRS", b"ROWS", b"LINK")


@dataclass
class Segment:
    """The properties of a segment in its header or in the index. Offsets and sizes are in bytes.

    Only the index has `first` and `count`; only the header has `flags`.
    """

    offset: int
    kind: bytes
    codec: int
    stored: int
    raw: int
    first: int = 0
    count: int = 0
    flags: int = 0

    @property
    def padding(self) -> int:
        """The number of padding bytes after the payload, each 0."""
        return -(self.stored + 4) % 8

    @property
    def end(self) -> int:
        """The offset of the next segment."""
        return self.offset + 28 + self.stored + self.padding

    def describes(self, other: Segment) -> bool:
        """Returns whether kind, codec and sizes are equal [I4]."""
        return (self.kind, self.codec, self.stored, self.raw) == (other.kind, other.codec, other.stored, other.raw)


def read_segment_header(data: memoryview, offset: int) -> Segment:
    """Reads the header of the segment at `offset`, which must have 24 bytes [S1]."""
    kind, flags, codec, reserved, stored, raw = struct.unpack_from("<4sBBHQQ", data, offset)
    if codec > 1 or reserved or flags > 1 or (codec == 0 and stored != raw):
        reject("S1", offset, f"codec {codec}, flags {flags}, reserved {reserved}, sizes {stored} and {raw}")
    return Segment(offset, kind, codec, stored, raw, flags=flags)


def stored_bytes(data: memoryview, segment: Segment, checks_sum: bool = True) -> memoryview:
    """Returns the stored payload of a segment that is completely in the file [S2], [S5]."""
    start, end = segment.offset + 24, segment.end - 4
    if checks_sum:
        stated, found = int.from_bytes(data[end:end + 4], "little"), deflate.crc32(data[segment.offset:end])
        if found != stated:
            reject("S2", segment.offset, f"bytes with checksum {found:08x}, and {stated:08x} behind them")
    if any(data[end - segment.padding:end]):
        reject("S5", end - segment.padding, "padding that is not 0")
    return data[start:start + segment.stored]


def read_payload(data: memoryview, segment: Segment, checks_sum: bool = True) -> Cursor:
    """Returns the raw payload of a segment that is completely in the file [S2], [S5], [Z1] to [Z3].

    With codec 0 no byte is copied.
    """
    stored, start = stored_bytes(data, segment, checks_sum), segment.offset + 24
    return Cursor(Inflation(stored, segment.raw, start).upto(segment.raw) if segment.codec else stored, start)
