"""Many varints at once. Spec: 02.0 [B1]."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arc_format.container.cursor import Cursor


def take_varints(cursor: Cursor, count: int) -> npt.NDArray[np.unsignedinteger[Any]]:
    """Reads the next `count` varints, like `Cursor.varint`, into integers of the width that the largest needs.

    Python takes about 300 ns for each varint that it reads by itself, and numpy takes 5 ns. A file with mixed classes
    has a hundred thousand varints in its runs. Invalid varints are read one by one, to find the error.
    """
    if count >= 16:
        window = np.frombuffer(cursor.data, np.uint8, min(cursor.left(), 10 * count), cursor.at)
        # Most varints take one byte, so the search is only for longer varints, and only the values are a full list.
        more = continuations(window)
        owners = more - np.arange(len(more))
        more = more[:np.searchsorted(owners, count)]
        end = count + len(more)
        if end <= len(window):
            window = window[:end]
            lasts = window[window < 0x80] if len(more) else window
            longer, firsts, sizes = np.unique(owners[:len(more)], return_index=True, return_counts=True)
            most = int(sizes.max(initial=0))
            # Two bytes contain 14 bits, four 28, eight 56: nothing overflows. A last byte of 0 is not shortest form.
            dtype = np.dtype((np.uint8, np.uint16, np.uint32, np.uint32)[most] if most < 4 else np.uint64)
            values: npt.NDArray[np.unsignedinteger[Any]] = lasts.astype(dtype)
            if most < 8 and lasts[longer].all():
                ends = more[firsts] + sizes
                for byte in range(1, most + 1):
                    has = sizes >= byte
                    values[longer[has]] = values[longer[has]] << dtype.type(7) | window[ends[has] - byte] & 0x7F
                cursor.at += end
                return values
    values = np.empty(count, np.uint64)
    for index in range(count):
        values[index] = cursor.varint()
    return values


def continuations(content: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Returns the positions of bytes that are not the last byte of a varint."""
    return np.flatnonzero(content >= 0x80)


def varint(value: int) -> bytes:
    """Returns the bytes of a varint [B1]."""
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)
