"""Shards whose rows are sorted by a column: its least and greatest value in each shard. Spec: 14.1, 14.3."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arc_format.archive.archive import Archive
from arc_format.basics.errors import DatasetError, UsageError
from arc_format.columns.ranges import FORMS, border, border_of, text_prefix
from arc_format.datasets.manifest import Manifest, Shard
from arc_format.schema.classes import Column
from arc_format.schema.kinds import Kind
from arc_format.tables.where import Condition, chunk_test


def sorted_column(archive: Archive, name: str, key: str) -> Column | None:
    """Returns the column of a class by which shards are sorted; None if it is missing or its values have no order."""
    columns = [column for column in archive.class_of(name).columns if column.key == key] \
        if name in archive.classes else []
    return columns[0] if len(columns) == 1 and _kind(columns[0]) is not None else None


def _kind(column: Column) -> Kind | None:
    node = column.tree.root
    while node.kind == "optional":
        node = node.children[0]
    return node.kind if node.kind in FORMS and node.kind != "enumeration" and not column.tree.is_recursive else None


def is_excluded(shard: Shard, column: Column, conditions: Sequence[Condition], base: int) -> bool:
    """Returns whether no row of a shard can match the conditions, by the least and greatest value of a column."""
    kind = _kind(column)
    if shard.least is None or shard.most is None or kind is None:
        return False
    least, most = border_of(kind, shard.least), border_of(kind, shard.most)
    tests = [chunk_test(column, 0, sign, value, base) for name, sign, value in conditions if name == column.key]
    return any(test is not None and test.excludes_range(least, most) for test in tests)


def borders(archive: Archive, sorted_by: tuple[str, str], path: str) -> tuple[int | None, int | None]:
    """Returns the least and the greatest value of the column by which an archive is sorted, as a manifest stores them.

    None if there are no values. Raises `UsageError` if the archive is not sorted.
    """
    name, key = sorted_by
    column = sorted_column(archive, name, key)
    if column is None:
        if name not in archive.classes:
            return None, None
        raise UsageError(f"sorted_by= names '{key}' of '{name}': name one of numbers, dates, texts or references")
    kind = _kind(column)
    assert kind is not None
    table = archive.table(name, [key], dates="seconds", target_classes=False, types="archive")
    values = table[key].combine_chunks() if table.num_rows else pa.array([], table[key].type)
    there = values.drop_null()
    if pa.types.is_floating(there.type):
        numbers = there.to_numpy(zero_copy_only=False)
        there = pa.array(numbers[~np.isnan(numbers)])
    # Nil and NaN are last, and the other values ascend.
    is_sorted = values.slice(0, len(there)).null_count == 0 and pc.all(
        pc.less_equal(there.slice(0, max(len(there) - 1, 0)), there.slice(1))).as_py() is not False
    if not is_sorted or (len(there) and not there.equals(values.slice(0, len(there)).cast(there.type))):
        raise UsageError(f"{path!r} is not sorted by '{key}' of '{name}': sort the table, what has no value last")
    if not len(there):
        return None, None
    least, most = there[0].as_py(), there[len(there) - 1].as_py()
    if kind == "string":
        return text_prefix(least.encode()), text_prefix(most.encode())
    return _bits(kind, least), _bits(kind, most)


def _bits(kind: Kind, value: float) -> int:
    return int(struct.unpack("<Q", border(kind, value))[0])


def check_contents(manifest: Manifest, shard: int, archive: Archive, path: str) -> None:
    """Checks all statements of a manifest about a shard."""
    stated = manifest.shards[shard]
    counts = {name: count for name, count in archive.counts().items() if count}
    if counts != {name: count for name, count in stated.classes.items() if count}:
        raise _differs(path, f"rows {counts}", f"{dict(stated.classes)}")
    if manifest.sorted_by is None:
        return
    try:
        found = borders(archive, manifest.sorted_by, path)
    except UsageError as error:
        raise _differs(path, str(error), "what the manifest says") from None
    if found != (stated.least, stated.most):
        raise _differs(path, f"borders {found}", f"{stated.least}, {stated.most}")


def _differs(path: str, found: str, expected: str) -> DatasetError:
    return DatasetError("wrongShard", path, found, expected, "write the data set again: its manifest is wrong")


