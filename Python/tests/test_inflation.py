"""What is compressed is inflated as far as it is needed, and is never anything else than the whole."""

from __future__ import annotations

import io
import random
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

import arc_format
from arc_format.container import deflate
from arc_format.container.inflation import BLOCK_BYTES, Inflation

RAW = random.Random(1).randbytes(3 * BLOCK_BYTES // 2 + 77) + bytes(BLOCK_BYTES)


def stored(raw: bytes = RAW, damaged: int | None = None, behind: bytes = b"") -> bytes:
    """A compressed payload; one of its blocks may lack its last bytes."""
    payload = b""
    for number, start in enumerate(range(0, len(raw), BLOCK_BYTES)):
        block = zlib.compress(raw[start:start + BLOCK_BYTES])
        block = block[:-10] if number == damaged else block
        payload += len(block).to_bytes(4, "little") + block
    return payload + behind


def inflation(payload: bytes) -> Inflation:
    return Inflation(memoryview(payload), len(RAW), 0)


SIZES = [0, 1, 1000, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 2 * BLOCK_BYTES, len(RAW), len(RAW) + 1]


@pytest.mark.parametrize("seed", range(20))
def test_parts_in_any_order_are_the_begin_of_the_whole(seed: int) -> None:
    generator, inflated, least = random.Random(seed), inflation(stored()), 0
    for _ in range(8):
        size = generator.choice([*SIZES, generator.randrange(len(RAW))])
        part, least = inflated.upto(size), max(least, size)
        assert min(least, len(RAW)) == len(part) and RAW.startswith(part)


@pytest.mark.parametrize("seed", range(20))
def test_parts_in_any_order_are_those_of_the_whole(seed: int) -> None:
    generator, inflated, size = random.Random(seed), inflation(stored()), 0
    for _ in range(8):
        ends = [sorted(generator.choices([*SIZES, generator.randrange(len(RAW))], k=2)) for _ in range(2)]
        parts = [(start, end) for start, end in ends]
        raw, there = inflated.holding(parts)
        assert all(raw[start:end] == RAW[start:end] for start, end in there)
        assert all(any(start <= first and min(last, len(RAW)) <= end for start, end in there)
                   for first, last in parts if first < min(last, len(RAW)))
        assert all(one[1] < other[0] for one, other in pairwise(there))
        assert size <= inflated._size == sum(end - start for start, end in there)
        size = inflated._size


def test_a_damaged_block_that_is_skipped_is_not_met() -> None:
    inflated = inflation(stored(damaged=0))
    raw, there = inflated.holding([(BLOCK_BYTES + 5, BLOCK_BYTES + 9)])
    assert there == [(BLOCK_BYTES, BLOCK_BYTES + 9)] and raw[BLOCK_BYTES:BLOCK_BYTES + 9] == RAW[BLOCK_BYTES:][:9]
    with pytest.raises(arc_format.ArcError):
        inflated.upto(len(RAW))


@pytest.mark.parametrize("damaged", [0, 1])
def test_a_damaged_block_is_met_again_by_whoever_asks_again(damaged: int) -> None:
    inflated = inflation(stored(damaged=damaged))
    for size in (*SIZES, *SIZES):
        if size >= (damaged + 1) * BLOCK_BYTES:
            with pytest.raises(arc_format.ArcError) as error:
                inflated.upto(size)
            assert error.value.rule == "Z2"
    assert RAW.startswith(inflated.upto(1000))


def test_bytes_behind_the_last_block_are_refused_each_time() -> None:
    inflated = inflation(stored(behind=b"\0"))
    for _ in range(2):
        assert RAW.startswith(inflated.upto(len(RAW) - 1))
        with pytest.raises(arc_format.ArcError) as error:
            inflated.upto(len(RAW))
        assert error.value.rule in ("B2", "Z3")


def test_a_block_that_gives_more_than_it_may_is_refused_before_it_grows() -> None:
    longer = RAW[:BLOCK_BYTES] + b"\0"
    block = zlib.compress(longer)
    with pytest.raises(arc_format.ArcError) as error:
        Inflation(memoryview(len(block).to_bytes(4, "little") + block), BLOCK_BYTES, 0).upto(BLOCK_BYTES)
    assert error.value.rule == "Z2"


def test_threads_share_an_inflation() -> None:
    inflated = inflation(stored())
    with ThreadPoolExecutor(8) as threads:
        for size, part in zip(range(0, len(RAW), 9973), threads.map(inflated.upto, range(0, len(RAW), 9973)),
                              strict=True):
            assert len(part) >= size and part[:1000] == RAW[:min(1000, len(part))]


def table(count: int) -> pa.Table:
    generator = np.random.default_rng(3)
    return pa.table({
        "first": pa.array(generator.integers(0, 1 << 62, count)), "text": [f"text {row}" for row in range(count)],
        "kind": [f"kind {row * 7 // count}" for row in range(count)], "last": pa.array(range(count), pa.int64())})


def test_columns_of_compressed_archives_are_those_of_the_whole_table_in_any_order() -> None:
    file, whole = io.BytesIO(), table(400_000)
    arc_format.write(file, {"A": whole}, compression="zlib", directory=True)
    archive = arc_format.open(file.getvalue())
    for names in (["first"], ["kind"], ["last"], ["text"], ["last", "first"]):
        assert archive.table("A", names).select(names).equals(whole.select(names).cast(
            archive.table("A", names).select(names).schema))


def without_points(data: bytes) -> arc_format.Archive:
    """The archive, which begins to decompress only where zlib blocks begin."""
    archive = arc_format.open(data)
    assert archive._selection is not None
    assert archive._payloads.drop_points()
    return archive


def test_a_column_is_read_without_what_stands_behind_it_in_a_compressed_segment() -> None:
    file, whole = io.BytesIO(), table(400_000)
    arc_format.write(file, {"A": whole}, compression="zlib", directory=True)
    archive = without_points(file.getvalue())
    archive.table("A", ["first"])
    inflated = [each for each in archive._payloads._kept.values() if each._size]
    assert inflated
    assert all(each._size < each.raw_bytes * 0.9 for each in inflated if each.raw_bytes > 100_000)


def test_a_column_is_read_without_blocks_that_hold_nothing_of_it() -> None:
    file, whole = io.BytesIO(), table(400_000)
    arc_format.write(file, {"A": whole}, compression="zlib", directory=True)
    archive = without_points(file.getvalue())
    last = archive.table("A", ["last"])
    assert last["last"].equals(whole["last"])
    large = [each for each in archive._payloads._kept.values() if each._size and each.raw_bytes > BLOCK_BYTES]
    assert large and any(each._size < 0.75 * each.raw_bytes for each in large)
    assert archive.table("A", ["text", "first", "kind"]).num_rows == 400_000


def test_strings_of_some_segments_are_read_and_of_all_when_asked() -> None:
    count = 400_000
    names = [f"a string {row} of its own" for row in range(count)]
    file = io.BytesIO()
    arc_format.write(file, {
        "A": pa.table({"name": names}), "B": pa.table({"name": names[:1000] * 2}),
        "C": pa.table({"name": names[-1000:] * 2})})
    data = file.getvalue()
    for order in ("BCA", "CBA", "CAB", "ABC"):
        archive = arc_format.open(data)
        for each in order:
            expected = {"A": names, "B": names[:1000] * 2, "C": names[-1000:] * 2}[each]
            for strings in ("view", "plain", "dictionary"):
                assert archive.table(each, strings=strings)["name"].to_pylist() == expected


def test_the_faster_zlib_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    faster = pytest.importorskip("zlib_ng.zlib_ng")
    damage = [stored(), stored(damaged=0), stored(damaged=1), stored(behind=b"x"), stored()[:-1]]
    generator = random.Random(5)
    for _ in range(60):
        mutated = bytearray(stored())
        mutated[generator.randrange(len(mutated))] ^= 1 << generator.randrange(8)
        damage.append(bytes(mutated))
    for payload in damage:
        results = []
        for module in (zlib, faster):
            for name in deflate.__all__:
                monkeypatch.setattr(deflate, name, getattr(module, name))
            found: list[object] = []
            for size in (10, BLOCK_BYTES - 5, len(RAW)):
                try:
                    found.append(bytes(inflation(payload).upto(size)[:size]))
                except arc_format.ArcError as error:
                    found.append((error.code, error.rule, error.offset))
            results.append(found)
        assert results[0] == results[1]
    assert faster.crc32(RAW, 7) == zlib.crc32(RAW, 7)


def test_the_package_reads_without_the_faster_zlib() -> None:
    code = ("import sys; sys.modules['zlib_ng'] = None; import arc_format; from arc_format.container import deflate; "
            "import zlib; assert deflate.crc32 is zlib.crc32; "
            "print(arc_format.open('Fixtures/inheritance-zlib.arc', verify='all').counts()['Car'])")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "1\n"
