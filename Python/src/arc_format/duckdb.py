"""Archives in DuckDB: each class is a view. Needs `pip install 'arc-format[duckdb]'`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pyarrow as pa

from arc_format.archive.archive import Archive
from arc_format.basics.errors import UsageError
from arc_format.datasets.dataset import Dataset, opened
from arc_format.datasets.shards import Paths
from arc_format.tables.names import distinct, named_classes
from arc_format.tables.recast import recast, recast_schema

if TYPE_CHECKING:
    import duckdb


def attach(connection: duckdb.DuckDBPyConnection, source: Archive | Dataset | Paths, name: str, *,
           classes: Iterable[str] | None = None) -> list[str]:
    """Creates a database `name` with a view for each class. Returns the names of the views.

    A view has the name of its class, or `name#2` if another view has a name that differs only in capital letters.

    The view `edges` contains all references (`src`, `dst`, `column`), and `objects` the class of each object. This
    function reads the classes once; `classes` limits them to the needed classes. Integers of 128 bits are strings.
    A folder, a pattern or a list of files is a data set.

    >>> import arc_format.duckdb, duckdb
    >>> connection = duckdb.connect()
    >>> arc_format.duckdb.attach(connection, "Fixtures/person.arc", "people")
    ['Person', 'edges', 'objects']
    >>> connection.sql('select name from people."Person" where mother is not null').fetchall()
    [('Bob',)]
    """
    import duckdb

    if not isinstance(name, str) or not name:
        raise UsageError(f"name={name!r}: give the database a name, which queries begin names of classes with")
    archive = opened(source)
    tables: dict[str, pa.Table] = {}
    named = named_classes(classes)
    names = archive.classes if named is None else named
    # DuckDB ignores the case of names.
    views = distinct(names, fold=str.lower)
    for each, view in zip(names, views, strict=True):
        batches = [recast(batch, _rule) for batch in archive.batches(each, strings="view")]
        tables[view] = pa.Table.from_batches(batches, recast_schema(archive.schema(each, strings="view"), _rule))
    for extra, table in (("edges", archive.edges()), ("objects", _objects(archive))):
        # A class with this name takes precedence.
        if extra not in map(str.lower, views):
            tables[extra] = table
    try:
        connection.execute(f"attach ':memory:' as {_quoted(name)}")
    except duckdb.BinderException as error:
        raise UsageError(f"no database is named '{name}': {error}; choose another name") from None
    for each, table in tables.items():
        connection.register(f"{name}.{each}", table)
        connection.execute(f"create view {_quoted(name)}.{_quoted(each)} as select * from {_quoted(f'{name}.{each}')}")
    return list(tables)


def _objects(archive: Archive | Dataset) -> pa.Table:
    if isinstance(archive, Archive):
        return pa.table({"row": pa.array(range(1, archive.rows + 1), pa.int64()), "class": archive.objects()})
    parts = []
    for shard in range(len(archive)):
        each = archive.archive(shard)
        parts.append(pa.table({"row": pa.array(range((shard << 32) + 1, (shard << 32) + each.rows + 1), pa.int64()),
                               "class": each.objects()}))
    return pa.concat_tables(parts)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _rule(type_: pa.DataType) -> pa.DataType:
    """Returns the replacement of an Arrow type that DuckDB does not accept."""
    if pa.types.is_float16(type_):
        return pa.float32()
    return pa.large_string() if pa.types.is_decimal256(type_) else type_
