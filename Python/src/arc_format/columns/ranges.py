"""The least and the greatest value of a chunk, as a directory stores them. Spec: 13.2."""

from __future__ import annotations

import struct

import numpy as np
import numpy.typing as npt

from arc_format.columns.chunks import Chunk
from arc_format.schema.kinds import FIXED, INTEGERS, REFERENCES, Kind

#: The number of values that are nil or NaN, and the least and the greatest other value.
Range = tuple[int, float, float]

#: The stored form of borders of these kinds, as formats of `struct`.
FORMS: dict[Kind, str] = {
    **dict.fromkeys(("int8", "int16", "int32", "int64"), "<q"),
    **dict.fromkeys(("float16", "float32", "float64", "date"), "<d"),
    **dict.fromkeys(("uint8", "uint16", "uint32", "uint64", "string", "enumeration", "reference", "weak"), "<Q")}


def border(kind: Kind, value: float) -> bytes:
    """Returns a border in its stored form."""
    return struct.pack(FORMS[kind], value)


def border_of(kind: Kind, bits: int) -> float:
    """Returns a border as a value, from its bytes as a number."""
    value: float = struct.unpack(FORMS[kind], struct.pack("<Q", bits))[0]
    return value


def text_prefix(text: bytes) -> int:
    """Returns the first 8 bytes of a string as a number. The numbers have the order of the strings."""
    return int.from_bytes(text[:8].ljust(8, b"\0"), "big")


def range_of(chunk: Chunk) -> Range | None:
    """Returns the range of a chunk of one of the kinds in `FORMS`; None if all values are outside."""
    kind = chunk.node.kind
    values: npt.NDArray[np.generic]
    if chunk.is_table or kind in INTEGERS:
        values = chunk.integers()
        if kind in REFERENCES:
            values = values[values != 0]
    elif kind == "string":
        values = _prefixes(chunk)
    else:
        numbers = chunk.fixed().view(f"<f{FIXED[kind]}")
        values = numbers[~np.isnan(numbers)]
    if not len(values):
        return None
    return chunk.count - len(values), values.min().item(), values.max().item()


def _prefixes(chunk: Chunk) -> npt.NDArray[np.uint64]:
    """Returns `text_prefix` of each plain string."""
    offsets = chunk.offsets()
    starts, lengths = offsets[:-1], np.diff(offsets)
    body = np.frombuffer(chunk.body, np.uint8)
    prefixes = np.zeros(len(starts), np.uint64)
    for place in range(8):
        prefixes <<= np.uint64(8)
        there = lengths > place
        prefixes[there] |= body[starts[there] + place]
    return prefixes
