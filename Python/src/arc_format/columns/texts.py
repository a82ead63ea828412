"""Consecutive strings: their offsets, and the check of their UTF-8. Spec: 04.2, 04.4."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.basics.errors import reject
from arc_format.columns.integers import Integers, exact_sum
from arc_format.container.cursor import Cursor

Offsets = npt.NDArray[np.int64]


def take_texts(cursor: Cursor, lengths: Integers, rule: str) -> memoryview:
    """Reads the bytes of strings with these lengths. If they do not end before the end, `rule` is broken."""
    total = exact_sum(lengths)
    if total > cursor.left():
        reject(rule, cursor.place, f"texts of {total} bytes in {cursor.left()}")
    return cursor.take(total)


def offsets_of(lengths: Integers) -> Offsets:
    """Returns the offset of each string, and the end of the last. The sum of the lengths was checked."""
    offsets = np.empty(len(lengths) + 1, np.int64)
    offsets[0] = 0
    np.cumsum(lengths, out=offsets[1:], dtype=np.int64)
    return offsets


def check_utf8(body: memoryview, offsets: Offsets, rule: str, offset: int) -> None:
    """Checks that each string is well-formed by itself.

    This holds if all bytes together are well-formed, and no string begins in the middle of a character.
    """
    if not len(body):
        return
    whole = np.array([0, len(body)], np.int64)
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, pa.py_buffer(whole), pa.py_buffer(body)]).validate(full=True)
    except pa.ArrowInvalid:
        reject(rule, offset, "text that is not UTF-8")
    starts = offsets[:-1]
    bytes_ = np.frombuffer(body, np.uint8)
    if ((bytes_[starts[starts < len(body)]] & 0xC0) == 0x80).any():
        reject(rule, offset, "text that is not UTF-8: it begins inside of a character")
