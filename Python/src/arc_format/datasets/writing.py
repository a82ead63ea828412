"""Writing a data set: a file for each shard, then the manifest. Spec: 14.3."""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from arc_format.archive.archive import Archive
from arc_format.basics.errors import UsageError
from arc_format.datasets.agreement import Agreement
from arc_format.datasets.folders import Value, folder_of
from arc_format.datasets.manifest import DATASET, ID, MANIFEST, SHARD, SHARDS, Manifest, Shard
from arc_format.datasets.shards import archives_in, place_in
from arc_format.datasets.sorting import borders
from arc_format.tables.names import named_columns
from arc_format.writing.archive import SORTED_BY, Root, write
from arc_format.writing.arguments import check_leads, check_places, check_sorted_by
from arc_format.writing.file import Compression
from arc_format.writing.frames import Frame, arrow_tables
from arc_format.writing.model import Leads


def write_dataset(folder: str | os.PathLike[str], shards: Iterable[Mapping[str, Frame]], *,
                  references: Leads | None = None, weak: Collection[tuple[str, str]] = (),
                  superclasses: Mapping[str, str] | None = None, links: Leads | None = None,
                  roots: Mapping[str, Root] | None = None, sorted_by: tuple[str, str] | None = None,
                  partition_by: Sequence[str] = (),
                  metadata: Mapping[str, str] | None = None, compression: Compression = "none",
                  level: int | None = None, directory: bool | None = None, segment_rows: int | None = None) -> None:
    """Writes tables as a data set: `part-00000.arc` and so on in a folder, one for each set of tables, and a manifest.

    `shards` may be an iterator: only one shard is in memory. `references` refer to rows of the same shard. `links`
    refer to rows of any shard, by ids `shard << 32 | row`; the rows of a shard are numbered from 1 on, table by table.
    `sorted_by`: the class and column by which the rows of each shard ascend; a reader uses it to skip shards. This
    function does not sort rows, because ids of links number them.
    `partition_by`: columns of numbers or strings that have one value in each shard; they become names of folders, such
    as `year=2026`, instead of columns in files. The other arguments are as in `write`. The manifest is written last: a
    folder without a manifest is not a finished data set.

    A column has one type in all shards. A column without values has the type that it has in the first shard with a
    type; if `shards` is a list, later shards count too. If types differ, the data set is refused.

    >>> import arc_format, pyarrow as pa, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> arc_format.write_dataset(folder, [
    ...     {"Person": pa.table({"name": ["Ann", "Bob"], "boss": [None, 1 << 32 | 1]})},
    ...     {"Person": pa.table({"name": ["Eve"], "boss": pa.array([None], pa.int64())})}],
    ...     links={("Person", "boss"): "Person"})
    >>> arc_format.dataset(folder).table("Person").to_pylist()[1]
    {'$id': 2, '$row': 2, 'name': 'Bob', 'boss': 4294967297}
    """
    if not isinstance(folder, (str, os.PathLike)):
        raise UsageError(f"a data set is a folder, and {folder!r} is no path")
    if isinstance(shards, Mapping) or not isinstance(shards, Iterable):
        raise UsageError(f"shards= is a {type(shards).__qualname__}: give a list, of tables by class for each shard")
    check_leads("references", references or {})
    check_leads("links", links or {})
    check_places("weak", weak)
    if sorted_by is not None:
        check_sorted_by(sorted_by)
    keys = named_columns(partition_by) or []
    folder = os.fspath(folder)
    os.makedirs(folder, exist_ok=True)
    if archives_in(folder) or os.path.lexists(os.path.join(folder, MANIFEST)):
        raise UsageError(f"{folder!r} has a data set or archives already: write into another folder, or remove them")
    sequence = shards if isinstance(shards, (list, tuple)) else None
    manifest = Manifest([], sorted_by=sorted_by)
    agreement = Agreement(references or {}, links or {}, sequence)
    for number, frames in enumerate(shards):
        below, tables = _partitioned(arrow_tables(frames), keys)
        tables = agreement.agreed(number, tables)
        name = f"{below}/part-{number:05}.arc" if below else f"part-{number:05}.arc"
        path = place_in(folder, name)
        pairs = {**(metadata or {}), **shard_metadata(manifest.dataset, number, sorted_by)}
        if sequence is not None:
            pairs[SHARDS] = str(len(sequence))
        write(path, tables, references=_of(references, tables), weak=[each for each in weak if each[0] in tables],
              superclasses=superclasses, links=_of(links, tables), roots=roots, metadata=pairs,
              compression=compression, level=level, directory=directory, segment_rows=segment_rows)
        manifest.shards.append(described(folder, name, sorted_by))
    if sorted_by is not None and manifest.shards and not any(sorted_by[0] in each.classes for each in manifest.shards):
        raise UsageError(f"sorted_by= names the class '{sorted_by[0]}', of which no shard has an object")
    manifest.write(folder)


def _partitioned(tables: Mapping[str, pa.Table], keys: Sequence[str]) -> tuple[str, Mapping[str, pa.Table]]:
    """Returns the folder of a shard, and its tables without the columns that become the folder."""
    values: dict[str, Value] = {}
    for key in keys:
        columns = [table[key] for table in tables.values() if key in table.column_names]
        found = {value for column in columns if _is_name(column.type) for value in pc.unique(column).to_pylist()}
        if len(found) != 1 or not all(_is_name(column.type) for column in columns):
            raise UsageError(f"partition_by= names {key!r}, which has not one number or text in each shard: divide the "
                             "tables by it, a shard for each value")
        values[key] = found.pop()
    return folder_of(values), {name: table.drop_columns([key for key in keys if key in table.column_names])
                               for name, table in tables.items()} if keys else tables


def _is_name(type_: pa.DataType) -> bool:
    """Returns whether values can become names of folders: integers, strings, or only nulls."""
    types, value = pa.types, type_.value_type if pa.types.is_dictionary(type_) else type_
    return bool(types.is_integer(value) or types.is_string(value) or types.is_large_string(value)
                or types.is_string_view(value) or types.is_null(value))


def _of(leads: Leads | None, tables: Mapping[str, pa.Table]) -> Leads:
    """Returns the references or links of the tables of a shard."""
    return {place: target for place, target in (leads or {}).items() if place[0] in tables}


def shard_metadata(dataset: str, number: int | None, sorted_by: tuple[str, str] | None = None) -> dict[str, str]:
    """Returns the metadata of a new shard; `number` is None if it is not known."""
    pairs = {ID: str(uuid.uuid4()).upper(), DATASET: dataset}
    if number is not None:
        pairs[SHARD] = str(number)
    if sorted_by is not None:
        pairs[SORTED_BY] = ".".join(sorted_by)
    return pairs


def described(folder: str, name: str, sorted_by: tuple[str, str] | None = None) -> Shard:
    """Returns the description of a written file for the manifest."""
    path = os.path.join(folder, name)
    archive = Archive(path)
    least, most = (None, None) if sorted_by is None else borders(archive, sorted_by, path)
    counts = {each: count for each, count in archive.counts().items() if count}
    return Shard(name, uuid.UUID(archive.metadata[ID]), archive.rows + 1, archive.size, counts, least, most)
