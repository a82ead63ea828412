"""A class of an archive as a table that is read on demand, and archives in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Protocol

import pyarrow as pa

from arc_format.basics.errors import ArcError
from arc_format.tables.recast import python_rows
from arc_format.tables.where import Condition

#: The maximum number of rows, and of characters of a value, in a notebook.
_SHOWN_ROWS, _SHOWN_CHARACTERS = 10, 80


class TableSource(Protocol):
    """An archive or a data set, as a collection of classes by name."""

    @property
    def classes(self) -> list[str]:
        """The names of the classes."""

    def schema(self, name: str) -> pa.Schema:
        """Returns the schema of a class."""

    def table(self, name: str, columns: Iterable[str] | None = None, *, where: Sequence[Condition] | None = None,
              ) -> pa.Table:
        """Returns the objects of a class."""

    def batches(self, name: str, columns: Iterable[str] | None = None, *, where: Sequence[Condition] | None = None,
                ) -> Iterator[pa.RecordBatch]:
        """Returns the objects of a class in batches."""

    def counts(self) -> dict[str, int]:
        """Returns the number of objects of each class."""

    def __iter__(self) -> Iterator[str]:
        """The names of the classes."""
        return iter(self.classes)

    def __contains__(self, name: object) -> bool:
        """Whether there is a class with a name."""
        return name in self.classes

    def __getitem__(self, name: str) -> ArchiveTable:
        """Returns the objects of a class, which are read on demand. Raises `KeyError` if there is no such class."""
        if name not in self:
            raise KeyError(f"there is no class {name!r}; there are: {', '.join(self.classes) or 'none'}")
        return ArchiveTable(self, name)

    def _repr_html_(self) -> str:
        """The classes with their columns, for a notebook."""
        counts = _counts(self)
        lines = [["class", "objects", "columns"], *([
            name, f"{counts[name]:,}" if name in counts else "?", ", ".join(
                f"{each.name}: {each.type}" for each in self.schema(name) if not each.name.startswith("$"))]
            for name in self.classes)]
        return f"<b>{escape(repr(self))}</b>{html_table(lines)}"


class ArchiveTable:
    """The objects of a class: `archive["Person"]`. Rows are read when they are needed.

    A library that accepts streams of Arrow accepts it as a table, for example `polars.DataFrame` or `pyarrow.table`.

    >>> import arc_format
    >>> people = arc_format.open("Fixtures/person.arc")["Person"]
    >>> people
    ArchiveTable('Person', 2 objects: $row, name, mother, friends)
    >>> len(people), people.columns, "name" in people
    (2, ['$row', 'name', 'mother', 'friends'], True)
    >>> [person["name"] for person in people]
    ['Ann', 'Bob']
    >>> people["name"].to_pylist()
    ['Ann', 'Bob']
    """

    def __init__(self, source: TableSource, name: str) -> None:
        #: the name of the class
        self.name = name
        self._source = source

    @property
    def schema(self) -> pa.Schema:
        """The schema of the table. Reads no rows."""
        return self._source.schema(self.name)

    @property
    def columns(self) -> list[str]:
        """The names of the columns, including `$row`."""
        return list(self.schema.names)

    def table(self, columns: Iterable[str] | None = None, *, where: Sequence[Condition] | None = None) -> pa.Table:
        """Reads the objects as a `pyarrow.Table`; `columns` and `where` as in `Archive.table`."""
        return self._source.table(self.name, columns, where=where)

    def batches(self, columns: Iterable[str] | None = None, *, where: Sequence[Condition] | None = None,
                ) -> Iterator[pa.RecordBatch]:
        """Reads the objects in batches; `columns` and `where` as in `Archive.table`."""
        yield from self._source.batches(self.name, columns, where=where)

    def __len__(self) -> int:
        """The number of objects of the class, without the objects of its subclasses."""
        return self._source.counts().get(self.name, 0)

    def __bool__(self) -> bool:
        """Always true, also without objects: no rows are counted."""
        return True

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The objects as dictionaries."""
        for batch in self.batches():
            yield from python_rows(batch)

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def __getitem__(self, column: str) -> pa.ChunkedArray:
        """Reads a column. Raises `KeyError` if the class has no such column."""
        if column not in self.columns:
            raise KeyError(f"'{self.name}' has no column {column!r}; it has: {', '.join(self.columns)}")
        return self.table([column])[column]

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the objects as a stream of Arrow, batch by batch."""
        reader = pa.RecordBatchReader.from_batches(self.schema, self.batches())
        return reader.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"ArchiveTable({self.name!r}, {_objects(_count(self._source, self.name))}: {', '.join(self.columns)})"

    def _repr_html_(self) -> str:
        """The first rows, for a notebook."""
        rows: list[dict[str, Any]] = []
        for batch in self.batches():
            rows += python_rows(batch.slice(0, _SHOWN_ROWS - len(rows)))
            if len(rows) == _SHOWN_ROWS:
                break
        count = _count(self._source, self.name)
        lines = [[each.name for each in self.schema], [str(each.type) for each in self.schema]]
        lines += [[_short(value) for value in row.values()] for row in rows]
        rest = f"<p>{_objects(count)}</p>" if count != len(rows) else ""
        return f"<b>{escape(self.name)}</b>{html_table(lines)}{rest}"


def html_table(lines: Sequence[Sequence[str]]) -> str:
    """Returns lines as an HTML table; the first line contains the names of the columns."""
    rows = ["".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in line)
            for tag, line in zip(["th", *["td"] * len(lines)], lines, strict=False)]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def counted(count: int, noun: str) -> str:
    """Returns a count with its noun."""
    return f"{count:,} {noun if count == 1 else noun + ('es' if noun.endswith('s') else 's')}"


def _objects(count: int | None) -> str:
    return "an unknown number of objects" if count is None else counted(count, "object")


def _count(source: TableSource, name: str) -> int | None:
    counts = _counts(source)
    return counts.get(name, 0) if counts else None


def _counts(source: TableSource) -> Mapping[str, int]:
    """Returns the number of objects of each class. A damaged file has a description too, without these numbers."""
    try:
        return source.counts()
    except ArcError:
        return {}


def _short(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS - 1]}…"
