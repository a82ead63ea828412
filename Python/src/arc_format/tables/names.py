"""Distinct names of columns in tables. Spec: 10, and 12 for tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from arc_format.basics.errors import UsageError
from arc_format.schema.classes import ClassTable, Column

#: The first column of every table: the row number of the object.
ROW = "$row"
#: The class of an object, in a table of several classes.
CLASS = "$class"
#: The id of an object in a data set.
ID = "$id"


def named_columns(columns: Iterable[str] | None) -> list[str] | None:
    """Returns the columns that a caller names: a list of names, one name, or None for all."""
    return _named("columns", columns)


def named_classes(classes: Iterable[str] | None) -> list[str] | None:
    """Returns the classes that a caller names, in the same forms."""
    return _named("classes", classes)


def _named(what: str, names: Iterable[str] | None) -> list[str] | None:
    if names is None or isinstance(names, str):
        return None if names is None else [names]
    if not isinstance(names, Iterable):
        raise UsageError(f"{what}={names!r}: name {what}, as a list of texts")
    return list(names)


def column_names(columns: Sequence[Column], table: ClassTable) -> list[str]:
    """Returns the key of each column; `Class.key` if a subclass declares another column with the key.

    Several keyed columns may still have one name, one for each type of values. Their type follows the name: `value:q`.
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
    """Returns the names, with `#2`, `#3` … after repeated names. Names are equal if `fold` returns equal strings."""
    seen, result = set(taken), []
    # The last suffix of each name, because a file may repeat a name ten thousand times.
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
    """Returns the names of the fields of a structure: labels, or positions of fields without labels."""
    return distinct(label or str(position) for position, label in enumerate(labels))
