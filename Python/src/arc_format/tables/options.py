"""The choices of a caller for the Arrow types of columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from arc_format.basics.errors import UsageError

Strings = Literal["plain", "dictionary", "view"]
References = Literal["int64", "uint32"]
Dates = Literal["timestamp", "seconds"]
Enumerations = Literal["struct", "union"]
Types = Literal["arrow", "archive"]

_CHOICES = {
    "strings": ("plain", "dictionary", "view"), "references": ("int64", "uint32"),
    "dates": ("timestamp", "seconds"), "enums": ("struct", "union"),
    "types": ("arrow", "archive")}


@dataclass(frozen=True)
class Options:
    """Arrow types of columns.

    `strings`: large_string, which every engine reads; dictionaries, which share the string table of the file; or views,
    which share its characters. `references`: int64 with null for nil, or uint32 with 0 for nil. `dates`:
    timestamp[us, UTC], or the file's float64 of seconds since 2001. `enums` with associated values: a struct of `case`
    and a field for each case with associated values, or a dense union. `types`: the Arrow types of the written table,
    if the file has them; or always the types of page 12 of the Spec. `strings` and `dates` other than the defaults take
    precedence over the types of the written table.
    """

    strings: Strings = "plain"
    references: References = "int64"
    dates: Dates = "timestamp"
    enums: Enumerations = "struct"
    types: Types = "arrow"
    #: a number that is added to references, so that rows of a shard become ids of the data set
    reference_base: int = 0
    #: whether links are ids of the data set, with null for nil, like references
    has_link_ids: bool = False
    #: whether an engine accepts a type of a written table; a type of page 12 replaces any other type
    accepts: Callable[[pa.DataType], bool] | None = None

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise UsageError(f"{name}={getattr(self, name)!r}: choose one of {', '.join(map(repr, choices))}")
