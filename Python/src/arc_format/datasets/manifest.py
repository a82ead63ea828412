"""The manifest of a data set: the shards and their content. Spec: 14.3."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from arc_format.archive.archive import Archive
from arc_format.basics.errors import ArcError, DatasetError, UsageError, reject
from arc_format.basics.limits import Limits
from arc_format.datasets.folders import folder_values
from arc_format.datasets.shards import leads_out, place_in
from arc_format.writing.archive import SORTED_BY, write

#: The path of the manifest in a folder.
MANIFEST = os.path.join("_arc", "manifest.arc")

ID, DATASET, SHARD, SHARDS = "arc.id", "arc.dataset", "arc.shard", "arc.shards"

#: The approximate memory of a shard with its strings and numbers, and of each class with rows.
_SHARD_BYTES, _ENTRY_BYTES = 1024, 256

_COUNT = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)
_IDENTIFIER = re.compile(r"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}", re.ASCII)

_REMEDY = "write the data set again, or remove its manifest: then its files are read by name"


@dataclass(frozen=True)
class Shard:
    """A file in a manifest. `rows` includes row 0; `path` is relative to the folder, with parts separated by `/`."""

    path: str
    id: uuid.UUID
    rows: int
    bytes: int
    #: the number of rows of each class
    classes: Mapping[str, int]
    #: the borders of the column by which shards are sorted, in the form of a directory
    least: int | None = None
    most: int | None = None

    def check(self, archive: Archive, path: str) -> None:
        """Checks that an archive is the described one [Q2]."""
        found = archive.metadata.get(ID), archive.rows + 1, archive.size
        stated = str(self.id).upper(), self.rows, self.bytes
        if found != stated:
            what = "{0[1]} rows in {0[2]} bytes with the id {0[0]}"
            raise DatasetError("wrongShard", path, what.format(found), what.format(stated),
                               "restore the file that the manifest was written with, or write the data set again")


@dataclass(frozen=True)
class Manifest:
    """All shards of a data set, in the order of their numbers."""

    shards: list[Shard]
    dataset: str = field(default_factory=lambda: str(uuid.uuid4()).upper())
    #: class and key, if shards are sorted
    sorted_by: tuple[str, str] | None = None

    def check(self, number: int, archive: Archive, path: str) -> None:
        """Checks that an archive is the described one, and states no other position in a data set [Q2]."""
        self.shards[number].check(archive, path)
        stated, said = archive.metadata, identifier(self.dataset)
        for key, found, expected in ((SHARD, count_of(stated.get(SHARD)), number),
                                     (SHARDS, count_of(stated.get(SHARDS)), len(self.shards)),
                                     (DATASET, identifier(stated.get(DATASET)), said)):
            if found is not None and expected is not None and found != expected:
                raise DatasetError("wrongShard", path, f"{key} {found} in its metadata", f"{expected}",
                                   "write the data set again; its links rely on these numbers")

    def write(self, folder: str) -> None:
        """Writes the manifest into a folder that contains all shards."""
        metadata = {DATASET: self.dataset, SHARDS: str(len(self.shards))}
        if self.sorted_by is not None:
            metadata[SORTED_BY] = ".".join(self.sorted_by)
        columns = {
            "path": pa.array([each.path for each in self.shards], pa.large_string()),
            "id": pa.array([each.id.bytes for each in self.shards], pa.uuid()),
            "rows": pa.array([each.rows for each in self.shards], pa.uint64()),
            "bytes": pa.array([each.bytes for each in self.shards], pa.uint64()),
            "classes": pa.array([list(each.classes.items()) for each in self.shards], _CLASSES),
            "least": pa.array([each.least for each in self.shards], pa.uint64()),
            "most": pa.array([each.most for each in self.shards], pa.uint64())}
        schema = pa.schema([pa.field(name, array.type, metadata={"arc:attributes": f"T{_ENCODINGS[name]},N,V_{name}"})
                            for name, array in columns.items()])
        path = place_in(folder, MANIFEST)
        write(path, {"Shard": pa.table(columns, schema)}, roots={"shards": "Shard"},
              metadata=metadata)


_CLASSES = pa.map_(pa.large_string(), pa.uint64())
_ENCODINGS = {"path": '@"NSString"', "id": '@"NSUUID"', "rows": "Q", "bytes": "Q", "classes": '$<@"NSString":Q>',
              "least": "$?Q", "most": "$?Q"}


def count_of(text: str | None) -> int | None:
    """Returns a number of metadata. None for a form without meaning: leading zeros, or 2^31 and more. Spec: 14.1."""
    return int(text) if text is not None and _COUNT.fullmatch(text) and int(text) < 1 << 31 else None


def identifier(text: str | None) -> str | None:
    """Returns a UUID of metadata. None for a form without meaning. Spec: 14.1."""
    return text if text is not None and _IDENTIFIER.fullmatch(text) else None


def read_manifest(folder: str, limits: Limits) -> Manifest | None:
    """Reads the manifest of a folder, if it has one. Checks that it is sound, and that its paths are in the folder."""
    path = os.path.join(folder, MANIFEST)
    if not os.path.lexists(path):
        return None
    if leads_out(folder, path):
        raise _wrong(path, "a manifest outside of the folder", "one that lies in it")
    try:
        archive = Archive(path, limits=limits)
        archive.verify()
        rows = _rows(archive, path)
    except ArcError as error:
        error.add_note(f"in {path!r}")
        raise
    shards = [_shard(path, row) for row in rows]
    seen: set[str] = set()
    for each in shards:
        if each.path in seen:
            raise _wrong(path, f"two shards at {each.path!r}", "a file for each")
        seen.add(each.path)
    count = count_of(archive.metadata.get(SHARDS))
    if count is not None and count != len(shards):
        raise _wrong(path, f"{len(shards)} shards", f"{count}, as in its metadata")
    name, dot, key = archive.metadata.get(SORTED_BY, "").rpartition(".")
    return Manifest(shards, archive.metadata.get(DATASET, ""), (name, key) if dot and name and key else None)


def _rows(archive: Archive, path: str) -> list[dict[str, Any]]:
    """Returns the objects of the root `shards`, in its order."""
    tables = archive.tables(target_classes=False, types="archive")
    roots = tables["$roots"]
    root = roots.schema.field("shards") if "shards" in roots.schema.names else None
    if root is None or (root.metadata or {}).get(b"arc:attributes", b"").split(b",")[0] != b'T$[@"Shard"]' \
            or int(root.metadata[b"arc:flags"]) & 2:
        raise _wrong(path, f"the roots {', '.join(roots.schema.names[1:]) or '(none)'}",
                     'a root "shards" of type $[@"Shard"]')
    numbers = roots["shards"].combine_chunks().flatten()
    if not len(numbers):
        return []
    _charge(len(numbers), 0, archive.limits)
    if pc.count_distinct(numbers).as_py() < len(numbers):
        raise _wrong(path, "an object of class Shard twice", "an object for each file")
    table = tables["Shard"]
    for name, encoding in _ENCODINGS.items():
        of_file = table.schema.field(name).metadata[b"arc:attributes"].decode() if name in table.schema.names else ""
        # Any attributes may follow the type. A keyed column need not have a value.
        if (of_file != f"T{encoding}" and not of_file.startswith(f"T{encoding},")) \
                or int(table.schema.field(name).metadata[b"arc:flags"]) & 2:
            raise _wrong(path, f"'{name}' as {of_file or 'nothing'}", f"a property of type {encoding}")
    positions = pc.index_in(numbers, table["$row"].combine_chunks())
    if positions.null_count:
        raise _wrong(path, "a shard that is nil, or of a subclass", "objects of class Shard")
    table = table.select([*_ENCODINGS]).take(positions)
    _charge(len(numbers), len(table["classes"].combine_chunks().keys), archive.limits)
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def _charge(shards: int, entries: int, limits: Limits) -> None:
    """Charges the memory of shards and their row counts in Python, before they are created [A2]."""
    if (size := shards * _SHARD_BYTES + entries * _ENTRY_BYTES) > limits.raw_bytes:
        reject("A2", 0, f"{shards} shards with {entries} classes or more, which take {size} bytes")


def _shard(path: str, row: dict[str, Any]) -> Shard:
    classes = dict(row["classes"])
    classes.pop("$roots", None)
    if len(classes) < len([name for name, _ in row["classes"] if name != "$roots"]) \
            or sum(classes.values()) + 1 != row["rows"]:
        raise _wrong(path, f"{row['rows']} rows of {row['path']!r}, and {classes} of its classes",
                     "as many as there are of all classes, and row 0")
    if (row["least"] is None) != (row["most"] is None):
        raise _wrong(path, f"only one of 'least' and 'most' of {row['path']!r}", "both, or neither")
    parts = row["path"].split("/")
    if not all(part and part[0] not in "._" and not set(part) & set("\\\0:") for part in parts):
        raise _wrong(path, f"the path {row['path']!r}", "one below the folder, with / between its parts")
    try:
        folder_values(row["path"])
    except UsageError as error:
        raise _wrong(path, str(error), "folders that say what a column is once") from None
    return Shard(row["path"], row["id"], row["rows"], row["bytes"], classes, row["least"], row["most"])


def _wrong(path: str, found: str, expected: str) -> DatasetError:
    """The error for a manifest that breaks [Q1] or [Q5]."""
    return DatasetError("wrongShard", path, found, expected, _REMEDY)
