"""Conditions of engines that never exclude a row that the engine would include."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from arc_format.tables.where import Condition

#: Conditions that NaN never matches. In Polars and Spark, NaN equals itself and is greater than any number.
_WITHOUT_NAN = ("==", "<", "<=", "in")


def pushed(conditions: Iterable[Condition], schema: pa.Schema) -> list[Condition]:
    """Returns the conditions with the same meaning as in Polars and Spark. Only the engine checks the others."""
    return [(name, sign, value) for name, sign, value in conditions if name in schema.names and _means_the_same(
        schema.field(name).type, sign, value)]


def _means_the_same(type_: pa.DataType, sign: str, value: Any) -> bool:
    types = pa.types
    values = list(value) if sign == "in" else [value]
    if types.is_boolean(type_):
        return sign == "==" and isinstance(value, bool)
    if types.is_integer(type_):
        # Arrow cannot compare numbers that do not fit 64 bits.
        return all(isinstance(each, int) and not isinstance(each, bool) and -1 << 63 <= each < 1 << 63
                   for each in values)
    if types.is_floating(type_):
        # An engine may round the value to the column's width. If rounding changes the value, only the engine checks.
        width = type_.to_pandas_dtype()
        with np.errstate(over="ignore"):
            return sign in _WITHOUT_NAN and all(isinstance(each, float) and width(each) == each for each in values)
    if types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_):
        return all(isinstance(each, str) for each in values)
    return types.is_timestamp(type_) and all(
        isinstance(each, datetime.datetime) and each.tzinfo is not None for each in values)
