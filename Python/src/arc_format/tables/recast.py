"""Tables for engines, and for Python, that do not know all of Arrow's types or values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.tables.dates import calendar_texts

#: The type in place of one without children; the same where the engine knows it.
Rule = Callable[[pa.DataType], pa.DataType]


def recast_type(type_: pa.DataType, rule: Rule) -> pa.DataType:
    """A type in which all types without children, and dictionaries, are as the rule says; lists as it has them."""
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
    """A schema with the types of the rule."""
    for field in schema:
        # It would be cut there on its way, which is by the C interface of Arrow.
        if "\0" in field.name:
            raise UsageError(f"the column {field.name!r} has a name that no engine takes: choose others with columns=")
    return pa.schema([field.with_type(recast_type(field.type, rule)) for field in schema], metadata=schema.metadata)


def recast(batch: pa.RecordBatch, rule: Rule) -> pa.RecordBatch:
    """A batch with the types of the rule."""
    schema = recast_schema(batch.schema, rule)
    return pa.RecordBatch.from_arrays([cast(array, field.type) for array, field in zip(
        batch.columns, schema, strict=True)], schema=schema)


def cast(array: pa.Array, type_: pa.DataType) -> pa.Array:
    """An array in another type: level by level, since pyarrow casts neither extensions nor decimals inside of others.

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
    """The rows as dictionaries. Dates are text where one of them is none of Python's, of the years 1 to 9999."""
    try:
        return batch.to_pylist()  # type: ignore[no-any-return]
    except OverflowError:
        dates_as_texts = recast(batch, lambda type_: pa.large_string() if pa.types.is_timestamp(type_) else type_)
        return dates_as_texts.to_pylist()  # type: ignore[no-any-return]
