"""Writing tables as an archive."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.columns.directory import KIND
from arc_format.columns.integers import MAXIMUM_SHORT
from arc_format.columns.points import KIND as POINTS
from arc_format.schema.classes import Class, ClassTable, Column
from arc_format.schema.types import Node
from arc_format.tables.arrow_types import KEY as ARROW_TYPES
from arc_format.tables.arrow_types import WrittenTypes
from arc_format.tables.names import ROW, column_names
from arc_format.writing.arguments import (
    check_leads,
    check_places,
    check_roots,
    check_segment_rows,
    check_sorted_by,
    check_texts,
)
from arc_format.writing.columns import ColumnEncoder, Resolve
from arc_format.writing.directory import (
    DIRECTORY_BYTES,
    DirectoryWriter,
    points_payload,
    string_borders,
    written_table,
)
from arc_format.writing.file import Compression, SegmentWriter, Target, replaced
from arc_format.writing.frames import Frame, arrow_tables
from arc_format.writing.model import (
    ROOTS,
    Leads,
    WrittenClass,
    check_class_name,
    check_link_target,
    inherit,
    written_class,
)
from arc_format.writing.primitives import Payload, string, utf8, varint
from arc_format.writing.references import References
from arc_format.writing.strings import StringWriter

#: A root: a class, for an array of all its objects; or a class and a position, for one object.
Root = str | tuple[str, int]

#: The key in the metadata for the class and the column by which its rows are sorted. Spec: 14.1.
SORTED_BY = "arc.sorted-by"

#: Tables of this size in memory have a directory, whatever the size of the archive.
LARGE_BYTES = 32 << 20

#: The maximum number of rows of a segment.
SEGMENT_ROWS = 1 << 17


def write(target: Target, tables: Mapping[str, Frame], *, references: Leads | None = None,
          weak: Collection[tuple[str, str]] = (), superclasses: Mapping[str, str] | None = None,
          links: Leads | None = None, roots: Mapping[str, Root] | None = None,
          metadata: Mapping[str, str] | None = None, compression: Compression = "none", level: int | None = None,
          directory: bool | None = None, segment_rows: int | None = None,
          sorted_by: tuple[str, str] | None = None) -> None:
    """Writes tables as an archive: each table becomes a class, each row an object.

    A table is a table of pyarrow, a frame of pandas, Polars or DuckDB, or any other stream of Arrow.

    `references` contains the columns of integers, or of lists of integers, that refer to objects, with the class of the
    objects: `{("Person", "boss"): "Person"}`. The integers are numbers in the column `$row` of the target's table. If
    that table has no such column, they are positions from 0. Columns that are named in `weak` do not retain their
    targets. Tables that were read from an archive know their types and references. `superclasses` contains the
    superclass of a class. `links` is like `references`, for integers that are ids of a data set, `shard << 32 | row`:
    their targets may be in other archives.

    `roots`: named roots. A root is a class, for an array of all its objects; or a class and a position, for one object.
    The default is the table `$roots`; without this table, each class is a root with its name.

    `compression` is `none` or `zlib`; `level` is zlib's level, from 1 (fast) to 9 (small). (default: 6)

    `directory`: whether the archive gets a directory, with which a reader can read one column of one class, and can
    skip rows that a condition excludes. (default: for archives of at least 4 MiB, and for tables that take at least
    32 MiB in memory). In a compressed archive with a directory, a reader of one column decompresses only the column.

    `segment_rows`: the maximum number of rows of a segment, at most 262,144. A reader with a directory skips segments,
    so smaller segments help queries for few rows, and take more bytes. (default: 131,072, or fewer for long lists)

    `sorted_by`: a class and its column of numbers, dates, strings or Booleans. The rows of the class are written in
    ascending order, with null last, so that conditions on the column exclude most segments. References to the rows
    remain right. The metadata of the file states the order as `arc.sorted-by`.

    A file at a path is replaced as a whole or not at all. Raises `UsageError` if an archive cannot contain the tables.

    >>> import arc_format, io, pyarrow as pa
    >>> people = pa.table({"name": ["Ann", "Bob"], "boss": pa.array([None, 0], pa.int64())})
    >>> file = io.BytesIO()
    >>> arc_format.write(file, {"Person": people}, references={("Person", "boss"): "Person"})
    >>> arc_format.open(file.getvalue(), verify="all").table("Person").to_pylist()
    [{'$row': 1, 'name': 'Ann', 'boss': None}, {'$row': 2, 'name': 'Bob', 'boss': 1}]
    """
    check_segment_rows(segment_rows)
    arrow = arrow_tables(tables)
    check_leads("references", references or {})
    check_leads("links", links or {})
    check_places("weak", weak)
    check_texts("superclasses", superclasses or {})
    check_texts("metadata", metadata or {})
    check_roots(roots or {})
    leads = dict(references or {})
    for name, column in [*leads, *(links or {}), *weak]:
        if name not in arrow or column not in arrow[name].schema.names:
            raise UsageError(f"references= or links= names column '{column}' of '{name}', which is in no table")
    for name in (links or {}).values():
        check_link_target(name)
    classes = _classes(arrow, leads, weak, dict(superclasses or {}), dict(links or {}))
    if sorted_by is not None:
        check_sorted_by(sorted_by)
        if sorted_by[0] not in arrow or sorted_by[0] == ROOTS:
            raise UsageError(f"sorted_by= names the class '{sorted_by[0]}', which has no table")
        classes[sorted_by[0]].sort(sorted_by[1])
    has_own_roots = roots is None and ROOTS in arrow
    root_class = _root_table(arrow[ROOTS], leads, weak) if has_own_roots else _named_roots(arrow, roots, classes)
    pairs = dict(metadata or {})
    if ARROW_TYPES in pairs:
        raise UsageError(f"metadata= has the key {ARROW_TYPES!r}, whose value this function writes: remove it")
    if sorted_by is not None:
        pairs[SORTED_BY] = ".".join(sorted_by)
    types = _arrow_types({ROOTS: root_class, **classes})
    if types is not None:
        pairs[ARROW_TYPES] = types
    with replaced(target) as file:
        _Writer(SegmentWriter(file, compression, level), root_class, has_own_roots, classes, directory,
                segment_rows or SEGMENT_ROWS).write(pairs)


def _classes(tables: Mapping[str, pa.Table], leads: Leads, weak: Collection[tuple[str, str]],
             superclasses: dict[str, str], links: Leads) -> dict[str, WrittenClass]:
    """Returns all classes, including classes without tables, superclasses first. Rows are numbered in this order."""
    found: dict[str, WrittenClass] = {}

    written = {name: written_class(name, table, leads, weak, superclasses, links)
               for name, table in tables.items() if name != ROOTS}
    for name, each in written.items():
        if name in each.superclasses:
            raise UsageError(f"'{name}' is its own superclass: superclasses= has a circle")
        line = [name, *each.superclasses]
        for position in reversed(range(len(line))):
            if line[position] not in found:
                check_class_name(line[position])
                found[line[position]] = written.get(line[position]) or WrittenClass(line[position], line[position + 1:])
    for each in found.values():
        inherit(each, found)
    row = 1
    for each in found.values():
        each.first_row = row
        row += each.row_count
    if row > 1 << 32:
        raise UsageError(f"{row} rows, and an archive has fewer than 2^32: write several")
    return found


def _root_table(table: pa.Table, leads: Leads, weak: Collection[tuple[str, str]]) -> WrittenClass:
    if table.num_rows != 1:
        raise UsageError(f"the table '{ROOTS}' has {table.num_rows} rows: it has one")
    return written_class(ROOTS, table, leads, weak, {})


def _named_roots(tables: Mapping[str, pa.Table], roots: Mapping[str, Root] | None, classes: dict[str, WrittenClass],
                 ) -> WrittenClass:
    """Returns the roots, with references that are rows of the new archive."""
    columns, root_leads = {}, {}
    for name, root in (roots if roots is not None else {name: name for name in tables if name != ROOTS}).items():
        class_name, position = (root, None) if isinstance(root, str) else root
        each = classes.get(class_name)
        if each is None or (position is not None and not 0 <= position < each.row_count):
            raise UsageError(f"root '{name}' is {root!r}: name a class of the tables, or a class and a position in it")
        values = pa.array(each.rows_at(np.array([position]))) if position is not None else \
            pa.LargeListArray.from_arrays([0, each.row_count], np.arange(each.row_count) + each.first_row)
        columns[name], root_leads[ROOTS, name] = values, class_name
    return written_class(ROOTS, pa.table(columns) if columns else pa.table({ROW: [0]}), root_leads, (), {})


def _arrow_types(classes: Mapping[str, WrittenClass]) -> str | None:
    """Returns the Arrow types of the tables for the metadata; None if the archive has them. Warns about lost types."""
    types, numbers = WrittenTypes(), {name: number for number, name in enumerate(classes)}
    table = ClassTable([])
    for each in classes.values():
        columns = [Column(numbers[column.declaring], column.key, column.attributes, column.flags, column.tree)
                   for column in each.columns]
        table.classes.append(Class(len(table), each.name, None, columns=columns))
    for each, described in zip(classes.values(), table.classes, strict=True):
        # A subclass may declare a key of its superclass again. Readers then name the column after its class, too.
        names = column_names(described.columns, table)
        for column, name, of_table in zip(described.columns, names, each.columns, strict=True):
            if of_table.field is not None:
                types.add(of_table.declaring, name, column, of_table.field, of_table.dictionary)
    return types.text()


class _Writer:
    def __init__(self, file: SegmentWriter, root_class: WrittenClass, has_own_roots: bool,
                 classes: dict[str, WrittenClass], wants_directory: bool | None, segment_rows: int) -> None:
        self.file, self.root_class, self.has_own_roots, self.classes = file, root_class, has_own_roots, classes
        self.wants_directory, self.segment_rows = wants_directory, segment_rows
        table = written_table([root_class, *classes.values()])
        self.directory = None if wants_directory is False else DirectoryWriter(table)
        self.references, self.strings = References(classes), StringWriter()
        self.row = 0
        self.is_large = sum(column.values.nbytes for each in classes.values() for column in each.columns) >= LARGE_BYTES

    def write(self, metadata: dict[str, str]) -> None:
        if metadata:
            pairs = sorted((utf8(key), key, value) for key, value in metadata.items())
            payload = varint(len(pairs)) + b"".join(string(key) + string(value) for _, key, value in pairs)
            self.file.write(b"META", payload, 0, len(pairs))
        self._write_class_table()
        self._write_rows(0, self.root_class, 0, 1)
        for index, each in enumerate(self.classes.values(), 1):
            step = min(_rows_per_segment(each, self.segment_rows), self.segment_rows)
            for start in range(0, each.row_count, step):
                self._write_rows(index, each, start, min(step, each.row_count - start))
        if self.directory is not None and self._has_directory:
            points = self.file.points
            if any(each.points for each in points):
                self.file.write(POINTS, points_payload(points), 0, len(points), flags=1)
            payload, count = self.directory.payload()
            self.file.write(KIND, payload, 0, count, flags=1)
        self.file.finish(self.row)

    def _write_class_table(self) -> None:
        indices = {name: index for index, name in enumerate([ROOTS, *self.classes])}
        payload = varint(len(indices))
        for each in [self.root_class, *self.classes.values()]:
            superclass = indices[each.superclasses[0]] + 1 if each.superclasses else 0
            payload += varint(indices[each.name]) + string(each.name) + varint(superclass) + varint(each.version)
            payload += varint(len(each.columns))
            for column in each.columns:
                payload += varint(indices[column.declaring]) + string(column.key) + string(column.attributes)
                payload += bytes([column.flags])
        self.file.write(b"CLSS", payload, 0, len(indices))

    def _write_rows(self, index: int, each: WrittenClass, start: int, count: int) -> None:
        """Writes a segment of rows of one class."""
        rows, links, has_weak = Payload(), Payload(), False
        rows.add(varint(1) + varint(index) + varint(count))
        rows.add(varint(len(each.columns)))
        for column in each.columns:
            resolve: Resolve = partial(self.references.resolve, f"'{column.name}' of '{each.name}'")
            if each is self.root_class and not self.has_own_roots:
                resolve = _as_they_are
            encoder = ColumnEncoder(column.name, column.tree, bool(column.flags), self.strings, resolve)
            for node, chunk in encoder.encode(column.values.slice(start, count)):
                if node.kind == "weak":
                    has_weak = True
                    links.add_chunk(chunk)
                else:
                    rows.add_chunk(chunk)
        strings = self.strings.take_segment()
        # Without a directory, nothing would begin to decompress at a border.
        has_borders = self._has_directory
        if strings:
            self.file.write(b"STRS", *strings, borders=string_borders(strings[0]) if has_borders else ())
        row_data, link_data = rows.data(), links.data() if has_weak else None
        of_rows, of_links = ([], []) if self.directory is None else self.directory.add(
            self.row, count, row_data, link_data)
        self.file.write(b"ROWS", row_data, self.row, count, borders=of_rows if has_borders else ())
        if link_data is not None:
            self.file.write(b"LINK", link_data, self.row, count, borders=of_links if has_borders else ())
        self.row += count

    @property
    def _has_directory(self) -> bool:
        """Whether the archive has a directory. False while this is not certain yet."""
        if self.wants_directory is not None:
            return self.wants_directory
        return self.is_large or self.file.offset >= DIRECTORY_BYTES


def _as_they_are(_: Node, array: pa.Array) -> npt.NDArray[np.int64]:
    return array.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _rows_per_segment(each: WrittenClass, maximum: int) -> int:
    """Returns a number of rows for which nodes below collections can use short encodings [V8], on average."""
    most = 1
    for column in each.columns:
        values = column.values
        while pa.types.is_large_list(values.type) or pa.types.is_map(values.type):
            values = values.flatten() if pa.types.is_large_list(values.type) else values.items
            most = max(most, len(values) // max(each.row_count, 1) + 1)
    return max(min(maximum, MAXIMUM_SHORT // most), 1024)
