"""Compressed payloads, decompressed as far as needed. Spec: 02.3, rules Z1 to Z3."""

from __future__ import annotations

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


class _Block:
    """A zlib block, decompressed up to `size`. Its bytes and stream are released at its end."""

    __slots__ = ("raw_bytes", "rest", "size", "stream")

    def __init__(self, rest: memoryview, raw_bytes: int) -> None:
        self.raw_bytes, self.size = raw_bytes, 0
        self.stream: Any = None
        self.rest: memoryview | bytes = rest


class Inflation:
    """A compressed payload. Some zlib blocks are decompressed from their start on, and others on request.

    An invalid block is found at its end, and bytes after the last block are found when everything is decompressed.
    An error resets the payload, so that the next request finds the same error.
    """

    def __init__(self, stored: memoryview, raw_bytes: int, offset: int) -> None:
        if raw_bytes > 1032 * len(stored) + 64:
            reject("Z1", offset, f"{len(stored)} bytes that claim to be {raw_bytes}")
        self.raw_bytes = raw_bytes
        self._stored, self._offset = stored, offset
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
                if self._size == self.raw_bytes:
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
        self._blocks: list[_Block] = []

    def _there(self) -> list[Part]:
        there: list[Part] = []
        for number, block in enumerate(self._blocks):
            start = number * BLOCK_BYTES
            if block.size and there and there[-1][1] == start:
                there[-1] = there[-1][0], start + block.size
            elif block.size:
                there.append((start, start + block.size))
        return there

    def _reach(self, start: int, end: int) -> None:
        """Decompresses the missing parts of the blocks that contain some bytes."""
        while start < end:
            number = start // BLOCK_BYTES
            first = number * BLOCK_BYTES
            while len(self._blocks) <= number:
                stored = self._cursor.take(int.from_bytes(self._cursor.take(4), "little"))
                self._blocks.append(_Block(
                    stored, min(BLOCK_BYTES, self.raw_bytes - len(self._blocks) * BLOCK_BYTES)))
            block = self._blocks[number]
            size = min(block.raw_bytes, end - first)
            if block.size < size:
                at, piece = first + block.size, self._next(block, size)
                if self.raw_bytes > BLOCK_BYTES and not self._size:
                    self._raw = np.zeros(self.raw_bytes, np.uint8)
                if isinstance(self._raw, bytes):
                    self._raw = self._raw + piece if self._raw else piece
                else:
                    self._raw[at:at + len(piece)] = np.frombuffer(piece, np.uint8)
                self._size += len(piece)
            start = first + block.raw_bytes

    def _next(self, block: _Block, size: int) -> bytes:
        """Returns the missing part of a block up to `size`."""
        if block.stream is None:
            block.stream = deflate.decompressobj()
        missing, wanted = block.raw_bytes - block.size, size - block.size
        try:
            # One byte more than allowed: a stream with more bytes is refused before it grows.
            raw: bytes = block.stream.decompress(block.rest, wanted + (wanted == missing))
        except deflate.error as error:
            reject("Z2", self._cursor.place, f"a damaged stream: {error}")
        if len(raw) != wanted or (wanted == missing and (not block.stream.eof or block.stream.unused_data)):
            reject("Z2", self._cursor.place, f"a stream that is no block of {block.raw_bytes} bytes")
        block.size = size
        block.rest = block.stream.unconsumed_tail
        if wanted == missing:
            block.stream, block.rest = None, b""
        return raw
