"""An open archive: its classes as tables, its references as edges."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from arc_format.archive.batching import Batching
from arc_format.archive.digest import digest_of
from arc_format.archive.edges import EdgeFinder
from arc_format.archive.objects import RowClasses
from arc_format.archive.payloads import Payloads
from arc_format.archive.plans import Plans
from arc_format.archive.table import TableSource, counted
from arc_format.basics.errors import ArcError, UsageError, reject, warn
from arc_format.basics.limits import DEFAULT, Limits
from arc_format.checks.verification import verify_directory, verify_rows
from arc_format.columns.budget import Budget
from arc_format.columns.directory import read_directory
from arc_format.columns.points import read_points
from arc_format.columns.ranges import FORMS
from arc_format.columns.rows import Block, ColumnChunks, pair_links, read_rows, read_runs
from arc_format.columns.runs import RunIndex
from arc_format.columns.selection import Selection
from arc_format.columns.strings import StringTable, read_strings
from arc_format.container.layout import read_layout
from arc_format.container.metadata import read_metadata
from arc_format.container.segment import Segment
from arc_format.container.source import Source, read_source
from arc_format.schema.classes import Class, Column, read_classes
from arc_format.schema.kinds import REFERENCES
from arc_format.tables.arrow_types import KEY as ARROW_TYPES
from arc_format.tables.arrow_types import ArrowTypes, read_arrow_types
from arc_format.tables.guarantees import ColumnRange, SegmentRanges
from arc_format.tables.names import CLASS, ID, ROW, column_names, named_columns
from arc_format.tables.options import Dates, Enumerations, Options, References, Strings, Types
from arc_format.tables.plan import Plan
from arc_format.tables.recast import python_rows
from arc_format.tables.types import CASES
from arc_format.tables.where import ChunkTest, Condition, Where, chunk_test, instant

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

Verify = Literal["segments", "all", "none"]

#: The tests of chunks that conditions require, by the index of the class.
Tests = dict[int, list[ChunkTest]]


class Archive(TableSource):
    """An open `.arc` file.

    Header, index, class table and metadata are checked when the file is opened. `verify` chooses the other checks:
    `"segments"` compares the checksum of each segment when the segment is first read, and checks the content of each
    table, so that tables are sound; a reference may still refer to a row of another class. `"all"` checks the whole
    file before anything is read, like `verify()`; if only the directory is wrong, the directory is not used, and there
    is a warning. `"none"` does not compare checksums.

    If the file has a directory, columns are read with the directory, and the checksums of single chunks are compared.
    The directory of an untrusted file (a file that is opened with small limits) is used only if the whole file was
    checked. Spec: 13.

    >>> import arc_format
    >>> archive = arc_format.open("Fixtures/person.arc")
    >>> archive.classes, archive.rows
    (['Person'], 2)
    """

    def __init__(self, source: Source, *, limits: Limits = DEFAULT, verify: Verify = "segments") -> None:
        if verify not in ("segments", "all", "none"):
            raise UsageError(f"verify={verify!r}: choose one of 'segments', 'all', 'none'")
        if not isinstance(limits, Limits):
            raise UsageError(f"limits={limits!r}: give arc_format.DEFAULT, UNTRUSTED, or Limits(…) of your own")
        self.limits, self._verify = limits, verify
        self._path = os.path.abspath(source) if isinstance(source, (str, os.PathLike)) else None
        self._data = read_source(source, limits)
        self._layout = read_layout(self._data, limits)
        self._table = read_classes(self._data, self._layout, limits)
        self._metadata = read_metadata(self._data, self._layout)
        self._payloads = Payloads(self._data, checks_sums=verify != "none")
        self._strings: StringTable | None = None
        self._row_classes: RowClasses | None = None
        # The classes of the segments that were read; after all were read, the segments of each class.
        self._classes_found: dict[int, tuple[int, ...]] = {}
        self._segments_of: dict[int, list[int]] | None = None
        self._is_verified = self._ignores_directory = False
        if verify == "all":
            try:
                self.verify()
            except ArcError as error:
                if not error.rule.startswith("Y"):
                    raise
                # The archive is sound; only its directory is wrong.
                self._ignores_directory = True
                warn(f"the directory of the archive is wrong, and is not used: {error}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the path of the file. Raises `TypeError` if the archive was not opened by a path."""
        if self._path is None:
            raise TypeError("an archive that was opened from bytes or from an open file cannot be pickled: open a path")
        return _opened_again, (self._path, self.limits, self._verify, bytes(self._data[-_TRAILER_BYTES:]))

    def __len__(self) -> int:
        """The number of classes, including classes without objects."""
        return len(self._table) - 1

    def __bool__(self) -> bool:
        """Always true, also without classes."""
        return True

    def __repr__(self) -> str:
        file = "" if self._path is None else f"{self._path!r}, "
        return f"Archive({file}{counted(self.rows, 'object')} of {counted(len(self), 'class')})"

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        """Does nothing, because tables may share the bytes of the file, and retain these bytes."""

    # ---- What is in the file

    @property
    def version(self) -> str:
        """The version of the format, such as `1.0`."""
        return ".".join(map(str, self._layout.version))

    @property
    def producer(self) -> str:
        """The name of the writer of the file."""
        return self._layout.producer

    @property
    def metadata(self) -> dict[str, str]:
        """The metadata of the file, by key, without the Arrow types of written tables."""
        return {key: value for key, value in self._metadata.items() if key != ARROW_TYPES}

    @property
    def rows(self) -> int:
        """The number of objects: they are rows 1 to this number."""
        return self._layout.row_count - 1

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return len(self._data)

    @property
    def classes(self) -> list[str]:
        """The names of all classes, including classes without objects, superclasses first."""
        return [each.name for each in self._table.classes[1:]]

    @property
    def segments(self) -> list[int]:
        """The raw size of each segment with rows. `batches` reads any run of these segments."""
        return [segment.raw for segment, _ in self._pairs]

    def class_of(self, name: str) -> Class:
        """Returns the description of a class in the class table: superclass, version and columns."""
        if not isinstance(name, str) or name not in self._table.by_name:
            raise UsageError(f"there is no class '{name}'; there are: {', '.join(self.classes) or 'none'}")
        return self._table.by_name[name]

    def subclasses(self, name: str) -> list[str]:
        """Returns the names of all subclasses of a class, also indirect ones, each after its superclass.

        >>> import arc_format
        >>> arc_format.open("Fixtures/inheritance.arc").subclasses("Vehicle")
        ['Car', 'Truck']
        """
        return [each.name for each in self._table.family(self.class_of(name).name)[1:]]

    def counts(self) -> dict[str, int]:
        """Returns the number of objects of each class, without the objects of its subclasses.

        >>> import arc_format
        >>> arc_format.open("Fixtures/inheritance.arc").counts()
        {'Vehicle': 0, 'Car': 1, 'Truck': 1}
        """
        return self._classes_of_rows().counts()

    def verify(self) -> None:
        """Checks the whole file, like `Spec/reference/arc.py --verify`. Raises `ArcError` if a rule is broken."""
        payloads = Payloads(self._data, checks_sums=True)
        strings = read_strings(self._data, self._layout, self.limits)
        verify_rows(self._layout, self._table, strings, self.limits, payloads)
        directory = read_directory(self._data, self._layout, self._table, self.limits)
        points = read_points(self._data, self._layout, self.limits)
        if directory is not None:
            verify_directory(directory, self._layout, self._table, self.limits, payloads)
        if points is not None:
            points.verify(self._data, payloads)
        self._strings, self._payloads, self._is_verified = strings, payloads, True
        self.__dict__.pop("_selection", None)

    def digest(self) -> str:
        """Verifies the file, and returns a SHA-256 of its content, as 64 hexadecimal digits. Spec: 16.

        Archives with the same objects in the same order have the same digest, whatever their compression, segments and
        metadata are, and whichever program wrote them.

        >>> import arc_format
        >>> arc_format.open("Fixtures/inheritance.arc").digest() == arc_format.open(
        ...     "Fixtures/inheritance-zlib.arc").digest()
        True
        """
        self.verify()
        strings = read_strings(self._data, self._layout, self.limits)
        return digest_of(self._pairs, self._table, strings, Budget(self.limits), Payloads(self._data, checks_sums=True))

    # ---- Tables

    def schema(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
               references: References = "int64", dates: Dates = "timestamp", enums: Enumerations = "struct",
               subclasses: bool = False, target_classes: bool = True, types: Types = "arrow") -> pa.Schema:
        """Returns the schema of a class as a table. Reads no rows.

        Fields have the metadata `arc:attributes` (the property attributes of Objective-C's notation), `arc:key` and
        `arc:declared` (the class that declares the property).
        """
        options = Options(strings, references, dates, enums, types)
        return self.read_schema(name, columns, options, subclasses, target_classes)

    def read_schema(self, name: str, columns: Iterable[str] | None, options: Options, subclasses: bool = False,
                    target_classes: bool = True, has_ids: bool = False) -> pa.Schema:
        """Like `schema`, with options as a value. With `has_ids`, returns the schema of a data set."""
        plans = self._plans(name, columns, options, subclasses, target_classes, has_ids)
        schema = plans.sure(self.class_of(name)).schema
        return _with_class(schema) if subclasses else schema

    def table(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
              references: References = "int64", dates: Dates = "timestamp", enums: Enumerations = "struct",
              subclasses: bool = False, target_classes: bool = True,
              where: Sequence[Condition] | None = None, types: Types = "arrow") -> pa.Table:
        """Returns the objects of a class as a table: `$row`, then a column for each property.

        `columns` limits the columns. `where` limits the rows: a row must match all of these conditions. A condition is
        a column, one of `==`, `!=`, `<`, `<=`, `>`, `>=`, and a value; or a column, `in` and a list of values. A row
        without a value only matches `in` with a list that contains None.
        `subclasses` adds objects of subclasses, and a column `$class` after `$row`; a property that only a subclass has
        is null in objects of other classes. `target_classes` adds a column `name$class` after each reference that may
        refer to objects of several classes. If the file was written from a table, columns have the Arrow types of that
        table; with `types="archive"`, they have the types that the Spec assigns to the types of the archive. The other
        arguments choose Arrow types, see `Options`.

        >>> import arc_format
        >>> archive = arc_format.open("Fixtures/person.arc")
        >>> archive.table("Person", ["name"]).to_pylist()
        [{'$row': 1, 'name': 'Ann'}, {'$row': 2, 'name': 'Bob'}]
        >>> archive.table("Person", ["name"], where=[("mother", "==", 1)]).to_pylist()
        [{'$row': 2, 'name': 'Bob'}]
        """
        options = Options(strings, references, dates, enums, types)
        columns = named_columns(columns)
        batches = list(self.read_batches(
            name, columns, options, subclasses, target_classes, is_whole=True, where=where))
        return pa.Table.from_batches(batches, self.read_schema(name, columns, options, subclasses, target_classes))

    def tables(self, *, strings: Strings = "plain", references: References = "int64", dates: Dates = "timestamp",
               enums: Enumerations = "struct", target_classes: bool = True, types: Types = "arrow",
               ) -> dict[str, pa.Table]:
        """Returns all classes with objects as tables, and the roots as `$roots`. Reads the file once."""
        options = Options(strings, references, dates, enums, types)
        plans = Plans(self._table, self._table.classes, None, options, target_classes, arrow_types=self._arrow_types)
        found: dict[int, tuple[Plan, list[pa.RecordBatch]]] = {}
        for plan, batch in self._batches(plans, range(len(self._pairs)), Budget(self.limits), is_whole=True):
            found.setdefault(plan.each.index, (plan, []))[1].append(batch)
        return {plan.each.name: pa.Table.from_batches(batches, plan.schema)
                for _, (plan, batches) in sorted(found.items(), key=lambda item: item[0])}

    def batches(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
                references: References = "int64", dates: Dates = "timestamp", enums: Enumerations = "struct",
                subclasses: bool = False, target_classes: bool = True, segments: Sequence[int] | None = None,
                where: Sequence[Condition] | None = None, types: Types = "arrow") -> Iterator[pa.RecordBatch]:
        """Returns the rows of `table` in batches of whole segments, with at least 65,536 rows each.

        Only one batch needs to be in memory. `segments` limits the segments to a run, as indices in `segments`.
        """
        options = Options(strings, references, dates, enums, types)
        yield from self.read_batches(name, columns, options, subclasses, target_classes, segments, where=where)

    def read_batches(self, name: str, columns: Iterable[str] | None, options: Options, subclasses: bool = False,
                     target_classes: bool = True, segments: Sequence[int] | None = None, has_ids: bool = False,
                     is_whole: bool = False, where: Sequence[Condition] | None = None,
                     passing_over: Sequence[Condition] | None = None) -> Iterator[pa.RecordBatch]:
        """Like `batches`, with options as a value.

        `has_ids`: whether the archive is a shard of a data set. `is_whole`: whether the caller retains all batches.
        `passing_over`: conditions that an engine checks for each row; parts without any matching row are omitted.
        """
        conditions, names = Where(() if where is None else where), None
        if conditions.names:
            # The columns of conditions are read too.
            names, passing_over = self.read_schema(
                name, columns, options, subclasses, target_classes, has_ids).names, conditions.conditions
            asked_columns = named_columns(columns)
            columns = None if asked_columns is None else list(dict.fromkeys([*asked_columns, *conditions.names]))
            there = self.read_schema(name, None, options, subclasses, target_classes, has_ids).names
            for unknown in set(conditions.names) - set(there):
                raise UsageError(f"where= names '{unknown}'; there are: {', '.join(there)}")
        plans = self._plans(name, columns, options, subclasses, target_classes, has_ids, names is not None)
        chosen = self._chosen(segments)
        tests: Tests = {}
        if passing_over:
            asked, base = Where(passing_over), options.reference_base
            chosen = [number for number in chosen if asked.may_hold(
                self._pairs[number][0].first, self._pairs[number][0].count, base)]
            tests = self._chunk_tests(asked, name, subclasses, base)

        def matching(plan: Plan, batch: pa.RecordBatch) -> pa.RecordBatch:
            if subclasses:
                batch = _with_classes(batch, plan.each.name)
            return conditions.rows(batch, plan.schema).select(names) if names is not None else batch

        schema = _with_class(plans.sure(self.class_of(name)).schema) if subclasses else None
        for _, batch in self._batches(plans, chosen, Budget(self.limits), is_whole, tests, matching):
            # Metadata of the schema describes the requested class, not the class of the batch.
            yield batch if schema is None else batch.replace_schema_metadata(schema.metadata)

    def object(self, row: int) -> dict[str, Any]:
        """Returns a row as a dictionary, with its class as `$class`.

        >>> import arc_format
        >>> arc_format.open("Fixtures/person.arc").object(2)
        {'$class': 'Person', '$row': 2, 'name': 'Bob', 'mother': 1, 'friends': []}
        """
        name = self._classes_of_rows().name(row)
        for number, (segment, _) in enumerate(self._pairs):
            if segment.first <= row < segment.first + segment.count:
                for batch in self.batches(name, segments=[number]):
                    for at in np.flatnonzero(batch.column("$row").to_numpy() == row):
                        return {CLASS: name, **python_rows(batch.take([at]))[0]}
        reject("Y3", 0, f"no row {row} of class '{name}', as which it stands in the runs")

    def objects(self, rows: Any = None) -> pa.Array:
        """Returns the name of the class of each row, null for row 0. Without rows, returns the classes of all objects.

        >>> import arc_format
        >>> arc_format.open("Fixtures/inheritance.arc").objects([2, 0, 1]).to_pylist()
        ['Truck', None, 'Car']
        """
        if rows is None:
            return self._classes_of_rows().names(np.arange(1, self._layout.row_count))
        if isinstance(rows, (pa.Array, pa.ChunkedArray)) and not pa.types.is_nested(rows.type):
            rows = rows.fill_null(0).to_numpy(zero_copy_only=False) if isinstance(rows, pa.Array) \
                else rows.fill_null(0).to_numpy()
        numbers = np.asarray(rows)
        if numbers.ndim != 1 or (len(numbers) and (numbers.dtype.kind not in "iu" or int(numbers.min()) < 0)):
            raise UsageError(f"{rows!r} are no rows: give a list or an array of numbers from 0 on, such as a "
                             "reference; of a column of lists pyarrow.compute.list_flatten makes one")
        return self._classes_of_rows().names(numbers.astype(np.int64))

    def are_of(self, rows: npt.NDArray[np.int64], name: str) -> npt.NDArray[np.bool_]:
        """Returns whether each row is of a class or of its subclasses."""
        return self._classes_of_rows().are_of(rows, name)

    def columns_where(self, wants: Callable[[Column], bool]) -> Iterator[ColumnChunks]:
        """Returns the stored chunks of some columns of all classes, segment by segment."""
        wanted = {(each.index, position) for each in self._table.classes
                  for position, column in enumerate(each.columns) if wants(column)}
        classes = {index for index, _ in wanted}
        if not wanted:
            return
        for number in range(len(self._pairs)):
            for block in self._blocks(number, classes, lambda each, position: (each.index, position) in wanted):
                yield from block.columns.values()

    def ranges(self, name: str, base: int = 0) -> Iterator[SegmentRanges]:
        """Returns the segments that may have objects of a class, with the ranges of columns that are known of each.

        These are the ranges of row numbers and, if the file has a directory, of numbers, dates and references. `base`
        is added to references and is the id of row 0 of the file in a data set.
        """
        each, selection = self.class_of(name), self._selection
        # The position of the first chunk of each column among the chunks of a block.
        places = np.cumsum([0, *(len(column.tree.stored) for column in each.columns)]).tolist()
        names = column_names(each.columns, self._table)
        for number in self._segments_with({each.index}, range(len(self._pairs))):
            segment = self._pairs[number][0]
            found = {ROW: ColumnRange("int64", segment.first, segment.first + segment.count - 1, False),
                     ID: ColumnRange("int64", segment.first + base, segment.first + segment.count - 1 + base, False)}
            directory = None if selection is None else selection.directory
            for block in () if directory is None else directory.blocks(number):
                if directory is None or int(directory.classes[block]) != each.index:
                    continue
                first, count = int(directory.chunk_starts[block]), int(directory.columns[block])
                for column, column_name, place in list(zip(each.columns, names, places, strict=False))[:count]:
                    node = column.tree.root
                    while node.kind == "optional":
                        node = node.children[0]
                    if node.kind not in FORMS or node.kind in ("enumeration", "string") or column.tree.is_recursive:
                        continue
                    borders = directory.range(first + place + column.tree.stored.index(node), node.kind)
                    shift = base if node.kind in REFERENCES else 0
                    # NaN is outside of a range, and so is nil, which is null in a table.
                    if borders is not None and (borders[0] == 0 or node.kind in REFERENCES):
                        found[column_name] = ColumnRange(
                            node.kind, borders[1] + shift, borders[2] + shift,
                            node is not column.tree.root or node.kind in (*REFERENCES, "date"))
            yield number, found

    # ---- Graphs

    def edges(self, columns: Iterable[str] | None = None, *, roots: bool = False) -> pa.Table:
        """Returns all references of all objects: `src` and `dst` are rows, `column` is `Class.key`, `weak` a Boolean.

        The references include references in collections, structures and enumerations. `columns` limits them to some
        columns; `roots` adds the references of row 0.

        >>> import arc_format
        >>> arc_format.open("Fixtures/person.arc").edges(["Person.friends"]).to_pylist()
        [{'src': 1, 'dst': 2, 'column': 'Person.friends', 'weak': False}]
        """
        return self.read_edges(columns, roots=roots)

    def read_edges(self, columns: Iterable[str] | None, *, roots: bool = False, base: int | None = None) -> pa.Table:
        """Like `edges`. For a shard of a data set, adds `base` to all rows, and includes links."""
        columns = named_columns(columns)
        finder = EdgeFinder(self._table, columns, roots, base)
        for name in columns or ():
            if name not in finder.names:
                there = ", ".join(self.edge_columns(roots=roots, base=base))
                raise UsageError(f"no column '{name}' has references; these have: {there or 'none'}")
        budget = Budget(self.limits)
        return finder.edges((block for number in range(len(self._pairs)) for block in self._blocks(
            number, finder.classes, lambda each, position: finder.wants(each.index, position))), budget)

    def holders(self, row: int) -> pa.Table:
        """Returns the references to an object, as `arcdump holders` prints them, in the order of `edges`.

        `src` is the row that has the reference, 0 for the roots; `class` is its class, and `column` is `Class.key`.
        `kind` is `strong`, `weak` or `unowned`; only strong references retain the object. Reads all references of the
        file. Raises `UsageError` if there is no such row.

        >>> import arc_format
        >>> arc_format.open("Fixtures/person.arc").holders(2).to_pylist()
        [{'src': 1, 'class': 'Person', 'column': 'Person.friends', 'kind': 'strong'}]
        """
        if self._classes_of_rows().name(row) == "$roots":
            raise UsageError("row 0 contains the roots, to which nothing refers: give the row of an object")
        edges = self.read_edges(None, roots=True)
        edges = edges.filter(pc.equal(edges["dst"], row))
        unowned = EdgeFinder(self._table, None, True).unowned
        columns, are_weak = edges["column"].cast(pa.string()).to_pylist(), edges["weak"].to_pylist()
        kinds = ["weak" if is_weak else "unowned" if column in unowned else "strong"
                 for column, is_weak in zip(columns, are_weak, strict=True)]
        names = [self._table[int(each)].name for each in self._classes_of_rows().classes[edges["src"].to_numpy()]]
        return pa.table({"src": edges["src"], "class": pa.array(names, pa.string()),
                         "column": pa.array(columns, pa.string()), "kind": pa.array(kinds, pa.string())})

    def edge_columns(self, *, roots: bool = False, base: int | None = None) -> list[str]:
        """Returns the columns of the edges in `read_edges`."""
        return EdgeFinder(self._table, None, roots, base).names

    def to_scipy(self, columns: Iterable[str] | None = None) -> scipy.sparse.csr_array:
        """Returns a matrix of `rows` + 1 rows and columns with the number of references from each row to each row.

        Needs scipy: `pip install 'arc-format[graph]'`.
        """
        try:
            import scipy.sparse
        except ImportError as error:
            raise UsageError("to_scipy needs scipy: pip install 'arc-format[graph]'") from error

        edges, size = self.edges(columns), self._layout.row_count
        furthest = pc.max(edges["dst"]).as_py() or 0
        if furthest >= size:
            reject("G2", 0, f"a reference to row {furthest} of {size}")
        ones = np.ones(edges.num_rows, np.int32)
        return scipy.sparse.csr_array((ones, (edges["src"].to_numpy(), edges["dst"].to_numpy())), (size, size))

    def to_networkx(self, columns: Iterable[str] | None = None) -> networkx.MultiDiGraph[int]:
        """Returns the references as a NetworkX graph. Nodes are rows with an attribute `class`, keys are columns.

        Needs NetworkX: `pip install 'arc-format[graph]'`.
        """
        try:
            import networkx
        except ImportError as error:
            raise UsageError("to_networkx needs NetworkX: pip install 'arc-format[graph]'") from error

        graph: networkx.MultiDiGraph[int] = networkx.MultiDiGraph()
        names = self.objects().to_pylist()
        graph.add_nodes_from((row, {"class": name}) for row, name in enumerate(names, 1))
        edges = self.edges(columns)
        graph.add_edges_from((source, target, None, {"column": column}) for source, target, column in zip(
            edges["src"].to_pylist(), edges["dst"].to_pylist(), edges["column"].to_pylist(), strict=True))
        return graph

    # ---- Implementation

    def _chosen(self, segments: Sequence[int] | None) -> Sequence[int]:
        """Returns the requested segments. Raises `UsageError` if one does not exist."""
        there = range(len(self._pairs))
        if segments is None:
            return there
        if not isinstance(segments, Iterable) or not all(each in there for each in segments):
            raise UsageError(f"segments={segments!r}: give a list or range of numbers of segments, which are below "
                             f"{len(there)}")
        return segments

    def _chunk_tests(self, where: Where, name: str, subclasses: bool, base: int) -> Tests:
        """Returns the tests of each class, by the index of the class."""
        tests: Tests = {}
        for each in self._table.family(name) if subclasses else [self.class_of(name)]:
            names = column_names(each.columns, self._table)
            for column_name, sign, value in where.conditions:
                # Several keyed columns can contain the values of one key, so one of them alone cannot exclude rows.
                if names.count(column_name) == 1:
                    position = names.index(column_name)
                    value = self._as_instant(each.columns[position], column_name, value)
                    test = chunk_test(each.columns[position], position, sign, value, base)
                    tests.setdefault(each.index, []).extend([test] if test else [])
        return tests

    def _as_instant(self, column: Column, name: str, value: Any) -> Any:
        """Returns a value for a column of dates or of times without a time zone as it is stored, an instant in UTC."""
        written = self._arrow_types.get((self._table[column.declaring].name, name))
        if written is None or not (pa.types.is_date(written.field.type) or (
                pa.types.is_timestamp(written.field.type) and written.field.type.tz is None)):
            return value
        return [instant(each) for each in value] if isinstance(value, list) else instant(value)

    @cached_property
    def _selection(self) -> Selection | None:
        """The reader of single chunks; None without a directory that a reader may rely on. Spec: 13.3."""
        if self._ignores_directory or (self.limits.is_for_strangers and not self._is_verified):
            return None
        directory = read_directory(
            self._data, self._layout, self._table, self.limits, self._payloads.checks_sums)
        points = read_points(self._data, self._layout, self.limits, self._payloads.checks_sums)
        if directory is None:
            return None
        if points is not None:
            self._payloads.use({each.segment.offset: each.points for each in points.segments})
        segments = [segment for segment, _ in self._pairs]
        return Selection(directory, self._table, self.limits, segments, self._payloads.holding,
                         has_points=points is not None)

    @cached_property
    def _arrow_types(self) -> ArrowTypes:
        return read_arrow_types(self._metadata, self.limits)

    @cached_property
    def _pairs(self) -> list[tuple[Segment, Segment | None]]:
        return pair_links(self._layout)

    def _excludes(self, tests: Tests, each: Class, first_chunk: int, column_count: int) -> bool:
        """Returns whether no row of a block can match a condition, by the directory."""
        selection = self._selection
        if selection is None:
            return False
        for test in tests.get(each.index, ()):
            if test.position < column_count:
                before = sum(len(column.tree.stored) for column in each.columns[:test.position])
                if test.excludes(selection.directory, first_chunk + before + test.place, self._string_table):
                    return True
        return False

    def _string_table(self) -> StringTable:
        if self._strings is None:
            self._strings = StringTable(self._data, self._layout.of_kind(b"STRS"), self.limits)
        return self._strings

    def _classes_of_rows(self) -> RowClasses:
        if self._row_classes is None:
            dtype = np.dtype(np.uint8 if len(self._table) < 1 << 8 else np.uint16 if len(self._table) < 1 << 16
                             else np.uint32)
            index = self._run_index()
            if index is not None:
                numbers = index.classes_of_rows(dtype)
            else:
                parts = []
                for segment, _ in self._pairs:
                    classes, lengths = read_runs(self._payloads(segment), segment, len(self._table))
                    parts.append(np.repeat(classes.astype(dtype), lengths))
                numbers = np.concatenate(parts)
            self._row_classes = RowClasses(numbers, self._table)
        return self._row_classes

    def _run_index(self) -> RunIndex | None:
        if self._selection is None:
            return None
        try:
            return self._selection.index
        except ArcError:
            if not self._payloads.drop_points():
                raise
            return self._selection.index

    def _blocks(self, number: int, classes: Collection[int], wants: Any, tests: Tests | None = None) -> Iterator[Block]:
        """Returns the blocks of a segment for at least some classes, with the requested columns.

        Omits blocks without a matching row, by the directory.
        """
        segment, link = self._pairs[number]
        selection = self._selection
        # If most of a segment is requested, reading it as a whole is faster.
        if selection is not None and len(classes) < len(self._table):
            excludes = partial(self._excludes, tests or {})
            try:
                blocks = list(selection.blocks(number, segment, link, classes, wants, excludes))
            except ArcError:
                # Damaged bytes can decompress to anything, so an error reports the damage.
                for each in (segment, link):
                    if each is not None and each.codec:
                        self._payloads.check(each)
                # Wrong points can be the cause, too.
                if not self._payloads.drop_points():
                    raise
                blocks = list(selection.blocks(number, segment, link, classes, wants, excludes))
            yield from blocks
            return
        found = read_rows(segment, link, self._payloads, self._table, self.limits, wants).blocks
        if self._segments_of is None:
            self._classes_found[number] = tuple(found)
        yield from found.values()

    def _segments_with(self, classes: Collection[int], among: Iterable[int]) -> Iterable[int]:
        """Returns the segments that may have rows of some classes, as far as this is known without reading them.

        Therefore reading one class after the other does not inspect all segments for each class.
        """
        if self._selection is not None:
            holding = self._selection.directory.segments_with(classes)
        else:
            found = self._classes_found
            if self._segments_of is None and len(found) == len(self._pairs):
                of_class: dict[int, list[int]] = {}
                for number in range(len(self._pairs)):
                    for index in found[number]:
                        of_class.setdefault(index, []).append(number)
                self._segments_of, self._classes_found = of_class, {}
            if self._segments_of is None:
                return among
            holding = sorted({number for index in classes for number in self._segments_of.get(index, ())})
        if isinstance(among, range) and among == range(len(self._pairs)):
            return holding
        known = set(holding)
        return [number for number in among if number in known]

    def _plans(self, name: str, columns: Iterable[str] | None, options: Options, subclasses: bool,
               target_classes: bool, has_ids: bool = False, is_filtered: bool = False) -> Plans:
        each = self.class_of(name)
        classes = self._table.family(name) if subclasses else [each]
        return Plans(self._table, classes, columns, options, target_classes, has_ids, subclasses, self._arrow_types,
                     is_filtered)

    def _batches(self, plans: Plans, segments: Iterable[int], budget: Budget, is_whole: bool,
                 tests: Tests | None = None,
                 rows: Callable[[Plan, pa.RecordBatch], pa.RecordBatch] = lambda _, batch: batch,
                 ) -> Iterator[tuple[Plan, pa.RecordBatch]]:
        """Returns batches of several classes in one pass, each with its plan. `rows` chooses rows and columns.

        If the batches become tables, their total memory is limited; otherwise the memory of each batch is limited.
        """
        def wants(each: Class, position: int) -> bool:
            plan = plans.of(each, budget)
            return plan is not None and plan.wants(each, position)

        def batch(blocks: list[Block]) -> tuple[Plan, pa.RecordBatch]:
            plan = plans.sure(blocks[0].each)
            names = self._classes_of_rows().names if plan.leads else None
            before = budget.memory
            made = plan.restored(rows(plan, plan.batch(blocks, self._string_table, budget, names)), budget)
            if not is_whole:
                budget.memory = before
            return plan, made

        batching = Batching()
        for number in self._segments_with(plans.classes, segments):
            for block in self._blocks(number, plans.classes, wants, tests):
                if plans.of(block.each, budget) is not None:
                    yield from map(batch, batching.add(block))
        yield from map(batch, batching.rest())


#: The size of the trailer, whose checksum covers the checksums of all segments.
_TRAILER_BYTES = 40


def _opened_again(path: str, limits: Limits, verify: Verify, trailer: bytes) -> Archive:
    """Opens the file of a pickled archive. Raises `UsageError` if the path has another file now."""
    archive = Archive(path, limits=limits, verify=verify)
    if bytes(archive._data[-_TRAILER_BYTES:]) != trailer:
        raise UsageError(f"{path!r} is not the file of the archive that was pickled: it was replaced")
    return archive


def _with_class(schema: pa.Schema) -> pa.Schema:
    """Returns the schema of a table of several classes: `$class` follows `$row`."""
    return schema.insert(schema.get_field_index("$row") + 1, pa.field(CLASS, CASES, nullable=False))


def _with_classes(batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
    """Returns a batch with `$class` after `$row`."""
    schema, arrays = _with_class(batch.schema), batch.columns
    names = pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(batch), np.int32)), pa.array([name], pa.string()))
    position = schema.get_field_index(CLASS)
    return pa.RecordBatch.from_arrays([*arrays[:position], names, *arrays[position:]], schema=schema)
