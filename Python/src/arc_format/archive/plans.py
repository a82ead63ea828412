"""The plans of the classes of a table. Each is created when the first row of its class is read."""

from __future__ import annotations

from collections.abc import Iterable

from arc_format.basics.errors import UsageError
from arc_format.columns.budget import Budget
from arc_format.schema.classes import Class, ClassTable, Column
from arc_format.tables.arrow_types import ArrowTypes
from arc_format.tables.names import named_columns
from arc_format.tables.options import Options
from arc_format.tables.plan import Plan

#: The memory of a field of a plan.
_FIELD_BYTES = 512

_Identity = tuple[int, str, str]


class Plans:
    """Plans by class. `classes` are the requested classes; with `united`, each plan has the columns of all of them."""

    def __init__(self, table: ClassTable, classes: Iterable[Class], columns: Iterable[str] | None, options: Options,
                 target_classes: bool, has_ids: bool = False, united: bool = False,
                 arrow_types: ArrowTypes | None = None, is_filtered: bool = False) -> None:
        self.table, self.options, self.target_classes, self.has_ids = table, options, target_classes, has_ids
        self.columns = named_columns(columns)
        self.arrow_types, self.is_filtered = arrow_types, is_filtered
        self.classes = {each.index for each in classes}
        self._plans: dict[int, Plan] = {}
        self._united: dict[_Identity, Column] | None = None
        if united:
            # The columns of all classes without duplicates: a class and its subclasses share a property.
            self._united = {}
            for index in sorted(self.classes):
                for column in table[index].columns:
                    self._united.setdefault(_identity(column), column)

    def of(self, each: Class, budget: Budget | None = None) -> Plan | None:
        """Returns the plan for a class; None if the class is not requested. Charges `budget` for a new plan."""
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
                self.table, each, self.columns, self.options, self.target_classes, self.has_ids, columns,
                self.arrow_types, self.is_filtered)
        return plan

    def sure(self, each: Class) -> Plan:
        """Returns the plan for a requested class."""
        plan = self.of(each)
        if plan is None:
            raise UsageError(f"class '{each.name}' is not asked for")
        return plan


def _identity(column: Column) -> _Identity:
    return column.declaring, column.key, column.attributes
