"""Shards whose rows are sorted by a column: its least and greatest value in each shard. Spec: 14.1, 14.3."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

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
    column = _ordered_column(archive, name, key)
    return None if column is None or _kind(column) == "enumeration" else column


def _ordered_column(archive: Archive, name: str, key: str) -> Column | None:
    """Like `sorted_column`, with columns of enumerations, which are ordered by the index of the case."""
    columns = [column for column in archive.class_of(name).columns if column.key == key] \
        if name in archive.classes else []
    return columns[0] if len(columns) == 1 and _kind(columns[0]) is not None else None


def _kind(column: Column) -> Kind | None:
    node = column.tree.root
    while node.kind == "optional":
        node = node.children[0]
    return node.kind if node.kind in FORMS and not column.tree.is_recursive else None


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

    None if there are no values. Raises `UsageError` if the rows of a class are not sorted.
    """
    name, key = sorted_by
    column = sorted_column(archive, name, key)
    if column is None:
        if name not in archive.classes:
            return None, None
        raise UsageError(f"sorted_by= names '{key}' of '{name}': name one of numbers, dates, texts or references")
    for values in _values(archive, column, name):
        # Nil and NaN are last, and the other values ascend.
        there = _ordered(values)
        is_sorted = values.slice(0, len(there)).null_count == 0 and pc.all(
            pc.less_equal(there.slice(0, max(len(there) - 1, 0)), there.slice(1))).as_py() is not False
        if not is_sorted or (len(there) and not there.equals(values.slice(0, len(there)).cast(there.type))):
            raise UsageError(f"{path!r} is not sorted by '{key}' of '{name}': sort the table, what has no value last")
    return _extent(archive, column, name)


def _extent(archive: Archive, column: Column, name: str) -> tuple[int | None, int | None]:
    """Returns the least and the greatest value of a column in the rows of a class and its subclasses."""
    parts = [there for values in _values(archive, column, name) if len(there := _ordered(values))]
    if not parts:
        return None, None
    kind = _kind(column)
    assert kind is not None
    if kind == "string":
        # The order of strings in Arrow is the order of their bytes.
        least, most = (choose(pc.min_max(there)[end].as_py().encode() for there in parts)
                       for end, choose in (("min", min), ("max", max)))
        return text_prefix(least), text_prefix(most)
    least, most = (choose(pc.min_max(there)[end].as_py() for there in parts)
                   for end, choose in (("min", min), ("max", max)))
    return _bits(kind, least), _bits(kind, most)


def _values(archive: Archive, column: Column, name: str) -> Iterator[pa.Array]:
    """Returns the values of a column in the rows of a class, and in the rows of each subclass."""
    for each in (name, *archive.subclasses(name)):
        if archive.counts()[each]:
            table = archive.table(each, [column.key], dates="seconds", target_classes=False, types="archive")
            values, node = table[column.key].combine_chunks(), column.tree.root
            while node.kind == "optional":
                node = node.children[0]
                # An optional of an optional is a structure.
                values = pc.struct_field(values, "value") if node.kind == "optional" else values
            if node.kind == "enumeration":
                cases = pc.struct_field(values, "case") if pa.types.is_struct(values.type) else values
                values = cases.indices
            yield values


def _ordered(values: pa.Array) -> pa.Array:
    """Returns the values that have an order: without nil and NaN."""
    there = values.drop_null()
    if not pa.types.is_floating(there.type):
        return there
    numbers = there.to_numpy(zero_copy_only=False)
    return pa.array(numbers[~np.isnan(numbers)])


def _bits(kind: Kind, value: float) -> int:
    return int(struct.unpack("<Q", border(kind, value))[0])


def check_contents(manifest: Manifest, shard: int, archive: Archive, path: str) -> None:
    """Checks all statements of a manifest about a shard."""
    stated = manifest.shards[shard]
    counts = {name: count for name, count in archive.counts().items() if count}
    if counts != {name: count for name, count in stated.classes.items() if count}:
        raise _differs(path, f"rows {counts}", f"{dict(stated.classes)}")
    if manifest.sorted_by is None or stated.least is None or stated.most is None:
        return
    name, key = manifest.sorted_by
    column = _ordered_column(archive, name, key)
    kind = None if column is None else _kind(column)
    found = (None, None) if column is None else _extent(archive, column, name)
    # As numbers, because -0.0 equals 0.0.
    if kind is None or None in found or [border_of(kind, each) for each in found if each is not None] != [
            border_of(kind, stated.least), border_of(kind, stated.most)]:
        raise _differs(path, f"{found} as least and greatest value of '{name}.{key}'", f"{stated.least}, {stated.most}")


def _differs(path: str, found: str, expected: str) -> DatasetError:
    return DatasetError("wrongShard", path, found, expected, "write the data set again: its manifest is wrong")


