"""The mapping from the columns of a class to the fields of a table, and the schema of the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.basics.limits import DEFAULT
from arc_format.columns.budget import Budget
from arc_format.columns.chunks import absent
from arc_format.columns.rows import Block, ColumnChunks
from arc_format.columns.strings import StringTable
from arc_format.schema.classes import Class, ClassTable, Column
from arc_format.tables.arrays import ArrayBuilder
from arc_format.tables.documents import documents
from arc_format.tables.memory import rows_of
from arc_format.tables.names import CLASS, ID, ROW, column_names, distinct
from arc_format.tables.options import Options
from arc_format.tables.spread import spread_bytes
from arc_format.tables.types import CASES, column_type

#: Returns the classes of the rows to which references refer, as a `CASES`-typed dictionary of class names.
ClassesOfRows = Callable[[npt.NDArray[np.int64]], pa.Array]


@dataclass(frozen=True)
class Field:
    """A field of a table, and the column of the class that it comes from."""

    name: str
    column: Column
    #: the field with the classes of the targets, if targets can be of several classes
    class_name: str | None = None


class Plan:
    """The conversion of rows of a class to record batches.

    `columns` are names of fields; None means all. With `has_ids`, a batch begins with `$id`, and references are ids.
    """

    def __init__(self, table: ClassTable, each: Class, columns: Iterable[str] | None, options: Options,
                 target_classes: bool, has_ids: bool = False, inherited: Sequence[Column] | None = None) -> None:
        self.table, self.each, self.options, self.has_ids = table, each, options, has_ids
        own = each.columns if inherited is None else inherited
        names = column_names(own, table)
        chosen = _choose(columns, names, each.name)
        self.fields = []
        taken = [ROW, CLASS, ID, *names]
        for name, column in zip(names, own, strict=True):
            if name not in chosen:
                continue
            class_name = None
            if target_classes and _is_polymorphic(column, table):
                class_name = distinct([name + CLASS], taken)[0]
                taken.append(class_name)
            self.fields.append(Field(name, column, class_name))
        #: the positions of columns in the class, by identity; columns of subclasses are absent
        self.positions: dict[int, int] = {id(column): position for position, column in enumerate(each.columns)}
        self.schema = self._schema()

    def wants(self, each: Class, position: int) -> bool:
        """Returns whether a column of a class is read."""
        return each is self.each and position in self._wanted

    @property
    def leads(self) -> bool:
        """Whether the plan needs the classes of rows."""
        return any(field.class_name for field in self.fields)

    def _schema(self) -> pa.Schema:
        self._wanted = {self.positions[id(field.column)] for field in self.fields if id(field.column) in self.positions}
        fields = [pa.field(ID, pa.int64(), nullable=False)] if self.has_ids else []
        fields.append(pa.field(ROW, pa.int64(), nullable=False))
        for field in self.fields:
            column = field.column
            fields.append(pa.field(field.name, column_type(column, self.options), metadata={
                "arc:key": column.key, "arc:attributes": column.attributes, "arc:flags": str(column.flags),
                "arc:declared": self.table[column.declaring].name}))
            if field.class_name:
                fields.append(pa.field(field.class_name, CASES, metadata={"arc:classes-of": field.name}))
        superclasses, above = [], self.each.superclass
        while above is not None:
            superclasses.append(self.table[above].name)
            above = self.table[above].superclass
        metadata = {"arc:class": self.each.name, "arc:version": str(self.each.version)}
        if superclasses:
            metadata["arc:superclasses"] = json.dumps(superclasses)
        return pa.schema(fields, metadata=metadata)

    def batch(self, blocks: list[Block], strings: Callable[[], StringTable], budget: Budget,
              classes_of_rows: ClassesOfRows | None) -> pa.RecordBatch:
        """Returns a batch of the rows of some blocks of the class, concatenated."""
        counts = [block.row_count for block in blocks]
        budget.charge_memory(8 * sum(counts))
        rows = rows_of(blocks)
        arrays = [pa.array(rows + self.options.reference_base)] if self.has_ids else []
        arrays.append(pa.array(rows))
        for field in self.fields:
            array = self._array(field.column, blocks, counts, strings, budget)
            arrays.append(array)
            if field.class_name:
                assert classes_of_rows is not None
                arrays.append(classes_of_rows(_targets(array, self.options.reference_base)))
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def _array(self, column: Column, blocks: list[Block], counts: list[int], strings: Callable[[], StringTable],
               budget: Budget) -> pa.Array:
        position = self.positions.get(id(column))
        if position is None:
            # A column of another class of the family.
            type_ = column_type(column, self.options)
            budget.charge_memory(spread_bytes(type_) * sum(counts), column)
            return pa.nulls(sum(counts), type_)
        parts = []
        for block, count in zip(blocks, counts, strict=True):
            part = block.columns.get(position)
            if part is None:
                # A keyed column that the block omits, or a structure without fields.
                root = column.tree.root
                part = ColumnChunks(column, [absent(node, count if node is root else 0) for node in column.tree.stored])
            parts.append(part)
        if column.tree.is_recursive:
            texts = [documents(part, count, strings(), budget) for part, count in zip(parts, counts, strict=True)]
            return pa.concat_arrays(texts)
        needs_strings = any(node.kind == "string" for node in column.tree.nodes)
        table = strings() if needs_strings else _no_strings
        return ArrayBuilder(column, parts, table, self.options, budget).array(counts)


_no_strings = StringTable(memoryview(b""), [], DEFAULT)


def _choose(columns: Iterable[str] | None, names: list[str], class_name: str) -> set[str]:
    if columns is None:
        return set(names)
    chosen = list(columns)
    for name in chosen:
        if name not in names and name not in (ROW, ID):
            raise UsageError(f"'{class_name}' has no column '{name}'; it has: {', '.join(names) or 'none'}")
    return set(chosen)


def _is_polymorphic(column: Column, table: ClassTable) -> bool:
    node = column.tree.root.children[0] if column.is_keyed else column.tree.root
    return node.kind in ("reference", "weak") and len(table.numbers(node.name)) > 1


def _targets(array: pa.Array, base: int) -> npt.NDArray[np.int64]:
    """Returns the rows to which references refer, 0 for nil."""
    rows: npt.NDArray[np.int64] = array.fill_null(base).to_numpy(zero_copy_only=False).astype(np.int64, copy=False)
    return rows - base if base else rows
