"""Tables for engines and for Python, which do not support all types or values of Arrow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.tables.dates import calendar_texts

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


def cast(array: pa.Array, type_: pa.DataType) -> pa.Array:
    """Casts an array level by level, because pyarrow cannot cast extensions and decimals in nested types.

    The array has no offset.
    """
    if array.type == type_:
        return array
    types = pa.types
    if isinstance(array.type, pa.BaseExtensionType):
        return cast(array.storage, type_)
    validity = array.buffers()[0]
    if types.is_struct(type_):
        children = [cast(array.field(index), field.type) for index, field in enumerate(type_)]
        return pa.Array.from_buffers(type_, len(array), [validity], children=children)
    if types.is_map(type_):
        entries = pa.StructArray.from_arrays([cast(array.keys, type_.key_type), cast(array.items, type_.item_type)],
                                             fields=[type_.key_field, type_.item_field])
        return pa.Array.from_buffers(type_, len(array), array.buffers()[:2], children=[entries])
    if types.is_list(type_) or types.is_large_list(type_):
        offsets = array.offsets.cast(pa.int32() if types.is_list(type_) else pa.int64())
        return pa.Array.from_buffers(type_, len(array), [validity, offsets.buffers()[1]],
                                     children=[cast(array.values, type_.value_type)])
    if types.is_timestamp(array.type):
        micros = np.frombuffer(array.buffers()[1], np.int64, len(array)) if len(array) else np.zeros(0, np.int64)
        return pa.array(calendar_texts(micros), type_, mask=np.asarray(array.is_null()))
    return array.cast(type_)


def python_rows(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """Returns the rows as dictionaries. Dates are strings if one of them is outside Python's years 1 to 9999."""
    try:
        return batch.to_pylist()  # type: ignore[no-any-return]
    except OverflowError:
        dates_as_texts = recast(batch, lambda type_: pa.large_string() if pa.types.is_timestamp(type_) else type_)
        return dates_as_texts.to_pylist()  # type: ignore[no-any-return]
