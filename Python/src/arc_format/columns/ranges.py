"""The least and the greatest value of a chunk, as a directory has them. Spec: 13.2."""

from __future__ import annotations

import struct

import numpy as np
import numpy.typing as npt

from arc_format.columns.chunks import Chunk
from arc_format.schema.kinds import FIXED, INTEGERS, REFERENCES, Kind

#: How many values are nil or no number, and the least and the greatest of the others.
Range = tuple[int, float, float]

#: How borders of these kinds are stored, as `struct` has it.
FORMS: dict[Kind, str] = {
    **dict.fromkeys(("int8", "int16", "int32", "int64"), "<q"),
    **dict.fromkeys(("float16", "float32", "float64", "date"), "<d"),
    **dict.fromkeys(("uint8", "uint16", "uint32", "uint64", "string", "enumeration", "reference", "weak"), "<Q")}


def border(kind: Kind, value: float) -> bytes:
    """A border as it is stored."""
    return struct.pack(FORMS[kind], value)


def border_of(kind: Kind, bits: int) -> float:
    """A border as a value, of its bytes as a number."""
    value: float = struct.unpack(FORMS[kind], struct.pack("<Q", bits))[0]
    return value


def text_prefix(text: bytes) -> int:
    """The first 8 bytes of a text as a number that orders as texts do."""
    return int.from_bytes(text[:8].ljust(8, b"\0"), "big")


def range_of(chunk: Chunk) -> Range | None:
    """The range of a chunk of one of the kinds in `FORMS`; None if no value is inside of one."""
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
    """`text_prefix` of each plain text."""
    offsets = chunk.offsets()
    starts, lengths = offsets[:-1], np.diff(offsets)
    body = np.frombuffer(chunk.body, np.uint8)
    prefixes = np.zeros(len(starts), np.uint64)
    for place in range(8):
        prefixes <<= np.uint64(8)
        there = lengths > place
        prefixes[there] |= body[starts[there] + place]
    return prefixes
