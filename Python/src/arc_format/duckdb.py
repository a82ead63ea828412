"""Archives in DuckDB: each class is a view. Needs `pip install 'arc-format[duckdb]'`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset

from arc_format.archive.archive import Archive
from arc_format.archive.edges import SCHEMA as EDGES
from arc_format.basics.errors import UsageError
from arc_format.datasets.dataset import ROW_BITS, Dataset, opened
from arc_format.datasets.shards import Paths
from arc_format.tables.guarantees import guaranteed
from arc_format.tables.names import distinct, named_classes
from arc_format.tables.options import Options
from arc_format.tables.recast import recast, recast_schema
from arc_format.tables.types import CASES

if TYPE_CHECKING:
    import duckdb


#: Is called with an error of reading.
Failed = Callable[[Exception], None]


def attach(connection: duckdb.DuckDBPyConnection, source: Archive | Dataset | Paths, name: str, *,
           classes: Iterable[str] | None = None) -> list[str]:
    """Creates a database `name` with a view for each class. Returns the names of the views.

    A view has the name of its class, or `name#2` if another view has a name that differs only in capital letters.
    The view `edges` contains all references (`src`, `dst`, `column`, `weak`), and `objects` the class of each object.
    `classes` limits the views to some classes. Integers of 128 bits are strings. A folder, a pattern or a list of files
    is a data set.

    This function reads no rows. A query reads the columns that it uses. If the archive has a directory, a query skips
    segments in which no number, date or reference can fulfil its conditions. Raises `UsageError` if a name is not
    possible. If a file is damaged, the query raises an error of DuckDB with the message of the `ArcError`.

    >>> import arc_format.duckdb, duckdb
    >>> connection = duckdb.connect()
    >>> arc_format.duckdb.attach(connection, "Fixtures/person.arc", "people")
    ['Person', 'edges', 'objects']
    >>> connection.sql('select name from people."Person" where mother is not null').fetchall()
    [('Bob',)]
    """
    return attach_views(connection, source, name, classes, lambda _: None)


def attach_views(connection: duckdb.DuckDBPyConnection, source: Archive | Dataset | Paths, name: str,
                 classes: Iterable[str] | None, failed: Failed) -> list[str]:
    """Like `attach`. `failed` is called with each error of reading before DuckDB replaces it by an error of its own."""
    import duckdb

    if not isinstance(name, str) or not name:
        raise UsageError(f"name={name!r}: give the database a name, which queries begin names of classes with")
    archive = opened(source)
    named = named_classes(classes)
    names = archive.classes if named is None else named
    # DuckDB ignores the case of names.
    views = distinct(names, fold=str.lower)
    tables: dict[str, pyarrow.dataset.Dataset] = {
        view: _Objects(archive, each, failed) for each, view in zip(names, views, strict=True)}
    for extra, schema, read in (("edges", EDGES, archive.edges), ("objects", _OBJECTS, lambda: _objects(archive))):
        # A class with this name takes precedence.
        if extra not in map(str.lower, views):
            tables[extra] = _Once(schema, read, failed)
    try:
        connection.execute(f"attach ':memory:' as {_quoted(name)}")
    except duckdb.BinderException as error:
        raise UsageError(f"no database is named '{name}': {error}; choose another name") from None
    for each, table in tables.items():
        connection.register(f"{name}.{each}", table)
        connection.execute(f"create view {_quoted(name)}.{_quoted(each)} as select * from {_quoted(f'{name}.{each}')}")
    return list(tables)


class _Objects(pyarrow.dataset.Dataset):  # type: ignore[misc]
    """The objects of a class. DuckDB calls `scanner` for each query, with the columns and conditions of the query."""

    def __init__(self, source: Archive | Dataset, name: str, failed: Failed) -> None:
        self._source, self._name, self._failed = source, name, failed
        self._own = source.read_schema(name, None, _OPTIONS)
        self._schema = recast_schema(self._own, _rule)

    @property
    def schema(self) -> pa.Schema:
        """The columns in types of DuckDB."""
        return self._schema

    def scanner(self, columns: list[str] | None = None, filter: pa.compute.Expression | None = None, **_: Any,
                ) -> _Scan | pyarrow.dataset.Scanner:
        """Returns the requested columns of the rows that match a filter."""
        names = self._schema.names if columns is None else columns
        if filter is None:
            return _Scan(pa.schema([self._schema.field(each) for each in names]), self._batches(names, None))
        needed = [*names, *(each for each in self._schema.names if each not in names and self._uses(filter, each))]
        schema = pa.schema([self._schema.field(each) for each in needed])
        reader = pa.RecordBatchReader.from_batches(schema, self._batches(needed, filter))
        return pyarrow.dataset.Scanner.from_batches(reader, columns=list(names), filter=filter)

    def _uses(self, filter: pa.compute.Expression, name: str) -> bool:
        """Returns whether a filter needs a column: without the column, Arrow cannot bind the filter."""
        others = self._schema.remove(self._schema.get_field_index(name))
        try:
            pyarrow.dataset.dataset(others.empty_table()).scanner(filter=filter)
        except (pa.ArrowInvalid, KeyError):
            return True
        return False

    def _batches(self, names: list[str], filter: pa.compute.Expression | None) -> Iterator[pa.RecordBatch]:
        # Columns with names of classes follow their references, and are read with them.
        columns = [metadata[b"arc:classes-of"].decode() if b"arc:classes-of" in (
            metadata := self._own.field(each).metadata or {}) else each for each in names]
        try:
            for batch in self._read(columns, filter):
                yield recast(batch, _rule).select(names)
        except Exception as error:
            self._failed(error)
            raise

    def _read(self, columns: list[str], filter: pa.compute.Expression | None) -> Iterator[pa.RecordBatch]:
        source, options = self._source, _OPTIONS
        if isinstance(source, Archive):
            segments = None if filter is None else guaranteed(source.ranges(self._name), self._schema, filter)
            yield from source.read_batches(self._name, columns, options, segments=segments)
            return
        if filter is None:
            yield from source.read_batches(self._name, columns, options)
            return
        schema = source.read_schema(self._name, columns, options)
        for shard in source.shards_with(self._name, []):
            archive, base = source.archive(shard), shard << ROW_BITS
            if self._name in archive.classes:
                segments = guaranteed(archive.ranges(self._name, base), self._schema, filter)
                based = replace(options, reference_base=base, has_link_ids=True)
                yield from source.read_shard(
                    shard, self._name, columns, based, schema, target_classes=True, segments=segments)


class _Once(pyarrow.dataset.Dataset):  # type: ignore[misc]
    """A table that is read by the first query that uses it."""

    def __init__(self, schema: pa.Schema, read: Callable[[], pa.Table], failed: Failed) -> None:
        self._schema, self._read, self._failed = schema, read, failed

    @property
    def schema(self) -> pa.Schema:
        """The columns of the table."""
        return self._schema

    @cached_property
    def _table(self) -> pyarrow.dataset.Dataset:
        try:
            return pyarrow.dataset.dataset(self._read())
        except Exception as error:
            self._failed(error)
            raise

    def scanner(self, **choices: Any) -> pyarrow.dataset.Scanner:
        """Returns the requested columns of the rows that match a filter."""
        return self._table.scanner(**choices)


class _Scan:
    """The result of a scan, as DuckDB reads it."""

    def __init__(self, schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> None:
        self.projected_schema, self._batches = schema, batches

    def to_reader(self) -> pa.RecordBatchReader:
        """Returns the batches."""
        return pa.RecordBatchReader.from_batches(self.projected_schema, self._batches)


_OBJECTS = pa.schema([pa.field("row", pa.int64()), pa.field("class", CASES)])


def _objects(archive: Archive | Dataset) -> pa.Table:
    shards = [(0, archive)] if isinstance(archive, Archive) else [
        (shard << ROW_BITS, archive.archive(shard)) for shard in range(len(archive))]
    return pa.concat_tables([_OBJECTS.empty_table(), *(pa.table(
        {"row": pa.array(range(base + 1, base + each.rows + 1), pa.int64()), "class": each.objects()}, _OBJECTS)
        for base, each in shards)])


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _accepts(type_: pa.DataType) -> bool:
    """Returns whether DuckDB has a type for the type of a written table."""
    types = pa.types
    if types.is_interval(type_) or types.is_decimal256(type_) or (types.is_decimal(type_) and type_.scale < 0):
        return False
    # DuckDB passes no conditions to a table with a view.
    if types.is_string_view(type_) or types.is_binary_view(type_) or types.is_list_view(type_) \
            or types.is_large_list_view(type_) or types.is_run_end_encoded(type_):
        return False
    if types.is_dictionary(type_):
        return _accepts(type_.value_type)
    if isinstance(type_, pa.BaseExtensionType):
        return bool(type_ == pa.json_())
    return all(_accepts(type_.field(position).type) for position in range(type_.num_fields))


_OPTIONS = Options(accepts=_accepts)


def _rule(type_: pa.DataType) -> pa.DataType:
    """Returns the replacement of an Arrow type that DuckDB does not accept."""
    if pa.types.is_float16(type_):
        return pa.float32()
    return pa.large_string() if pa.types.is_decimal256(type_) else type_
