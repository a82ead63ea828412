"""Several archives of the same classes, read as one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pyarrow as pa

from arc_format.archive.archive import Archive, Verify
from arc_format.archive.edges import SCHEMA as EDGES
from arc_format.basics.errors import DatasetError, UsageError
from arc_format.basics.limits import DEFAULT, Limits
from arc_format.datasets.links import LinkChecker
from arc_format.datasets.manifest import Shard, read_manifest
from arc_format.datasets.shards import Paths, leads_out, shard_paths
from arc_format.datasets.sorting import check_contents, is_excluded, sorted_column
from arc_format.tables.options import Dates, Enumerations, Options, Strings
from arc_format.tables.where import Condition, Where

#: Bits of a row in an id: `shard << 32 | row`.
ROW_BITS = 32


class Dataset:
    """Archives with the same classes, as one: tables begin with `$id`, and references and links are ids.

    An id is `shard << 32 | row`, where shards are numbered in the order of `files`; `$row` stays the row in its file.
    Only one file is open at a time. Of a folder with a manifest the files are those that it names, and each is compared
    with it when it is opened. Whether a file has what is asked for, the manifest is believed where limits are not as
    small as those for strangers. Spec: 14.
    """

    def __init__(self, source: Paths, *, limits: Limits = DEFAULT, verify: Verify = "segments") -> None:
        self.limits, self._verify = limits, verify
        self._folder = os.fspath(source) if isinstance(source, (str, os.PathLike)) and os.path.isdir(source) else None
        #: what the folder's manifest says, if there is one
        self.manifest = None if self._folder is None else read_manifest(self._folder, limits)
        #: paths, in the order of shards
        self.files = shard_paths(source) if self._folder is None or self.manifest is None else [
            os.path.join(self._folder, *each.path.split("/")) for each in self.manifest.shards]

    def __len__(self) -> int:
        return len(self.files)

    def archive(self, shard: int) -> Archive:
        """One of the files, opened."""
        path = self.files[shard]
        if self._folder is None or self.manifest is None:
            return Archive(path, limits=self.limits, verify=self._verify)
        if leads_out(self._folder, path) or not os.path.isfile(path):
            raise DatasetError("wrongShard", path, "no file that lies in the folder", "one",
                               "restore the file that the manifest was written with, or write the data set again")
        archive = Archive(path, limits=self.limits, verify=self._verify)
        self.manifest.shards[shard].check(archive, path)
        return archive

    @property
    def classes(self) -> list[str]:
        """The names of the classes of all files, each once."""
        return list(dict.fromkeys(name for shard in range(len(self)) for name in self.archive(shard).classes))

    def counts(self) -> dict[str, int]:
        """How many objects each class has; by a manifest that is believed, no file is opened."""
        total: dict[str, int] = {}
        for shard in range(len(self)):
            stated = self._stated(shard)
            for name, count in (self.archive(shard).counts() if stated is None else stated.classes).items():
                total[name] = total.get(name, 0) + count
        return total

    def verify(self) -> None:
        """Checks all files, what a manifest says of them, and that links lead to objects of their class.

        An `ArcError` has the path as a note.
        """
        checker = LinkChecker(len(self), self.archive)
        for shard, path in enumerate(self.files):
            with _named(path):
                archive = self.archive(shard)
                archive.verify()
                if self.manifest is not None:
                    check_contents(self.manifest, shard, archive, path)
                checker.check(archive, path)

    def schema(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
               dates: Dates = "timestamp", enums: Enumerations = "struct", target_classes: bool = True) -> pa.Schema:
        """The schema of a class: that of the first file that has it."""
        options = Options(strings, dates=dates, enums=enums, has_link_ids=True)
        archive = self._first_with(name)
        return archive.read_schema(name, columns, options, target_classes=target_classes, has_ids=True)

    def _first_with(self, name: str) -> Archive:
        for shard in range(len(self)):
            with _named(self.files[shard]):
                archive = self.archive(shard)
                if name in archive.classes:
                    return archive
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
        for shard in self.shards_with(name, [*(where or ()), *(passing_over or ())]):
            based = replace(options, reference_base=shard << ROW_BITS, has_link_ids=True)
            yield from self.read_shard(shard, name, columns, based, schema, target_classes, is_whole=is_whole,
                                       where=where, passing_over=passing_over)

    def shards_with(self, name: str, conditions: Sequence[Condition]) -> list[int]:
        """The shards that may have rows of a class which fulfil all conditions, as far as that is known beforehand."""
        column = None
        if self.manifest is not None and self.manifest.sorted_by is not None and self.manifest.sorted_by[0] == name \
                and any(each[0] == self.manifest.sorted_by[1] for each in conditions) and self._stated(0) is not None:
            column = sorted_column(self._first_with(name), *self.manifest.sorted_by)
        found = []
        for shard in range(len(self)):
            base, stated = shard << ROW_BITS, self._stated(shard)
            if not Where(conditions).may_hold(0, 1 << ROW_BITS, base) or (
                    stated is not None and not stated.classes.get(name)):
                continue
            if column is None or stated is None or not is_excluded(stated, column, conditions, base):
                found.append(shard)
        return found

    def _stated(self, shard: int) -> Shard | None:
        """What the manifest says of a shard, if it is believed."""
        return None if self.manifest is None or self.limits.is_for_strangers else self.manifest.shards[shard]

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
        """All references and links, from id to id."""
        asked = None if columns is None else list(columns)
        tables, known = [EDGES.empty_table()], dict[str, None]()
        for shard in range(len(self)):
            with _named(self.files[shard]):
                archive, base = self.archive(shard), shard << ROW_BITS
                names = archive.edge_columns(roots=roots, base=base)
                known.update(dict.fromkeys(names))
                own = None if asked is None else [name for name in asked if name in names]
                if own != []:
                    tables.append(archive.read_edges(own, roots=roots, base=base))
        for name in asked or ():
            if name not in known:
                raise UsageError(f"no column '{name}' has references; these have: {', '.join(known) or 'none'}")
        return pa.concat_tables(tables).unify_dictionaries().cast(EDGES)


def opened(source: Archive | Dataset | str | os.PathLike[str]) -> Archive | Dataset:
    """What an engine is given: a folder is a data set, another path a file."""
    if isinstance(source, (Archive, Dataset)):
        return source
    return Dataset(source) if os.path.isdir(source) else Archive(source)


class _named:
    """Says in an error of which file it is."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        """Nothing to do before."""

    def __exit__(self, type_: object, error: BaseException | None, traceback: object) -> None:
        if error is not None and hasattr(error, "add_note"):
            error.add_note(f"in {self.path!r}")
