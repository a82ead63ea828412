"""Many varints at once. Spec: 02.0 [B1]."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arc_format.container.cursor import Cursor


def take_varints(cursor: Cursor, count: int) -> npt.NDArray[np.uint64]:
    """The next `count` varints, as `Cursor.varint` reads them one by one.

    Python pays some 300 ns for each varint that it reads alone, and a file with mixed classes has a hundred thousand
    in its runs; numpy pays 5. Whatever is not as it should be is read one by one, which finds the error.
    """
    if count >= 16:
        window = np.frombuffer(cursor.data, np.uint8, min(cursor.left(), 10 * count), cursor.at)
        # Most take one byte: only the others are looked for, and no list is as long as all of them but the values.
        more = continuations(window)
        owners = more - np.arange(len(more))
        more = more[:np.searchsorted(owners, count)]
        end = count + len(more)
        if end <= len(window):
            window = window[:end]
            lasts = window[window < 0x80] if len(more) else window
            values = lasts.astype(np.uint64)
            longer, firsts, sizes = np.unique(owners[:len(more)], return_index=True, return_counts=True)
            # Eight bytes hold 56 bits: no overflow. A last byte of 0 is a needless one.
            if (sizes < 8).all() and lasts[longer].all():
                ends = more[firsts] + sizes
                for byte in range(1, int(sizes.max(initial=0)) + 1):
                    has = sizes >= byte
                    values[longer[has]] = values[longer[has]] << np.uint64(7) | window[ends[has] - byte] & 0x7F
                cursor.at += end
                return values
    values = np.empty(count, np.uint64)
    for index in range(count):
        values[index] = cursor.varint()
    return values


def continuations(content: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Where bytes of varints are that have another behind them."""
    return np.flatnonzero(content >= 0x80)
