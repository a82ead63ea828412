"""The Arrow types of written tables: an archive has fewer types, so the metadata of the file contains the others.

The key `arrow.types` of `META` contains a JSON object. For each class, it contains the columns whose type in the
written table differs from the type that page 12 of the Spec assigns, with the notation of their type. Readers that do
not know the key ignore it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from arc_format.basics.errors import warn
from arc_format.basics.limits import Limits
from arc_format.schema.classes import Column
from arc_format.schema.links import link_class
from arc_format.tables.notation import field_of, notation
from arc_format.tables.options import Options
from arc_format.tables.recast import recast_type, restores
from arc_format.tables.types import STRINGS, column_type

#: The key in the metadata of a file.
KEY = "arrow.types"

#: The maximum number of values of a dictionary, and the maximum length of their JSON text, for storage in the metadata.
_MAXIMUM_VALUES, _MAXIMUM_TEXT = 4096, 1 << 16


@dataclass(frozen=True)
class ArrowField:
    """A column of a written table. `values` are the values of its dictionary, in their order."""

    field: pa.Field
    values: pa.Array | None = None

    def restores(self, column: Column) -> bool:
        """Returns whether values of a column of an archive can have the type."""
        return can_have_types(column) and restores(column_type(column, Options()), self.field.type)

    def chosen(self, options: Options) -> pa.DataType:
        """Returns the type, with the types of strings and dates that a caller requests."""
        if options.strings == "plain" and options.dates == "timestamp":
            return self.field.type
        return recast_type(self.field.type, lambda type_: _chosen(type_, options))


#: The columns by class and name. The class is the class that declares the column.
ArrowTypes = Mapping[tuple[str, str], ArrowField]


def can_have_types(column: Column) -> bool:
    """Returns whether tables can restore types of a column. References and links are rows of the new archive."""
    tree = column.tree
    return not (tree.is_recursive or tree.has_references or any(link_class(node) for node in tree.nodes))


def _chosen(type_: pa.DataType, options: Options) -> pa.DataType:
    types = pa.types
    if types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_):
        return type_ if options.strings == "plain" else STRINGS[options.strings]
    if options.dates == "seconds" and (types.is_timestamp(type_) or types.is_date(type_)):
        return pa.float64()
    return type_


def read_arrow_types(metadata: Mapping[str, str], limits: Limits) -> ArrowTypes:
    """Returns the types in the metadata of a file. Warns about an entry that is not valid, and ignores it."""
    text, found = metadata.get(KEY), dict[tuple[str, str], ArrowField]()
    if text is None:
        return found
    try:
        if len(text) > limits.class_table_bytes:
            raise ValueError(f"{len(text)} characters are more than the limit class_table_bytes")
        for name, columns in json.loads(text).items():
            for column, noted in columns.items():
                found[name, column] = ArrowField(field_of(column, noted), _values(noted))
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, pa.ArrowException) as error:
        warn(f"the Arrow types in the metadata of the file are ignored: {error}")
        return {}
    return found


def _values(noted: Any) -> pa.Array | None:
    values = noted.get("values") if isinstance(noted, dict) else None
    if values is None:
        return None
    type_ = pa.large_string() if all(isinstance(each, str) for each in values) else pa.int64()
    array = pa.array(values, type_)
    if array.null_count or len(array.unique()) < len(array):
        raise ValueError("a dictionary with a null or with equal values")
    return array


class WrittenTypes:
    """The types of the columns of written tables, for the metadata of the file."""

    def __init__(self) -> None:
        self._classes: dict[str, dict[str, Any]] = {}

    def add(self, class_name: str, name: str, column: Column, field: pa.Field, values: pa.Array | None) -> None:
        """Adds a column of a table. Warns if a reader cannot restore its type.

        `values` are the values of the dictionary, if the type is a dictionary.
        """
        own = column_type(column, Options())
        if (field.type == own and field.nullable and not _has_metadata(field)) or not can_have_types(column):
            return
        what = f"'{name}' of '{class_name}'"
        try:
            noted = notation(field)
            again = ArrowField(field_of(field.name, noted))
            if again.field.type != field.type or not again.restores(column):
                raise ValueError("it has no notation")
        except ValueError as error:
            warn(f"{what} of type {field.type} becomes {own}: {error}")
            return
        is_ordered = _is_ordered(field.type)
        if pa.types.is_dictionary(field.type):
            stored = _storable(values)
            if stored is not None:
                noted = {**noted, "values": stored}
                is_ordered = False
        if is_ordered:
            warn(f"{what} loses the order of its categories: an archive stores the order of at most {_MAXIMUM_VALUES} "
                 "strings or integers, for a column that is not nested")
        there = self._classes.setdefault(class_name, {})
        if there.setdefault(name, noted) != noted:
            warn(f"{what} of type {field.type} becomes {field_of(name, there[name]).type}, its type in another table")

    def text(self) -> str | None:
        """Returns the value of the key `arrow.types`; None if no column needs it."""
        return json.dumps(self._classes, separators=(",", ":"), sort_keys=True) if self._classes else None


def _is_ordered(type_: pa.DataType) -> bool:
    """Returns whether a type has a dictionary whose values have an order, also in a nested type."""
    if pa.types.is_dictionary(type_):
        return bool(type_.ordered)
    return any(_is_ordered(type_.field(position).type) for position in range(type_.num_fields))


def _has_metadata(field: pa.Field) -> bool:
    return any(not key.startswith(b"arc:") for key in field.metadata or ())


def _storable(values: pa.Array | None) -> list[Any] | None:
    """Returns the values of a dictionary for JSON; None if they are too many or of another type."""
    if values is None or len(values) > _MAXIMUM_VALUES or values.null_count:
        return None
    types, type_ = pa.types, values.type
    if not (types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_)
            or (types.is_integer(type_) and type_ != pa.uint64())):
        return None
    found = values.to_pylist()
    size = sum(len(str(each)) for each in found)
    return found if size <= _MAXIMUM_TEXT and len(set(found)) == len(found) else None
