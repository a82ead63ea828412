"""The written classes with their columns, from the schemas of tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from arc_format.basics.errors import ArcError, UsageError, warn
from arc_format.columns.ranges import FORMS
from arc_format.schema.classes import KEYED
from arc_format.schema.kinds import value_kind
from arc_format.schema.links import link_class, link_encoding
from arc_format.schema.types import Tree, column_tree
from arc_format.tables.names import CLASS, ID, ROW
from arc_format.tables.recast import recast_type
from arc_format.writing.canonical import canonical, encoding

#: The targets of integer columns: the class of the objects by (class, column).
Leads = Mapping[tuple[str, str], str]

ROOTS = "$roots"


@dataclass
class WrittenColumn:
    """A column with all its values. `declaring` is the name of the class that declares it."""

    name: str
    key: str
    attributes: str
    flags: int
    declaring: str
    tree: Tree
    values: pa.Array
    #: whether metadata from an archive states the class that declares it
    is_declared: bool = False
    #: the field of the table, and the values of its dictionary; None for roots and for columns that Arc adds
    field: pa.Field | None = None
    dictionary: pa.Array | None = None


@dataclass
class WrittenClass:
    """A class with its rows. `keys` are the numbers of rows for references; None means positions."""

    name: str
    #: the superclasses, nearest first
    superclasses: list[str]
    version: int = 0
    row_count: int = 0
    columns: list[WrittenColumn] = field(default_factory=list)
    keys: pa.Array | None = None
    first_row: int = 0
    #: the new position of each row of the table; None if the rows have the order of the table
    positions: npt.NDArray[np.int64] | None = None

    def rows_at(self, positions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Returns the rows of the archive for positions in the table."""
        return self.first_row + (positions if self.positions is None else self.positions[positions])

    def sort(self, column_name: str) -> None:
        """Orders the rows by a column, ascending; NaN and then null are last. Equal values retain their order."""
        columns = [each for each in self.columns if each.name == column_name]
        if len(columns) != 1 or not is_sortable(columns[0].tree):
            raise UsageError(f"sorted_by= names '{column_name}' of '{self.name}': name a column of numbers, dates, "
                             "strings or Booleans")
        order = pc.sort_indices(columns[0].values, null_placement="at_end")
        for column in self.columns:
            column.values = column.values.take(order)
        if self.keys is not None:
            self.keys = self.keys.take(order)
        self.positions = np.empty(self.row_count, np.int64)
        self.positions[order.to_numpy()] = np.arange(self.row_count)


def is_sortable(tree: Tree) -> bool:
    """Returns whether the rows of a table can be sorted by a column. References have no order before writing."""
    node = tree.root
    while node.kind == "optional":
        node = node.children[0]
    return node.kind in FORMS and node.kind not in ("enumeration", "reference", "weak") and not tree.is_recursive


def written_class(name: str, table: pa.Table, leads: Leads, weak: Collection[tuple[str, str]],
                  superclasses: Mapping[str, str], links: Leads | None = None) -> WrittenClass:
    """Returns a table as a class. Fields with metadata from an archive preserve their types."""
    metadata = table.schema.metadata or {}
    if CLASS in table.schema.names:
        raise UsageError(f"the table of '{name}' has objects of several classes, in '{CLASS}': give each class a table "
                         "of its own")
    chain = json.loads(metadata.get(b"arc:superclasses", b"[]"))
    if name in superclasses:
        chain, above = [], superclasses.get(name)
        while above is not None and above not in chain:
            chain.append(above)
            above = superclasses.get(above)
    twice = [each for each, count in Counter(table.schema.names).items() if count > 1 and each not in (ROW, ID)]
    if twice:
        raise UsageError(f"'{name}' has two columns '{twice[0]}': rename one")
    result = WrittenClass(name, chain, int(metadata.get(b"arc:version", 0)), table.num_rows)
    for position, each in enumerate(table.schema):
        if each.name in (ROW, ID) or b"arc:classes-of" in (each.metadata or {}):
            continue
        column = table.column(position)
        if (name, each.name) in leads or (name, each.name) in (links or {}):
            type_ = recast_type(each.type, lambda of: pa.int64() if pa.types.is_null(of) else of)
            column = column if type_ == each.type else column.cast(type_)
        try:
            lost = partial(_warn_of, f"'{each.name}' of '{name}'")
            written = _column(result, each, canonical(column, lost), leads, weak, links or {})
            if (name, each.name) not in leads and (name, each.name) not in (links or {}):
                written.field, written.dictionary = each, _dictionary(column)
            result.columns.append(written)
        except (ArcError, pa.ArrowException) as error:
            what = error.found if isinstance(error, ArcError) else str(error)
            raise UsageError(f"'{each.name}' of '{name}' is no column of an archive: {what[:300]}") from None
    for key in (ID, ROW):
        if key in table.schema.names:
            if not pa.types.is_integer(table[key].type) or table[key].null_count:
                raise UsageError(f"'{key}' of '{name}' is {table[key].type} with {table[key].null_count} nulls: it has "
                                 "an integer for each row, or the table no such column")
            result.keys = canonical(table[key])
            break
    return result


def inherit(each: WrittenClass, classes: Mapping[str, WrittenClass]) -> None:
    """Assigns columns to the superclass with a column of equal name and type. Own columns are first. Spec: 03.1."""
    for column in each.columns:
        for name in () if column.is_declared else each.superclasses:
            if any((other.key, other.attributes) == (column.key, column.attributes) and other.declaring == name
                   for other in classes[name].columns):
                column.declaring = name
    if any(column.is_declared for column in each.columns):
        return
    chain = [each.name, *each.superclasses]
    each.columns.sort(key=lambda column: chain.index(column.declaring))


def check_class_name(name: str) -> None:
    """Checks [C2], [C6], [E5]."""
    if not name or name.startswith("$") or '"' in name or value_kind(name) is not None:
        raise UsageError(f"no class has the name '{name}': it is not empty, begins with no $, holds no quote "
                         "and stands for no value; rename the table")


def check_link_target(name: str) -> None:
    """Checks that the type of a link can contain the name of its class."""
    check_class_name(name)
    try:
        if link_class(column_tree(f"T{link_encoding(name)}", False).root) == name:
            return
    except ArcError:
        pass
    raise UsageError(f"no link leads to objects of a class named '{name}': its type could not be read again; rename it")


def _column(owner: WrittenClass, each: pa.Field, values: pa.Array, leads: Leads, weak: Collection[tuple[str, str]],
            links: Leads) -> WrittenColumn:
    metadata = {key.decode(): value.decode() for key, value in (each.metadata or {}).items()}
    place = owner.name, each.name
    if "arc:attributes" in metadata and place not in leads and place not in links:
        attributes, key = metadata["arc:attributes"], metadata.get("arc:key", each.name)
        # References can refer to any row, because the rows have a new order. Therefore no column has flag construction.
        flags = int(metadata.get("arc:flags", 0)) & KEYED
        declaring = metadata.get("arc:declared", owner.name)
        if declaring not in owner.superclasses:
            declaring = owner.name
        tree = column_tree(attributes, bool(flags))
        return WrittenColumn(each.name, key, attributes, flags, declaring, tree, values, is_declared=True)
    is_weak = place in weak
    if place in leads:
        type_ = _reference(values.type, values, leads[place], place, f'@"{leads[place]}"')
    elif place in links:
        type_ = _reference(values.type, values, links[place], place, link_encoding(links[place]))
    else:
        type_ = encoding(values.type, values)
    if is_weak and not type_.startswith("@"):
        raise UsageError(f"'{each.name}' of '{owner.name}' is weak, but no reference: name its class in references=")
    if owner.name == ROOTS:
        attributes = f"T{type_}"
    else:
        # Another attribute begins after a comma.
        variable = "" if "," in each.name else f",V_{each.name}"
        kind = ",W" if is_weak else ",&" if type_.startswith('@"') and place in leads else \
            ",C" if type_.startswith(("@", "$")) else ""
        attributes = f"T{type_},N{kind}{variable}"
    return WrittenColumn(each.name, each.name, attributes, 0, owner.name, column_tree(attributes, False), values)


def _warn_of(what: str, lost: str) -> None:
    warn(f"{what}: {lost}")


def _dictionary(column: pa.ChunkedArray) -> pa.Array | None:
    """Returns the values of the dictionary of a column; None for a column without, or with several."""
    if not pa.types.is_dictionary(column.type):
        return None
    if not column.num_chunks:
        return pa.array([], column.type.value_type)
    dictionary = column.chunk(0).dictionary
    return dictionary if all(each.dictionary.equals(dictionary) for each in column.chunks[1:]) else None


def _reference(type_: pa.DataType, values: pa.Array, target: str, place: tuple[str, str], of_one: str) -> str:
    """Returns the encoding of a column of references, also in lists; `of_one` is the encoding of one reference."""
    if pa.types.is_integer(type_):
        return of_one
    if pa.types.is_large_list(type_):
        prefix = "$?" if values.null_count else ""
        return f"{prefix}$[{_reference(type_.value_type, values.flatten(), target, place, of_one)}]"
    # In pandas, integers with nulls are floats.
    remedy = "; in pandas, astype('Int64') keeps nulls" if pa.types.is_floating(type_) else ""
    raise UsageError(f"'{place[1]}' of '{place[0]}' is to lead to '{target}', and holds {type_}: references and links "
                     f"are integers, or lists of such{remedy}")
