"""Several archives of the same classes, read as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pyarrow as pa

from arc_format.archive.archive import Archive, Verify
from arc_format.archive.edges import SCHEMA as EDGES
from arc_format.archive.shards import Paths, shard_paths
from arc_format.basics.errors import UsageError
from arc_format.basics.limits import DEFAULT, Limits
from arc_format.tables.options import Dates, Enumerations, Options, Strings
from arc_format.tables.where import Condition

#: Bits of a row in an id: `shard << 32 | row`.
ROW_BITS = 32


class Dataset:
    """Archives with the same classes, as one: tables begin with `$id`, and references are ids.

    An id is `shard << 32 | row`, where shards are numbered in the order of `files`; `$row` stays the row in its file.
    Only one file is open at a time.
    """

    def __init__(self, source: Paths, *, limits: Limits = DEFAULT, verify: Verify = "segments") -> None:
        #: paths, in the order of shards
        self.files = shard_paths(source)
        self.limits, self._verify = limits, verify

    def __len__(self) -> int:
        return len(self.files)

    def archive(self, shard: int) -> Archive:
        """One of the files, opened."""
        return Archive(self.files[shard], limits=self.limits, verify=self._verify)

    @property
    def classes(self) -> list[str]:
        """The names of the classes of all files, each once."""
        return list(dict.fromkeys(name for shard in range(len(self)) for name in self.archive(shard).classes))

    def counts(self) -> dict[str, int]:
        """How many objects each class has."""
        total: dict[str, int] = {}
        for shard in range(len(self)):
            for name, count in self.archive(shard).counts().items():
                total[name] = total.get(name, 0) + count
        return total

    def verify(self) -> None:
        """Checks all files; an `ArcError` has the path as a note."""
        for shard in range(len(self)):
            with _named(self.files[shard]):
                self.archive(shard).verify()

    def schema(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
               dates: Dates = "timestamp", enums: Enumerations = "struct", target_classes: bool = True) -> pa.Schema:
        """The schema of a class: that of the first file that has it."""
        options = Options(strings, dates=dates, enums=enums)
        for shard in range(len(self)):
            with _named(self.files[shard]):
                archive = self.archive(shard)
                if name in archive.classes:
                    return archive.read_schema(name, columns, options, target_classes=target_classes, has_ids=True)
        raise UsageError(f"no file has a class '{name}'; there are: {', '.join(self.classes) or 'none'}")

    def batches(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
                dates: Dates = "timestamp", enums: Enumerations = "struct", target_classes: bool = True,
                where: Sequence[Condition] | None = None) -> Iterator[pa.RecordBatch]:
        """The objects of a class in all files, batch by batch."""
        yield from self.read_batches(
            name, columns, Options(strings, dates=dates, enums=enums), target_classes, where=where)

    def read_batches(self, name: str, columns: Iterable[str] | None, options: Options, target_classes: bool = True,
                     is_whole: bool = False, where: Sequence[Condition] | None = None,
                     passing_over: Sequence[Condition] | None = None) -> Iterator[pa.RecordBatch]:
        """`batches`, with options as a value, as `Archive.read_batches` has them."""
        columns = None if columns is None else [columns] if isinstance(columns, str) else list(columns)
        schema = self.schema(name, columns, strings=options.strings, dates=options.dates, enums=options.enums,
                             target_classes=target_classes)
        for shard in range(len(self)):
            based = replace(options, reference_base=shard << ROW_BITS)
            yield from self.read_shard(shard, name, columns, based, schema, target_classes, is_whole=is_whole,
                                       where=where, passing_over=passing_over)

    def read_shard(self, shard: int, name: str, columns: Sequence[str] | None, options: Options, schema: pa.Schema,
                   target_classes: bool = False, segments: Sequence[int] | None = None, is_whole: bool = False,
                   where: Sequence[Condition] | None = None, passing_over: Sequence[Condition] | None = None,
                   ) -> Iterator[pa.RecordBatch]:
        """The batches of one file, or of a run of its segments, with the schema of the data set."""
        with _named(self.files[shard]):
            archive = self.archive(shard)
            if name not in archive.classes:
                return
            own = archive.read_schema(name, columns, options, target_classes=target_classes, has_ids=True)
            if own.names != schema.names or own.types != schema.types:
                differences = [str(field) for field in {*own} ^ {*schema}] or ["their order"]
                raise UsageError(f"class '{name}' has other columns in {self.files[shard]!r} than in the first file: "
                                 f"{', '.join(differences)}; choose common ones with columns=")
            for batch in archive.read_batches(name, columns, options, False, target_classes, segments, has_ids=True,
                                              is_whole=is_whole, where=where, passing_over=passing_over):
                yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)

    def table(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
              dates: Dates = "timestamp", enums: Enumerations = "struct", target_classes: bool = True,
              where: Sequence[Condition] | None = None) -> pa.Table:
        """The objects of a class in all files; `where` as in `Archive.table`."""
        columns = None if columns is None else [columns] if isinstance(columns, str) else list(columns)
        options = Options(strings, dates=dates, enums=enums)
        batches = list(self.read_batches(name, columns, options, target_classes, is_whole=True, where=where))
        return pa.Table.from_batches(batches, self.schema(
            name, columns, strings=strings, dates=dates, enums=enums, target_classes=target_classes))

    def edges(self, columns: Iterable[str] | None = None, *, roots: bool = False) -> pa.Table:
        """All references, from id to id."""
        columns = None if columns is None else list(columns)
        tables = []
        for shard in range(len(self)):
            with _named(self.files[shard]):
                tables.append(self.archive(shard).read_edges(columns, roots=roots, base=shard << ROW_BITS))
        return pa.concat_tables(tables).unify_dictionaries().cast(EDGES)


class _named:
    """Says in an error of which file it is."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        """Nothing to do before."""

    def __exit__(self, type_: object, error: BaseException | None, traceback: object) -> None:
        if error is not None and hasattr(error, "add_note"):
            error.add_note(f"in {self.path!r}")
