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

#: The positions of a text at which a spreadsheet may take what follows for a formula: the start, and after a character
#: that some programs divide fields at. An apostrophe there is one of the text, which gets another.
_FORMULA = re.compile(f"\\A(?=[{_SIGNS}\t\r\n])|(?<=[;\t\r\n])(?=\"*[{_SIGNS}])")

#: Decimals are text in tables.
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def write_json_lines(batches: Iterable[pa.RecordBatch], file: TextIO) -> None:
    """An object for each row. What JSON has not is text: dates ISO 8601, data base64, uuids and decimals."""
    for batch in batches:
        for row in python_rows(batch):
            file.write(json.dumps(plain(row), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n")


def write_csv(schema: pa.Schema, batches: Iterable[pa.RecordBatch], file: TextIO) -> None:
    """By RFC 4180, with names in the first line. Null is empty, what holds others is JSON.

    A text that a spreadsheet would take for a formula, which may run programs, has an apostrophe before it.
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
    """A text with an apostrophe wherever a formula could begin, as `arcdump export` writes it."""
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub("'", text)


def plain(value: Any) -> Any:
    """A value of a table as JSON has it. Entries of dictionaries are pairs: keys need not be text."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime):
        text = value.astimezone(datetime.UTC).isoformat()
        return text.replace("+00:00", "Z")
    if isinstance(value, (uuid.UUID, decimal.Decimal)):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    return value
