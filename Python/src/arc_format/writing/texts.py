"""Writing of plain strings. Spec: 04.2."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from arc_format.writing.integers import encoded_integers
from arc_format.writing.primitives import Encoded


def plain_text(array: pa.Array) -> Encoded:
    """Returns strings as plain text."""
    count = len(array)
    size = 8 if array.type in (pa.large_string(), pa.large_binary()) else 4
    offsets = np.zeros(1, np.int64)
    if count:
        offsets = np.frombuffer(array.buffers()[1], f"<i{size}", count + 1, array.offset * size)
    lengths = encoded_integers(np.diff(offsets).astype(np.uint64), may_align=False)
    body = memoryview(array.buffers()[2])[int(offsets[0]):int(offsets[-1])] if count and array.buffers()[2] else b""
    return Encoded(count, b"\0" + lengths.head + body)
