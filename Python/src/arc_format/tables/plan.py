"""The mapping from the columns of a class to the fields of a table, and the schema of the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from arc_format.basics.errors import ArcError, UsageError
from arc_format.basics.limits import DEFAULT
from arc_format.columns.budget import Budget
from arc_format.columns.chunks import absent
from arc_format.columns.rows import Block, ColumnChunks
from arc_format.columns.strings import StringTable
from arc_format.schema.classes import Class, ClassTable, Column
from arc_format.tables.arrays import ArrayBuilder
from arc_format.tables.arrow_types import ArrowField, ArrowTypes
from arc_format.tables.documents import documents
from arc_format.tables.memory import rows_of
from arc_format.tables.names import CLASS, ID, ROW, column_names, distinct
from arc_format.tables.options import Options
from arc_format.tables.recast import cast
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
    #: the field of the written table, if the file has it and a table can restore it
    written: ArrowField | None = None


class Plan:
    """The conversion of rows of a class to record batches.

    `columns` are names of fields; None means all. With `has_ids`, a batch begins with `$id`, and references are ids.
    `batch` returns the types of an archive, and `restored` the types of `schema`. With `is_filtered`, `batch` returns
    strings that Arrow can compare.
    """

    def __init__(self, table: ClassTable, each: Class, columns: Iterable[str] | None, options: Options,
                 target_classes: bool, has_ids: bool = False, inherited: Sequence[Column] | None = None,
                 arrow_types: ArrowTypes | None = None, is_filtered: bool = False) -> None:
        self.table, self.each, self.has_ids = table, each, has_ids
        self._wanted_options = options
        self.options = replace(options, strings="plain") if is_filtered else options
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
            written = None if options.types == "archive" or arrow_types is None else \
                arrow_types.get((table[column.declaring].name, name))
            if written is not None and not (written.restores(column) and (
                    options.accepts is None or options.accepts(written.chosen(options)))):
                written = None
            self.fields.append(Field(name, column, class_name, written))
        #: the positions of columns in the class, by identity; columns of subclasses are absent
        self.positions: dict[int, int] = {id(column): position for position, column in enumerate(each.columns)}
        self._by_name = {field.name: field for field in self.fields}
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
            type_, is_nullable = column_type(column, self._wanted_options), True
            others: dict[str | bytes, str | bytes] = {}
            if field.written is not None:
                type_, others = field.written.chosen(self._wanted_options), field.written.field.metadata or {}
                is_nullable = field.written.field.nullable or column.tree.root.kind == "optional"
            fields.append(pa.field(field.name, type_, is_nullable, metadata={
                **others, "arc:key": column.key, "arc:attributes": column.attributes, "arc:flags": str(column.flags),
                "arc:declared": self.table[column.declaring].name}))
            if field.class_name:
                fields.append(pa.field(field.class_name, CASES, metadata={"arc:classes-of": field.name}))
        superclasses = self.table.superclasses(self.each)
        metadata = {"arc:class": self.each.name, "arc:version": str(self.each.version)}
        if superclasses:
            metadata["arc:superclasses"] = json.dumps(superclasses)
        return pa.schema(fields, metadata=metadata)

    def restored(self, batch: pa.RecordBatch, budget: Budget) -> pa.RecordBatch:
        """Returns a batch with the types of `schema`. Raises `UsageError` if a value does not fit its type."""
        arrays, fields = list(batch.columns), list(batch.schema)
        for position, own in enumerate(fields):
            field = self._by_name.get(own.name)
            if field is None or own.equals(wanted := self.schema.field(own.name)):
                continue
            try:
                arrays[position] = self._restored(arrays[position], wanted, field, budget)
            except ArcError:
                raise
            except (ValueError, pa.ArrowException) as error:
                raise UsageError(
                    f"'{own.name}' of '{self.each.name}' has values that do not fit {wanted.type}, the type of the "
                    f"table that was written: {error}; pass types='archive'") from None
            fields[position] = wanted
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields, batch.schema.metadata))

    def _restored(self, array: pa.Array, wanted: pa.Field, field: Field, budget: Budget) -> pa.Array:
        if not wanted.nullable and array.null_count:
            raise ValueError("a null")
        if array.type == wanted.type:
            return array

        def charge(size: int) -> None:
            budget.charge_memory(size, field.column)

        charge(spread_bytes(wanted.type) * len(array))
        values = None if field.written is None else field.written.values
        if values is None or not pa.types.is_dictionary(wanted.type):
            return cast(array, wanted.type, charge)
        # Every batch has the dictionary of the written table, in its order, and then values that it does not contain.
        plain = array.cast(values.type)
        indices = pc.index_in(plain, values)
        if indices.null_count > plain.null_count:
            values = pa.concat_arrays([values, plain.filter(pc.and_(indices.is_null(), plain.is_valid())).unique()])
            indices = pc.index_in(plain, values)
        return cast(pa.DictionaryArray.from_arrays(indices, values), wanted.type)

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
        fields = [each if each.type == array.type else each.with_type(array.type).with_nullable(True)
                  for each, array in zip(self.schema, arrays, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields, self.schema.metadata))

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
