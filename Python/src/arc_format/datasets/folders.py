"""Columns of folders: `year=2026/month=11/part-0.arc` defines `year` and `month` of all its rows. Spec: 14.3."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.columns.budget import Budget
from arc_format.tables.options import Strings
from arc_format.tables.types import STRINGS
from arc_format.tables.where import Condition, Where

#: The value for null in Hive's folders.
_NULL = "__HIVE_DEFAULT_PARTITION__"

#: Digits of at most 64 bits, so that no long string becomes a number.
_NUMBER = re.compile(r"-?0{0,255}[0-9]{1,19}", re.ASCII)

Value = int | str | None


def folder_values(path: str) -> dict[str, str | None]:
    """Returns the columns of the folders `key=value` of a path, with parts separated by `/` and `%` before codes.

    Folders without `=` define no columns. Raises `UsageError` if a folder is ambiguous or invalid.

    >>> folder_values("year=2026/city=S%C3%A3o%20Paulo/part-0.arc")
    {'year': '2026', 'city': 'São Paulo'}
    """
    values: dict[str, str | None] = {}
    for part in path.split("/")[:-1]:
        if "=" not in part:
            continue
        try:
            key, value = (unquote_to_bytes(os.fsencode(text)).decode() for text in part.split("=", 1))
        except UnicodeError:
            raise UsageError(f"the folder {part!r} is not UTF-8: name it key=value, with % codes of UTF-8") from None
        if not key:
            raise UsageError(f"the folder {part!r} has a value and no key: name it key=value")
        if key in values:
            raise UsageError(f"the folders of {path!r} say twice what {key!r} is: leave one of them out")
        values[key] = None if value == _NULL else value
    return values


def folder_of(values: Mapping[str, Value]) -> str:
    """Returns the folders that define columns, separated by `/`.

    >>> folder_of({"year": 2026, "city": "a/b", "_x": None})
    'year=2026/city=a%2Fb/%5Fx=__HIVE_DEFAULT_PARTITION__'
    """
    parts = []
    for key, value in values.items():
        if not key or value == _NULL:
            raise UsageError(f"no folder can say that {key!r} is {value!r}: choose another name or text")
        # Files and folders with names that begin with these characters are not in the data set.
        first = f"%{ord(key[0]):02X}" if key[0] in "._" else quote(key[0], safe="")
        parts.append(f"{first}{quote(key[1:], safe='')}={_NULL if value is None else quote(str(value), safe=' ')}")
    return "/".join(parts)


@dataclass(frozen=True)
class FolderColumn:
    """A column with one value in each shard; null in shards that are not in `values`."""

    name: str
    values: dict[int, Value]
    #: 32 or 64 bits, or 0 for strings
    bits: int

    def field(self, strings: Strings) -> pa.Field:
        """Returns the field of a table."""
        return pa.field(self.name, {32: pa.int32(), 64: pa.int64()}.get(self.bits) or STRINGS[strings])

    def array(self, shard: int, count: int, type_: pa.DataType, budget: Budget) -> pa.Array:
        """Returns the value of a shard, repeated for each row."""
        value = self.values.get(shard)
        # The name of a folder is repeated for each row, so a long name can take much memory.
        budget.charge_memory(count * (16 + (len(value.encode()) if isinstance(value, str) else 0)))
        return pa.nulls(count, type_) if value is None else pa.repeat(pa.scalar(value, type_), count)


class FolderColumns:
    """The columns that the folders of the shards of a data set define, in the order of the folders.

    Numbers are int32, or int64 if a number needs it; if a value is not a number, the column contains strings.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._count = len(paths)
        found: dict[str, dict[int, Value]] = {}
        for shard, path in enumerate(paths):
            for key, value in (folder_values(path) if "=" in path else {}).items():
                column = found.setdefault(key, {})
                if value is not None:
                    column[shard] = value
        self.columns = {name: _typed(name, values) for name, values in found.items()}

    def shards_where(self, conditions: Sequence[Condition]) -> npt.NDArray[np.bool_]:
        """Returns whether the rows of each shard match conditions on these columns."""
        arrays = {name: pa.array([self.columns[name].values.get(shard) for shard in range(self._count)],
                                 self.columns[name].field("plain").type) for name, _, _ in conditions}
        shards = pa.RecordBatch.from_pydict({"": pa.array(range(self._count), pa.int64()), **arrays})
        mask = np.zeros(self._count, np.bool_)
        mask[Where(conditions).rows(shards, shards.schema).column(0).to_numpy()] = True
        return mask


def _typed(name: str, values: dict[int, Value]) -> FolderColumn:
    texts = list(values.values())
    if not texts or not all(_NUMBER.fullmatch(str(text)) for text in texts):
        return FolderColumn(name, values, 0)
    numbers = {shard: int(str(text)) for shard, text in values.items()}
    for bits in (32, 64):
        if all(-1 << bits - 1 <= number < 1 << bits - 1 for number in numbers.values()):
            return FolderColumn(name, dict(numbers), bits)
    return FolderColumn(name, values, 0)
