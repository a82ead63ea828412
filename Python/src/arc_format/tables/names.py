"""Names of columns in tables, which are all different. Spec: 10, and for tables a rule more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from arc_format.basics.errors import UsageError
from arc_format.schema.classes import ClassTable, Column

#: The column that every table begins with: the number of the object's row.
ROW = "$row"
#: The class of an object, where a table holds several.
CLASS = "$class"
#: The number of an object in a data set.
ID = "$id"


def named_columns(columns: Iterable[str] | None) -> list[str] | None:
    """The columns that a caller names: a list of names, one name, or None for all."""
    return _named("columns", columns)


def named_classes(classes: Iterable[str] | None) -> list[str] | None:
    """The classes that a caller names, in the same way."""
    return _named("classes", classes)


def _named(what: str, names: Iterable[str] | None) -> list[str] | None:
    if names is None or isinstance(names, str):
        return None if names is None else [names]
    if not isinstance(names, Iterable):
        raise UsageError(f"{what}={names!r}: name {what}, as a list of texts")
    return list(names)


def column_names(columns: Sequence[Column], table: ClassTable) -> list[str]:
    """A key alone; `Class.key` where another column, declared by a subclass, has the key too.

    Keyed columns may still share a name, one for each type that values had: these have the type behind it, `value:q`.
    """
    owners: dict[str, int] = {}
    for column in columns:
        owners[column.key] = max(column.declaring, owners.get(column.key, 0))
    names = [column.key if owners[column.key] == column.declaring else f"{table[column.declaring].name}.{column.key}"
             for column in columns]
    shared = {name for name, count in Counter(names).items() if count > 1}
    return distinct((f"{name}:{column.encoding}" if name in shared else name
                     for name, column in zip(names, columns, strict=True)), taken=(ROW, CLASS, ID))


def distinct(names: Iterable[str], taken: Iterable[str] = (), fold: Callable[[str], str] = str) -> list[str]:
    """The names, with `#2`, `#3` … behind those that were there before; `fold` makes equal what counts as equal."""
    seen, result = set(taken), []
    # Where to go on counting: a file may say the same ten thousand times.
    last: dict[str, int] = {}
    for name in names:
        candidate, key = name, fold(name)
        while fold(candidate) in seen:
            last[key] = last.get(key, 1) + 1
            candidate = f"{name}#{last[key]}"
        seen.add(fold(candidate))
        result.append(candidate)
    return result


def field_names(labels: Iterable[str]) -> list[str]:
    """The fields of a structure: labels, or positions where there are none."""
    return distinct(label or str(position) for position, label in enumerate(labels))
