"""Checks of the form of arguments about tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from numbers import Integral
from typing import Any

from arc_format.basics.errors import UsageError
from arc_format.columns.integers import MAXIMUM_SHORT


def check_leads(argument: str, leads: Any) -> None:
    """Checks `references=` and `links=`: target classes by class and column."""
    if not isinstance(leads, Mapping) or not all(
            _is_place(place) and isinstance(target, str) for place, target in leads.items()):
        raise UsageError(f"{argument}= is {leads!r}: give a dictionary such as {{('Person', 'boss'): 'Person'}}, of a "
                         "class and its column, and the class that it leads to")


def check_places(argument: str, places: Any) -> None:
    """Checks `weak=`: classes with their columns."""
    if isinstance(places, str) or not isinstance(places, Collection) or not all(map(_is_place, places)):
        raise UsageError(f"{argument}= is {places!r}: give a list such as [('Person', 'boss')], of classes and columns")


def check_texts(argument: str, texts: Any) -> None:
    """Checks `superclasses=` and `metadata=`: strings by strings."""
    if not isinstance(texts, Mapping) or not all(
            isinstance(key, str) and isinstance(value, str) for key, value in texts.items()):
        raise UsageError(f"{argument}= is {texts!r}: give a dictionary of texts by texts")


def check_roots(roots: Any) -> None:
    """Checks `roots=`: a class, or a class and a position, by name."""
    if not isinstance(roots, Mapping) or not all(
            isinstance(name, str) and (isinstance(root, str) or _is_position(root)) for name, root in roots.items()):
        raise UsageError(f"roots= is {roots!r}: give a dictionary such as {{'all': 'Person', 'one': ('Person', 0)}}, "
                         "of a class for all its objects, or a class and a position in its table for one")


def check_sorted_by(sorted_by: Any) -> None:
    """Checks `sorted_by=`: a class and its column."""
    if not _is_place(sorted_by):
        raise UsageError(f"sorted_by= is {sorted_by!r}: give a class and its column, ('Person', 'name')")
    if "." in sorted_by[1] or not all(sorted_by):
        raise UsageError(f"no file can say that its rows are sorted by {sorted_by[1]!r}: rename the column, its name "
                         "is not empty and has no point")


def check_segment_rows(segment_rows: Any) -> None:
    """Checks `segment_rows=`: None, or a number of rows for which every chunk can have a short encoding [V8]."""
    if segment_rows is not None and (isinstance(segment_rows, bool) or not isinstance(segment_rows, Integral)
                                     or not 1 <= int(segment_rows) <= MAXIMUM_SHORT):
        raise UsageError(f"segment_rows= is {segment_rows!r}: give a number of rows from 1 to {MAXIMUM_SHORT}")


def _is_position(root: Any) -> bool:
    return isinstance(root, tuple) and len(root) == 2 and isinstance(root[0], str) and isinstance(root[1], Integral)


def _is_place(place: Any) -> bool:
    return isinstance(place, tuple) and len(place) == 2 and all(isinstance(each, str) for each in place)
