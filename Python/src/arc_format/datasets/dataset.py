"""Several archives of the same classes, read as one."""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pyarrow as pa

from arc_format.archive.archive import Archive, Verify
from arc_format.archive.edges import SCHEMA as EDGES
from arc_format.archive.table import TableSource, counted
from arc_format.basics.errors import DatasetError, UsageError
from arc_format.basics.limits import DEFAULT, Limits
from arc_format.columns.budget import Budget
from arc_format.datasets.folders import FolderColumn, FolderColumns
from arc_format.datasets.links import LinkChecker
from arc_format.datasets.manifest import Shard, read_manifest
from arc_format.datasets.shards import Paths, leads_out, shard_paths
from arc_format.datasets.sorting import check_contents, is_excluded, sorted_column
from arc_format.tables.names import named_columns
from arc_format.tables.options import Dates, Enumerations, Options, Strings, Types
from arc_format.tables.recast import cast, restores
from arc_format.tables.where import Condition, Where

#: Bits of a row in an id: `shard << 32 | row`.
ROW_BITS = 32


class Dataset(TableSource):
    """Archives with the same classes as one data set: tables begin with `$id`, and references and links are ids.

    An id is `shard << 32 | row`; shards are numbered in the order of `files`, and `$row` remains the row in the file.
    Only one file is open at a time. The manifest of a folder names the files, and each file is compared with the
    manifest when it is opened. Unless the limits are as small as the limits for untrusted files, the data set relies on
    the manifest to skip files. Folders `key=value` in a folder or pattern become columns of numbers or strings, which
    are the last columns; a column of the class with such a name takes precedence. Spec: 14.
    """

    def __init__(self, source: Paths, *, limits: Limits = DEFAULT, verify: Verify = "segments") -> None:
        self.limits, self._verify = limits, verify
        self._folder = os.fspath(source) if isinstance(source, (str, os.PathLike)) and os.path.isdir(source) else None
        #: the manifest of the folder, if there is one
        self.manifest = None if self._folder is None else read_manifest(self._folder, limits)
        if self._folder is None or self.manifest is None:
            base, self.files = shard_paths(source)
            below = [os.path.basename(each) if base is None else os.path.relpath(each, base).replace(os.sep, "/")
                     for each in self.files]
        else:
            below = [each.path for each in self.manifest.shards]
            #: paths, in the order of shards
            self.files = [os.path.join(self._folder, *each.split("/")) for each in below]
        self._folders = FolderColumns(below)
        self._folder_columns: dict[str, list[FolderColumn]] = {}

    def __len__(self) -> int:
        """The number of files."""
        return len(self.files)

    def __repr__(self) -> str:
        return f"Dataset({f'{self._folder!r}, ' if self._folder is not None else ''}{counted(len(self), 'file')})"

    def archive(self, shard: int) -> Archive:
        """Opens one of the files."""
        if not isinstance(shard, int) or not 0 <= shard < len(self):
            raise UsageError(f"there is no shard {shard!r}: shards are 0 to {len(self) - 1}")
        path = self.files[shard]
        if self._folder is None or self.manifest is None:
            return Archive(path, limits=self.limits, verify=self._verify)
        if leads_out(self._folder, path) or not os.path.isfile(path):
            raise DatasetError("wrongShard", path, "no file that lies in the folder", "one",
                               "restore the file that the manifest was written with, or write the data set again")
        archive = Archive(path, limits=self.limits, verify=self._verify)
        self.manifest.check(shard, archive, path)
        return archive

    @property
    def classes(self) -> list[str]:
        """The names of the classes of all files, without duplicates."""
        found: dict[str, None] = {}
        for shard, path in enumerate(self.files):
            with _named(path):
                found.update(dict.fromkeys(self.archive(shard).classes))
        return list(found)

    def counts(self) -> dict[str, int]:
        """Returns the number of objects of each class. If the data set relies on a manifest, no file is opened."""
        total: dict[str, int] = {}
        for shard, path in enumerate(self.files):
            stated = self._stated(shard)
            with _named(path):
                counts = self.archive(shard).counts() if stated is None else stated.classes
            for name, count in counts.items():
                total[name] = total.get(name, 0) + count
        return total

    def verify(self) -> None:
        """Checks all files, their descriptions in the manifest, and that links refer to objects of their class.

        A raised `ArcError` has the path of the file as a note.
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
               dates: Dates = "timestamp", enums: Enumerations = "struct", target_classes: bool = True,
               types: Types = "arrow") -> pa.Schema:
        """Returns the schema of a class in the first file that has the class."""
        return self.read_schema(name, columns, Options(strings, dates=dates, enums=enums, types=types), target_classes)

    def read_schema(self, name: str, columns: Iterable[str] | None, options: Options, target_classes: bool = True,
                    ) -> pa.Schema:
        """Like `schema`, with options as a value."""
        options = replace(options, has_link_ids=True)
        of_folders = self._columns_of_folders(name)
        columns = named_columns(columns)
        with _knowing(of_folders):
            schema = self._first_with(name).read_schema(
                name, _without(columns, of_folders), options, target_classes=target_classes, has_ids=True)
        for each in of_folders:
            if columns is None or each.name in columns:
                schema = schema.append(each.field(options.strings))
        return schema

    def _columns_of_folders(self, name: str) -> list[FolderColumn]:
        """Returns the columns of folders, without columns that the class has in the first file that has the class."""
        if not self._folders.columns:
            return []
        if name not in self._folder_columns:
            own = self._first_with(name).read_schema(name, None, Options(), has_ids=True).names
            self._folder_columns[name] = [each for key, each in self._folders.columns.items() if key not in own]
        return self._folder_columns[name]

    def _first_with(self, name: str) -> Archive:
        for shard in range(len(self)):
            with _named(self.files[shard]):
                archive = self.archive(shard)
                if name in archive.classes:
                    return archive
        raise UsageError(f"no file has a class '{name}'; there are: {', '.join(self.classes) or 'none'}")

    def batches(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
                dates: Dates = "timestamp", enums: Enumerations = "struct", target_classes: bool = True,
                where: Sequence[Condition] | None = None, types: Types = "arrow") -> Iterator[pa.RecordBatch]:
        """Returns the objects of a class in all files, batch by batch."""
        yield from self.read_batches(
            name, columns, Options(strings, dates=dates, enums=enums, types=types), target_classes, where=where)

    def read_batches(self, name: str, columns: Iterable[str] | None, options: Options, target_classes: bool = True,
                     is_whole: bool = False, where: Sequence[Condition] | None = None,
                     passing_over: Sequence[Condition] | None = None) -> Iterator[pa.RecordBatch]:
        """Like `batches`, with options as a value, as in `Archive.read_batches`."""
        columns, where = named_columns(columns), Where(() if where is None else where).conditions
        schema = self.read_schema(name, columns, options, target_classes)
        for shard in self.shards_with(name, [*where, *(passing_over or ())]):
            based = replace(options, reference_base=shard << ROW_BITS, has_link_ids=True)
            yield from self.read_shard(shard, name, columns, based, schema, target_classes, is_whole=is_whole,
                                       where=where, passing_over=passing_over)

    def shards_with(self, name: str, conditions: Sequence[Condition]) -> list[int]:
        """Returns the shards that may have matching rows of a class, as far as this is known without opening them."""
        where, column = Where(conditions), None
        keys = [each.name for each in self._columns_of_folders(name)] if conditions else []
        of_folders = self._folders.shards_where([each for each in conditions if each[0] in keys])
        if self.manifest is not None and self.manifest.sorted_by is not None and self.manifest.sorted_by[0] == name \
                and any(each[0] == self.manifest.sorted_by[1] for each in conditions) and self._stated(0) is not None:
            column = sorted_column(self._first_with(name), *self.manifest.sorted_by)
        found = []
        for shard in range(len(self)):
            base, stated = shard << ROW_BITS, self._stated(shard)
            if not of_folders[shard] or not where.may_hold(0, 1 << ROW_BITS, base) or (
                    stated is not None and not stated.classes.get(name)):
                continue
            if column is None or stated is None or not is_excluded(stated, column, conditions, base):
                found.append(shard)
        return found

    def _stated(self, shard: int) -> Shard | None:
        """Returns the description of a shard in the manifest, if the data set relies on the manifest."""
        return None if self.manifest is None or self.limits.is_for_strangers else self.manifest.shards[shard]

    def read_shard(self, shard: int, name: str, columns: Sequence[str] | None, options: Options, schema: pa.Schema,
                   target_classes: bool = False, segments: Sequence[int] | None = None, is_whole: bool = False,
                   where: Sequence[Condition] | None = None, passing_over: Sequence[Condition] | None = None,
                   ) -> Iterator[pa.RecordBatch]:
        """Returns the batches of one file, or of a run of its segments, with the schema of the data set.

        The caller has already checked conditions on columns of folders with `shards_with`, for whole shards.
        """
        of_folders = self._columns_of_folders(name)
        with _named(self.files[shard]), _knowing(of_folders):
            archive = self.archive(shard)
            if name not in archive.classes:
                return
            keys = [each.name for each in of_folders]
            columns = _without(columns, of_folders)
            where, passing_over = ([each for each in conditions or () if each[0] not in keys]
                                   for conditions in (where, passing_over))
            own = archive.read_schema(name, columns, options, target_classes=target_classes, has_ids=True)
            added = [each for each in of_folders if each.name in schema.names]
            expected = [*schema][:len(schema) - len(added)]
            if own.types != [each.type for each in expected]:
                # The file was written from a table with other types, or without types. It may have the same values.
                options = replace(options, types="archive")
                own = archive.read_schema(name, columns, options, target_classes=target_classes, has_ids=True)
            if own.names != [each.name for each in expected] or not all(
                    restores(each.type, other.type) for each, other in zip(own, expected, strict=True)):
                raise UsageError(f"class '{name}' has other columns in {self.files[shard]!r} than in the first file: "
                                 f"{_differences(own, expected)}; choose common ones with columns=, or write it again "
                                 "with the same types")
            budget = Budget(self.limits)
            for batch in archive.read_batches(name, columns, options, False, target_classes, segments, has_ids=True,
                                              is_whole=is_whole, where=where, passing_over=passing_over):
                if not is_whole:
                    budget = Budget(self.limits)
                try:
                    arrays = [cast(array, each.type) for array, each in zip(batch.columns, expected, strict=True)]
                except (ValueError, pa.ArrowException) as error:
                    raise UsageError(f"class '{name}' has values in {self.files[shard]!r} that do not fit the types in "
                                     f"the first file: {error}; pass types='archive'") from None
                yield pa.RecordBatch.from_arrays([*arrays, *(
                    each.array(shard, batch.num_rows, schema.field(each.name).type, budget) for each in added)],
                    schema=schema)

    def table(self, name: str, columns: Iterable[str] | None = None, *, strings: Strings = "plain",
              dates: Dates = "timestamp", enums: Enumerations = "struct", target_classes: bool = True,
              where: Sequence[Condition] | None = None, types: Types = "arrow") -> pa.Table:
        """Returns the objects of a class in all files; `where` as in `Archive.table`."""
        columns = named_columns(columns)
        options = Options(strings, dates=dates, enums=enums, types=types)
        batches = list(self.read_batches(name, columns, options, target_classes, is_whole=True, where=where))
        return pa.Table.from_batches(batches, self.read_schema(name, columns, options, target_classes))

    def edges(self, columns: Iterable[str] | None = None, *, roots: bool = False) -> pa.Table:
        """Returns all references and links, from id to id."""
        asked = named_columns(columns)
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


def opened(source: Archive | Dataset | Paths) -> Archive | Dataset:
    """Opens the argument of an engine: the path of a file is an archive; any other source is a data set."""
    if isinstance(source, (Archive, Dataset)):
        return source
    if isinstance(source, (str, os.PathLike)) and (
            os.path.isfile(source) or not (os.path.isdir(source) or glob.has_magic(os.fspath(source)))):
        return Archive(source)
    return Dataset(source)


def _differences(own: Iterable[pa.Field], first: Iterable[pa.Field]) -> str:
    """Describes how the columns of a file differ from the columns of the first file."""
    here, there = ([f"'{each.name}' {each.type}" for each in fields] for fields in (own, first))
    more, less = [each for each in here if each not in there], [each for each in there if each not in here]
    if not more and not less:
        return "their order"
    return f"{', '.join(more) or 'nothing'} in place of {', '.join(less) or 'nothing'}"


def _without(columns: Sequence[str] | None, of_folders: Sequence[FolderColumn]) -> list[str] | None:
    """Returns `columns` without columns of folders."""
    keys = [each.name for each in of_folders]
    return None if columns is None else [each for each in columns if each not in keys]


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    """Adds the path of the file to an error."""
    try:
        yield
    except Exception as error:
        # An error of another file, to which links of this file refer, already has the path of that file.
        if not isinstance(error, DatasetError) and not any(
                note.startswith("in ") for note in getattr(error, "__notes__", ())):
            error.add_note(f"in {path!r}")
        raise


@contextlib.contextmanager
def _knowing(of_folders: Sequence[FolderColumn]) -> Iterator[None]:
    """Adds the names of the columns of folders to an error about columns."""
    try:
        yield
    except UsageError as error:
        if of_folders:
            error.add_note(f"its folders have: {', '.join(each.name for each in of_folders)}")
        raise
