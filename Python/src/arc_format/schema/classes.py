"""The class table. Spec: 03.1 to 03.3."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from arc_format.basics.errors import reject
from arc_format.basics.limits import Limits
from arc_format.container.cursor import Cursor
from arc_format.container.layout import Layout
from arc_format.container.segment import read_payload
from arc_format.schema.kinds import value_kind
from arc_format.schema.types import Tree, column_tree

CONSTRUCTION, KEYED = 1, 2


@dataclass
class Column:
    """A column of a class: the index of the class that declares it, its key, its property attributes, its type."""

    declaring: int
    key: str
    attributes: str
    flags: int
    tree: Tree
    offset: int = 0

    @property
    def is_construction(self) -> bool:
        """Whether strong references refer to earlier rows."""
        return bool(self.flags & CONSTRUCTION)

    @property
    def is_keyed(self) -> bool:
        """Whether a row may have no value; the first node is then an optional."""
        return bool(self.flags & KEYED)

    @property
    def encoding(self) -> str:
        """The type encoding, such as `$[@"Person"]`."""
        return self.tree.encoding


@dataclass
class Class:
    """A class of the file, with all columns of its rows, including inherited columns."""

    index: int
    name: str
    #: the index of the superclass
    superclass: int | None
    version: int = 0
    columns: list[Column] = field(default_factory=list)
    #: a number for the class; the numbers of the class and of its subclasses are a range: `family`
    number: int = 0
    family: range = range(0)

    #: the minimum column count of a block: up to the last column that is not keyed [R2]
    required_columns: int = 0
    #: the columns with chunks, with their positions; all other columns are structures without fields
    stored_columns: list[tuple[int, Column]] = field(default_factory=list)
    #: properties of the chunks of the class for a directory
    shape: Any = None


class ClassTable:
    """All classes of a file, by index and by name."""

    def __init__(self, classes: list[Class]) -> None:
        self.classes = classes
        self.by_name = {each.name: each for each in classes}
        _number(classes)

    def __len__(self) -> int:
        return len(self.classes)

    def __getitem__(self, index: int) -> Class:
        return self.classes[index]

    def superclasses(self, each: Class) -> list[str]:
        """Returns the names of the superclasses of a class, the direct superclass first."""
        names: list[str] = []
        above = each.superclass
        while above is not None:
            names.append(self.classes[above].name)
            above = self.classes[above].superclass
        return names

    def family(self, name: str | None) -> list[Class]:
        """Returns the class of a name, with its subclasses. For None, returns all classes except `$roots`."""
        if name is None:
            return self.classes[1:]
        if name not in self.by_name:
            return []
        numbers = self.by_name[name].family
        return [each for each in self.classes if each.number in numbers]

    def numbers(self, name: str | None) -> range:
        """Returns the numbers of the classes to whose rows a reference to `name` may refer [G3]."""
        if name is None:
            return range(1, len(self.classes))
        each = self.by_name.get(name)
        return range(0) if each is None or each.index == 0 else each.family


def read_classes(data: memoryview, layout: Layout, limits: Limits) -> ClassTable:
    """Reads all CLSS segments. Rules C1 to C8, P1, P2, E1 to E4, I5, limits A4 to A6."""
    segments = layout.of_kind(b"CLSS")
    size = sum(segment.raw for segment in segments)
    if size > limits.class_table_bytes:
        reject("A5", 32, f"{size} bytes of class table")
    classes: list[Class] = []
    names: set[str] = set()
    trees: dict[tuple[str, bool], Tree] = {}
    for segment in segments:
        cursor, known = read_payload(data, segment), len(classes)
        for _ in range(cursor.count(2)):
            index = cursor.varint()
            if index > len(classes):
                reject("C1", cursor.place, f"class {index} after {len(classes)}")
            is_new = index == len(classes)
            if is_new:
                if index >= limits.classes:
                    reject("A4", cursor.place, f"{index + 1} classes")
                classes.append(_read_class(cursor, index, names))
            for _ in range(cursor.count(4)):
                column = _read_column(cursor, trees)
                if not is_new and not column.is_keyed:
                    reject("C7", cursor.place, f"column '{column.key}', added without flag keyed")
                classes[index].columns.append(column)
        cursor.done()
        if len(classes) - known != segment.count:
            reject("I5", segment.offset, f"{len(classes) - known} classes where the index says {segment.count}")
    if not classes:
        reject("C5", 32, "no class")
    table = ClassTable(classes)
    for each in classes:
        _check_columns(classes, each, limits)
    return table


def _read_class(cursor: Cursor, index: int, names: set[str]) -> Class:
    name, superclass, version = cursor.string(), cursor.varint(), cursor.varint()
    if not name or name in names or superclass > index:
        reject("C2", cursor.place, f"class '{name}' with superclass {superclass}")
    names.add(name)
    if index == 0:
        if name != "$roots":
            reject("C5", cursor.place, f"class 0 named '{name}'")
    elif superclass == 1:
        reject("C5", cursor.place, f"'{name}', a subclass of the roots")
    elif name.startswith("$") or value_kind(name) is not None:
        reject("C6", cursor.place, f"class '{name}'")
    return Class(index, name, superclass - 1 if superclass else None, version)


def _read_column(cursor: Cursor, trees: dict[tuple[str, bool], Tree]) -> Column:
    offset = cursor.place
    declaring, key, attributes, flags = cursor.varint(), cursor.string(), cursor.string(), cursor.u8()
    if flags > CONSTRUCTION | KEYED:
        reject("C8", cursor.place, f"flags {flags:#x}")
    # Equal attributes share one tree, because a crafted table can repeat them a thousand times.
    type_ = attributes, bool(flags & KEYED)
    if type_ not in trees:
        trees[type_] = column_tree(*type_, offset)
    return Column(declaring, key, attributes, flags, trees[type_], offset)


def _number(classes: list[Class]) -> None:
    """Numbers the classes so that the numbers of a class and all its subclasses are a range."""
    sizes = [1] * len(classes)
    for each in reversed(classes):
        if each.superclass is not None:
            sizes[each.superclass] += sizes[each.index]
    free = 0
    free_below: list[int] = []
    for each, size in zip(classes, sizes, strict=True):
        if each.superclass is None:
            each.number, free = free, free + size
        else:
            each.number = free_below[each.superclass]
            free_below[each.superclass] += size
        free_below.append(each.number + 1)
        each.family = range(each.number, each.number + size)


def _check_columns(classes: list[Class], each: Class, limits: Limits) -> None:
    seen: dict[tuple[int, str], set[str | None]] = {}
    nodes = 0
    for position, column in enumerate(each.columns, 1):
        if not column.is_keyed:
            each.required_columns = position
        if column.tree.stored:
            each.stored_columns.append((position - 1, column))
        what = f"column '{column.key}' of class '{each.name}'"
        if column.declaring >= len(classes) or each.number not in classes[column.declaring].family:
            reject("C3", column.offset, f"{what}, declared by class {column.declaring}")
        if each.index == 0 and column.flags:
            reject("C5", column.offset, f"{what}, with flags")
        others = seen.setdefault((column.declaring, column.key), set())
        own = column.attributes if column.is_keyed else None
        if own in others:
            reject("C4", column.offset, f"{what}, a second one")
        others.add(own)
        nodes += len(column.tree.nodes)
        if nodes > limits.columns_per_class:
            reject("A6", column.offset, f"{nodes} nodes with {what}")
