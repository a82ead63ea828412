"""Tables of other libraries, by the stream of Arrow that they give."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pyarrow as pa

from arc_format.basics.errors import UsageError


class Frame(Protocol):
    """A `pyarrow.Table`, and frames of pandas, Polars and DuckDB."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows, as a capsule of the Arrow PyCapsule interface."""


def arrow_table(name: str, frame: Any) -> pa.Table:
    """The table of a class, without a copy where its library has none to make."""
    if isinstance(frame, pa.Table):
        return frame
    if not hasattr(frame, "__arrow_c_stream__"):
        raise UsageError(f"the table of '{name}' is a {type(frame).__qualname__}: give a pyarrow.Table, or a frame of "
                         "pandas, Polars or DuckDB")
    table = pa.table(frame)
    # What pandas names the index of rows that were chosen: positions in another frame.
    return table.drop_columns([column for column in table.column_names if re.fullmatch(r"__index_level_\d+__", column)])
