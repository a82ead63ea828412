"""Integer sequences: plain, packed, differences, runs. Spec: 04.3, rules V1, V8 to V11."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arc_format.basics.errors import reject
from arc_format.container.cursor import Cursor

Integers = npt.NDArray[Any]

PACKED, DELTA, RUNS, ALIGNED = 0x10, 0x11, 0x12, 0x80

#: [V8] The maximum number of values of a chunk whose size does not grow with them.
MAXIMUM_SHORT = 1 << 18

UNSIGNED = {width: np.dtype(f"<u{width}") for width in (1, 2, 4, 8)}
SIGNED = {width: np.dtype(f"<i{width}") for width in (1, 2, 4, 8)}


def exact_sum(values: Integers) -> int:
    """Returns the sum of unsigned integers of a file without overflow: 2^64 does not become 0."""
    if values.dtype.itemsize < 8 or not len(values) or int(values.max()) < 1 << 32:
        return int(values.sum(dtype=np.uint64))
    high, low = values >> np.uint64(32), values & np.uint64(0xFFFF_FFFF)
    return (int(high.sum()) << 32) + int(low.sum())


class Sequence:
    """An integer sequence. The initializer checks its form; `values` reads the values.

    Invariant: `data` contains the bytes that the encoding needs for `count` values, from `at` on.
    """

    __slots__ = ("at", "bits", "count", "data", "encoding", "first", "is_signed", "runs", "width")

    def __init__(self, cursor: Cursor, count: int, most_bytes: int, is_signed: bool = False,
                 may_align: bool = False) -> None:
        encoding = cursor.u8()
        is_short = PACKED <= encoding <= RUNS
        width = cursor.u8() if is_short else encoding & 0x7F
        if width not in UNSIGNED or width > most_bytes:
            reject("V1", cursor.place, f"encoding {encoding:#x} with width {width}")
        self.data, self.count, self.encoding, self.width = cursor.data, count, encoding, width
        self.is_signed = is_signed
        if is_short:
            if count > MAXIMUM_SHORT:
                reject("V8", cursor.place, f"{count} values")
            if encoding == RUNS:
                self._read_runs(cursor)
            else:
                self._read_packed(cursor)
            return
        if encoding & ALIGNED:
            if not may_align or width == 1:
                reject("V1", cursor.place, f"encoding {encoding:#x}")
            align(cursor)
        self.at = cursor.at
        take_plain(cursor, count, width)

    def _read_packed(self, cursor: Cursor) -> None:
        numbers = self.count
        if self.encoding == DELTA:
            if not numbers:
                reject("V1", cursor.place, "differences of no values")
            numbers -= 1
        self.bits = cursor.u8()
        if self.bits >= 8 * self.width or self.bits > 56:
            reject("V9", cursor.place, f"{self.bits} bits of {self.width} bytes")
        self.at = cursor.at
        cursor.take(self.width * (2 if self.encoding == DELTA else 1))
        packed = take_plain(cursor, (numbers * self.bits + 7) // 8, 1)
        check_last_bits(cursor, packed, numbers * self.bits, "V9")

    def _read_runs(self, cursor: Cursor) -> None:
        self.runs = cursor.count(self.width + 1)
        self.at = cursor.at
        take_plain(cursor, self.runs, self.width)
        length_bytes = cursor.u8()
        if length_bytes not in (1, 2, 4):
            reject("V1", cursor.place, f"lengths of {length_bytes} bytes")
        self.bits = 8 * length_bytes
        lengths = np.frombuffer(take_plain(cursor, self.runs, length_bytes), UNSIGNED[length_bytes])
        if not lengths.all() or int(lengths.sum(dtype=np.uint64)) != self.count:
            reject("V10", cursor.place, f"runs of {int(lengths.sum(dtype=np.uint64))} where {self.count} are said")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of `values`, with the width in the file."""
        return (SIGNED if self.is_signed else UNSIGNED)[self.width]

    def values(self) -> Integers:
        """Returns all values, in the width that they have in the file; without a copy if they are plain."""
        at, width = self.at, self.width
        if self.encoding == PACKED:
            base = np.frombuffer(self.data, UNSIGNED[width], 1, at)[0]
            values = unpack(self.data, at + width, self.count, self.bits, width)
            values += base
        elif self.encoding == DELTA:
            first, base = np.frombuffer(self.data, UNSIGNED[width], 2, at)
            values = np.empty(self.count, UNSIGNED[width])
            values[0] = first
            np.add(unpack(self.data, at + 2 * width, self.count - 1, self.bits, width), base, out=values[1:])
            np.cumsum(values, dtype=values.dtype, out=values)
        elif self.encoding == RUNS:
            each = np.frombuffer(self.data, UNSIGNED[width], self.runs, at)
            lengths = np.frombuffer(self.data, UNSIGNED[self.bits // 8], self.runs, at + self.runs * width + 1)
            values = np.repeat(each, lengths)
        else:
            return np.frombuffer(self.data, self.dtype, self.count, at)
        return values.view(self.dtype)


def align(cursor: Cursor) -> None:
    """Skips to a multiple of 8 in the payload [V11]."""
    if any(cursor.take(-cursor.at % 8)):
        reject("V11", cursor.place, "padding that is not 0")


def take_plain(cursor: Cursor, count: int, width: int) -> memoryview:
    """Reads the bytes of `count` values [V1]."""
    if count > cursor.left() // width:
        reject("V1", cursor.place, f"{cursor.left()} bytes for {count} values of {width}")
    return cursor.take(count * width)


def check_last_bits(cursor: Cursor, data: memoryview, bits: int, rule: str) -> None:
    """Checks that the bits after the last of `bits` are 0."""
    if bits % 8 and data[-1] >> bits % 8:
        reject(rule, cursor.place, "bits behind the last value")


def unpack(data: memoryview, at: int, count: int, bits: int, width: int) -> Integers:
    """Returns `count` numbers of `bits` bits from byte `at` on, in a new array of unsigned integers of `width` bytes.

    Eight numbers take `bits` whole bytes, so every eighth begins at the same bit of a byte: eight strided loads of all
    of them, a shift and a mask read everything. `bits` + 7 is at most 63 [V9], so a load of 64 bits holds a number.
    """
    if bits == 0 or count == 0:
        return np.zeros(count, UNSIGNED[width])
    size = (count * bits + 7) // 8
    if bits in (8, 16, 32):
        return np.frombuffer(data, UNSIGNED[bits // 8], count, at).astype(UNSIGNED[width])
    raw = np.frombuffer(data, np.uint8, size, at)
    if bits == 1:
        return np.unpackbits(raw, count=count, bitorder="little").astype(UNSIGNED[width], copy=False)
    groups = (count + 7) // 8
    padded = np.zeros(groups * bits + 8, np.uint8)
    padded[:size] = raw
    load = UNSIGNED[2 if bits < 9 else 4 if bits < 26 else 8]
    numbers = np.empty((groups, 8), UNSIGNED[width])
    mask = load.type((1 << bits) - 1)
    for position in range(8):
        bit = position * bits
        words: Integers = np.ndarray((groups,), load, padded.data, bit >> 3, (bits,))
        numbers[:, position] = (words >> load.type(bit & 7)) & mask
    return numbers.reshape(-1)[:count]
