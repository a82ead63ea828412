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
        ends = np.flatnonzero(window < 0x80)[:count] + 1
        if len(ends) == count:
            starts = np.empty_like(ends)
            starts[0], starts[1:] = 0, ends[:-1]
            sizes = ends - starts
            # Eight bytes hold 56 bits: no overflow. A last byte of 0 is a needless one.
            if sizes.max() <= 8 and not ((window[ends - 1] == 0) & (sizes > 1)).any():
                values = (window[starts] & 0x7F).astype(np.uint64)
                for byte in range(1, int(sizes.max())):
                    longer = np.flatnonzero(sizes > byte)
                    part = (window[starts[longer] + byte] & 0x7F).astype(np.uint64)
                    values[longer] |= part << np.uint64(7 * byte)
                cursor.at += int(ends[-1])
                return values
    values = np.empty(count, np.uint64)
    for index in range(count):
        values[index] = cursor.varint()
    return values
