"""The number of values that rows require of each node, for recursive types. Spec: 04.5, V2, V6, A8, G4."""

from __future__ import annotations

from collections import Counter

import numpy as np

from arc_format.basics.errors import reject
from arc_format.columns.budget import Budget
from arc_format.columns.rows import ColumnChunks
from arc_format.schema.kinds import BITS, COLLECTIONS
from arc_format.schema.types import Node

_NOTHING = memoryview(b"")


class Walk:
    """Consumes the values of a column in the order of its rows, depth first, without recursion.

    `taken` contains the number of consumed values of each node.
    """

    def __init__(self, values: ColumnChunks, budget: Budget) -> None:
        self.values, self.budget = values, budget
        self.taken = [0] * len(values.of_node)
        self._streams: dict[int, memoryview] = {}
        #: the maximum depth that was checked and allowed
        self._depth = self._level = -1

    def stream(self, node: Node) -> memoryview:
        """Returns all values of a node that are integers or bits, as native integers."""
        stream = self._streams.get(node.index)
        if stream is None:
            chunk = self.values.of_node[node.index]
            assert chunk is not None
            self.budget.charge_memory(8 * chunk.count, self.values.column)
            values = chunk.mask().view(np.uint8) if node.kind in BITS else chunk.integers()
            stream = np.require(values, requirements=("ALIGNED", "C_CONTIGUOUS")).data
            self._streams[node.index] = stream
        return stream

    def skip(self, count: int, row: int | None = None) -> None:
        """Consumes the next `count` values of the column. If `row` is set, checks [G4] for this row."""
        column = self.values.column
        work = [(column.tree.root, count, 0, 0)]
        while work:
            node, count, depth, level = work.pop()
            if node.is_recursive and count > 1:
                work.append((node, count - 1, depth, level))
                count = 1
            # Values that are less deep than an earlier value need no check: there may be millions of values.
            if depth > self._depth or level > self._level:
                self.budget.check_depth(depth, level, column)
                self._depth, self._level = max(depth, self._depth), max(level, self._level)
            taken = self._take(node, count) if node.is_stored else _NOTHING
            if not node.children:
                if node.kind == "reference" and row is not None:
                    target = max(taken, default=0)
                    if target and target >= row:
                        reject("G4", column.offset, f"'{column.key}' of row {row}, which leads to row {target}")
                if node.kind != "enumeration":
                    continue
            level += 1
            for child, number in reversed(self._asked(node, count, taken)):
                if number and child.takes_bytes:
                    work.append((child, number, depth + node.mentions(child), level))

    def _take(self, node: Node, count: int) -> memoryview:
        chunk = self.values.of_node[node.index]
        assert chunk is not None
        start = self.taken[node.index]
        end = self.taken[node.index] = start + count
        if end > chunk.count:
            reject("V2", chunk.offset, f"{chunk.count} values of kind {node.kind} in '{self.values.column.key}', "
                                       f"{end} or more asked for")
        is_read = node.children or node.kind in ("reference", "enumeration")
        return self.stream(node)[start:end] if is_read else _NOTHING

    def _asked(self, node: Node, count: int, taken: memoryview) -> list[tuple[Node, int]]:
        if node.kind == "enumeration":
            cases = Counter(taken)
            if max(cases, default=0) >= len(node.labels):
                chunk = self.values.of_node[node.index]
                reject("V6", chunk.offset if chunk else 0, f"case {max(cases)} of '{node.name}'")
            return [(child, number) for case, number in sorted(cases.items())
                    if (child := node.payloads[case]) is not None]
        if node.is_stored and node.children:
            count = sum(taken)
            if node.kind in COLLECTIONS:
                is_free = not any(child.takes_bytes for child in node.children)
                self.budget.charge_elements(count * 64 if is_free else count, self.values.column)
        return [(child, count) for child in node.children]
