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
        lasts = np.flatnonzero(window < 0x80)[:count]
        if len(lasts) == count:
            bytes_ = window[lasts]
            values = bytes_.astype(np.uint64)
            sizes = np.diff(lasts, prepend=-1)
            # Most take one byte, which is all of them.
            longer = np.flatnonzero(sizes > 1)
            most = int(sizes[longer].max()) if len(longer) else 1
            # Eight bytes hold 56 bits: no overflow. A last byte of 0 is a needless one.
            if most <= 8 and bytes_[longer].all():
                for byte in range(1, most):
                    longer = longer[sizes[longer] > byte]
                    values[longer] = values[longer] << np.uint64(7) | window[lasts[longer] - byte] & 0x7F
                cursor.at += int(lasts[-1]) + 1
                return values
    values = np.empty(count, np.uint64)
    for index in range(count):
        values[index] = cursor.varint()
    return values
