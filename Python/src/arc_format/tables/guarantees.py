"""Segments that a filter of Arrow cannot exclude, by the ranges of their values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset
import pyarrow.fs

from arc_format.schema.kinds import INTEGERS, Kind
from arc_format.tables.dates import EPOCH


class ColumnRange(NamedTuple):
    """The least and greatest value of a column in a segment. `has_null` is whether values may be null."""

    kind: Kind
    least: float
    most: float
    has_null: bool


#: A segment, and the ranges of its columns by name.
SegmentRanges = tuple[int, dict[str, ColumnRange]]

#: Microseconds in a value of a type of dates, and in the rounding of dates.
_DAY, _ROUNDING = 86_400_000_000, 1_000
_UNITS = {"s": 1_000_000, "ms": 1000, "us": 1}


def guaranteed(segments: Iterable[SegmentRanges], schema: pa.Schema, filter: pc.Expression) -> list[int]:
    """Returns the segments that may have rows that match a filter.

    Arrow excludes fragments of a data set whose guarantee contradicts the filter. Here a fragment is a segment; its
    path is the number of the segment, and no such file is opened.
    """
    format_, files = pyarrow.dataset.IpcFileFormat(), pyarrow.fs.LocalFileSystem()
    fragments = [format_.make_fragment(str(number), files, _guarantee(ranges, schema)) for number, ranges in segments]
    if not fragments:
        return []
    whole = pyarrow.dataset.FileSystemDataset(fragments, schema, format_, files)
    return sorted(int(each.path) for each in whole.get_fragments(filter))


def _guarantee(ranges: dict[str, ColumnRange], schema: pa.Schema) -> pc.Expression:
    found = pc.scalar(True)
    for name, each in ranges.items():
        position = schema.get_field_index(name)
        borders = None if position < 0 else _borders(each, schema.field(position).type)
        if borders is not None:
            field = pc.field(name)
            for within in (field >= borders[0], field <= borders[1]):
                # Arrow understands an alternative to null only for a single comparison.
                found = found & (within | field.is_null() if each.has_null else within)
    return found


def _borders(each: ColumnRange, type_: pa.DataType) -> tuple[pa.Scalar, pa.Scalar] | None:
    """Returns the range in a type of Arrow; None if the type has other values."""
    types = pa.types
    if each.kind in INTEGERS:
        is_number = types.is_integer(type_)
    elif each.kind == "date":
        if types.is_date32(type_):
            unit = _DAY
        elif types.is_timestamp(type_) and type_.unit in _UNITS:
            unit = _UNITS[type_.unit]
        else:
            return None
        # A type without time of day or fractions has the next lesser value.
        least, most = (int(seconds * 1e6) + EPOCH for seconds in (each.least, each.most))
        return (pa.scalar((least - _ROUNDING) // unit - 1, pa.int64()).cast(_number(type_)).cast(type_),
                pa.scalar((most + _ROUNDING) // unit + 1, pa.int64()).cast(_number(type_)).cast(type_))
    else:
        is_number = types.is_floating(type_) and not types.is_float16(type_)
    return (pa.scalar(each.least, type_), pa.scalar(each.most, type_)) if is_number else None


def _number(type_: pa.DataType) -> pa.DataType:
    return pa.int32() if pa.types.is_date32(type_) else pa.int64()
