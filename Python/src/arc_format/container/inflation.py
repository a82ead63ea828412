"""Compressed payloads, decompressed as far as needed. Spec: 02.3, rules Z1 to Z3; 13.5."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from arc_format.basics.errors import reject
from arc_format.container import deflate
from arc_format.container.cursor import Cursor

#: The raw size of a zlib block, except the last.
BLOCK_BYTES = 1 << 21


#: A range of bytes: start and end.
Part = tuple[int, int]


#: A point at which decompression can begin: the offset in the raw payload, and the offset in the stored payload.
Point = tuple[int, int]


class Block:
    """A zlib block, or a part of one, decompressed up to `size`. Its bytes and stream are released at its end.

    A part is deflate without the header and the checksum of a zlib stream, and may end before the last deflate block.
    """

    __slots__ = ("is_last", "is_part", "raw_bytes", "rest", "size", "start", "stream")

    def __init__(self, rest: memoryview, start: int, raw_bytes: int, *, is_part: bool = False, is_last: bool = True,
                 ) -> None:
        self.start, self.raw_bytes, self.size = start, raw_bytes, 0
        self.is_part, self.is_last = is_part, is_last
        self.stream: Any = None
        self.rest: memoryview | bytes = rest

    def next(self, size: int, place: int) -> bytes:
        """Returns the missing bytes up to `size` [Z2]; of a part, [Y9]."""
        rule = "Y9" if self.is_part else "Z2"
        if self.stream is None:
            self.stream = deflate.decompressobj(-15) if self.is_part else deflate.decompressobj()
        missing, wanted = self.raw_bytes - self.size, size - self.size
        try:
            # One byte more than allowed: a stream with more bytes is refused before it grows.
            raw: bytes = self.stream.decompress(self.rest, wanted + (wanted == missing))
        except deflate.error as error:
            reject(rule, place, f"a damaged stream: {error}")
        if len(raw) != wanted or (wanted == missing and (
                self.stream.eof != self.is_last or self.stream.unused_data or self.stream.unconsumed_tail)):
            reject(rule, place, f"a stream that is no block of {self.raw_bytes} bytes")
        self.size = size
        self.rest = self.stream.unconsumed_tail
        if wanted == missing:
            self.stream, self.rest = None, b""
        return raw


def parts_of(stored: memoryview, raw_bytes: int, points: Sequence[Point], offset: int) -> list[Block]:
    """Returns the parts of a payload: from each zlib block or point to the next, in order. Spec: 13.5, [Y8]."""
    parts: list[Block] = []
    cursor = Cursor(stored, offset)
    for first in range(0, raw_bytes, BLOCK_BYTES):
        last = min(first + BLOCK_BYTES, raw_bytes)
        size = int.from_bytes(cursor.take(4), "little")
        starts = [(first, cursor.at + 2), *(point for point in points if first < point[0] < last)]
        cursor.take(size)
        ends = [*starts[1:], (last, cursor.at - 4)]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if not (start[0] < end[0] and start[1] < end[1]):
                reject("Y8", offset, f"the points {start} and {end} of a payload")
            parts.append(Block(stored[start[1]:end[1]], start[0], end[0] - start[0],
                               is_part=True, is_last=number == len(starts) - 1))
    return parts


class Inflation:
    """A compressed payload. Some zlib blocks are decompressed from their start on, and others on request.

    An invalid block is found at its end, and bytes after the last block are found when everything is decompressed.
    An error resets the payload, so that the next request finds the same error.

    With `points`, parts of blocks are decompressed from their points on. An error may then be an error of the points.
    """

    def __init__(self, stored: memoryview, raw_bytes: int, offset: int, points: Sequence[Point] | None = None) -> None:
        if raw_bytes > 1032 * len(stored) + 64:
            reject("Z1", offset, f"{len(stored)} bytes that claim to be {raw_bytes}")
        self.raw_bytes = raw_bytes
        self._stored, self._offset, self._points = stored, offset, points
        # Threads that read an archive share its streams.
        self._lock = Lock()
        self._restart()

    def upto(self, size: int) -> memoryview:
        """Returns at least `size` raw bytes, or all bytes if there are fewer."""
        raw, there = self.holding([(0, size)])
        return raw[:there[0][1]] if there else raw

    def holding(self, parts: list[Part]) -> tuple[memoryview, list[Part]]:
        """Returns the raw bytes, with at least some parts present, and the present parts, ascending and separate.

        The raw bytes may end after the last present part.
        """
        with self._lock:
            try:
                for start, end in parts:
                    self._reach(start, min(end, self.raw_bytes))
                if self._size == self.raw_bytes and self._points is None:
                    self._cursor.done()  # [Z3]
            except BaseException:
                self._restart()
                raise
            raw = memoryview(self._raw) if isinstance(self._raw, bytes) else self._raw.data
            return raw.toreadonly(), self._there()

    def _restart(self) -> None:
        self._cursor = Cursor(self._stored, self._offset)
        # One block has the size of its present part. Several blocks have the full size: unused pages take no memory.
        self._raw: bytes | npt.NDArray[np.uint8] = b""
        self._size = 0
        #: the blocks that were decompressed so far; other blocks were skipped
        self._blocks: list[Block] = []
        if self._points is not None:
            self._blocks = parts_of(self._stored, self.raw_bytes, self._points, self._offset)
        self._starts = [block.start for block in self._blocks]

    def _there(self) -> list[Part]:
        there: list[Part] = []
        for block in self._blocks:
            if block.size and there and there[-1][1] == block.start:
                there[-1] = there[-1][0], block.start + block.size
            elif block.size:
                there.append((block.start, block.start + block.size))
        return there

    def _block_of(self, at: int) -> Block:
        """Returns the block or part that contains a byte."""
        while self._points is None and len(self._blocks) <= at // BLOCK_BYTES:
            stored = self._cursor.take(int.from_bytes(self._cursor.take(4), "little"))
            start = len(self._blocks) * BLOCK_BYTES
            self._blocks.append(Block(stored, start, min(BLOCK_BYTES, self.raw_bytes - start)))
            self._starts.append(start)
        return self._blocks[bisect_right(self._starts, at) - 1]

    def _reach(self, start: int, end: int) -> None:
        """Decompresses the missing bytes of the blocks or parts that contain some bytes."""
        while start < end:
            block = self._block_of(start)
            size = min(block.raw_bytes, end - block.start)
            if block.size < size:
                at, piece = block.start + block.size, block.next(size, self._cursor.place)
                if not self._size and (self.raw_bytes > BLOCK_BYTES or self._points is not None):
                    self._raw = np.zeros(self.raw_bytes, np.uint8)
                if isinstance(self._raw, bytes):
                    self._raw = self._raw + piece if self._raw else piece
                else:
                    self._raw[at:at + len(piece)] = np.frombuffer(piece, np.uint8)
                self._size += len(piece)
            start = block.start + block.raw_bytes
