"""Tables as lines of text: JSON lines and CSV."""

from __future__ import annotations

import base64
import csv
import datetime
import decimal
import json
import math
import uuid
from collections.abc import Iterable
from typing import Any, TextIO

import pyarrow as pa

from arc_format.tables.recast import python_rows


def write_json_lines(batches: Iterable[pa.RecordBatch], file: TextIO) -> None:
    """An object for each row. What JSON has not is text: dates ISO 8601, data base64, uuids and decimals."""
    for batch in batches:
        for row in python_rows(batch):
            file.write(json.dumps(plain(row), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n")


def write_csv(schema: pa.Schema, batches: Iterable[pa.RecordBatch], file: TextIO) -> None:
    """By RFC 4180, with names in the first line. Null is empty, what holds others is JSON."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(schema.names)
    for batch in batches:
        for row in python_rows(batch):
            writer.writerow([_cell(plain(value)) for value in row.values()])


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return value


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
