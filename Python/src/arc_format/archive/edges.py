"""All references of a file as edges, read from the nodes that contain them. No object is built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.columns.budget import Budget
from arc_format.columns.flow import flow
from arc_format.columns.rows import Block, ColumnChunks, Rows
from arc_format.columns.walk import Walk
from arc_format.schema.classes import ClassTable, Column
from arc_format.schema.kinds import REFERENCES
from arc_format.schema.links import link_class
from arc_format.schema.types import Node
from arc_format.tables.names import column_names

#: `src` and `dst` are rows, `column` is `Class.key`, `weak` is whether the reference is weak.
SCHEMA = pa.schema([pa.field("src", pa.int64(), nullable=False), pa.field("dst", pa.int64(), nullable=False),
                    pa.field("column", pa.dictionary(pa.int32(), pa.string()), nullable=False),
                    pa.field("weak", pa.bool_(), nullable=False)])


#: A node, the rows with its references, the rows to which they refer, and for links the shards of the targets.
Led = tuple[Node, Rows, npt.NDArray[np.uint], npt.NDArray[np.uint] | None]


class EdgeFinder:
    """Finds the references in some columns of blocks. `columns` are `Class.key`; None means all columns.

    With a base, the rows are rows of a shard of a data set and become ids, and links are edges too.
    """

    def __init__(self, table: ClassTable, columns: Iterable[str] | None, has_roots: bool, base: int | None = None,
                 ) -> None:
        self.base = base
        self.names: list[str] = []
        #: the columns with references of each class: position, and number of the name
        self.numbers: dict[tuple[int, int], int] = {}
        #: the columns whose references are unowned
        self.unowned: set[str] = set()
        chosen = None if columns is None else set(columns)
        for each in table.classes if has_roots else table.classes[1:]:
            names = column_names(each.columns, table)
            for position, (column, name) in enumerate(zip(each.columns, names, strict=True)):
                full = f"{each.name}.{name}"
                leads = column.tree.has_references or (base is not None and any(map(link_class, column.tree.nodes)))
                if leads and (chosen is None or full in chosen):
                    self.numbers[each.index, position] = len(self.names)
                    self.names.append(full)
                    if each.index and is_unowned(column):
                        self.unowned.add(full)

    @property
    def classes(self) -> set[int]:
        """The indices of the classes with these columns."""
        return {index for index, _ in self.numbers}

    def wants(self, index: int, position: int) -> bool:
        """Returns whether a column is read."""
        return (index, position) in self.numbers

    def edges(self, blocks: Iterable[Block], budget: Budget) -> pa.Table:
        """Returns the edges of some blocks, in the order of blocks and columns."""
        sources: list[Rows] = [np.zeros(0, np.int64)]
        targets: list[npt.NDArray[np.integer[Any]]] = [np.zeros(0, np.uint32)]
        numbers, counts, are_weak = [], [], []
        for block in blocks:
            rows = block.rows() if block.columns else None
            for position, values in block.columns.items():
                assert rows is not None
                for node, owners, rows_led_to, shards in _references(values, rows, budget, self.base is not None):
                    is_there = rows_led_to != 0
                    led_to: npt.NDArray[np.integer[Any]] = rows_led_to
                    if shards is not None:
                        led_to = shards.astype(np.int64) << 32 | rows_led_to
                    elif self.base:
                        led_to = rows_led_to.astype(np.int64) + self.base
                    if not is_there.all():
                        owners, led_to = owners[is_there], led_to[is_there]
                    budget.charge_memory(20 * len(owners), values.column)
                    sources.append(owners)
                    targets.append(led_to)
                    numbers.append(self.numbers[block.each.index, position])
                    counts.append(len(owners))
                    are_weak.append(node.kind == "weak")
        src, dst = np.concatenate(sources), np.concatenate(targets, dtype=np.int64, casting="unsafe")
        if self.base:
            src = src + self.base
        column = np.repeat(np.array(numbers, np.int32), np.array(counts, np.int64))
        weak = np.repeat(np.array(are_weak, np.bool_), np.array(counts, np.int64))
        return pa.Table.from_arrays([pa.array(src), pa.array(dst), pa.DictionaryArray.from_arrays(
            pa.array(column), pa.array(self.names, pa.string()), safe=False), pa.array(weak)], schema=SCHEMA)


def is_unowned(column: Column) -> bool:
    """Returns whether the reference of a column does not retain its target and is never nil, as for `unowned` in Swift.

    This holds for stored properties (attribute `V`) with neither `&` nor `W`. A collection retains its elements.
    """
    attributes = column.attributes[1 + len(column.encoding):].split(",")
    return column.tree.root.kind == "reference" and not column.is_keyed and any(
        each.startswith("V") for each in attributes) and "&" not in attributes and "W" not in attributes


def _references(values: ColumnChunks, rows: Rows, budget: Budget, has_links: bool) -> Iterator[Led]:
    """Returns, for each node with references or links, their rows, the target rows, and for links the shards."""
    tree = values.column.tree
    if not tree.is_recursive:
        for asked in flow(values, len(rows), budget, rows):
            if asked.owners is None:
                continue
            if asked.node.kind in REFERENCES and asked.chunk is not None:
                yield asked.node, asked.owners, asked.chunk.integers(), None
            elif has_links and link_class(asked.node) is not None:
                shards, rows_led_to = (_integers(values, child) for child in asked.node.children)
                yield asked.node, asked.owners, rows_led_to, shards
        return
    walk = Walk(values, budget)
    # The node with the target rows, and for links the node with the shards.
    nodes: list[tuple[Node, Node | None]] = [(node, None) for node in tree.nodes if node.kind in REFERENCES]
    if has_links:
        nodes += [(node.children[1], node.children[0]) for node in tree.nodes if link_class(node) is not None]
    taken = np.zeros((len(rows) + 1, len(nodes)), np.int64)
    for position in range(len(rows)):
        walk.skip(1)
        taken[position + 1] = [walk.taken[node.index] for node, _ in nodes]
    for number, (node, of_shards) in enumerate(nodes):
        count = walk.taken[node.index]
        yield (node, np.repeat(rows, np.diff(taken[:, number])), _integers(values, node)[:count],
               None if of_shards is None else _integers(values, of_shards)[:count])


def _integers(values: ColumnChunks, node: Node) -> npt.NDArray[np.uint]:
    chunk = values.of_node[node.index]
    assert chunk is not None
    return chunk.integers()
