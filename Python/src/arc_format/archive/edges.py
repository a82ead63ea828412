"""All references of a file as edges, out of the nodes that hold them: no object is built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.columns.budget import Budget
from arc_format.columns.flow import flow
from arc_format.columns.rows import Block, ColumnChunks, Rows
from arc_format.columns.walk import Walk
from arc_format.schema.classes import ClassTable
from arc_format.schema.kinds import REFERENCES
from arc_format.tables.names import column_names

#: `src` and `dst` are rows, `column` is `Class.key`.
SCHEMA = pa.schema([pa.field("src", pa.int64(), nullable=False), pa.field("dst", pa.int64(), nullable=False),
                    pa.field("column", pa.dictionary(pa.int32(), pa.string()), nullable=False)])


class EdgeFinder:
    """Finds the references in some columns of blocks; `columns` are `Class.key`, all without."""

    def __init__(self, table: ClassTable, columns: Iterable[str] | None, has_roots: bool, base: int = 0) -> None:
        self.base = base
        self.names: list[str] = []
        #: for each class the columns with references: position and number of the name
        self.numbers: dict[tuple[int, int], int] = {}
        chosen = None if columns is None else set(columns)
        for each in table.classes if has_roots else table.classes[1:]:
            names = column_names(each.columns, table)
            for position, (column, name) in enumerate(zip(each.columns, names, strict=True)):
                full = f"{each.name}.{name}"
                if column.tree.has_references and (chosen is None or full in chosen):
                    self.numbers[each.index, position] = len(self.names)
                    self.names.append(full)

    @property
    def classes(self) -> set[int]:
        """The indices of the classes with such columns."""
        return {index for index, _ in self.numbers}

    def wants(self, index: int, position: int) -> bool:
        """Whether a column is read."""
        return (index, position) in self.numbers

    def edges(self, blocks: Iterable[Block], budget: Budget) -> pa.Table:
        """The edges of some blocks, in the order of blocks and columns."""
        sources: list[Rows] = [np.zeros(0, np.int64)]
        targets: list[npt.NDArray[np.uint]] = [np.zeros(0, np.uint32)]
        numbers, counts = [], []
        for block in blocks:
            rows = block.rows() if block.columns else None
            for position, values in block.columns.items():
                assert rows is not None
                for owners, rows_led_to in _references(values, rows, budget):
                    is_there = rows_led_to != 0
                    if not is_there.all():
                        owners, rows_led_to = owners[is_there], rows_led_to[is_there]
                    budget.charge_memory(20 * len(owners), values.column)
                    sources.append(owners)
                    targets.append(rows_led_to)
                    numbers.append(self.numbers[block.each.index, position])
                    counts.append(len(owners))
        src, dst = np.concatenate(sources), np.concatenate(targets, dtype=np.int64, casting="unsafe")
        if self.base:
            src, dst = src + self.base, dst + self.base
        column = np.repeat(np.array(numbers, np.int32), np.array(counts, np.int64))
        return pa.Table.from_arrays([pa.array(src), pa.array(dst), pa.DictionaryArray.from_arrays(
            pa.array(column), pa.array(self.names, pa.string()), safe=False)], schema=SCHEMA)


def _references(values: ColumnChunks, rows: Rows, budget: Budget) -> Iterator[tuple[Rows, npt.NDArray[np.uint]]]:
    """For each node with references, whose they are and where they lead."""
    if not values.column.tree.is_recursive:
        for asked in flow(values, len(rows), budget, rows):
            if asked.node.kind in REFERENCES and asked.chunk is not None and asked.owners is not None:
                yield asked.owners, asked.chunk.integers()
        return
    walk, nodes = Walk(values, budget), [node for node in values.column.tree.nodes if node.kind in REFERENCES]
    taken = np.zeros((len(rows) + 1, len(nodes)), np.int64)
    for position in range(len(rows)):
        walk.skip(1)
        taken[position + 1] = [walk.taken[node.index] for node in nodes]
    for number, node in enumerate(nodes):
        chunk = values.of_node[node.index]
        assert chunk is not None
        yield np.repeat(rows, np.diff(taken[:, number])), chunk.integers()[:walk.taken[node.index]]
