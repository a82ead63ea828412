"""Tables as lines of text: JSON lines and CSV."""

from __future__ import annotations

import base64
import csv
import datetime
import decimal
import json
import math
import re
import uuid
from collections.abc import Iterable
from typing import Any, TextIO

import pyarrow as pa

from arc_format.tables.recast import python_rows

_SIGNS = "=+\\-@'\uff1d\uff0b\uff0d\uff20"

#: The positions of a string at which a spreadsheet may read the rest as a formula: the start, and after a character
#: that some programs treat as a separator of fields. An apostrophe at such a position is doubled.
_FORMULA = re.compile(f"\\A(?=[{_SIGNS}\t\r\n])|(?<=[;\t\r\n])(?=\"*[{_SIGNS}])")

#: In tables, decimals are strings.
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def write_json_lines(batches: Iterable[pa.RecordBatch], file: TextIO) -> None:
    """Writes a JSON object for each row.

    Dates, times and durations (ISO 8601), data (base64), UUIDs and decimals are strings.
    """
    for batch in batches:
        for row in python_rows(batch):
            file.write(json.dumps(plain(row), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n")


def write_csv(schema: pa.Schema, batches: Iterable[pa.RecordBatch], file: TextIO) -> None:
    """Writes CSV by RFC 4180, with names in the first line. Null is empty, and nested values are JSON.

    A string that a spreadsheet would read as a formula, which may run programs, has an apostrophe before it.
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_guarded(name) for name in schema.names])
    for batch in batches:
        for row in python_rows(batch):
            writer.writerow([_cell(value) for value in row.values()])


def _cell(value: Any) -> Any:
    if isinstance(value, (decimal.Decimal, float)):
        return plain(value)
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return _guarded(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    return _guarded(value) if isinstance(value, str) else value


def _guarded(text: str) -> str:
    """Returns a string with an apostrophe wherever a formula could begin, like `arcdump export`."""
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub("'", text)


def plain(value: Any) -> Any:
    """Returns a value of a table as JSON. Entries of dictionaries are pairs, because keys need not be strings."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime):
        return (value if value.tzinfo is None else value.astimezone(datetime.UTC)).isoformat().replace("+00:00", "Z")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return f"PT{value.total_seconds():.9f}".rstrip("0").rstrip(".") + "S"
    if isinstance(value, (uuid.UUID, decimal.Decimal)):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    return value
