"""Verifying all rows of a file. Spec: 05.4, steps 8 and 9."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from arc_format.basics.errors import ArcError, reject
from arc_format.basics.limits import Limits
from arc_format.columns.budget import Budget
from arc_format.columns.chunks import Chunk
from arc_format.columns.directory import Directory
from arc_format.columns.flow import flow
from arc_format.columns.integers import UNSIGNED
from arc_format.columns.rows import Block, ColumnChunks, Rows, pair_links, read_rows
from arc_format.columns.strings import StringTable
from arc_format.columns.texts import check_utf8
from arc_format.columns.walk import Walk
from arc_format.container.cursor import Cursor
from arc_format.container.layout import Layout
from arc_format.container.segment import Segment
from arc_format.schema.classes import ClassTable


def verify_rows(layout: Layout, table: ClassTable, strings: StringTable, limits: Limits,
                payload: Callable[[Segment], Cursor]) -> None:
    """Checks every ROWS and LINK segment: first the form of all, then the values of all, like `arc.py`. Spec: 05.4."""
    pairs = pair_links(layout)
    dtype = UNSIGNED[1 if len(table) < 1 << 8 else 2 if len(table) < 1 << 16 else 4]
    # A row takes as many bytes as its class number, which the limit `rows` allows.
    numbers = np.empty(layout.row_count, dtype)
    numbers_of_classes = np.array([each.number for each in table.classes], dtype)
    for segment, link in pairs:
        rows = read_rows(segment, link, payload, table, limits)
        numbers[segment.first:segment.first + segment.count] = np.repeat(
            numbers_of_classes[rows.run_classes], rows.run_lengths)
    verifier = _Verifier(table, strings, limits, numbers)
    for segment, link in pairs:
        for block in read_rows(segment, link, payload, table, limits).blocks.values():
            verifier.check_block(block, segment)


def verify_directory(directory: Directory, layout: Layout, table: ClassTable, limits: Limits,
                     payload: Callable[[Segment], Cursor]) -> None:
    """Checks the whole directory of a file that is sound without it. Spec: 05.4, step 10."""
    for number, (segment, link) in enumerate(pair_links(layout)):
        directory.check(number, read_rows(segment, link, payload, table, limits))


class _Verifier:
    def __init__(self, table: ClassTable, strings: StringTable, limits: Limits, numbers: npt.NDArray[np.uint]) -> None:
        self.table, self.strings, self.numbers, self.limits = table, strings, numbers, limits
        self.budget = Budget(limits)

    def check_block(self, block: Block, segment: Segment) -> None:
        count = block.row_count
        if not any(values.chunks for values in block.columns.values()):
            self.budget.charge_empty_rows(count, segment.offset)
        keyed: dict[tuple[int, str], npt.NDArray[np.bool_]] = {}
        for values in block.columns.values():
            column = values.column
            self.budget.memory = 0
            taken = self._check_counts(values, block)
            for chunk in values.chunks:
                if taken is not None and taken[chunk.node.index] != chunk.count:
                    reject("V2", chunk.offset, f"{chunk.count} values of kind {chunk.node.kind} in '{column.key}', "
                                               f"{taken[chunk.node.index]} asked for")
                self._check_values(chunk)
            if column.is_keyed:
                present = values.chunks[0].mask()
                others = keyed.setdefault((column.declaring, column.key), np.zeros(count, np.bool_))
                if (others & present).any():
                    reject("K1", column.offset, f"two values of a row for '{column.key}'")
                others |= present

    def _check_counts(self, values: ColumnChunks, block: Block) -> list[int] | None:
        """Checks [V2], [V6], [A7], [A8], [G4]. Returns the number of consumed values, or None if all were consumed.

        Counting all rows at once only shows that a column is sound. If it is not, a walk finds the broken rule.
        """
        column, elements = values.column, self.budget.elements
        owners = block.rows() if column.is_construction and column.tree.has_strong else None
        if not column.tree.is_recursive:
            try:
                for asked in flow(values, block.row_count, self.budget, owners):
                    if asked.node.kind == "reference" and asked.owners is not None and asked.chunk is not None:
                        targets = asked.chunk.integers()
                        if ((targets >= asked.owners) & (targets != 0)).any():
                            reject("G4", column.offset, "a later row")
                return None
            except ArcError:
                self.budget.elements, self.budget.memory = elements, 0
        walk = Walk(values, self.budget)
        if owners is None:
            walk.skip(block.row_count)
        else:
            for row in owners.tolist():
                walk.skip(1, row)
        return walk.taken

    def _check_values(self, chunk: Chunk) -> None:
        """Checks [X2], [V5], [G2], [G3]."""
        node = chunk.node
        if chunk.is_table:
            ids = chunk.integers()
            if len(ids) and int(ids.max()) >= len(self.strings):
                reject("X2", chunk.offset, f"string {int(ids.max())} of {len(self.strings)}")
        elif node.kind in ("string", "decimal"):
            check_utf8(chunk.body, chunk.offsets(), "V5", chunk.offset)
        elif node.kind in ("reference", "weak"):
            family, targets = self.table.numbers(node.name), chunk.integers()
            if not self._lead_to(targets.astype(np.int64), family):
                # Row by row, to report the first error.
                for row in set(targets.tolist()) - {0}:
                    if row >= len(self.numbers):
                        reject("G2", chunk.offset, f"row {row} of {len(self.numbers)}")
                    if int(self.numbers[row]) not in family:
                        reject("G3", chunk.offset, f"row {row}, which is no '{node.name or 'object'}'")

    def _lead_to(self, targets: Rows, family: range) -> bool:
        targets = targets[targets != 0]
        if not len(targets):
            return True
        if int(targets.max()) >= len(self.numbers):
            return False
        numbers = self.numbers[targets]
        return bool(len(family)) and family.start <= int(numbers.min()) and int(numbers.max()) < family.stop
