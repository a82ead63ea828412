"""Tables of other libraries, through their Arrow streams."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol

import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.tables.recast import recast_type


class Frame(Protocol):
    """A `pyarrow.Table`, and frames of pandas, Polars and DuckDB."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the rows as a capsule of the Arrow PyCapsule interface."""


def arrow_tables(tables: Mapping[str, Frame]) -> dict[str, pa.Table]:
    """Returns the tables of classes, by the names of the classes."""
    if not isinstance(tables, Mapping) or not all(isinstance(name, str) for name in tables):
        raise UsageError(f"tables are a {type(tables).__qualname__}: give a dictionary of them by the names of their "
                         "classes, which are texts: {\"Person\": table}")
    return {name: arrow_table(name, frame) for name, frame in tables.items()}


def arrow_table(name: str, frame: Any) -> pa.Table:
    """Returns the table of a class, without a copy if its library needs none."""
    if isinstance(frame, pa.Table):
        return frame
    if not hasattr(frame, "__arrow_c_stream__"):
        raise UsageError(f"the table of '{name}' is a {type(frame).__qualname__}: give a pyarrow.Table, or a frame of "
                         "pandas, Polars or DuckDB")
    # Polars would export their addresses in memory.
    if "Object" in map(str, getattr(frame, "dtypes", ())):
        raise UsageError(f"the table of '{name}' has a column of Python's objects: cast it to a type of Polars")
    try:
        table = pa.table(frame)
    # For two columns with one name, pandas reports a wrong value.
    except (pa.ArrowException, ValueError) as error:
        what = "; ".join(map(str, error.args))
        raise UsageError(f"the table of '{name}' is none of Arrow: {what}: give each column a name of its own, and "
                         "values of one type") from None
    # Polars stores all strings as views, which few functions of Arrow accept.
    schema = pa.schema([field.with_type(recast_type(field.type, _viewless)) for field in table.schema])
    if schema.types != table.schema.types:
        table = table.cast(schema.with_metadata(table.schema.metadata))
    # The name of pandas for an index of selected rows: positions in another frame.
    return table.drop_columns([column for column in table.column_names if re.fullmatch(r"__index_level_\d+__", column)])


def schema_beforehand(name: str, frame: Any) -> pa.Schema | None:
    """Returns the schema of a table that is read later; None for a stream without schema, which is read only once."""
    schema = getattr(frame, "schema", None)
    if isinstance(schema, pa.Schema):
        return schema
    libraries = {each.__module__.partition(".")[0] for each in type(frame).__mro__}
    return arrow_table(name, frame).schema if libraries & {"pandas", "polars", "duckdb"} else None


def _viewless(type_: pa.DataType) -> pa.DataType:
    """Returns a type of strings or binary values without views; other types unchanged."""
    if pa.types.is_dictionary(type_):
        return pa.dictionary(type_.index_type, _viewless(type_.value_type), type_.ordered)
    return {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}.get(type_, type_)
