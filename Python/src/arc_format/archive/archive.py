"""An open archive: its classes as tables, its references as edges."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from arc_format.archive.batching import Batching
from arc_format.archive.edges import EdgeFinder
from arc_format.archive.objects import RowClasses
from arc_format.archive.payloads import Payloads
from arc_format.archive.plans import Plans
from arc_format.basics.errors import ArcError, UsageError, reject
from arc_format.basics.limits import DEFAULT, Limits
from arc_format.checks.verification import verify_directory, verify_rows
from arc_format.columns.budget import Budget
from arc_format.columns.directory import read_directory
from arc_format.columns.rows import Block, ColumnChunks, pair_links, read_rows, read_runs
from arc_format.columns.selection import Selection
from arc_format.columns.strings import StringTable, read_strings
from arc_format.container.layout import read_layout
from arc_format.container.metadata import read_metadata
from arc_format.container.segment import Segment
from arc_format.container.source import Source, read_source
from arc_format.schema.classes import Class, Column, read_classes
from arc_format.tables.names import CLASS, column_names, named_columns
from arc_format.tables.options import Dates, Enumerations, Options, References, Strings
from arc_format.tables.plan import Plan
from arc_format.tables.recast import python_rows
from arc_format.tables.types import CASES
from arc_format.tables.where import ChunkTest, Condition, Where, chunk_test

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

Verify = Literal["segments", "all", "none"]

#: What conditions ask of chunks, by the index of the class.
Tests = dict[int, list[ChunkTest]]


class Archive:
    """An open `.arc` file.

    Header, index, class table and metadata were checked when it was opened. `verify="segments"`: the checksum of each
    segment is compared when it is first read, and whatever a table is made of is checked, so that a table is sound; a
    reference may still lead to a row of another class. `"all"`: all of the file is checked before anything is read, as
    `verify()` does. `"none"`: checksums are not compared.

    Where there is a directory, columns are read by it, and the checksums are those of single chunks. Of files from
    strangers, which small limits mean, it is used only if all was checked. Spec: 13.

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
        self.limits = limits
        self._data = read_source(source, limits)
        self._layout = read_layout(self._data, limits)
        self._table = read_classes(self._data, self._layout, limits)
        self._metadata = read_metadata(self._data, self._layout)
        self._payloads = Payloads(self._data, checks_sums=verify != "none")
        self._strings: StringTable | None = None
        self._row_classes: RowClasses | None = None
        # Classes of the segments that were read, and when all were, the segments of each class.
        self._classes_found: dict[int, tuple[int, ...]] = {}
        self._segments_of: dict[int, list[int]] | None = None
        self._is_verified = False
        if verify == "all":
            self.verify()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is to be closed: tables may share the file's bytes, and keep them as long as they are there."""

    # ---- What is in the file

    @property
    def version(self) -> str:
        """The format's version, as `1.0`."""
        return ".".join(map(str, self._layout.version))

    @property
    def producer(self) -> str:
        """What wrote the file."""
        return self._layout.producer

    @property
    def metadata(self) -> dict[str, str]:
        """What whoever wrote the file says of it."""
        return dict(self._metadata)

    @property
    def rows(self) -> int:
        """How many objects there are: rows 1 to this number."""
        return self._layout.row_count - 1

    @property
    def size(self) -> int:
        """The bytes of the file."""
        return len(self._data)

    @property
    def classes(self) -> list[str]:
        """The names of all classes, those without objects too, superclasses first."""
        return [each.name for each in self._table.classes[1:]]

    @property
    def segments(self) -> list[int]:
        """The raw bytes of each segment with rows: `batches` reads any run of these."""
        return [segment.raw for segment, _ in self._pairs]

    def class_of(self, name: str) -> Class:
        """What the class table says of a class: its superclass, version and columns."""
        if not isinstance(name, str) or name not in self._table.by_name:
            raise UsageError(f"there is no class '{name}'; there are: {', '.join(self.classes) or 'none'}")
        return self._table.by_name[name]

    def counts(self) -> dict[str, int]:
        """How many objects each class has, not counting those of subclasses.

        >>> import arc_format
        >>> arc_format.open("Fixtures/inheritance.arc").counts()
        {'Vehicle': 0, 'Car': 1, 'Truck': 1}
        """
        return self._classes_of_rows().counts()

    def verify(self) -> None:
        """Checks all of the file, as `Spec/reference/arc.py --verify` does; `ArcError` says what is wrong."""
        payloads = Payloads(self._data, checks_sums=True)
        strings = read_strings(self._data, self._layout, self.limits)
        verify_rows(self._layout, self._table, strings, self.limits, payloads)
        directory = read_directory(self._data, self._layout, self._table, self.limits)
        if directory is not None:
            verify_directory(directory, self._layout, self._table, self.limits, payloads)
        self._strings, self._payloads, self._is_verified = strings, payloads, True
        self.__dict__.pop("_selection", None)

    # ---- Tables

    def schema(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
               references: References = "int64", dates: Dates = "timestamp", enums: Enumerations = "struct",
               subclasses: bool = False, target_classes: bool = True) -> pa.Schema:
        """The schema of a class as a table. No rows are read.

        Fields have the metadata `arc:attributes` (the property attributes of Objective-C's notation), `arc:key` and
        `arc:declared` (the class that declares the property).
        """
        return self.read_schema(name, columns, Options(strings, references, dates, enums), subclasses, target_classes)

    def read_schema(self, name: str, columns: Iterable[str] | None, options: Options, subclasses: bool = False,
                    target_classes: bool = True, has_ids: bool = False) -> pa.Schema:
        """`schema`, with options as a value; with `has_ids` as that of a data set."""
        plans = self._plans(name, columns, options, subclasses, target_classes, has_ids)
        schema = plans.sure(self.class_of(name)).schema
        return _with_class(schema) if subclasses else schema

    def table(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
              references: References = "int64", dates: Dates = "timestamp", enums: Enumerations = "struct",
              subclasses: bool = False, target_classes: bool = True,
              where: Sequence[Condition] | None = None) -> pa.Table:
        """The objects of a class as a table: `$row`, then a column for each property.

        `columns`: only those. `where`: only rows that fulfil all of these conditions, each a column, one of `==`,
        `!=`, `<`, `<=`, `>`, `>=`, and a value, or `in` and a list of values; a row without a value fulfils none but
        `in` of a list with None.
        `subclasses`: objects of subclasses too, with a column `$class` behind `$row`; what only a subclass has is null
        in others. `target_classes`: a reference that may lead to objects of several classes has a second column behind
        it, `name$class`. The others choose Arrow types, see `Options`.

        >>> import arc_format
        >>> archive = arc_format.open("Fixtures/person.arc")
        >>> archive.table("Person", ["name"]).to_pylist()
        [{'$row': 1, 'name': 'Ann'}, {'$row': 2, 'name': 'Bob'}]
        >>> archive.table("Person", ["name"], where=[("mother", "==", 1)]).to_pylist()
        [{'$row': 2, 'name': 'Bob'}]
        """
        options = Options(strings, references, dates, enums)
        columns = named_columns(columns)
        batches = list(self.read_batches(
            name, columns, options, subclasses, target_classes, is_whole=True, where=where))
        return pa.Table.from_batches(batches, self.read_schema(name, columns, options, subclasses, target_classes))

    def tables(self, *, strings: Strings = "plain", references: References = "int64", dates: Dates = "timestamp",
               enums: Enumerations = "struct", target_classes: bool = True) -> dict[str, pa.Table]:
        """All classes with objects as tables, and the roots as `$roots`, in one pass over the file."""
        options = Options(strings, references, dates, enums)
        plans = Plans(self._table, self._table.classes, None, options, target_classes)
        found: dict[int, tuple[Plan, list[pa.RecordBatch]]] = {}
        for plan, batch in self._batches(plans, range(len(self._pairs)), Budget(self.limits), is_whole=True):
            found.setdefault(plan.each.index, (plan, []))[1].append(batch)
        return {plan.each.name: pa.Table.from_batches(batches, plan.schema)
                for _, (plan, batches) in sorted(found.items(), key=lambda item: item[0])}

    def batches(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
                references: References = "int64", dates: Dates = "timestamp", enums: Enumerations = "struct",
                subclasses: bool = False, target_classes: bool = True, segments: Sequence[int] | None = None,
                where: Sequence[Condition] | None = None) -> Iterator[pa.RecordBatch]:
        """The same as `table`, in batches of 65,536 rows or more, each of whole segments.

        Only one batch has to be in memory. `segments`: a run of them, as indices in `segments`.
        """
        options = Options(strings, references, dates, enums)
        yield from self.read_batches(name, columns, options, subclasses, target_classes, segments, where=where)

    def read_batches(self, name: str, columns: Iterable[str] | None, options: Options, subclasses: bool = False,
                     target_classes: bool = True, segments: Sequence[int] | None = None, has_ids: bool = False,
                     is_whole: bool = False, where: Sequence[Condition] | None = None,
                     passing_over: Sequence[Condition] | None = None) -> Iterator[pa.RecordBatch]:
        """`batches`, with options as a value.

        With `has_ids` for an archive that is a shard of a data set; `is_whole` if all of them are kept. `passing_over`
        are conditions that an engine asks of each row itself: what they exclude as a whole is left out.
        """
        conditions = Where(() if where is None else where)
        if conditions.names:
            yield from self._batches_where(
                conditions, name, columns, options, subclasses, target_classes, segments, has_ids, is_whole)
            return
        plans = self._plans(name, columns, options, subclasses, target_classes, has_ids)
        chosen = self._chosen(segments)
        tests: Tests = {}
        if passing_over:
            asked, base = Where(passing_over), options.reference_base
            chosen = [number for number in chosen if asked.may_hold(
                self._pairs[number][0].first, self._pairs[number][0].count, base)]
            tests = self._chunk_tests(asked, name, subclasses, base)
        schema = _with_class(plans.sure(self.class_of(name)).schema) if subclasses else None
        for plan, batch in self._batches(plans, chosen, Budget(self.limits), is_whole, tests):
            if schema is None:
                yield batch
                continue
            names = pa.DictionaryArray.from_arrays(
                pa.array(np.zeros(batch.num_rows, np.int32)), pa.array([plan.each.name], pa.string()))
            position = schema.get_field_index(CLASS)
            arrays = batch.columns
            yield pa.RecordBatch.from_arrays([*arrays[:position], names, *arrays[position:]], schema=schema)

    def object(self, row: int) -> dict[str, Any]:
        """One row as a dictionary, with its class as `$class`.

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
        """The class of each of some rows, by name, null for 0: what references lead to. Without, of all objects.

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
        """Which of some rows are of a class, or of a subclass."""
        return self._classes_of_rows().are_of(rows, name)

    def columns_where(self, wants: Callable[[Column], bool]) -> Iterator[ColumnChunks]:
        """The chunks of some columns of all classes, as they are stored, segment by segment."""
        wanted = {(each.index, position) for each in self._table.classes
                  for position, column in enumerate(each.columns) if wants(column)}
        classes = {index for index, _ in wanted}
        if not wanted:
            return
        for number in range(len(self._pairs)):
            for block in self._blocks(number, classes, lambda each, position: (each.index, position) in wanted):
                yield from block.columns.values()

    # ---- Graphs

    def edges(self, columns: Iterable[str] | None = None, *, roots: bool = False) -> pa.Table:
        """All references of all objects: `src` and `dst` are rows, `column` is `Class.key`.

        Those inside of collections, structures and enumerations too. `columns`: only those; `roots`: row 0's too.

        >>> import arc_format
        >>> arc_format.open("Fixtures/person.arc").edges(["Person.friends"]).to_pylist()
        [{'src': 1, 'dst': 2, 'column': 'Person.friends'}]
        """
        return self.read_edges(columns, roots=roots)

    def read_edges(self, columns: Iterable[str] | None, *, roots: bool = False, base: int | None = None) -> pa.Table:
        """`edges`; of a shard of a data set with `base` added to all rows, and with links."""
        columns = named_columns(columns)
        finder = EdgeFinder(self._table, columns, roots, base)
        for name in columns or ():
            if name not in finder.names:
                there = ", ".join(self.edge_columns(roots=roots, base=base))
                raise UsageError(f"no column '{name}' has references; these have: {there or 'none'}")
        budget = Budget(self.limits)
        return finder.edges((block for number in range(len(self._pairs)) for block in self._blocks(
            number, finder.classes, lambda each, position: finder.wants(each.index, position))), budget)

    def edge_columns(self, *, roots: bool = False, base: int | None = None) -> list[str]:
        """The columns that `read_edges` has edges of."""
        return EdgeFinder(self._table, None, roots, base).names

    def to_scipy(self, columns: Iterable[str] | None = None) -> scipy.sparse.csr_array:
        """The references as a matrix of `rows` + 1 rows and columns: how many lead from a row to another.

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
        """The references as edges of a NetworkX graph; nodes are rows with an attribute `class`, keys are columns.

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

    # ---- Behind them

    def _chosen(self, segments: Sequence[int] | None) -> Sequence[int]:
        """The segments that are asked for, each of which is there."""
        there = range(len(self._pairs))
        if segments is None:
            return there
        if not isinstance(segments, Iterable) or not all(each in there for each in segments):
            raise UsageError(f"segments={segments!r}: give a list or range of numbers of segments, which are below "
                             f"{len(there)}")
        return segments

    def _batches_where(self, where: Where, name: str, columns: Iterable[str] | None, options: Options,
                       subclasses: bool, target_classes: bool, segments: Sequence[int] | None, has_ids: bool,
                       is_whole: bool) -> Iterator[pa.RecordBatch]:
        """Reads what is asked for and asked about, without what the directory excludes."""
        schema = self.read_schema(name, columns, options, subclasses, target_classes, has_ids)
        asked = named_columns(columns)
        needed = None if asked is None else list(dict.fromkeys([*asked, *where.names]))
        whole = self.read_schema(name, needed, options, subclasses, target_classes, has_ids)
        for unknown in set(where.names) - set(whole.names):
            raise UsageError(f"where= names '{unknown}'; there are: {', '.join(whole.names)}")
        # Arrow neither compares views nor takes them by a mask.
        options = replace(options, strings="plain")
        for batch in self.read_batches(name, needed, options, subclasses, target_classes, segments, has_ids, is_whole,
                                       passing_over=where.conditions):
            rows = where.rows(batch)
            yield pa.RecordBatch.from_arrays(
                [rows.column(field.name).cast(field.type) for field in schema], schema=schema)

    def _chunk_tests(self, where: Where, name: str, subclasses: bool, base: int) -> Tests:
        """The tests of each class, by its index."""
        tests: Tests = {}
        for each in self._table.family(name) if subclasses else [self.class_of(name)]:
            names = column_names(each.columns, self._table)
            for column_name, sign, value in where.conditions:
                # Keyed columns of one key share rows: none of them alone can exclude any.
                if names.count(column_name) == 1:
                    position = names.index(column_name)
                    test = chunk_test(each.columns[position], position, sign, value, base)
                    tests.setdefault(each.index, []).extend([test] if test else [])
        return tests

    @cached_property
    def _selection(self) -> Selection | None:
        """What reads single chunks, if there is a directory that may be believed. Spec: 13.3."""
        if self.limits.is_for_strangers and not self._is_verified:
            return None
        directory = read_directory(
            self._data, self._layout, self._table, self.limits, self._payloads.checks_sums)
        if directory is None:
            return None
        segments = [segment for segment, _ in self._pairs]
        return Selection(directory, self._table, self.limits, segments, self._payloads.holding)

    @cached_property
    def _pairs(self) -> list[tuple[Segment, Segment | None]]:
        return pair_links(self._layout)

    def _excludes(self, tests: Tests, each: Class, first_chunk: int, column_count: int) -> bool:
        """Whether no row of a block can fulfil a condition, by the directory."""
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
            if self._selection is not None and self._selection.index is not None:
                numbers = self._selection.index.classes_of_rows(dtype)
            else:
                parts = []
                for segment, _ in self._pairs:
                    classes, lengths = read_runs(self._payloads(segment), segment, len(self._table))
                    parts.append(np.repeat(classes.astype(dtype), lengths))
                numbers = np.concatenate(parts)
            self._row_classes = RowClasses(numbers, self._table)
        return self._row_classes

    def _blocks(self, number: int, classes: Collection[int], wants: Any, tests: Tests | None = None) -> Iterator[Block]:
        """The blocks of a segment, those of some classes at least, with the columns that are wanted.

        Those of which the directory says that no row passes the tests are left out.
        """
        segment, link = self._pairs[number]
        selection = self._selection
        # Where most is wanted, a segment is read faster as a whole.
        if selection is not None and len(classes) < len(self._table):
            try:
                yield from selection.blocks(number, segment, link, classes, wants, partial(self._excludes, tests or {}))
            except ArcError:
                # Of damaged bytes anything else can be inflated: what is wrong is said of them.
                for each in (segment, link):
                    if each is not None and each.codec:
                        self._payloads.check(each)
                raise
            return
        found = read_rows(segment, link, self._payloads, self._table, self.limits, wants).blocks
        if self._segments_of is None:
            self._classes_found[number] = tuple(found)
        yield from found.values()

    def _segments_with(self, classes: Collection[int], among: Iterable[int]) -> Iterable[int]:
        """Those segments that may have rows of some classes, as far as that is known without reading them.

        So a class after the other costs no look at all segments for each.
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
               target_classes: bool, has_ids: bool = False) -> Plans:
        each = self.class_of(name)
        classes = self._table.family(name) if subclasses else [each]
        return Plans(self._table, classes, columns, options, target_classes, has_ids, united=subclasses)

    def _batches(self, plans: Plans, segments: Iterable[int], budget: Budget, is_whole: bool,
                 tests: Tests | None = None) -> Iterator[tuple[Plan, pa.RecordBatch]]:
        """Batches of several classes in one pass, each with its plan.

        What they take is limited as a whole if they become tables, else each by itself.
        """
        def wants(each: Class, position: int) -> bool:
            plan = plans.of(each, budget)
            return plan is not None and plan.wants(each, position)

        def batch(blocks: list[Block]) -> tuple[Plan, pa.RecordBatch]:
            plan = plans.sure(blocks[0].each)
            names = self._classes_of_rows().names if plan.leads else None
            before = budget.memory
            made = plan.batch(blocks, self._string_table, budget, names)
            if not is_whole:
                budget.memory = before
            return plan, made

        batching = Batching()
        for number in self._segments_with(plans.classes, segments):
            for block in self._blocks(number, plans.classes, wants, tests):
                if plans.of(block.each, budget) is not None:
                    yield from map(batch, batching.add(block))
        yield from map(batch, batching.rest())


def _with_class(schema: pa.Schema) -> pa.Schema:
    """The schema of a table of several classes: `$class` stands behind `$row`."""
    return schema.insert(schema.get_field_index("$row") + 1, pa.field(CLASS, CASES, nullable=False))
