"""One type for each column in all written shards. Differences would otherwise only be found by readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.schema.classes import Column
from arc_format.tables.options import Options
from arc_format.tables.recast import cast
from arc_format.tables.types import column_type
from arc_format.writing.canonical import canonical, canonical_type
from arc_format.writing.frames import Frame, schema_beforehand
from arc_format.writing.model import ROOTS, Leads, written_class


@dataclass
class _First:
    """A column of the first shard that has a type for it, and the type that it is read as."""

    shard: int
    field: pa.Field
    read: pa.DataType | None


class Agreement:
    """Sets the type of columns without values to the type in other shards, and refuses types that differ.

    `shards` are all shards if they can be inspected before they are written. They are None if they are created during
    the iteration; then only earlier shards have types.
    """

    def __init__(self, references: Leads, links: Leads, shards: Sequence[Mapping[str, Frame]] | None) -> None:
        self._references, self._links, self._shards = references, links, shards
        self._known: dict[tuple[str, str], _First] = {}

    def agreed(self, number: int, tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
        """Returns the tables of the next shard with the types of earlier shards. Raises `UsageError` if they differ."""
        if self._shards is not None and any(_is_open(field.type) and (name, field.name) not in self._known
                                            for name, table in tables.items() for field in table.schema):
            self._look_ahead(number)
        return {name: table if name == ROOTS else self._table(number, name, table) for name, table in tables.items()}

    def _look_ahead(self, number: int) -> None:
        """Inspects all shards from this one on, once. Tables that can only be read once are not inspected."""
        rest, self._shards = (self._shards or [])[number:], None
        for shard, frames in enumerate(rest, number):
            for name, frame in frames.items() if isinstance(frames, Mapping) else ():
                schema = None if name == ROOTS else schema_beforehand(name, frame)
                for field in schema or ():
                    if not _is_open(field.type) and (name, field.name) not in self._known:
                        self._known[name, field.name] = _First(shard, field, self._read_types(
                            name, pa.schema([field])).get(field.name))

    def _table(self, number: int, name: str, table: pa.Table) -> pa.Table:
        for position, field in enumerate(table.schema):
            known = self._known.get((name, field.name))
            if known is not None and _is_open(field.type):
                type_ = _filled(field.type, known.field.type)
                # The metadata of a column from an archive applies to values of its type.
                is_said = b"arc:attributes" in (known.field.metadata or {}) \
                    and canonical_type(type_) == canonical_type(known.field.type)
                try:
                    values = _cast(table.column(position), type_)
                except pa.ArrowException:
                    raise _differs(name, number, field, known) from None
                table = table.set_column(position, (known.field if is_said else field).with_type(type_), values)
        read = self._read_types(name, table.schema)
        for field in table.schema:
            place = name, field.name
            first = self._known.setdefault(place, _First(number, field, read.get(field.name)))
            if first.read != read.get(field.name):
                raise _differs(name, number, field, first)
            if field.type != first.field.type and place not in self._references and place not in self._links:
                # The archives have the same type, and readers restore one type of Arrow for all of them.
                position = table.schema.get_field_index(field.name)
                try:
                    values = cast(canonical(table.column(position)), first.field.type)
                except (ValueError, pa.ArrowException):
                    raise _differs(name, number, field, first) from None
                table = table.set_column(position, field.with_type(first.field.type), values)
        return table

    def _read_types(self, name: str, schema: pa.Schema) -> dict[str, pa.DataType]:
        """Returns the types that columns are read as, without row numbers, which are not columns."""
        written = written_class(name, schema.empty_table(), self._references, (), {}, self._links)
        return {each.name: column_type(Column(0, each.key, each.attributes, each.flags, each.tree),
                                       Options(has_link_ids=True)) for each in written.columns}


def _is_open(type_: pa.DataType) -> bool:
    """Returns whether a type is not determined because there were no values: null, also nested in other types."""
    return bool(pa.types.is_null(type_)) or any(
        _is_open(type_.field(position).type) for position in range(type_.num_fields))


def _filled(type_: pa.DataType, known: pa.DataType) -> pa.DataType:
    """Returns a type in which the types of a known type of the same form replace null."""
    types = pa.types
    if types.is_null(type_):
        return known
    if types.is_struct(type_) and types.is_struct(known) and type_.names == known.names:
        return pa.struct([pa.field(each.name, _filled(each.type, other.type))
                          for each, other in zip(type_, known, strict=True)])
    if types.is_map(type_) and types.is_map(known):
        return pa.map_(_filled(type_.key_type, known.key_type), _filled(type_.item_type, known.item_type))
    if all(types.is_list(each) or types.is_large_list(each) for each in (type_, known)):
        return pa.large_list(_filled(type_.value_type, known.value_type))
    return type_


def _cast(column: pa.ChunkedArray, type_: pa.DataType) -> pa.ChunkedArray:
    # Arrow cannot cast to some types, although it can create nulls of them.
    if pa.types.is_null(column.type):
        return pa.chunked_array([pa.nulls(len(column), type_)])
    return column if column.type == type_ else column.cast(type_)


def _differs(name: str, number: int, field: pa.Field, first: _First) -> UsageError:
    types = [field.type, first.field.type]
    remedy = "cast one of them, by cast of a column of pyarrow or Polars, by astype of pandas"
    if any(map(_is_open, types)):
        remedy = "cast what has no values to the type of the other, or give all shards as a list"
    elif any(map(pa.types.is_floating, types)) and any(map(pa.types.is_integer, types)):
        remedy = "cast one of them; integers with nulls are floats to pandas, unless astype('Int64') keeps them"
    return UsageError(f"'{field.name}' of '{name}' is {types[0]} in shard {number} and {types[1]} in shard "
                      f"{first.shard}, and the shards of a data set have one type for each column: {remedy}")
