"""Conditions on columns: which rows fulfil them, and which chunks have none that could. Spec: 13.2."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from arc_format.basics.errors import UsageError
from arc_format.columns.directory import Directory
from arc_format.columns.ranges import FORMS, text_prefix
from arc_format.columns.strings import StringTable
from arc_format.schema.classes import Column
from arc_format.schema.types import Node

#: A column, one of == != < <= > >=, and a value.
Condition = tuple[str, str, Any]

_COMPARISONS: dict[str, Callable[..., Any]] = {
    "==": pc.equal, "!=": pc.not_equal, "<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal}

#: Seconds by which a date may be rounded where it becomes a timestamp.
_ROUNDING = 1e-3
_EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)


class Where:
    """Conditions of which a row fulfils all. A row without a value fulfils none."""

    def __init__(self, conditions: Sequence[Condition]) -> None:
        self.conditions = list(conditions)
        for condition in self.conditions:
            if len(condition) != 3 or condition[1] not in _COMPARISONS:
                signs = " ".join(_COMPARISONS)
                raise UsageError(f"where= has {condition!r}: a condition is (column, one of {signs}, value)")

    @property
    def names(self) -> list[str]:
        """The columns that it asks about."""
        return list(dict.fromkeys(name for name, _, _ in self.conditions))

    def rows(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The rows that fulfil it."""
        mask = None
        for name, sign, value in self.conditions:
            column = batch.column(name)
            try:
                one = _COMPARISONS[sign](column, pa.scalar(value) if isinstance(value, bytes) else value)
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
                raise UsageError(f"'{name}' of type {column.type} cannot be compared with {value!r}: {error}") from None
            mask = one if mask is None else pc.and_(mask, one)
        return batch if mask is None else batch.filter(mask)


@dataclass
class ChunkTest:
    """A condition on a column, as it is asked of the range of the chunk that has its values.

    `position` is the column's in the class, `node` the one with the values, `place` that of its chunk in the column's.
    """

    position: int
    node: Node
    place: int
    sign: str
    value: Any

    def excludes(self, directory: Directory, chunk: int, strings: Callable[[], StringTable]) -> bool:
        """Whether no value of a chunk can fulfil the condition, by its range."""
        borders = directory.range(chunk, self.node.kind)
        if borders is None:
            return int(directory.counts[chunk]) == 0
        _, least, most = borders
        low = high = self.value
        if self.node.kind == "string":
            if int(directory.encodings[chunk]) == 1:
                if self.sign != "==":
                    return False
                low = high = strings().number(self.value)
            else:
                low = high = text_prefix(self.value.encode())
                # Texts of one prefix may be less or greater.
                if self.sign in ("<", ">"):
                    return bool(least > low) if self.sign == "<" else bool(most < low)
        elif self.node.kind == "date":
            seconds = (self.value - _EPOCH).total_seconds()
            low, high = seconds - _ROUNDING, seconds + _ROUNDING
        if self.sign == "==":
            return bool(least > high or most < low)
        if self.sign == "<":
            return bool(least >= high)
        if self.sign == "<=":
            return bool(least > high)
        if self.sign == ">":
            return bool(most <= low)
        return self.sign == ">=" and bool(most < low)


def chunk_test(column: Column, position: int, sign: str, value: Any) -> ChunkTest | None:
    """The test of a condition; None if no range can answer it."""
    node = column.tree.root
    while node.kind == "optional":
        node = node.children[0]
    if node.kind not in FORMS or node.kind == "enumeration" or column.tree.is_recursive or sign == "!=":
        return None
    fits = {"string": str, "date": datetime.datetime}.get(node.kind, (int, float))
    if not isinstance(value, fits) or isinstance(value, bool) or value != value:
        return None
    if isinstance(value, datetime.datetime) and value.tzinfo is None:
        return None
    return ChunkTest(position, node, column.tree.stored.index(node), sign, value)
