"""Archives in Polars. Needs `pip install 'arc-format[polars]'`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import polars
import pyarrow as pa
from polars.io.plugins import register_io_source

from arc_format.archive.archive import Archive
from arc_format.archive.dataset import Dataset
from arc_format.tables.recast import recast, recast_schema


def scan(source: Archive | Dataset | str | os.PathLike[str], name: str) -> polars.LazyFrame:
    """The objects of a class as a lazy frame: only the columns that a query needs are read, batch by batch.

    Dictionaries are categoricals, uuids binary, integers of 128 bits text.

    >>> import arc_format.polars, polars
    >>> people = arc_format.polars.scan("Fixtures/person.arc", "Person")
    >>> people.filter(polars.col("mother").is_null()).select("name").collect().to_series().to_list()
    ['Ann']
    """
    archive = source if isinstance(source, (Archive, Dataset)) else Archive(source)
    schema = recast_schema(archive.schema(name, strings="view"), _rule)
    frame = polars.from_arrow(schema.empty_table())
    assert isinstance(frame, polars.DataFrame)

    def read(columns: list[str] | None, predicate: polars.Expr | None, row_limit: int | None, _: int | None,
             ) -> Iterator[polars.DataFrame]:
        # Names of classes stand behind their references, and are read with them.
        needed = None if columns is None else [
            column.decode() if (column := (schema.field(each).metadata or {}).get(b"arc:classes-of")) else each
            for each in columns]
        for batch in archive.batches(name, needed, strings="view"):
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


def _rule(type_: pa.DataType) -> pa.DataType:
    """What Polars does not take from Arrow."""
    if type_ == pa.uuid():
        return pa.binary(16)
    return pa.large_string() if pa.types.is_decimal256(type_) else type_
