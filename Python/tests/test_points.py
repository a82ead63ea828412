"""Points for decompression: a column is decompressed alone, and wrong points never change what is read. Spec: 13.5."""

from __future__ import annotations

import io
import os
import random
import struct
import zlib
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from directories import segment
from judge import verdict, verdict_of_judge

import arc_format
from arc_format.container.inflation import BLOCK_BYTES
from arc_format.writing.primitives import string, varint

COUNT = 30_000


def people(count: int = COUNT) -> pa.Table:
    generator = np.random.default_rng(41)
    noise = generator.integers(0, 1 << 40, count)
    return pa.table({
        "number": noise, "flag": noise % 2 == 0, "city": [f"the city {value % 9001}" for value in noise],
        "note": [f"{value} {'-' * (value % 60)}" for value in noise], "kind": pa.array(np.arange(count) // 10_000),
        "boss": pa.array([None if value % 5 == 0 else value % count for value in noise.tolist()], pa.int64()),
        "rival": pa.array([None if value % 3 == 0 else value % count for value in noise.tolist()], pa.int64()),
        "maybe": pa.array([None if value % 7 == 0 else float(value) for value in noise.tolist()])})


def written(table: pa.Table, **options: Any) -> bytes:
    file = io.BytesIO()
    references = {("Person", "boss"): "Person", ("Person", "rival"): "Person"}
    arc_format.write(file, {"Person": table}, references=references, weak=[("Person", "rival"), ("Person", "boss")],
                     **{"compression": "zlib", "directory": True, **options})
    return file.getvalue()


TABLE = people()
DATA = written(TABLE)
PLAIN = arc_format.open(written(TABLE, directory=False)).table("Person")


def with_list(data: bytes, change: Any) -> bytes:
    """The archive with another payload of the ZPTS segment. `change` receives the payload."""
    archive = arc_format.open(data)
    offset, parts, entries, checksums = 32, [data[:32]], [], b""
    for each in archive._layout.segments:
        whole, raw = data[each.offset:each.end], each.raw
        if each.kind == b"ZPTS":
            payload = change(data[each.offset + 24:each.offset + 24 + each.stored])
            whole, raw = segment(b"ZPTS", payload, flags=1), len(payload)
        stored = raw if each.kind == b"ZPTS" else each.stored
        parts.append(whole)
        checksums += whole[-4:]
        entries.append(each.kind + b"".join(map(varint, (each.codec, stored, raw, each.first, each.count))))
        offset += len(whole)
    index = segment(b"INDX", string("test") + varint(len(entries)) + b"".join(entries))
    trailer = struct.pack("<QQII", offset, archive._layout.row_count, len(entries), zlib.crc32(checksums))
    return b"".join([*parts, index, trailer, struct.pack("<I", zlib.crc32(trailer)), b"CRA\x8A"])


def columns(data: bytes) -> dict[str, Any]:
    """Each column alone, or its error."""
    found: dict[str, Any] = {}
    for name in PLAIN.column_names[1:]:
        try:
            found[name] = arc_format.open(data).table("Person", [name])[name]
        except arc_format.ArcError as error:
            found[name] = error
    return found


@pytest.mark.parametrize("level", [1, 6, 9])
def test_columns_are_those_of_an_archive_without_points(level: int) -> None:
    data = written(TABLE, level=level)
    assert data == written(TABLE, level=level)
    assert verdict(data) == verdict_of_judge(data) == "ok"
    for archive in (arc_format.open(data), arc_format.open(data, verify="all")):
        for name in PLAIN.column_names[1:]:
            assert archive.table("Person", [name])[name].equals(PLAIN[name])
    kinds = {each.segment.kind for each in points_of(data) if each.points}
    assert kinds == {b"STRS", b"ROWS", b"LINK"}


def points_of(data: bytes) -> list[Any]:
    from arc_format.columns.points import read_points

    archive = arc_format.open(data)
    points = read_points(archive._data, archive._layout, archive.limits)
    return [] if points is None else points.segments


def test_one_column_decompresses_its_parts_alone() -> None:
    archive = arc_format.open(DATA)
    archive.table("Person", ["kind"])
    inflated = [each for each in archive._payloads._kept_parts.values() if each.raw_bytes > 100_000]
    assert inflated
    assert not archive._payloads._kept
    assert sum(each._size for each in inflated) < 0.2 * sum(each.raw_bytes for each in inflated)
    assert archive._payloads.drop_points()


def test_columns_that_cross_zlib_blocks_are_read_from_points() -> None:
    table = pa.table({"a": np.arange(4000), "text": [f"{row} " * 400 for row in range(4000)],
                      "b": np.arange(4000)[::-1].copy() ** 2 % 77_777, "boss": [None] * 4000, "rival": [None] * 4000})
    data = written(table.cast(pa.schema([(name, pa.int64() if name != "text" else pa.string())
                                         for name in table.column_names])))
    archive = arc_format.open(data)
    assert any(each.raw > 2 * BLOCK_BYTES and each.codec for each in archive._layout.of_kind(b"ROWS"))
    for name in ("b", "text", "a"):
        assert archive.table("Person", [name])[name].to_pylist() == table[name].to_pylist()
    assert archive._payloads.drop_points()
    assert verdict_of_judge(data) == "ok"


def test_archives_without_directory_have_no_flushes() -> None:
    data = written(TABLE, directory=False)
    for each in arc_format.open(data)._layout.segments:
        if each.codec and each.raw <= BLOCK_BYTES:
            stored = data[each.offset + 28:each.offset + 24 + each.stored]
            assert zlib.compress(zlib.decompress(stored)) == stored
    assert not points_of(data)
    assert not points_of(written(TABLE, compression="none"))
    assert not points_of(written(people(50)))


def test_large_tables_have_a_directory_whatever_the_size_of_the_archive() -> None:
    for rows, expected in ((80_000, False), (90_000, True)):
        file = io.BytesIO()
        arc_format.write(file, {"A": pa.table({"text": ["a" * 400] * rows})}, compression="zlib")
        assert len(file.getvalue()) < 1 << 20
        assert bool(arc_format.open(file.getvalue())._layout.of_kind(b"CDIR")) == expected


def test_wrong_points_never_change_a_value() -> None:
    seed = int(os.environ.get("ARC_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"ARC_SEED={seed}")
    generator, refused = random.Random(seed), 0
    for _ in range(60):
        def change(payload: bytes) -> bytes:
            at = generator.randrange(len(payload))
            byte = payload[at] + generator.randint(1, generator.choice([3, 255])) & 0xFF
            return payload[:at] + bytes([byte]) + payload[at + 1:]

        data = with_list(DATA, change)
        assert verdict(data) == verdict_of_judge(data) != "ok"
        found = columns(data)
        for name, values in found.items():
            if isinstance(values, arc_format.ArcError):
                assert values.rule in ("Y6", "Y7", "Y8", "A2"), values
            else:
                assert values.equals(PLAIN[name])
        refused += any(isinstance(values, arc_format.ArcError) for values in found.values())
    assert refused < 60


def test_damaged_bytes_are_reported_as_damage() -> None:
    generator, refused = random.Random(5), 0
    segments = [each for each in arc_format.open(DATA)._layout.segments if each.codec]
    for _ in range(60):
        each = generator.choice(segments)
        at = each.offset + 24 + generator.randrange(each.stored)
        data = DATA[:at] + bytes([DATA[at] ^ 1 << generator.randrange(8)]) + DATA[at + 1:]
        for name, values in columns(data).items():
            if isinstance(values, arc_format.ArcError):
                assert (values.code, values.rule) == ("damagedSegment", "S2")
                refused += 1
            else:
                assert values.equals(PLAIN[name])
    assert refused


def test_a_list_that_claims_much_is_refused_before_memory_is_reserved() -> None:
    listed = len(points_of(DATA))
    many = bytes([18, 8, 1]) + struct.pack("<Q", 1 << 40) + b"\x04" + struct.pack("<I", listed)
    constant = b"\x10\x04\x00" + struct.pack("<I", 1 << 18)
    for payload in (varint(1 << 50), varint(listed) + many, varint(listed) + constant):
        with pytest.raises(arc_format.ArcError, match=r"Y7|Y8|A2"):
            arc_format.open(with_list(DATA, lambda _, payload=payload: payload)).table("Person", ["kind"])
