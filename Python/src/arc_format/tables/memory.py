"""Memory of Arrow's pool, which reuses released memory. Memory of numpy is new each time, page by page."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.columns.rows import Block, Rows


def pooled(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Returns an array of `count` values, which are not set."""
    size = count * np.dtype(dtype).itemsize
    return np.frombuffer(pa.allocate_buffer(size), dtype) if size else np.empty(0, dtype)


def rows_of(blocks: list[Block]) -> Rows:
    """Returns the row numbers of blocks, concatenated."""
    rows, start = pooled(sum(block.row_count for block in blocks), np.int64), 0
    for block in blocks:
        part = rows[start:start + block.row_count]
        if len(block.starts) == 1 and len(part) <= _COUNTED:
            np.add(_counting()[:len(part)], block.starts[0], out=part)
        else:
            part[:] = block.rows()
        start += len(part)
    return rows


#: The count of cached consecutive numbers: as many as a segment usually has rows.
_COUNTED = 1 << 17


@lru_cache(1)
def _counting() -> Rows:
    return np.arange(_COUNTED)
