"""The plans of the classes that a table is made of, each made when the first of its rows is met."""

from __future__ import annotations

from collections.abc import Iterable

from arc_format.basics.errors import UsageError
from arc_format.columns.budget import Budget
from arc_format.schema.classes import Class, ClassTable, Column
from arc_format.tables.names import named_columns
from arc_format.tables.options import Options
from arc_format.tables.plan import Plan

#: Memory of a field of a plan.
_FIELD_BYTES = 512

_Identity = tuple[int, str, str]


class Plans:
    """Plans by class. `classes` are those that are wanted; with `united` each has the columns of all of them."""

    def __init__(self, table: ClassTable, classes: Iterable[Class], columns: Iterable[str] | None, options: Options,
                 target_classes: bool, has_ids: bool = False, united: bool = False) -> None:
        self.table, self.options, self.target_classes, self.has_ids = table, options, target_classes, has_ids
        self.columns = named_columns(columns)
        self.classes = {each.index for each in classes}
        self._plans: dict[int, Plan] = {}
        self._united: dict[_Identity, Column] | None = None
        if united:
            # Columns of all classes, each once: a property is the same in a class and in its subclasses.
            self._united = {}
            for index in sorted(self.classes):
                for column in table[index].columns:
                    self._united.setdefault(_identity(column), column)

    def of(self, each: Class, budget: Budget | None = None) -> Plan | None:
        """The plan for a class, None if it is not wanted. `budget` is charged for a new one."""
        if each.index not in self.classes:
            return None
        plan = self._plans.get(each.index)
        if plan is None:
            columns = None
            if self._united is not None:
                own = {_identity(column): column for column in each.columns}
                columns = [own.get(identity, column) for identity, column in self._united.items()]
            if budget is not None:
                budget.charge_memory(_FIELD_BYTES * len(each.columns if columns is None else columns))
            plan = self._plans[each.index] = Plan(
                self.table, each, self.columns, self.options, self.target_classes, self.has_ids, columns)
        return plan

    def sure(self, each: Class) -> Plan:
        """The plan for a class that is wanted."""
        plan = self.of(each)
        if plan is None:
            raise UsageError(f"class '{each.name}' is not asked for")
        return plan


def _identity(column: Column) -> _Identity:
    return column.declaring, column.key, column.attributes
