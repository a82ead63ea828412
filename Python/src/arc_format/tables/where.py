"""Conditions on columns: the rows that match them, and the chunks that cannot contain such rows. Spec: 13.2."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from arc_format.basics.errors import UsageError
from arc_format.columns.directory import Directory
from arc_format.columns.ranges import FORMS, text_prefix
from arc_format.columns.strings import StringTable
from arc_format.schema.classes import Column
from arc_format.schema.kinds import REFERENCES
from arc_format.schema.types import Node
from arc_format.tables.names import ID, ROW
from arc_format.tables.recast import cast
from arc_format.tables.types import CASES

#: A column, one of == != < <= > >= in, and a value; for `in` a list of values.
Condition = tuple[str, str, Any]


def _is_in(column: pa.Array, values: Any) -> pa.Array:
    type_ = column.type
    if pa.types.is_floating(type_):
        # As for `==`: zeros are equal, and NaN equals nothing.
        values = [each for value in values if value == value for each in ((0.0, -0.0) if value == 0 else (value,))]
    return pc.is_in(column, pa.array(values, type_.value_type if pa.types.is_dictionary(type_) else type_))


_COMPARISONS: dict[str, Callable[..., Any]] = {
    "==": pc.equal, "!=": pc.not_equal, "<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal,
    "in": _is_in}

#: The seconds by which the conversion to a timestamp may round a date.
_ROUNDING = 1e-3
_EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)


class Where:
    """Conditions. A row matches if it matches all of them. A row without a value matches no condition."""

    def __init__(self, conditions: Iterable[Condition]) -> None:
        signs = " ".join(_COMPARISONS)
        if not isinstance(conditions, Iterable):
            raise UsageError(f"where= is {conditions!r}: give a list of conditions (column, one of {signs}, value)")
        self.conditions = list(conditions)
        for condition in self.conditions:
            if not isinstance(condition, (list, tuple)) or len(condition) != 3 \
                    or not isinstance(condition[1], str) or condition[1] not in _COMPARISONS:
                raise UsageError(f"where= has {condition!r}: a condition is (column, one of {signs}, value)")
            if condition[2] is None:
                raise UsageError(f"where= has {condition!r}, which no row fulfils: rows without a value are "
                                 f"({condition[0]!r}, 'in', [None]), and those with one table.filter(…is_valid()) has")
            if condition[1] == "in" and not isinstance(condition[2], (list, tuple)):
                raise UsageError(f"where= has {condition!r}: behind 'in' stands a list of values")

    @property
    def names(self) -> list[str]:
        """The columns of the conditions."""
        return list(dict.fromkeys(name for name, _, _ in self.conditions))

    def may_hold(self, first: int, count: int, base: int) -> bool:
        """Returns whether any of `count` rows from `first` can match conditions on `$row` and `$id`: `base` + row."""
        for name, sign, value in self.conditions:
            if name in (ROW, ID):
                least = first + (base if name == ID else 0)
                if _are_numbers(value, sign) and _lies_outside(sign, value, least, least + count - 1):
                    return False
        return True

    def rows(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
        """Returns the rows that match the conditions, with the values in the types of a schema."""
        mask = None
        for name, sign, value in self.conditions:
            column = batch.column(name)
            try:
                if name in schema.names:
                    column = cast(column, _comparable(schema.field(name).type))
                one = _COMPARISONS[sign](column, pa.scalar(value) if isinstance(value, bytes) else value)
            except (ValueError, TypeError, OverflowError, pa.ArrowNotImplementedError) as error:
                raise UsageError(f"'{name}' of type {column.type} cannot be compared with {value!r}: {error}") from None
            mask = one if mask is None else pc.and_(mask, one)
        return batch if mask is None else batch.filter(mask)


def _comparable(type_: pa.DataType) -> pa.DataType:
    """Returns the type in which Arrow compares values: it compares neither views nor runs."""
    types = pa.types
    if isinstance(type_, pa.BaseExtensionType):
        return type_ if type_ == pa.uuid() else _comparable(type_.storage_type)
    if types.is_dictionary(type_) or types.is_run_end_encoded(type_):
        return type_ if type_ == CASES else _comparable(type_.value_type)
    return {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}.get(type_, type_)


def instant(value: Any) -> Any:
    """Returns a date, or a time without a time zone, as an instant in UTC; other values unchanged."""
    if isinstance(value, datetime.datetime):
        return value if value.tzinfo is not None else value.replace(tzinfo=datetime.UTC)
    if isinstance(value, datetime.date):
        return datetime.datetime(value.year, value.month, value.day, tzinfo=datetime.UTC)
    return value


@dataclass
class ChunkTest:
    """A condition on a column, for a check against the range of a chunk.

    `position` is the position of the column in the class, `node` is the node with the values, and `place` is the
    position of its chunk among the chunks of the column.
    """

    position: int
    node: Node
    place: int
    sign: str
    value: Any

    def excludes(self, directory: Directory, chunk: int, strings: Callable[[], StringTable]) -> bool:
        """Returns whether no value of a chunk can match the condition, by its range."""
        borders = directory.range(chunk, self.node.kind)
        if borders is None:
            return int(directory.counts[chunk]) == 0
        is_table = self.node.kind == "string" and int(directory.encodings[chunk]) == 1
        return self.excludes_range(*borders[1:], (lambda text: strings().number(text)) if is_table else None)

    def excludes_range(self, least: float, most: float, number: Callable[[str], int] | None = None) -> bool:
        """Returns the same for two borders. With `number`, the borders are ids of strings."""
        values, sign = (self.value, "==") if self.sign == "in" else ([self.value], self.sign)
        return all(self._excludes(sign, value, least, most, number) for value in values)

    def _excludes(self, sign: str, value: Any, least: float, most: float, number: Callable[[str], int] | None) -> bool:
        if self.node.kind == "string":
            if number is not None:
                return sign == "==" and _lies_outside("==", number(value), least, most)
            # Strings with the same prefix may be less or greater.
            prefix = text_prefix(value.encode(errors="surrogatepass"))
            return _lies_outside({"<": "<=", ">": ">="}.get(sign, sign), prefix, least, most)
        if self.node.kind == "date":
            seconds = (value - _EPOCH).total_seconds()
            return _lies_outside(sign, seconds, least - _ROUNDING, most + _ROUNDING)
        return _lies_outside(sign, value, least, most)


def _lies_outside(sign: str, value: Any, least: float, most: float) -> bool:
    """Returns whether no number from `least` to `most` matches a condition."""
    if sign == "in":
        return all(_lies_outside("==", each, least, most) for each in value)
    return bool({"==": least > value or most < value, "<": least >= value, "<=": least > value, ">": most <= value,
                 ">=": most < value}.get(sign, False))


def _are_numbers(value: Any, sign: str) -> bool:
    values = value if sign == "in" and isinstance(value, (list, tuple)) else [value]
    return all(isinstance(each, (int, float)) and not isinstance(each, bool) and each == each for each in values)


def chunk_test(column: Column, position: int, sign: str, value: Any, base: int = 0) -> ChunkTest | None:
    """Returns the test of a condition; None if ranges cannot decide it. `base` was added to references of the table."""
    node = column.tree.root
    while node.kind == "optional":
        node = node.children[0]
    if node.kind not in FORMS or node.kind == "enumeration" or column.tree.is_recursive or sign == "!=":
        return None
    values = list(value) if sign == "in" else [value]
    if node.kind == "string":
        fits = all(isinstance(each, str) for each in values)
    elif node.kind == "date":
        fits = all(isinstance(each, datetime.datetime) and each.tzinfo is not None for each in values)
    else:
        fits = _are_numbers(values, "in")
    if not fits:
        return None
    if base and node.kind in REFERENCES:
        values = [each - base for each in values]
    return ChunkTest(position, node, column.tree.stored.index(node), sign, values if sign == "in" else values[0])
