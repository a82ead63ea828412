"""The class of each row."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.basics.errors import UsageError, reject
from arc_format.schema.classes import ClassTable
from arc_format.tables.memory import pooled


class RowClasses:
    """The class index of every row of a file, in one or two bytes each."""

    def __init__(self, classes: npt.NDArray[np.uint], table: ClassTable) -> None:
        self.classes, self._table = classes, table
        self._names = pa.array([each.name for each in table.classes], pa.string())

    def names(self, rows: npt.NDArray[np.int64]) -> pa.Array:
        """Returns the names of the classes of rows; null for row 0, which means nil."""
        if len(rows) and int(rows.max()) >= len(self.classes):
            reject("G2", 0, f"a reference to row {int(rows.max())} of {len(self.classes)}")
        numbers = pooled(len(rows), np.int32)
        numbers[:] = self.classes[rows]
        return pa.DictionaryArray.from_arrays(pa.array(numbers, mask=rows == 0), self._names, safe=False)

    def are_of(self, rows: npt.NDArray[np.int64], name: str) -> npt.NDArray[np.bool_]:
        """Returns whether each row is of a class or of its subclasses."""
        family = np.array([each.index for each in self._table.family(name)], np.int64)
        return np.isin(self.classes[rows], family)

    def name(self, row: int) -> str:
        """Returns the name of the class of a row; `$roots` for row 0."""
        if isinstance(row, (bool, np.bool_)) or not isinstance(row, (int, np.integer)) \
                or not 0 <= row < len(self.classes):
            raise UsageError(f"there is no row {row}: rows are 0 to {len(self.classes) - 1}")
        return str(self._names[int(self.classes[row])])

    def counts(self) -> dict[str, int]:
        """Returns the number of rows of each class, without the roots."""
        numbers = np.bincount(self.classes, minlength=len(self._names)).tolist()
        return dict(list(zip(self._names.to_pylist(), numbers, strict=True))[1:])
