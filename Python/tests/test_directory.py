"""A directory saves reading, and never changes what is read: right ones, and each list of one lying."""

from __future__ import annotations

import datetime
import io
import os
import pathlib
import random
import re
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from directories import directory_of, with_directory
from documents import REPOSITORY
from judge import FIXTURES, SOUND, readers, verdict, verdict_of_judge

import arc_format


def people(count: int = 300_000) -> bytes:
    table = pa.table({
        "number": pa.array(range(count), pa.int32()), "name": [f"{row:07} or so" for row in range(count)],
        "kind": [f"kind {row % 7}" for row in range(count)],
        "born": pa.array([row * 10**6 for row in range(count)], pa.timestamp("us", "UTC")),
        "score": [None if row % 3 else row / 2 for row in range(count)],
        "boss": pa.array([None if row < 9 else row // 9 for row in range(count)], pa.int64())})
    file = io.BytesIO()
    arc_format.write(file, {"Person": table}, references={("Person", "boss"): "Person"}, directory=True)
    return file.getvalue()


PEOPLE = people()


@pytest.mark.parametrize("name", SOUND)
def test_an_archive_with_a_directory_reads_as_without(name: str) -> None:
    plain, data = arc_format.open(SOUND[name]), with_directory(SOUND[name])
    assert verdict_of_judge(data) == verdict(data) == "ok"
    for archive in (arc_format.open(data), arc_format.open(data, verify="all", limits=arc_format.UNTRUSTED)):
        assert archive.counts() == plain.counts()
        assert archive.edges().equals(plain.edges())
        for each in plain.classes:
            table = plain.table(each)
            assert is_same(archive.table(each), table)
            for column in archive.schema(each, target_classes=False).names[1:]:
                alone = archive.table(each, [column], target_classes=False)
                assert is_same(alone, table.select(alone.column_names))


def is_same(table: pa.Table, other: pa.Table) -> bool:
    """Equal, what is no number too."""
    return table.schema.equals(other.schema) and repr(table.to_pylist()) == repr(other.to_pylist())


def test_what_is_written_is_the_example_of_the_spec() -> None:
    data = (FIXTURES / "directory" / "right.arc").read_bytes()
    page = (REPOSITORY / "Spec" / "13-directory.md").read_text()
    cells = re.findall(r"^\| [0-9A-F]{3} \| `([0-9A-F ]+)` \|", page, re.M)
    bytes_of_page = b"".join(map(bytes.fromhex, cells))
    assert bytes_of_page in data
    payload, count = directory_of((FIXTURES / "directory" / "without-ranges.arc").read_bytes())
    assert bytes_of_page[24:24 + len(payload)] == payload
    assert count == 3


def test_the_judge_finds_what_is_written_right() -> None:
    compression: Literal["none", "zlib"]
    for compression in ("none", "zlib"):
        file = io.BytesIO()
        table = arc_format.open(PEOPLE).table("Person").slice(0, 3000)
        arc_format.write(file, {"Person": table.drop_columns(["boss"])}, directory=True, compression=compression)
        assert verdict_of_judge(file.getvalue()) == "ok"
        assert b"CDIR" in file.getvalue()


def test_small_archives_have_no_directory_unless_asked_for() -> None:
    table = pa.table({"n": [1, 2, 3]})
    for directory, expected in ((None, False), (False, False), (True, True)):
        file = io.BytesIO()
        arc_format.write(file, {"A": table}, directory=directory)
        assert (b"CDIR" in file.getvalue()) == expected
    assert b"CDIR" in PEOPLE


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def test_one_column_reads_its_chunks_alone_and_under_their_own_checksums() -> None:
    name_at = PEOPLE.index(b"0150000 or so")
    damaged = arc_format.open(flipped(PEOPLE, name_at))
    assert damaged.table("Person", ["number"])["number"].to_pylist() == list(range(300_000))
    with pytest.raises(arc_format.ArcError) as error:
        damaged.table("Person", ["name"])
    assert (error.value.code, error.value.rule) == ("damagedSegment", "Y4")
    with pytest.raises(arc_format.ArcError) as error:
        arc_format.open(flipped(PEOPLE, name_at), verify="all")
    assert error.value.rule == "S2"


def test_a_compressed_segment_is_inflated_without_its_checksum_and_gives_no_other_values_for_that() -> None:
    file, generator = io.BytesIO(), random.Random(3)
    table = arc_format.open(PEOPLE).table("Person").slice(0, 20_000).drop_columns(["boss", "$row"])
    arc_format.write(file, {"Person": table}, directory=True, compression="zlib")
    data = file.getvalue()
    segment = next(each for each in arc_format.open(data)._layout.of_kind(b"ROWS") if each.count > 1)
    assert segment.codec == 1
    start, seen = segment.offset + 24, set()
    for at in [*range(start, start + 40), *(generator.randrange(start, segment.end - 4) for _ in range(300))]:
        archive = arc_format.open(data[:at] + bytes([data[at] ^ 1 << generator.randrange(8)]) + data[at + 1:])
        try:
            assert archive.table("Person", ["number"])["number"].to_pylist() == list(range(20_000))
            seen.add("read")
        except arc_format.ArcError as error:
            # Even where that shows in what was inflated, it is said of the segment.
            assert (error.code, error.rule) == ("damagedSegment", "S2")
            seen.add("refused")
        with pytest.raises(arc_format.ArcError) as whole:
            archive.tables()
        assert whole.value.rule in ("S2", "S5")
    assert seen == {"read", "refused"}


def test_where_reads_only_segments_that_may_have_such_rows() -> None:
    # All of the chunk of another segment is excluded by its range, so its damage is not met.
    damaged = arc_format.open(flipped(PEOPLE, PEOPLE.index(b"0150000 or so")))
    date = datetime.datetime(1970, 1, 1, 0, 5, tzinfo=datetime.UTC)
    for condition in (("number", "<", 1000), ("name", "==", "0000300 or so"), ("born", "<=", date), ("boss", "<", 20)):
        rows = damaged.table("Person", ["name"], where=[condition])
        assert rows.num_rows > 0, condition
    assert damaged.table("Person", ["name"], where=[("number", "==", 300)]).to_pylist() == [
        {"$row": 301, "name": "0000300 or so"}]
    assert damaged.table("Person", ["name"], where=[("kind", "==", "no such kind")]).num_rows == 0
    with pytest.raises(arc_format.ArcError):
        damaged.table("Person", ["name"], where=[("number", ">", 1000)])


COMPARISONS = {"==": pc.equal, "!=": pc.not_equal, "<": pc.less, "<=": pc.less_equal, ">": pc.greater,
               ">=": pc.greater_equal}


@pytest.mark.parametrize("name", ["number", "name", "kind", "born", "score", "boss"])
def test_where_gives_the_rows_that_a_filter_gives(name: str) -> None:
    archive, generator = arc_format.open(PEOPLE), random.Random(1)
    whole = archive.table("Person")
    for sign, compare in COMPARISONS.items():
        for row in (0, 131_071, 131_072, 299_999, generator.randrange(300_000)):
            value = whole[name][row].as_py()
            if value is not None:
                expected = whole.filter(compare(whole[name], value)).select(["$row", "kind"])
                assert archive.table("Person", ["kind"], where=[(name, sign, value)]).equals(expected), (sign, value)


@pytest.mark.parametrize(("name", "values"), [
    ("number", [7, 299_999]), ("name", ["0150000 or so", "nobody"]), ("kind", ["kind 3", "kind 9"]),
    ("boss", [1, 20_000]), ("number", [])])
@pytest.mark.parametrize("strings", ["plain", "view", "dictionary"])
def test_in_gives_the_rows_with_one_of_the_values(name: str, values: list[Any], strings: Any) -> None:
    archive = arc_format.open(PEOPLE)
    whole = archive.table("Person", strings="plain")
    expected = whole.filter(pc.is_in(whole[name], pa.array(values, whole[name].type)))["$row"].to_pylist()
    found = archive.table("Person", ["name"], where=[(name, "in", values)], strings=strings)
    assert found["$row"].to_pylist() == expected
    assert found["name"].to_pylist() == [whole["name"][row - 1].as_py() for row in expected]
    assert found.schema == archive.schema("Person", ["name"], strings=strings)


def test_numbers_of_rows_choose_segments() -> None:
    damaged = arc_format.open(flipped(PEOPLE, PEOPLE.index(b"0150000 or so")))
    assert damaged.table("Person", ["name"], where=[("$row", "<=", 2)])["name"].to_pylist() == [
        "0000000 or so", "0000001 or so"]
    assert damaged.table("Person", ["name"], where=[("$row", "in", [1, 131_072])]).num_rows == 2
    with pytest.raises(arc_format.ArcError):
        damaged.table("Person", ["name"], where=[("$row", "==", 150_001)])


def test_conditions_on_a_data_set_are_asked_of_each_directory(tmp_path: pathlib.Path) -> None:
    damaged = flipped(PEOPLE, PEOPLE.index(b"0150000 or so"))
    for name in ("a.arc", "b.arc"):
        (tmp_path / name).write_bytes(damaged)
    shards = arc_format.dataset(tmp_path)
    for shard in range(2):
        base = shard << 32
        # References and numbers are ids: those of the other shard cannot be here.
        for condition in (("boss", "==", base + 2), ("boss", "in", [base + 2]), ("$id", "==", base + 10)):
            rows = shards.table("Person", ["name"], where=[condition])
            assert rows.num_rows > 0 and {each >> 32 for each in rows["$id"].to_pylist()} == {shard}, condition
    assert shards.table("Person", ["name"], where=[("number", "==", 300)])["$id"].to_pylist() == [301, (1 << 32) + 301]
    with pytest.raises(arc_format.ArcError):
        shards.table("Person", ["name"], where=[("number", ">", 1000)])


def test_conditions_that_make_no_sense_are_refused() -> None:
    archive = arc_format.open(PEOPLE)
    conditions: list[Any] = [("number", "like", 1), ("nothing", "==", 1), ("number", "==", "text"), ("number", "=="),
                             ("number", "in", 3), ("number", "in", ["text"]),
                             ("number", "in", [float("nan")])]
    for wrong in conditions:
        with pytest.raises(arc_format.UsageError):
            archive.table("Person", ["name"], where=[wrong])


def truth(data: bytes) -> dict[tuple[str, str], dict[int, Any]]:
    """The values of each column of each class, by row."""
    archive, values = arc_format.open(data), {}
    for each in archive.classes:
        for column in archive.schema(each, target_classes=False).names[1:]:
            table = archive.table(each, [column], target_classes=False)
            values[each, column] = by_row(table, column)
    return values


def by_row(table: pa.Table, column: str) -> dict[int, str]:
    return dict(zip(table["$row"].to_pylist(), map(repr, table[column].to_pylist()), strict=True))


def check_harmless(data: bytes, expected: dict[tuple[str, str], dict[int, Any]]) -> str:
    """A wrong directory is refused if a file is verified; else it hides rows at most, and is not used for strangers."""
    found = verdict(data)
    assert found == verdict_of_judge(data)
    strangers, archive = arc_format.open(data, limits=arc_format.UNTRUSTED), arc_format.open(data)
    for (each, column), values in expected.items():
        table = strangers.table(each, [column], target_classes=False)
        assert by_row(table, column) == values
        try:
            table = archive.table(each, [column], target_classes=False)
        except arc_format.ArcError:
            continue
        assert by_row(table, column).items() <= values.items()
    return found


@pytest.mark.parametrize("path", sorted((FIXTURES / "directory").glob("*.arc")), ids=lambda path: path.stem)
def test_each_lie_of_a_directory_is_refused_or_harmless(path: Any) -> None:
    data = path.read_bytes()
    expected = truth((FIXTURES / "directory" / "without-ranges.arc").read_bytes())
    found = check_harmless(data, expected)
    assert found == "ok" or f"[{path.stem.split('-')[0]}]" in found


def test_a_row_that_a_directory_hides_is_refused_where_it_is_asked_for() -> None:
    archive, right = (arc_format.open(FIXTURES / "directory" / f"{name}.arc") for name in ("Y3-class", "right"))
    refused = 0
    for row in range(archive.rows + 1):
        try:
            assert repr(archive.object(row)) == repr(right.object(row))
        except arc_format.ArcError as error:
            assert error.rule == "Y3"
            refused += 1
    assert refused


def test_directories_that_are_changed_at_random_are_refused_or_harmless() -> None:
    seed = int(os.environ.get("ARC_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"ARC_SEED={seed}")
    generator, rules = random.Random(seed), set()
    seeds = [(data, directory_of(data)[0], truth(data))
             for data in (SOUND["person.arc"], SOUND["links-last.arc"], SOUND["late-columns.arc"],
                          SOUND["weak-inside-of-values.arc"], SOUND["collections.arc"])]
    for _ in range(int(os.environ.get("ARC_MUTATIONS", "2000")) // 5):
        data, payload, expected = generator.choice(seeds)
        for _ in range(generator.randint(1, 2)):
            payload = readers.change(payload, generator)
        rules.add(check_harmless(with_directory(data, payload), expected))
    assert len(rules) >= 3, rules
