"""Writing of integer sequences in their shortest encoding. Spec: 04.3."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arc_format.columns.integers import ALIGNED, DELTA, MAXIMUM_SHORT, PACKED, RUNS, SIGNED, UNSIGNED
from arc_format.writing.primitives import Encoded, varint

#: The minimum size in bytes of aligned plain values.
ALIGNED_BYTES = 4096

#: Sequences of fewer values are plain.
_MINIMUM_SHORT = 32


def encoded_integers(values: npt.NDArray[Any], may_align: bool = True) -> Encoded:
    """Returns integers in the shortest encoding, but plain unless another encoding takes at most half the bytes."""
    count, is_signed = len(values), values.dtype.kind == "i"
    if not count:
        return Encoded(0, b"\1")
    least, most = int(values.min()), int(values.max())
    width = _width(least, most, is_signed)
    plain = values.astype((SIGNED if is_signed else UNSIGNED)[width], copy=False)
    if _MINIMUM_SHORT <= count <= MAXIMUM_SHORT:
        short = _short(plain.view(UNSIGNED[width]), least, most)
        if short is not None and 2 * len(short) <= plain.nbytes:
            return Encoded(count, short)
    if may_align and width > 1 and plain.nbytes >= ALIGNED_BYTES:
        return Encoded(count, bytes([ALIGNED | width]), np.ascontiguousarray(plain))
    return Encoded(count, bytes([width]) + plain.tobytes())


def _width(least: int, most: int, is_signed: bool) -> int:
    for width in (1, 2, 4):
        bits = 8 * width - is_signed
        if most < 1 << bits and (not is_signed or least >= -(1 << bits)):
            return width
    return 8


def _short(values: npt.NDArray[Any], least: int, most: int) -> bytes | None:
    """Returns the shortest of packed, delta and runs, for unsigned values with the width in the file."""
    width = values.dtype.itemsize
    mask = (1 << 8 * width) - 1
    # (size, function that encodes)
    choices: list[tuple[int, int, int]] = []
    bits = (most - least).bit_length()
    if bits < 8 * width and bits <= 56:
        choices.append((len(values) * bits, PACKED, bits))
    # Differences modulo 2^(8w), as signed numbers. The least difference is the base.
    steps = np.diff(values).view(SIGNED[width])
    step = int(steps.min())
    step_bits = (int(steps.max()) - step).bit_length()
    if step_bits < 8 * width and step_bits <= 56:
        choices.append((len(values) * step_bits + 8 * width, DELTA, step_bits))
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    choices.append((len(starts) * (8 * width + 32), RUNS, 0))
    _, encoding, bits = min(choices)
    if encoding == PACKED:
        base = (least & mask).to_bytes(width, "little")
        return bytes([PACKED, width, bits]) + base + pack(values - values.dtype.type(least & mask), bits)
    if encoding == DELTA:
        base = (step & mask).to_bytes(width, "little")
        numbers = (steps - steps.dtype.type(step)).view(values.dtype)
        return bytes([DELTA, width, bits]) + values[:1].tobytes() + base + pack(numbers, bits)
    lengths = np.diff(np.append(starts, len(values)))
    length_width = min(_width(0, int(lengths.max()), False), 4)
    return (bytes([RUNS, width]) + varint(len(starts)) + values[starts].tobytes() + bytes([length_width])
            + lengths.astype(UNSIGNED[length_width]).tobytes())


def pack(numbers: npt.NDArray[Any], bits: int) -> bytes:
    """Returns `bits` bits of each number, the first number lowest."""
    if bits == 0:
        return b""
    if bits in (8, 16, 32):
        return numbers.astype(UNSIGNED[bits // 8]).tobytes()
    # Eight numbers take `bits` bytes. Each is shifted to its position in a word; words are combined byte by byte.
    groups = (len(numbers) + 7) // 8
    padded = np.zeros(8 * groups, np.uint64)
    padded[:len(numbers)] = numbers
    by_place = padded.reshape(groups, 8)
    out = np.zeros((groups, bits), np.uint8)
    for place in range(8):
        start, shift = divmod(place * bits, 8)
        word = by_place[:, place] << np.uint64(shift)
        for byte in range((shift + bits + 7) // 8):
            out[:, start + byte] |= (word >> np.uint64(8 * byte)).astype(np.uint8)
    return out.tobytes()[:(len(numbers) * bits + 7) // 8]
