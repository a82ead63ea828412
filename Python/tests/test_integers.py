"""Integer sequences: what is written is read, by the judge too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judge import arc

from arc_format.basics.errors import ArcError
from arc_format.columns.integers import Sequence, exact_sum, unpack
from arc_format.container.cursor import Cursor
from arc_format.container.varints import take_varints
from arc_format.writing.integers import encoded_integers, pack
from arc_format.writing.primitives import varint

WIDTHS = st.sampled_from([("u", 1), ("u", 2), ("u", 4), ("u", 8), ("i", 1), ("i", 2), ("i", 4), ("i", 8)])


@st.composite
def integers(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    """Of each shape that an encoding is for."""
    sign, width = draw(WIDTHS)
    info = np.iinfo(f"{sign}{width}")
    value = st.integers(int(info.min), int(info.max))
    shape = draw(st.sampled_from(["any", "near", "steps", "runs"]))
    count = draw(st.integers(0, 300))
    generator = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    if shape == "any":
        return generator.integers(info.min, info.max, count, f"{sign}{width}", endpoint=True)
    bits, base = draw(st.integers(0, 8 * width - 1)), draw(value)
    near = generator.integers(0, (1 << bits) - 1, count, np.uint64, endpoint=True)
    if shape == "near":
        values = near + np.uint64(base & (1 << 64) - 1)
    elif shape == "steps":
        values = np.cumsum(near, dtype=np.uint64) + np.uint64(base & (1 << 64) - 1)
    else:
        values = np.repeat(near, generator.integers(1, 20, count))
    return values.astype(f"u{width}").view(f"{sign}{width}")


@given(integers(), st.booleans())
@settings(max_examples=400, deadline=None)
def test_what_is_written_is_read(values: np.ndarray[Any, Any], may_align: bool) -> None:
    encoded = encoded_integers(values, may_align)
    data = encoded.head
    if encoded.aligned is not None:
        data += bytes(-len(data) % 8) + encoded.aligned.tobytes()
    width, is_signed = values.dtype.itemsize, values.dtype.kind == "i"
    cursor = Cursor(memoryview(data), 0)
    assert Sequence(cursor, len(values), width, is_signed, may_align).values().tolist() == values.tolist()
    cursor.done()
    theirs = arc.take_integers(arc.Cursor(data, 0), len(values), width, is_signed, may_align)()
    assert list(theirs) == values.tolist()


@pytest.mark.parametrize("bits", range(57))
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 1000])
def test_numbers_of_each_number_of_bits(bits: int, count: int) -> None:
    numbers = np.random.default_rng(bits).integers(0, (1 << bits) - 1, count, np.uint64, endpoint=True)
    data = memoryview(pack(numbers, bits))
    assert len(data) == (count * bits + 7) // 8
    assert unpack(data, 0, count, bits, 8).tolist() == numbers.tolist()


@given(st.lists(st.one_of(st.integers(0, 300), st.integers(0, (1 << 64) - 1)), min_size=20, max_size=60))
def test_many_varints_are_read_as_one_by_one(values: list[int]) -> None:
    cursor = Cursor(memoryview(b"".join(map(varint, values)) + b"\x80"), 0)
    assert take_varints(cursor, len(values)).tolist() == values
    assert cursor.left() == 1


def test_sums_are_exact() -> None:
    assert exact_sum(np.array([(1 << 64) - 1] * 5, np.uint64)) == 5 * ((1 << 64) - 1)
    assert exact_sum(np.array([255] * 5, np.uint8)) == 1275
    assert exact_sum(np.zeros(0, np.uint64)) == 0


def varints_one_by_one(data: bytes, count: int) -> tuple[list[int], int] | str:
    cursor = Cursor(memoryview(data), 0)
    try:
        return [cursor.varint() for _ in range(count)], cursor.at
    except ArcError as error:
        return error.rule


def varints_at_once(data: bytes, count: int) -> tuple[list[int], int] | str:
    cursor = Cursor(memoryview(data), 0)
    try:
        return take_varints(cursor, count).tolist(), cursor.at
    except ArcError as error:
        return error.rule


@given(st.lists(st.integers(0, 127) | st.integers(0, (1 << 64) - 1), min_size=16, max_size=60),
       st.lists(st.tuples(st.integers(0, 1 << 16), st.sampled_from([0, 0x80, 0xFF, 1])), max_size=2), st.integers(0, 3))
@settings(deadline=None, max_examples=300)
def test_many_varints_are_read_as_each_alone(numbers: list[int], changes: list[tuple[int, int]], left: int) -> None:
    data = bytearray(b"".join(map(varint, numbers)))
    for at, byte in changes:
        data[at % len(data)] = byte
    count = max(len(numbers) - left, 16)
    assert varints_at_once(bytes(data), count) == varints_one_by_one(bytes(data), count)
