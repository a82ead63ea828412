"""The mapping from numbers in tables to rows of the new archive."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.schema.types import Node
from arc_format.writing.model import WrittenClass

Rows = npt.NDArray[np.int64]


class References:
    """Finds rows by `$id` or `$row` of the tables with these columns, else by position."""

    def __init__(self, classes: dict[str, WrittenClass]) -> None:
        self.classes = classes
        self._tables: dict[str | None, tuple[Rows, Rows] | WrittenClass] = {}

    def resolve(self, place: str, node: Node, array: pa.Array) -> Rows:
        """Returns the new rows, 0 for null."""
        mask = np.asarray(array.is_valid())
        values = array.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        table = self._table(node.name, place)
        if isinstance(table, WrittenClass):
            wrong = mask & ((values < 0) | (values >= table.row_count))
            rows = table.rows_at(np.where(mask & ~wrong, values, 0)) if table.row_count else values
        else:
            keys, numbers = table
            if not self._are_positions(node.name) or pa.types.is_uint32(array.type):
                mask = mask & (values != 0)
            if not len(keys):
                wrong, rows = mask, values
            else:
                found = np.minimum(np.searchsorted(keys, values), len(keys) - 1)
                wrong, rows = mask & (keys[found] != values), numbers[found]
        if wrong.any():
            raise UsageError(f"{place} leads to {int(values[wrong][0])}, which is the number of no "
                             f"{node.name or 'object'} in the tables: add its table, or set the reference to null")
        return np.where(mask, rows, 0)

    def _are_positions(self, name: str | None) -> bool:
        """Returns whether no table of a class has row numbers, so that 0 is the first position and not nil."""
        return all(each.keys is None for each in self._classes_for(name))

    def _classes_for(self, name: str | None) -> list[WrittenClass]:
        return [each for each in self.classes.values()
                if name is None or name == each.name or name in each.superclasses]

    def _table(self, name: str | None, place: str) -> tuple[Rows, Rows] | WrittenClass:
        if name not in self._tables:
            targets = [each for each in self._classes_for(name) if each.row_count]
            without = [each for each in targets if each.keys is None]
            if without and len(targets) > 1:
                names = ", ".join(each.name for each in targets)
                raise UsageError(f"{place} leads to objects of several classes, {names}: give all of their tables a "
                                 "column '$row', and name objects by it")
            self._tables[name] = without[0] if without else _sorted(targets)
        return self._tables[name]


def _sorted(targets: list[WrittenClass]) -> tuple[Rows, Rows]:
    keys, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for each in targets:
        if each.keys is not None:
            keys.append(each.keys.to_numpy().astype(np.int64))
            rows.append(np.arange(each.row_count) + each.first_row)
    all_keys, all_rows = np.concatenate(keys), np.concatenate(rows)
    order = np.argsort(all_keys, kind="stable")
    all_keys = all_keys[order]
    twice = np.flatnonzero(all_keys[1:] == all_keys[:-1])
    if len(twice):
        raise UsageError(f"number {int(all_keys[twice[0]])} stands twice in '$row' or '$id': tables of different files "
                         "have numbers of their own; read them as a data set, which has '$id'")
    return all_keys, all_rows[order]
