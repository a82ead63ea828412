"""Chunks: the values of a node in one segment. Spec: 04.2."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arc_format.basics.errors import reject
from arc_format.columns.integers import ALIGNED, MAXIMUM_SHORT, Integers, Sequence, align, check_last_bits, take_plain
from arc_format.columns.texts import Offsets, offsets_of, take_texts
from arc_format.container.cursor import Cursor
from arc_format.schema.kinds import BITS, FIXED, INTEGERS
from arc_format.schema.types import Node

CONSTANT = 0x10


class Chunk:
    """A chunk. The initializer checks its form; each method reads the values of one kind of storage.

    `offset` is its byte offset in the file, for errors; `stored` are the bytes that its byte count counts.
    """

    __slots__ = ("body", "constant", "count", "encoding", "lengths", "node", "offset", "sequence", "stored")

    def __init__(self, payload: Cursor, node: Node) -> None:
        size = payload.count()
        # This cursor ends with the chunk. Values are aligned in the payload.
        cursor = Cursor(payload.data, payload.offset, payload.at, payload.at + size)
        payload.at += size
        self.stored = payload.data[cursor.at:cursor.end]
        self.node, self.offset = node, cursor.place
        self.count = cursor.varint()
        #: the value of all, if the chunk is a constant
        self.constant: int | None = None
        #: integers, or ids of strings of the table
        self.sequence: Sequence | None = None
        self.lengths: Integers | None = None
        #: plain bits, values of a fixed size, or characters
        self.body = payload.data[0:0]
        self.encoding = self.stored[cursor.at - cursor.end] if cursor.left() else 0
        kind = node.kind
        if kind in INTEGERS:
            width, is_signed = INTEGERS[kind]
            self.sequence = Sequence(cursor, self.count, width, is_signed, may_align=True)
        elif kind in BITS:
            self._read_bits(cursor)
        elif kind in FIXED:
            self._read_fixed(cursor, FIXED[kind])
        else:
            self._read_texts(cursor)
        cursor.done()

    def _read_bits(self, cursor: Cursor) -> None:
        encoding = cursor.u8()
        if encoding == CONSTANT:
            bit = cursor.u8()
            if bit > 1:
                reject("V3", cursor.place, f"bit {bit}")
            self._check_constant()
            self.constant = bit
            return
        if encoding:
            reject("V1", cursor.place, f"encoding {encoding:#x} of bits")
        self.body = take_plain(cursor, (self.count + 7) // 8, 1)
        check_last_bits(cursor, self.body, self.count, "V3")

    def _read_fixed(self, cursor: Cursor, size: int) -> None:
        encoding = cursor.u8()
        if encoding == CONSTANT:
            self._check_constant()
            self.constant = 0
            self.body = cursor.take(size)
            return
        if encoding not in (0, ALIGNED):
            reject("V1", cursor.place, f"encoding {encoding:#x} of {size} bytes")
        if encoding:
            align(cursor)
        self.body = take_plain(cursor, self.count, size)

    def _read_texts(self, cursor: Cursor) -> None:
        encoding = cursor.u8()
        if encoding == 1 and self.node.kind == "string":
            self.sequence = Sequence(cursor, self.count, 4)
            return
        if encoding:
            reject("V1", cursor.place, f"encoding {encoding:#x} of text")
        self.lengths = Sequence(cursor, self.count, 8).values()
        self.body = take_texts(cursor, self.lengths, "V1")

    def _check_constant(self) -> None:
        if not self.count:
            reject("V1", self.offset, "a constant of no values")
        if self.count > MAXIMUM_SHORT:
            reject("V8", self.offset, f"{self.count} values")

    @property
    def is_table(self) -> bool:
        """Whether `integers` are ids of strings of the table."""
        return self.lengths is None and self.node.kind == "string"

    def integers(self) -> Integers:
        """Returns the values of a kind that is stored as integers, or ids of strings, in the width of the file."""
        assert self.sequence is not None
        return self.sequence.values()

    def mask(self) -> npt.NDArray[np.bool_]:
        """Returns the values of a kind that is stored as bits."""
        if self.constant is not None:
            return np.full(self.count, bool(self.constant))
        bits = np.frombuffer(self.body, np.uint8)
        return np.unpackbits(bits, count=self.count, bitorder="little").view(np.bool_)

    def ones(self) -> int:
        """Returns the number of set bits."""
        if self.constant is not None:
            return self.constant * self.count
        return int.from_bytes(self.body, "little").bit_count()

    def fixed(self) -> npt.NDArray[np.void]:
        """Returns the values of a kind of fixed size, as bytes."""
        dtype = np.dtype(f"V{FIXED[self.node.kind]}")
        values = np.frombuffer(self.body, dtype)
        return values if self.constant is None else np.repeat(values, self.count)

    def offsets(self) -> Offsets:
        """Returns the offset of each plain string in `body`, and the end of the last."""
        assert self.lengths is not None
        return offsets_of(self.lengths)


def absent(node: Node, count: int) -> Chunk:
    """Returns the chunk of a node of a keyed column that a block omits: none of `count` rows has a value."""
    chunk = object.__new__(Chunk)
    chunk.node, chunk.count, chunk.offset, chunk.body = node, count, 0, memoryview(b"")
    chunk.stored, chunk.encoding = chunk.body, 0
    chunk.constant, chunk.lengths = 0, None
    chunk.sequence = Sequence(Cursor(memoryview(b"\1"), 0), 0, 1)
    if count:
        return chunk
    chunk.constant = None
    if node.kind in ("string", "data", "decimal"):
        chunk.sequence, chunk.lengths = None, np.zeros(0, np.uint8)
    return chunk
