"""Segments: their headers, their payloads, their compression. Spec: 02.2 and 02.3."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

from arc_format.basics.errors import reject
from arc_format.container.cursor import Cursor

#: Raw bytes of a block of a compressed payload, but for the last.
BLOCK_BYTES = 1 << 21

#: Kinds of segments that a file needs, besides the index. A directory is checked as one that may be ignored [S3].
KINDS = (b"META", b"CLSS", b"STRS", b"ROWS", b"LINK")


@dataclass
class Segment:
    """What the header or the index says of a segment. Offsets and sizes in bytes.

    `first` and `count` are the index's; a header has none. `flags` are the header's.
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
        """Bytes behind the payload, each 0."""
        return -(self.stored + 4) % 8

    @property
    def end(self) -> int:
        """Where the next segment begins."""
        return self.offset + 28 + self.stored + self.padding

    def describes(self, other: Segment) -> bool:
        """Whether both say the same of kind, codec and sizes [I4]."""
        return (self.kind, self.codec, self.stored, self.raw) == (other.kind, other.codec, other.stored, other.raw)


def read_segment_header(data: memoryview, offset: int) -> Segment:
    """The header of the segment at `offset`, behind which 24 bytes stand [S1]."""
    kind, flags, codec, reserved, stored, raw = struct.unpack_from("<4sBBHQQ", data, offset)
    if codec > 1 or reserved or flags > 1 or (codec == 0 and stored != raw):
        reject("S1", offset, f"codec {codec}, flags {flags}, reserved {reserved}, sizes {stored} and {raw}")
    return Segment(offset, kind, codec, stored, raw, flags=flags)


def read_payload(data: memoryview, segment: Segment, checks_sum: bool = True) -> Cursor:
    """The raw payload of a segment that lies inside of the file [S2], [S5], [Z1] to [Z3].

    With codec 0 no byte is copied.
    """
    start, end = segment.offset + 24, segment.end - 4
    if checks_sum:
        stated, found = int.from_bytes(data[end:end + 4], "little"), zlib.crc32(data[segment.offset:end])
        if found != stated:
            reject("S2", segment.offset, f"bytes with checksum {found:08x}, and {stated:08x} behind them")
    if any(data[end - segment.padding:end]):
        reject("S5", end - segment.padding, "padding that is not 0")
    stored = data[start:start + segment.stored]
    return Cursor(_inflate(stored, segment.raw, start) if segment.codec else stored, start)


def _inflate(stored: memoryview, raw_bytes: int, offset: int) -> memoryview:
    if raw_bytes > 1032 * len(stored) + 64:
        reject("Z1", offset, f"{len(stored)} bytes that claim to be {raw_bytes}")
    cursor, blocks = Cursor(stored, offset), []
    for start in range(0, raw_bytes, BLOCK_BYTES):
        block_bytes = min(BLOCK_BYTES, raw_bytes - start)
        block = cursor.take(int.from_bytes(cursor.take(4), "little"))
        stream = zlib.decompressobj()
        try:
            # One byte more than there may be: a stream that gives more is refused before it grows.
            inflated = stream.decompress(block, block_bytes + 1)
        except zlib.error as error:
            reject("Z2", cursor.place, f"a damaged stream: {error}")
        if not stream.eof or len(inflated) != block_bytes or stream.unused_data:
            reject("Z2", cursor.place, f"a stream of {len(block)} bytes that is no block of {block_bytes}")
        blocks.append(inflated)
    cursor.done()  # [Z3]
    return memoryview(blocks[0] if len(blocks) == 1 else b"".join(blocks))
