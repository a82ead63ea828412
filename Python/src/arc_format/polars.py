"""Archives in Polars. Needs `pip install 'arc-format[polars]'`."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars
import pyarrow as pa
from polars.io.plugins import register_io_source

from arc_format.archive.archive import Archive
from arc_format.datasets.dataset import Dataset, opened
from arc_format.datasets.shards import Paths
from arc_format.tables.options import Options
from arc_format.tables.pushed import pushed
from arc_format.tables.recast import recast, recast_schema
from arc_format.tables.where import Condition


def scan(source: Archive | Dataset | Paths, name: str) -> polars.LazyFrame:
    """Returns the objects of a class as a lazy frame. It reads only the columns that a query needs, batch by batch.

    If the archive has a directory, the frame skips segments in which no row can match the filters of the query.
    Dictionaries are categoricals, UUIDs are binary, and integers of 128 bits are strings. A folder, a pattern or
    a list of files is a data set.

    >>> import arc_format.polars, polars
    >>> people = arc_format.polars.scan("Fixtures/person.arc", "Person")
    >>> people.filter(polars.col("mother").is_null()).select("name").collect().to_series().to_list()
    ['Ann']
    """
    archive, options = opened(source), Options("view", accepts=_accepts)
    own = archive.read_schema(name, None, options)
    schema = recast_schema(own, _rule)
    frame = polars.from_arrow(schema.empty_table())
    assert isinstance(frame, polars.DataFrame)

    def read(columns: list[str] | None, predicate: polars.Expr | None, row_limit: int | None, _: int | None,
             ) -> Iterator[polars.DataFrame]:
        # Columns with names of classes follow their references, and are read with them.
        needed = None if columns is None else [
            column.decode() if (column := (schema.field(each).metadata or {}).get(b"arc:classes-of")) else each
            for each in columns]
        # The limit counts rows before the filter.
        asked = pushed(conditions(predicate), own) if predicate is not None and row_limit is None else None
        for batch in archive.read_batches(name, needed, options, passing_over=asked):
            part = polars.from_arrow(recast(batch, _rule))
            assert isinstance(part, polars.DataFrame)
            if columns is not None:
                part = part.select(columns)
            if row_limit is not None:
                part = part.head(row_limit)
                row_limit -= len(part)
            yield part if predicate is None else part.filter(predicate)
            if row_limit == 0:
                return

    return register_io_source(read, schema=frame.schema)


def conditions(predicate: polars.Expr) -> list[Condition]:
    """Returns the comparisons of a column with a value that each row must match, as far as this function knows them.

    Polars describes an expression as JSON. Parts that are not recognized add no condition, because Polars also filters.
    """
    try:
        work: list[Any] = [json.loads(predicate.meta.serialize(format="json"))]
    except (ValueError, RecursionError, polars.exceptions.PolarsError):
        return []
    found = []
    while work:
        match work.pop():
            case {"BinaryExpr": {"left": left, "op": "And", "right": right}}:
                work += [left, right]
            case {"BinaryExpr": {"left": {"Column": str(name)}, "op": str(sign), "right": {"Literal": literal}}}:
                found += _condition(name, sign, literal)
            case {"BinaryExpr": {"left": {"Literal": literal}, "op": str(sign), "right": {"Column": str(name)}}}:
                found += _condition(name, _TURNED.get(sign, sign), literal)
    return found


_SIGNS = {"Eq": "==", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_TURNED = {"Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq"}
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def _condition(name: str, sign: str, literal: Any) -> list[Condition]:
    if sign not in _SIGNS:
        return []
    match literal:
        case {"Scalar": {"Datetime": [int(micros), "Microseconds", {"inner": "UTC"}]}}:
            try:
                return [(name, _SIGNS[sign], _EPOCH + datetime.timedelta(microseconds=micros))]
            except OverflowError:
                return []
        case {"Scalar": {"Float32": float(value)}}:
            # The shortest digits that denote this number among numbers of 32 bits.
            return [(name, _SIGNS[sign], float(np.float32(value)))]
        case {"Scalar": {**typed}} | {"Dyn": {**typed}}:
            return [(name, _SIGNS[sign], value) for value in typed.values() if isinstance(value, (int, float, str))]
    return []


def _accepts(type_: pa.DataType) -> bool:
    """Returns whether Polars preserves a type of a written table."""
    types = pa.types
    if types.is_dictionary(type_):
        return bool(types.is_integer(type_.index_type)) and _accepts(type_.value_type) and not types.is_nested(
            type_.value_type)
    if isinstance(type_, pa.BaseExtensionType) or types.is_run_end_encoded(type_) or types.is_interval(type_) \
            or types.is_list_view(type_) or types.is_large_list_view(type_):
        return False
    if types.is_decimal(type_):
        return bool(types.is_decimal128(type_)) and type_.scale >= 0
    return all(_accepts(type_.field(position).type) for position in range(type_.num_fields))


def _rule(type_: pa.DataType) -> pa.DataType:
    """Returns the replacement of an Arrow type that Polars does not accept."""
    if type_ == pa.uuid():
        return pa.binary(16)
    if pa.types.is_date64(type_):
        return pa.date32()
    return pa.large_string() if pa.types.is_decimal256(type_) else type_
