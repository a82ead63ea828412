"""Optionals: values at the positions of a mask, with nulls between them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Mask = npt.NDArray[np.bool_]


def validity(mask: Mask) -> pa.Buffer:
    """Returns a mask in Arrow's form."""
    return pa.py_buffer(np.packbits(mask, bitorder="little"))


def is_valid(array: pa.Array) -> Mask:
    """Returns which values of an array without offset are not null."""
    bits = array.buffers()[0]
    if bits is None:
        return np.ones(len(array), np.bool_)
    return np.unpackbits(np.frombuffer(bits, np.uint8), count=len(array), bitorder="little").view(np.bool_)


def spread_bytes(type_: pa.DataType) -> int:
    """Returns the memory per value of a type, also for null: a few bytes of a file can require many values."""
    if isinstance(type_, pa.BaseExtensionType):
        return spread_bytes(type_.storage_type)
    if pa.types.is_struct(type_):
        return 1 + sum(spread_bytes(field.type) for field in type_)
    return 17 if pa.types.is_fixed_size_binary(type_) or pa.types.is_string_view(type_) else \
        33 if pa.types.is_decimal(type_) else 9


def spread(array: pa.Array, mask: Mask) -> pa.Array:
    """Returns an array as long as the mask, with the values of `array` at set positions, and null at other positions.

    Works with buffers: pyarrow's `take` does not support views, and takes three times as long for numbers. The array
    has no offset.
    """
    type_ = array.type
    if isinstance(array, pa.ExtensionArray):
        return pa.ExtensionArray.from_storage(type_, spread(array.storage, mask))
    if pa.types.is_union(type_):
        return array.take(pa.array(np.cumsum(mask) - 1, mask=~mask))
    count = len(mask)
    if pa.types.is_null(type_):
        return pa.nulls(count, type_)
    valid = mask
    if array.null_count:
        valid = np.zeros(count, np.bool_)
        valid[mask] = is_valid(array)
    bits = validity(valid)
    if pa.types.is_dictionary(type_):
        return pa.DictionaryArray.from_arrays(spread(array.indices, mask), array.dictionary, safe=False)
    if pa.types.is_struct(type_):
        return pa.Array.from_buffers(type_, count, [bits], children=[
            spread(array.field(index), mask) for index in range(type_.num_fields)])
    buffers = array.buffers()
    if pa.types.is_boolean(type_):
        out = np.zeros(count, np.bool_)
        out[mask] = np.unpackbits(np.frombuffer(buffers[1], np.uint8), count=len(array), bitorder="little")
        return pa.Array.from_buffers(type_, count, [bits, validity(out)])
    if pa.types.is_string_view(type_) or pa.types.is_primitive(type_) or pa.types.is_decimal(type_) \
            or pa.types.is_fixed_size_binary(type_):
        size = 16 if pa.types.is_string_view(type_) else type_.bit_width // 8
        # Numbers, if numpy has a type of that size, because numpy moves numbers faster than bytes.
        fixed = np.zeros(count, f"{'u' if size in (1, 2, 4, 8) else 'V'}{size}")
        fixed[mask] = np.frombuffer(buffers[1], fixed.dtype, len(array)) if len(array) else ()
        return pa.Array.from_buffers(type_, count, [bits, pa.py_buffer(fixed), *buffers[2:]])
    # Types with offsets: a null ends where it begins.
    ends = np.zeros(count + 1, np.int64)
    np.cumsum(mask, out=ends[1:])
    is_large = pa.types.is_large_list(type_) or pa.types.is_large_string(type_) or pa.types.is_large_binary(type_)
    offsets = np.frombuffer(buffers[1], np.int64 if is_large else np.int32, len(array) + 1)[ends]
    if pa.types.is_large_list(type_):
        return pa.Array.from_buffers(type_, count, [bits, pa.py_buffer(offsets)], children=[array.values])
    if pa.types.is_map(type_):
        entries = pa.StructArray.from_arrays([array.keys, array.items], fields=[type_.key_field, type_.item_field])
        return pa.Array.from_buffers(type_, count, [bits, pa.py_buffer(offsets)], children=[entries])
    return pa.Array.from_buffers(type_, count, [bits, pa.py_buffer(offsets), buffers[2]])
