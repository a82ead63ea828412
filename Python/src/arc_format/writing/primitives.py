"""Varints, strings and chunks as bytes. Spec: 02.0, 04.2."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from arc_format.basics.errors import UsageError
from arc_format.container.varints import varint as varint


def string(text: str) -> bytes:
    """Returns a string [B3]."""
    data = utf8(text)
    return varint(len(data)) + data


def utf8(text: str) -> bytes:
    """Returns the bytes of a string."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{text!r} has half of a surrogate pair, which UTF-8 has not: leave it out") from None


class Encoded:
    """The part of a chunk after the value count. `aligned` are values that begin at a multiple of 8."""

    __slots__ = ("aligned", "count", "head")

    def __init__(self, count: int, head: bytes, aligned: npt.NDArray[Any] | None = None) -> None:
        self.count, self.head, self.aligned = count, head, aligned


class Payload:
    """The payload of a segment, as pieces that are joined once."""

    def __init__(self) -> None:
        self.pieces: list[bytes | memoryview] = []
        self.size = 0

    def add(self, data: bytes | memoryview) -> None:
        """Adds some bytes."""
        self.pieces.append(data)
        self.size += len(data)

    def add_chunk(self, chunk: Encoded) -> None:
        """Adds a chunk, with padding for aligned values. If no padding is right, the values are plain. Spec: 04.3."""
        head = varint(chunk.count) + chunk.head
        if chunk.aligned is None:
            self.add(varint(len(head)))
            self.add(head)
            return
        values = chunk.aligned.data.cast("B")
        # The size includes the padding, and the varint of the size shifts the values.
        for padding in range(8):
            size = varint(len(head) + padding + len(values))
            if (self.size + len(size) + len(head) + padding) % 8 == 0:
                self.add(size + head + bytes(padding))
                self.add(values)
                return
        self.add(varint(len(head) + len(values)) + head[:-1] + bytes([head[-1] & 0x7F]))
        self.add(values)

    def data(self) -> bytes:
        """Returns the whole payload."""
        return b"".join(self.pieces)
