"""The canonical Arrow types, which are written. Values of other types are cast to them first."""

from __future__ import annotations

import decimal
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arc_format.basics.errors import UsageError
from arc_format.tables.dates import microseconds, seconds
from arc_format.tables.recast import INTERVAL, is_any_list


def canonical_type(type_: pa.DataType) -> pa.DataType:
    """Returns the type to which values of `type_` are cast before they are written."""
    types = pa.types
    if isinstance(type_, pa.BaseExtensionType):
        return type_ if type_ == pa.uuid() else canonical_type(type_.storage_type)
    if types.is_dictionary(type_) or types.is_run_end_encoded(type_):
        if types.is_nested(type_.value_type):
            raise pa.ArrowNotImplementedError(f"{type_}: cast it to the type of its values")
        return canonical_type(type_.value_type)
    if types.is_null(type_):  # a column without values, from a text format
        return pa.large_string()
    if types.is_string(type_) or types.is_string_view(type_) or types.is_large_string(type_):
        return pa.large_string()
    if types.is_binary(type_) or types.is_large_binary(type_) or types.is_binary_view(type_) \
            or types.is_fixed_size_binary(type_):
        return pa.large_binary()
    if types.is_timestamp(type_) or types.is_date(type_):
        return pa.timestamp("us", "UTC")
    if types.is_decimal(type_):
        return type_
    if types.is_time32(type_):
        return pa.int32()
    if types.is_time64(type_) or types.is_duration(type_):
        return pa.int64()
    if type_ == pa.month_day_nano_interval():
        return INTERVAL
    if is_any_list(type_):
        return pa.large_list(canonical_type(type_.value_type))
    if types.is_map(type_):
        return pa.map_(canonical_type(type_.key_type), canonical_type(type_.item_type))
    if types.is_struct(type_):
        return pa.struct([pa.field(field.name, canonical_type(field.type)) for field in type_])
    if types.is_boolean(type_) or types.is_integer(type_) or types.is_floating(type_):
        return type_
    raise UsageError(f"no column of an archive holds values of Arrow's type {type_}: cast it to one of bool, integers, "
                     "floats, string, binary, timestamp, date, time, duration, decimal, uuid, list, map, struct")


#: Is called with a description of values that an archive rounds.
Lost = Callable[[str], None]


def canonical(array: pa.ChunkedArray, lost: Lost = lambda _: None) -> pa.Array:
    """Returns a column as one array of its canonical type. Arrow raises an error for unsupported types."""
    # Checks UTF-8, because readers would refuse the archive.
    array.validate(full=True)
    wanted = canonical_type(array.type)
    pieces = [_canonical(piece, wanted, lost) for piece in array.chunks]
    if len(pieces) == 1:
        return pieces[0]
    return pa.concat_arrays(pieces) if pieces else pa.array([], wanted)


def _canonical(array: pa.Array, wanted: pa.DataType, lost: Lost) -> pa.Array:
    """Returns an array of its canonical type: by Arrow's cast, or level by level where Arrow has no cast."""
    types, type_ = pa.types, array.type
    if types.is_timestamp(type_) or types.is_date(type_):
        return _instants(array, wanted, lost)
    if type_ == wanted and _is_castable(type_):
        return array
    if isinstance(type_, pa.BaseExtensionType):
        return _canonical(array.storage, wanted, lost)
    if types.is_dictionary(type_):
        # Arrow cannot decode dictionaries of views, such as categoricals of Polars.
        return _canonical(array.dictionary, wanted, lost).take(array.indices)
    if types.is_run_end_encoded(type_):
        # Arrow does not decode runs of views and intervals.
        ends, rows = array.run_ends.to_numpy(), np.arange(array.offset, array.offset + len(array))
        return _canonical(array.values, wanted, lost).take(pa.array(np.searchsorted(ends, rows, side="right")))
    if type_ == pa.month_day_nano_interval():
        return _interval(array)
    if _is_castable(type_):
        return array.cast(wanted)
    nulls = array.is_null() if array.null_count else None
    if types.is_struct(type_):
        children = [_canonical(array.field(position), field.type, lost) for position, field in enumerate(wanted)]
        return pa.StructArray.from_arrays(children, fields=list(wanted), mask=nulls)
    if types.is_map(type_):
        entries = entries_of(array)
        keys, items = (_canonical(entries.field(position), of, lost)
                       for position, of in enumerate((wanted.key_type, wanted.item_type)))
        offsets = array.offsets.to_numpy() - array.offsets[0].as_py()
        return pa.MapArray.from_arrays(pa.array(offsets, pa.int32()), keys, items, wanted, mask=nulls)
    # A null, or a value of a view that no list uses, takes no space in the values of a list.
    lengths = pc.list_value_length(array).fill_null(0).to_numpy()
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    values = _canonical(array.flatten(), wanted.value_type, lost)
    return pa.LargeListArray.from_arrays(offsets, values, wanted, mask=nulls)


def _is_castable(type_: pa.DataType) -> bool:
    """Returns whether Arrow casts a type to its canonical type, with all nested types."""
    types = pa.types
    if isinstance(type_, pa.BaseExtensionType):
        return bool(type_ == pa.uuid())
    if types.is_dictionary(type_) or types.is_run_end_encoded(type_) or types.is_list_view(type_) \
            or types.is_large_list_view(type_) or type_ == pa.month_day_nano_interval():
        return False
    if types.is_nested(type_) and any(
            types.is_temporal(type_.field(position).type) for position in range(type_.num_fields)):
        return False  # to find instants that an archive rounds
    return all(_is_castable(type_.field(position).type) for position in range(type_.num_fields))


def _instants(array: pa.Array, wanted: pa.DataType, lost: Lost) -> pa.Array:
    """Returns instants in microseconds. Archives store them as seconds since 2001, in a float64."""
    instants = array.cast(options=pc.CastOptions(wanted, allow_time_truncate=True))
    if pa.types.is_timestamp(array.type) and array.type.unit == "ns":
        count = pc.sum(pc.not_equal(instants.cast(array.type), array)).as_py()
        if count:
            lost(f"{count} times lose nanoseconds")
    borders = pc.min_max(instants.view(pa.int64())).as_py()
    if borders["min"] is not None and (borders["min"] < _EXACT[0] or borders["max"] > _EXACT[1]):
        micros = instants.drop_null().view(pa.int64()).to_numpy()
        again, is_date = microseconds(seconds(micros))
        count = int((~is_date | (again != micros)).sum())
        if count:
            lost(f"{count} times far from 2001 lose microseconds")
    return instants


#: The microseconds since 1970 of instants that archives store exactly: 1865 to 2137.
_EXACT = (-3_313_526_400_000_000, 5_270_140_800_000_000)


def _interval(array: pa.Array) -> pa.Array:
    there = np.frombuffer(array.buffers()[1], "<i4,<i4,<i8", len(array), 16 * array.offset) if len(array) else \
        np.zeros(0, "<i4,<i4,<i8")
    return pa.StructArray.from_arrays([pa.array(there[f"f{position}"]) for position in range(3)], fields=list(INTERVAL),
                                      mask=array.is_null())


def encoding(type_: pa.DataType, array: pa.Array) -> str:
    """Returns the type encoding of a canonical type; an optional if there are nulls. Spec: 03.4."""
    prefix = "$?" if array.null_count else ""
    types = pa.types
    if type_ == pa.uuid():
        return prefix + '@"NSUUID"'
    if types.is_large_list(type_):
        return f"{prefix}$[{encoding(type_.value_type, array.flatten())}]"
    if types.is_map(type_):
        entries = entries_of(array)
        key, value = (encoding(of, entries.field(at)) for at, of in enumerate((type_.key_type, type_.item_type)))
        return f"{prefix}$<{key}:{value}>"
    if types.is_struct(type_):
        there = without_nulls(array)
        fields = []
        for position, field in enumerate(type_):
            if '"' in field.name:
                raise UsageError(f"a field named {field.name!r}: names of fields hold no quote; rename it")
            fields.append(f'"{field.name}"{encoding(field.type, there.field(position))}')
        return f"{prefix}{{?={''.join(fields)}}}"
    for code, of in _CODES.items():
        if type_ == of:
            return prefix + code
    return prefix + '@"NSDecimalNumber"'


_CODES = {
    "B": pa.bool_(), "c": pa.int8(), "s": pa.int16(), "i": pa.int32(), "q": pa.int64(), "C": pa.uint8(),
    "S": pa.uint16(), "I": pa.uint32(), "Q": pa.uint64(), " ": pa.float16(), "f": pa.float32(), "d": pa.float64(),
    '@"NSString"': pa.large_string(), '@"NSData"': pa.large_binary(), '@"NSDate"': pa.timestamp("us", "UTC")}


def without_nulls(array: pa.Array) -> pa.Array:
    """Returns the values of an array that are not null, in order.

    If all are null, the result is a slice, because pyarrow cannot create an empty list, map or struct of UUIDs.
    """
    if array.null_count == len(array):
        return array.slice(0, 0)
    return array.drop_null() if array.null_count else array


def entries_of(array: pa.Array) -> pa.Array:
    """Returns the entries of a map without nulls, as a struct of keys and values."""
    offsets = array.offsets
    start, end = (offsets[0].as_py(), offsets[len(offsets) - 1].as_py()) if len(offsets) else (0, 0)
    type_ = array.type
    keys, items = array.keys.slice(start, end - start), array.items.slice(start, end - start)
    return pa.StructArray.from_arrays([keys, items], fields=[type_.key_field, type_.item_field])


def notation(value: decimal.Decimal) -> str:
    """Returns a decimal in the notation of archives: without exponent and needless zeros."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
