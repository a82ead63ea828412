"""Archives by hand, of payloads that no writer makes."""

from __future__ import annotations

import io

from arc_format.writing.file import SegmentWriter
from arc_format.writing.primitives import string, varint

#: (key, property attributes, flags)
Columns = list[tuple[str, str, int]]


def class_table(*classes: tuple[str, Columns]) -> bytes:
    """A CLSS payload: `$roots` without columns and these classes without superclasses."""
    payload = varint(1 + len(classes)) + varint(0) + string("$roots") + bytes([0, 0, 0])
    for index, (name, columns) in enumerate(classes, 1):
        payload += varint(index) + string(name) + bytes([0, 0]) + varint(len(columns))
        for key, attributes, flags in columns:
            payload += varint(index) + string(key) + string(attributes) + bytes([flags])
    return payload


def chunk(count: int, body: bytes) -> bytes:
    """A chunk."""
    data = varint(count) + body
    return varint(len(data)) + data


def archive(classes: bytes, class_count: int, *segments: tuple[int, bytes], strings: list[bytes] | None = None,
            ) -> bytes:
    """An archive of the roots and segments of rows: so many rows each, and the payload."""
    file = io.BytesIO()
    writer = SegmentWriter(file, "none")
    writer.write(b"CLSS", classes, 0, class_count)
    if strings:
        lengths = b"".join(len(each).to_bytes(8, "little") for each in strings)
        writer.write(b"STRS", varint(len(strings)) + b"\x08" + lengths + b"".join(strings), 0, len(strings))
    writer.write(b"ROWS", varint(1) + varint(0) + varint(1) + varint(0), 0, 1)
    row = 1
    for count, payload in segments:
        writer.write(b"ROWS", payload, row, count)
        row += count
    writer.finish(row)
    return file.getvalue()


def rows(count: int, *chunks: bytes, class_index: int = 1, column_count: int = 1) -> tuple[int, bytes]:
    """A segment of rows of one class."""
    return count, varint(1) + varint(class_index) + varint(count) + varint(column_count) + b"".join(chunks)
