"""The canonical Arrow types, which are written. Values of other types are cast to them first."""

from __future__ import annotations

import decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arc_format.basics.errors import UsageError
from arc_format.tables.recast import recast_type


def canonical_type(type_: pa.DataType) -> pa.DataType:
    """Returns the type to which values of `type_` are cast before they are written."""
    types = pa.types
    if isinstance(type_, pa.BaseExtensionType):
        return type_ if type_ == pa.uuid() else canonical_type(type_.storage_type)
    if types.is_dictionary(type_):
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
    if types.is_list(type_) or types.is_large_list(type_) or types.is_fixed_size_list(type_):
        return pa.large_list(canonical_type(type_.value_type))
    if types.is_map(type_):
        return pa.map_(canonical_type(type_.key_type), canonical_type(type_.item_type))
    if types.is_struct(type_):
        return pa.struct([pa.field(field.name, canonical_type(field.type)) for field in type_])
    if types.is_boolean(type_) or types.is_integer(type_) or types.is_floating(type_):
        return type_
    raise UsageError(f"no column of an archive holds values of Arrow's type {type_}: cast it to one of bool, integers, "
                     "floats, string, binary, timestamp, date, decimal, uuid, list, map, struct")


def canonical(array: pa.ChunkedArray) -> pa.Array:
    """Returns a column as one array of its canonical type. Arrow raises an error for unsupported types."""
    # Checks UTF-8, because readers would refuse the archive.
    array.validate(full=True)
    array = _laid_out(array)
    wanted = canonical_type(array.type)
    # Arrow cannot decode dictionaries of views, such as categoricals of Polars.
    viewless = recast_type(array.type, _viewless)
    if array.type not in (wanted, viewless):
        array = array.cast(viewless)
    if array.type != wanted:
        array = array.cast(options=pc.CastOptions(wanted, allow_time_truncate=True))
    pieces = array.chunks
    if len(pieces) == 1:
        return pieces[0]
    return pa.concat_arrays(pieces) if pieces else pa.array([], wanted)


def _laid_out(array: pa.ChunkedArray) -> pa.ChunkedArray:
    """Returns the values of a column of runs, and lists for a column of views of lists; other columns unchanged."""
    if pa.types.is_run_end_encoded(array.type):
        return _laid_out(pc.run_end_decode(array))
    if pa.types.is_list_view(array.type) or pa.types.is_large_list_view(array.type):
        return pa.chunked_array([_list(piece) for piece in array.chunks], pa.large_list(array.type.value_type))
    return array


def _list(views: pa.Array) -> pa.Array:
    """Returns views of lists as lists. Arrow's cast returns empty lists if views omit values, such as after a null."""
    lengths = pc.list_value_length(views).fill_null(0).to_numpy()
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    return pa.LargeListArray.from_arrays(offsets, views.flatten(), mask=views.is_null())


def _viewless(type_: pa.DataType) -> pa.DataType:
    """Returns a dictionary without views; other types unchanged."""
    if pa.types.is_dictionary(type_) and type_.value_type in (pa.string_view(), pa.binary_view()):
        return pa.dictionary(type_.index_type, canonical_type(type_.value_type), type_.ordered)
    return type_


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
