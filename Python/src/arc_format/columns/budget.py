"""The consumption of a file so far, checked against the limits. Spec: 07, A2, A3, A7, A8."""

from __future__ import annotations

from arc_format.basics.errors import reject
from arc_format.basics.limits import Limits
from arc_format.schema.classes import Column


class Budget:
    """The consumption of a reader. It is charged before memory is reserved."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.elements = self.empty_rows = self.memory = 0

    def charge_elements(self, count: int, column: Column) -> None:
        """Charges elements of collections [A7]."""
        self.elements += count
        if self.elements > self.limits.elements:
            reject("A7", column.offset, f"{self.elements} elements or more")

    def charge_empty_rows(self, count: int, offset: int) -> None:
        """Charges rows that take no bytes [A3]."""
        self.empty_rows += count
        if self.empty_rows > self.limits.rows // 64:
            reject("A3", offset, f"{self.empty_rows} rows without bytes")

    def charge_memory(self, size: int, column: Column | None = None) -> None:
        """Charges bytes of values in their plain form, or of row numbers [A2]."""
        self.memory += size
        if self.memory > self.limits.raw_bytes:
            what = f"values of '{column.key}'" if column else "rows"
            reject("A2", column.offset if column else 0, f"{what} that take, with all before, {self.memory} bytes")

    def check_depth(self, depth: int, level: int, column: Column) -> None:
        """Checks the number of mentions and nodes on the path from a column to a value [A8]."""
        if depth > self.limits.nesting or level > 4 * self.limits.nesting + 3:
            reject("A8", column.offset, f"a value {depth} mentions and {level} nodes deep in '{column.key}'")
