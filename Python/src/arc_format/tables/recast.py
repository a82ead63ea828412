"""Tables for engines and for Python, which do not support all types or values of Arrow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.tables.dates import calendar_texts
from arc_format.tables.names import field_names

#: Returns the replacement of a type without children; the same type if the engine supports it.
Rule = Callable[[pa.DataType], pa.DataType]


def recast_type(type_: pa.DataType, rule: Rule) -> pa.DataType:
    """Returns a type in which the rule replaces all types without children, dictionaries, and the sort of lists."""
    types = pa.types
    if types.is_struct(type_):
        return pa.struct([pa.field(field.name, recast_type(field.type, rule), field.nullable) for field in type_])
    if types.is_map(type_):
        return pa.map_(recast_type(type_.key_type, rule), recast_type(type_.item_type, rule))
    if types.is_large_list(type_) or types.is_list(type_):
        inner = recast_type(type_.value_type, rule)
        return pa.large_list(inner) if rule(type_) == type_ and types.is_large_list(type_) else pa.list_(inner)
    if types.is_fixed_size_list(type_):
        return pa.list_(recast_type(type_.value_type, rule), type_.list_size)
    return rule(type_)


def recast_schema(schema: pa.Schema, rule: Rule) -> pa.Schema:
    """Returns a schema with the types of the rule."""
    for field in schema:
        # The C interface of Arrow would truncate the name there.
        if "\0" in field.name:
            raise UsageError(f"the column {field.name!r} has a name that no engine takes: choose others with columns=")
    return pa.schema([field.with_type(recast_type(field.type, rule)) for field in schema], metadata=schema.metadata)


def recast(batch: pa.RecordBatch, rule: Rule) -> pa.RecordBatch:
    """Returns a batch with the types of the rule."""
    schema = recast_schema(batch.schema, rule)
    return pa.RecordBatch.from_arrays([cast(array, field.type) for array, field in zip(
        batch.columns, schema, strict=True)], schema=schema)


def restores(own: pa.DataType, type_: pa.DataType) -> bool:
    """Returns whether `cast` converts values of a type of archives to an Arrow type that is written as this type."""
    types = pa.types
    if own == type_:
        return True
    if isinstance(type_, pa.BaseExtensionType):
        return type_ != pa.uuid() and restores(own, type_.storage_type)
    if types.is_dictionary(type_):
        return restores(own, type_.value_type) and not pa.types.is_nested(type_.value_type)
    if types.is_run_end_encoded(type_):
        return restores(own, type_.value_type) and not pa.types.is_nested(type_.value_type)
    if type_ == pa.month_day_nano_interval():
        return bool(own == INTERVAL)
    if types.is_struct(type_):
        return bool(types.is_struct(own)) and field_names(type_.names) == own.names and all(
            restores(one.type, other.type) for one, other in zip(own, type_, strict=True))
    if types.is_map(type_):
        # Keys of a map that can be null in a table are the field of a struct.
        entries = own if types.is_map(own) else own.value_type if types.is_large_list(own) else pa.null()
        inner = [own.key_type, own.item_type] if types.is_map(own) else \
            [each.type for each in entries] if types.is_struct(entries) and entries.names == ["key", "value"] else []
        return len(inner) == 2 and restores(inner[0], type_.key_type) and restores(inner[1], type_.item_type)
    if is_any_list(type_):
        return bool(types.is_large_list(own)) and restores(own.value_type, type_.value_type)
    return any(of(type_) for of in _WRITTEN_AS.get(own, ()))


def is_any_list(type_: pa.DataType) -> bool:
    """Returns whether a type is one of the five types of lists."""
    types = pa.types
    return bool(types.is_list(type_) or types.is_large_list(type_) or types.is_fixed_size_list(type_)
                or types.is_list_view(type_) or types.is_large_list_view(type_))


#: The fields of an interval of months, days and nanoseconds, which an archive stores as a structure.
INTERVAL = pa.struct({"months": pa.int32(), "days": pa.int32(), "nanoseconds": pa.int64()})

_INTERVAL_BYTES = np.dtype([("months", "<i4"), ("days", "<i4"), ("nanoseconds", "<i8")])

#: The types of tables of an archive, with tests of the Arrow types without children that are written as them.
_WRITTEN_AS: dict[pa.DataType, list[Callable[[pa.DataType], bool]]] = {
    pa.large_string(): [pa.types.is_string, pa.types.is_string_view, pa.types.is_decimal, pa.types.is_null],
    pa.large_binary(): [pa.types.is_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary],
    pa.timestamp("us", "UTC"): [pa.types.is_timestamp, pa.types.is_date],
    pa.int32(): [pa.types.is_time32], pa.int64(): [pa.types.is_time64, pa.types.is_duration]}

_DAY = 86_400_000_000


def cast(array: pa.Array, type_: pa.DataType, charge: Callable[[int], None] | None = None) -> pa.Array:
    """Casts an array level by level, because pyarrow cannot cast extensions and decimals in nested types.

    The array has no offset. `charge` is called with the bytes of values of a fixed size before they are created. Raises
    `ValueError` or an `ArrowException` if a value has no equal value of the type.
    """
    if array.type == type_:
        return array
    types = pa.types
    if isinstance(array.type, pa.BaseExtensionType):
        return cast(array.storage, type_, charge)
    if isinstance(type_, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(type_, cast(array, type_.storage_type, charge))
    if types.is_dictionary(type_):
        if not types.is_dictionary(array.type):
            array = array.dictionary_encode()
        return pa.DictionaryArray.from_arrays(array.indices.cast(type_.index_type), cast(
            array.dictionary, type_.value_type, charge), ordered=type_.ordered, safe=False)
    if types.is_dictionary(array.type):
        return cast(array.dictionary_decode(), type_, charge)
    if types.is_run_end_encoded(type_):
        ends, values = _runs(array)
        return pa.RunEndEncodedArray.from_arrays(ends.cast(type_.run_end_type), cast(
            values, type_.value_type, charge), type=type_)
    if types.is_null(type_):
        if array.null_count < len(array):
            raise ValueError("values that are not null")
        return pa.nulls(len(array))
    validity = array.buffers()[0]
    if type_ == pa.month_day_nano_interval():
        intervals = np.zeros(len(array), _INTERVAL_BYTES)
        for position, each in enumerate(INTERVAL):
            intervals[each.name] = array.field(position).fill_null(0).to_numpy(zero_copy_only=False)
        return pa.Array.from_buffers(type_, len(array), [validity, pa.py_buffer(intervals)])
    if types.is_struct(type_):
        children = [cast(array.field(index), field.type, charge) for index, field in enumerate(type_)]
        return pa.Array.from_buffers(type_, len(array), [validity], children=children)
    if types.is_map(type_):
        keys, items = (array.keys, array.items) if types.is_map(array.type) else map(array.values.field, range(2))
        offsets = array.offsets.cast(pa.int32())
        entries = pa.StructArray.from_arrays([cast(keys, type_.key_type, charge), cast(items, type_.item_type, charge)],
                                             fields=[type_.key_field, type_.item_field])
        return pa.Array.from_buffers(type_, len(array), [validity, offsets.buffers()[1]], children=[entries])
    if types.is_fixed_size_list(type_):
        return _fixed_size_list(array, type_, charge)
    if is_any_list(type_):
        return _list(array, type_, charge)
    if types.is_fixed_size_binary(type_) and charge is not None:
        charge(type_.byte_width * len(array))
    if types.is_timestamp(array.type) and (types.is_large_string(type_) or types.is_date(type_)):
        zone, array = array.type.tz, array.cast(pa.timestamp("us", array.type.tz))
        micros = np.frombuffer(array.buffers()[1], np.int64, len(array)) if len(array) else np.zeros(0, np.int64)
        if types.is_large_string(type_):
            texts = calendar_texts(micros)
            return pa.array(texts if zone else [text[:-1] for text in texts], type_, mask=np.asarray(array.is_null()))
        if (micros[np.asarray(array.is_valid())] % _DAY).any():
            raise ValueError("a time of day")
    return array.cast(type_)


def _list(array: pa.Array, type_: pa.DataType, charge: Callable[[int], None] | None) -> pa.Array:
    types = pa.types
    is_wide = types.is_large_list(type_) or types.is_large_list_view(type_)
    offsets = array.offsets.cast(pa.int64() if is_wide else pa.int32())
    buffers = [array.buffers()[0], offsets.buffers()[1]]
    if types.is_list_view(type_) or types.is_large_list_view(type_):
        buffers.append(pa.py_buffer(np.diff(offsets.to_numpy())))
    return pa.Array.from_buffers(type_, len(array), buffers, children=[cast(array.values, type_.value_type, charge)])


def _fixed_size_list(array: pa.Array, type_: pa.DataType, charge: Callable[[int], None] | None) -> pa.Array:
    """Returns lists of one length. A null takes the space of that many values."""
    if pa.types.is_fixed_size_list(array.type):
        return pa.Array.from_buffers(type_, len(array), [array.buffers()[0]], children=[
            cast(array.values, type_.value_type, charge)])
    size, is_there = type_.list_size, np.asarray(array.is_valid())
    offsets, values = array.offsets.to_numpy(), array.values
    if (np.diff(offsets)[is_there] != size).any():
        raise ValueError(f"a list that does not have {size} values")
    if len(values) != size * len(array):
        if charge is not None:
            charge(8 * size * len(array))
        at = np.where(is_there, offsets[:-1], 0)[:, None] + np.arange(size)
        values = values.take(pa.array(at.reshape(-1), mask=np.repeat(~is_there, size)))
    return pa.Array.from_buffers(type_, len(array), [array.buffers()[0]], children=[
        cast(values, type_.value_type, charge)])


def _runs(array: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Returns the ends and the values of the runs of equal values of an array without children."""
    if not len(array):
        return pa.array([], pa.int32()), array
    if pa.types.is_nested(array.type):  # an interval, whose values Arrow does not compare
        return pa.array(np.arange(1, len(array) + 1, dtype=np.int32)), array
    numbers = array.dictionary_encode().indices.fill_null(-1).to_numpy(zero_copy_only=False)
    last = np.append(np.flatnonzero(numbers[1:] != numbers[:-1]), len(array) - 1)
    return pa.array((last + 1).astype(np.int32)), array.take(pa.array(last))


def python_rows(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """Returns the rows as dictionaries. Dates are strings if one of them is outside Python's years 1 to 9999."""
    try:
        return batch.to_pylist()  # type: ignore[no-any-return]
    except (OverflowError, ValueError):
        dates_as_texts = recast(batch, lambda type_: pa.large_string() if pa.types.is_timestamp(
            type_) or pa.types.is_date(type_) else type_)
        return dates_as_texts.to_pylist()  # type: ignore[no-any-return]
