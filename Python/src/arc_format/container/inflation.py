"""Compressed payloads, inflated as far as they are needed. Spec: 02.3, rules Z1 to Z3."""

from __future__ import annotations

import zlib
from threading import Lock
from typing import Any

from arc_format.basics.errors import reject
from arc_format.container.cursor import Cursor

#: Raw bytes of a block of a compressed payload, but for the last.
BLOCK_BYTES = 1 << 21


class Inflation:
    """A compressed payload of which a part from its begin on is inflated, and more when it is asked for.

    Whether a block is what it should be shows at its end, and whether anything stands behind the last when all is
    inflated. After an error it is as it was at first: whoever asks again meets the error again.
    """

    def __init__(self, stored: memoryview, raw_bytes: int, offset: int) -> None:
        if raw_bytes > 1032 * len(stored) + 64:
            reject("Z1", offset, f"{len(stored)} bytes that claim to be {raw_bytes}")
        self.raw_bytes = raw_bytes
        self._stored, self._offset = stored, offset
        # Threads that read one archive share its streams.
        self._lock = Lock()
        self._restart()

    def upto(self, size: int) -> memoryview:
        """So many raw bytes or more, all of them if there are not so many."""
        with self._lock:
            try:
                return self._upto(size)
            except BaseException:
                self._restart()
                raise

    def _restart(self) -> None:
        self._cursor = Cursor(self._stored, self._offset)
        # One block as far as it is there; of more all that there will be: pages that are not reached take no memory.
        self._raw: bytes | bytearray = b""
        self._size = 0
        # Of the block that was begun; bytes and streams are let go of when it is done.
        self._stream: Any = None
        self._rest: memoryview | bytes = b""

    def _upto(self, size: int) -> memoryview:
        while self._size < min(size, self.raw_bytes):
            piece = self._next(size)
            if self.raw_bytes > BLOCK_BYTES and not self._raw:
                self._raw = bytearray(self.raw_bytes)
            if isinstance(self._raw, bytearray):
                self._raw[self._size:self._size + len(piece)] = piece
            else:
                self._raw = self._raw + piece if self._raw else piece
            self._size += len(piece)
        if self._size == self.raw_bytes:
            self._cursor.done()  # [Z3]
        return memoryview(self._raw)[:self._size].toreadonly()

    def _next(self, size: int) -> bytes:
        """What is missing of the block in which it goes on, up to `size`."""
        block_bytes = min(BLOCK_BYTES, self.raw_bytes - self._size // BLOCK_BYTES * BLOCK_BYTES)
        if self._stream is None:
            self._rest = self._cursor.take(int.from_bytes(self._cursor.take(4), "little"))
            self._stream = zlib.decompressobj()
        missing = block_bytes - self._size % BLOCK_BYTES
        wanted = min(missing, size - self._size)
        try:
            # One byte more than there may be: a stream that gives more is refused before it grows.
            raw: bytes = self._stream.decompress(self._rest, wanted + (wanted == missing))
        except zlib.error as error:
            reject("Z2", self._cursor.place, f"a damaged stream: {error}")
        if len(raw) != wanted or (wanted == missing and (not self._stream.eof or self._stream.unused_data)):
            reject("Z2", self._cursor.place, f"a stream that is no block of {block_bytes} bytes")
        self._rest = self._stream.unconsumed_tail
        if wanted == missing:
            self._stream, self._rest = None, b""
        return raw
