"""Data sets: their manifest, read, written, and hostile; links between shards. Spec: 14."""

from __future__ import annotations

import datetime
import io
import os
import pathlib
import pickle
import random
import shutil
import subprocess
import time
import tracemalloc
import types
import uuid
from collections.abc import Callable
from typing import Any

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from archives import chunk
from judge import SOUND, readers, verdict_of_judge

import arc_format
import arc_format.duckdb
import arc_format.polars
from arc_format import DatasetError, UsageError
from arc_format.command.main import main
from arc_format.container.layout import read_layout
from arc_format.container.segment import read_payload
from arc_format.datasets.manifest import MANIFEST, Manifest, Shard, read_manifest
from arc_format.writing.file import SegmentWriter
from arc_format.writing.primitives import varint

LINKS = {("Person", "boss"): "Person", ("Person", "friends"): "Person"}


def shard(number: int, rows: int = 4) -> dict[str, pa.Table]:
    """People whose boss and friends are in other shards; two pets, whose owner is in the same."""
    names = [f"person {number}.{row}" for row in range(rows)]
    bosses = [(number + row) % 3 << 32 | row + 1 if row else None for row in range(rows)]
    friends = [[(number + 1) % 3 << 32 | each + 1 for each in range(row)] for row in range(rows)]
    return {"Person": pa.table({"name": names, "age": [10 * number + row for row in range(rows)],
                                "boss": pa.array(bosses, pa.int64()), "friends": friends}),
            "Pet": pa.table({"owner": pa.array([0, 1], pa.int64())})}


def written(folder: pathlib.Path, **options: Any) -> pathlib.Path:
    arc_format.write_dataset(folder, (shard(number) for number in range(3)), links=LINKS,
                             references={("Pet", "owner"): "Person"}, **options)
    return folder


def test_what_is_written_is_a_sound_data_set_and_its_links_are_resolved_by_a_join(tmp_path: pathlib.Path) -> None:
    folder = written(tmp_path / "set")
    assert sorted(os.listdir(folder)) == ["_arc", "part-00000.arc", "part-00001.arc", "part-00002.arc"]
    for path in folder.rglob("*.arc"):
        assert verdict_of_judge(path.read_bytes()) == "ok"
    people = arc_format.dataset(folder, verify="all")
    people.verify()
    assert people.counts() == {"Person": 12, "Pet": 6}
    table = people.table("Person")
    assert table.schema.field("boss").type == pa.int64()
    bosses = pa.concat_tables([shard(number)["Person"].select(["boss"]) for number in range(3)])
    assert table["boss"].to_pylist() == bosses["boss"].to_pylist()
    assert table["friends"].to_pylist()[3] == [1 << 32 | 1, 1 << 32 | 2, 1 << 32 | 3]
    frame = arc_format.polars.scan(people, "Person")
    joined = frame.join(frame, left_on="boss", right_on="$id").sort("$id").select("name", "name_right").collect()
    assert joined.rows()[0] == ("person 0.1", "person 1.1")
    assert len(joined) == 9
    # A single file shows what is stored.
    assert people.archive(0).table("Person")["boss"].to_pylist()[:2] == [
        {"shard": 0, "row": 0}, {"shard": 1, "row": 2}]
    assert people.archive(0).class_of("Person").columns[2].encoding == '{ArcLink<Person>="shard"I"row"I}'


def test_links_are_edges_of_a_data_set(tmp_path: pathlib.Path) -> None:
    people = arc_format.dataset(written(tmp_path / "set"))
    table = people.table("Person")
    ids, bosses = (table[name].to_pylist() for name in ("$id", "boss"))
    expected = {(each, boss) for each, boss in zip(ids, bosses, strict=True) if boss}
    found = people.edges(["Person.boss"])
    assert {(edge["src"], edge["dst"]) for edge in found.to_pylist()} == expected
    assert found.num_rows == 9
    assert people.edges(["Person.friends"]).num_rows == 18
    assert people.edges().num_rows == 9 + 18 + 6
    connection = duckdb.connect()
    arc_format.duckdb.attach(connection, tmp_path / "set", "a")
    assert connection.sql("select count(*) from a.edges").fetchall() == [(33,)]
    # By itself a file has no objects that its links lead to.
    assert people.archive(0).edges().num_rows == 2
    with pytest.raises(UsageError, match=r"these have: Pet\.owner"):
        people.archive(0).edges(["Person.boss"])


def test_edges_of_a_class_that_a_shard_has_not(tmp_path: pathlib.Path) -> None:
    arc_format.write_dataset(tmp_path, [{"A": pa.table({"to": [1 << 32 | 1]})}, {"B": pa.table({"to": [0]})}],
                             links={("A", "to"): "B"}, references={("B", "to"): "B"})
    data = arc_format.dataset(tmp_path)
    data.verify()
    assert data.edges(["A.to"]).num_rows == data.edges(["B.to"]).num_rows == 1
    assert data.edges([]).num_rows == 0
    with pytest.raises(UsageError, match=r"these have: A\.to, B\.to"):
        data.edges(["A.to", "C.to"])


def test_links_inside_of_recursive_and_optional_values_are_edges_too(tmp_path: pathlib.Path) -> None:
    link = '{ArcLink<A>="shard"I"row"I}'
    field = pa.field("tree", pa.large_string(), metadata={
        "arc:attributes": f'T{{Tree="to"{link}"all"$[{link}]"sub"$[{{Tree}}]}},N,V_tree'})

    def tree(row: int, *below: str) -> str:
        one = f'{{"$struct":"ArcLink<A>","fields":{{"shard":0,"row":{row}}}}}'
        return f'{{"$struct":"Tree","fields":{{"to":{one},"all":[{one}],"sub":[{",".join(below)}]}}}}'

    texts = [tree(1, tree(2), tree(0)), tree(2)]
    maybe = pa.field("maybe", pa.int64(), metadata={"arc:attributes": f"T$?{link},N,V_maybe"})
    schema = pa.schema([field, maybe])
    arc_format.write_dataset(tmp_path, [{"A": pa.table({"tree": texts, "maybe": [None, 1]}, schema)}])
    data = arc_format.dataset(tmp_path)
    data.verify()
    edges = data.edges(["A.tree"])
    assert sorted(zip(edges["src"].to_pylist(), edges["dst"].to_pylist(), strict=True)) == [
        (1, 1), (1, 1), (1, 2), (1, 2), (2, 2), (2, 2)]
    assert data.edges(["A.maybe"]).select(["src", "dst"]).to_pylist() == [{"src": 2, "dst": 1}]


def test_shards_and_manifest_say_which_they_are(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "set"
    arc_format.write_dataset(folder, [shard(0), shard(1)], links=LINKS, metadata={"by": "test"},
                             references={("Pet", "owner"): "Person"}, sorted_by=("Person", "age"))
    people = arc_format.dataset(folder)
    manifest = people.manifest
    assert manifest is not None
    for number, each in enumerate(manifest.shards):
        archive = arc_format.open(folder / each.path)
        assert archive.metadata == {
            "by": "test", "arc.id": str(each.id).upper(), "arc.dataset": manifest.dataset, "arc.shard": str(number),
            "arc.shards": "2", "arc.sorted-by": "Person.age"}
        assert (each.rows, each.bytes) == (7, (folder / each.path).stat().st_size)
        assert each.classes == {"Person": 4, "Pet": 2}
        assert (each.least, each.most) == (10 * number, 10 * number + 3)
    assert arc_format.open(folder / MANIFEST).metadata == {
        "arc.dataset": manifest.dataset, "arc.shards": "2", "arc.sorted-by": "Person.age"}


def test_another_reader_takes_a_manifest_and_links_as_any_archive(tmp_path: pathlib.Path, arcdump: str) -> None:
    folder = written(tmp_path / "set", compression="zlib")
    for path in folder.rglob("*.arc"):
        subprocess.run([arcdump, "verify", path], check=True)
    shown = subprocess.run([arcdump, folder / MANIFEST, "--json"], check=False, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert '"part-00001.arc"' in shown.stdout


def test_a_data_set_is_read_and_written_again(tmp_path: pathlib.Path) -> None:
    people = arc_format.dataset(written(tmp_path / "set"))
    again = [{name: people.table(name, where=[("$id", ">=", number << 32), ("$id", "<", number + 1 << 32)])
              for name in ("Person", "Pet")} for number in range(3)]
    # Fields that came from an archive know that they are links, and to what.
    arc_format.write_dataset(tmp_path / "again", again)
    other = arc_format.dataset(tmp_path / "again")
    other.verify()
    for name in ("Person", "Pet"):
        assert other.table(name).equals(people.table(name))


@pytest.mark.parametrize(("column", "values"), [
    ("n", list(range(30))), ("n", [None if row % 10 > 7 else row for row in range(30)]),
    ("x", [float("nan") if row % 10 == 9 else row / 4 - 3 for row in range(30)]),
    ("text", [f"{row // 10} is longer than a border, {row:02}" for row in range(30)]),
    ("text", [f"{row:02}" for row in range(30)]),
    ("day", [datetime.datetime(1990 + row, 1, 1, tzinfo=datetime.UTC) for row in range(30)])])
def test_shards_that_conditions_exclude_are_not_opened(tmp_path: pathlib.Path, column: str, values: list[Any]) -> None:
    tables = [pa.table({column: pa.array(values[start:start + 10])}) for start in (0, 10, 20)]
    arc_format.write_dataset(tmp_path / "set", [{"A": table} for table in tables], sorted_by=("A", column))
    (tmp_path / "set" / "part-00002.arc").unlink()
    data = arc_format.dataset(tmp_path / "set")
    assert data.table("A", where=[(column, "==", values[3])])[column].to_pylist() == [values[3]]
    below = data.table("A", where=[(column, "<=", values[12])])
    assert values[12] in below[column].to_pylist()
    assert len(arc_format.polars.scan(data, "A").filter(polars.col("$id") < 5).collect()) == 4
    with pytest.raises(DatasetError) as error:
        data.table("A")
    assert error.value.code == "wrongShard"
    # Who does not trust the manifest opens all.
    with pytest.raises(DatasetError):
        arc_format.dataset(tmp_path / "set", limits=arc_format.UNTRUSTED).table("A", where=[(column, "==", values[3])])
    assert data.counts() == {"A": 30}


def test_a_shard_without_the_class_is_not_opened(tmp_path: pathlib.Path) -> None:
    arc_format.write_dataset(tmp_path / "set", [{"A": pa.table({"n": [1]})}, {"B": pa.table({"n": [1]})}])
    (tmp_path / "set" / "part-00001.arc").write_bytes(b"")
    assert arc_format.dataset(tmp_path / "set").table("A").num_rows == 1


def test_what_is_not_sorted_is_not_written_as_sorted(tmp_path: pathlib.Path) -> None:
    for number, values in enumerate(([2, 1], [None, 1], [1.0, float("nan"), 2.0], ["b", "a"])):
        with pytest.raises(UsageError, match="is not sorted by"):
            arc_format.write_dataset(tmp_path / str(number), [{"A": pa.table({"n": values})}], sorted_by=("A", "n"))
        assert not (tmp_path / str(number) / MANIFEST).exists()
    with pytest.raises(UsageError, match="name one of numbers"):
        arc_format.write_dataset(tmp_path / "none", [{"A": pa.table({"n": [1]})}], sorted_by=("A", "m"))
    with pytest.raises(UsageError, match="write into another folder"):
        arc_format.write_dataset(tmp_path / "0", [])


def test_an_empty_data_set_has_no_classes(tmp_path: pathlib.Path) -> None:
    arc_format.write_dataset(tmp_path, [])
    empty = arc_format.dataset(tmp_path)
    empty.verify()
    assert (len(empty), empty.counts()) == (0, {})
    with pytest.raises(UsageError, match="no file has a class"):
        empty.table("A")


# ---- Hostile manifests

def code_of(folder: pathlib.Path, work: Callable[[arc_format.Dataset], object] = arc_format.Dataset.verify) -> str:
    with pytest.raises((DatasetError, arc_format.ArcError)) as error:
        work(arc_format.dataset(folder, limits=arc_format.UNTRUSTED))
    assert main(["verify", str(folder)]) == 65
    return str(getattr(error.value, "code"))  # noqa: B009


def rewritten(folder: pathlib.Path, **changes: Any) -> None:
    """The manifest with other words for its first shard."""
    manifest = read_manifest(str(folder), arc_format.DEFAULT)
    assert manifest is not None
    first = Shard(**{**vars(manifest.shards[0]), **changes})
    Manifest([first, *manifest.shards[1:]], manifest.dataset, manifest.sorted_by).write(str(folder))


@pytest.mark.parametrize("path", [
    "", "/etc/passwd", "../part-00000.arc", "a/../part-00000.arc", "./part-00000.arc", "a//b.arc", "a/", "/", "..",
    "c:\\x.arc", "a\\b.arc", "a:b", "part-00000.arc\0", "_arc/manifest.arc", ".hidden.arc", "part-00001.arc"])
def test_a_path_that_may_lead_elsewhere_is_refused(tmp_path: pathlib.Path, path: str) -> None:
    folder = written(tmp_path / "set")
    rewritten(folder, path=path)
    assert code_of(folder) == "wrongShard"


def test_a_file_that_is_another_is_refused(tmp_path: pathlib.Path) -> None:
    folder = written(tmp_path / "set")
    # The right contents, another file: what links lead to by rows may be elsewhere in it.
    arc_format.write(folder / "part-00000.arc", shard(0), links=LINKS, references={("Pet", "owner"): "Person"})
    assert code_of(folder) == code_of(folder, lambda people: people.table("Person")) == "wrongShard"
    for changes in ({"rows": 8, "classes": {"Person": 5, "Pet": 2}}, {"bytes": 1}, {"path": "part-00009.arc"}):
        folder = written(tmp_path / f"{len(changes)}{next(iter(changes))}")
        rewritten(folder, **changes)
        assert code_of(folder) == code_of(folder, lambda people: people.table("Person")) == "wrongShard"
    folder = written(tmp_path / "classes")
    rewritten(folder, classes={"Person": 3, "Pet": 3})
    assert code_of(folder) == "wrongShard"


def test_counts_that_do_not_add_up_are_refused(tmp_path: pathlib.Path) -> None:
    folder = written(tmp_path / "set")
    manifest = read_manifest(str(folder), arc_format.DEFAULT)
    assert manifest is not None
    for changes in ({"rows": 8}, {"rows": 0}, {"rows": (1 << 64) - 1}, {"classes": {"Person": (1 << 64) - 1}}):
        rewritten(folder, **changes)
        assert code_of(folder, lambda people: people) == "wrongShard", changes
        manifest.write(str(folder))


def test_borders_that_lie_are_found(tmp_path: pathlib.Path) -> None:
    arc_format.write_dataset(tmp_path / "set", [{"A": pa.table({"n": [1, 5]})}], sorted_by=("A", "n"))
    for changes in ({"least": 2}, {"most": 4}):
        rewritten(tmp_path / "set", **{"least": 1, "most": 5, **changes})
        assert code_of(tmp_path / "set") == "wrongShard"
    # A manifest need not state them.
    rewritten(tmp_path / "set", least=None, most=None)
    arc_format.dataset(tmp_path / "set").verify()
    # A stranger's borders hide nothing.
    rewritten(tmp_path / "set", least=7, most=9)
    people = arc_format.dataset(tmp_path / "set", limits=arc_format.UNTRUSTED)
    assert people.table("A", where=[("n", "==", 5)]).num_rows == 1


def test_links_out_of_the_folder_and_in_circles_are_refused(tmp_path: pathlib.Path) -> None:
    def moved(name: str, number: int) -> tuple[pathlib.Path, pathlib.Path]:
        folder = written(tmp_path / str(number))
        outside = tmp_path / f"outside-{number}"
        shutil.move(folder / name, outside)
        return folder, outside

    folder, outside = moved("part-00001.arc", 1)
    os.symlink(outside, folder / "part-00001.arc")
    assert code_of(folder) == "wrongShard"
    folder, outside = moved("_arc", 2)
    os.symlink(outside, folder / "_arc")
    assert code_of(folder) == "wrongShard"
    folder, _ = moved("part-00001.arc", 3)
    os.symlink("other.arc", folder / "part-00001.arc")
    os.symlink("part-00001.arc", folder / "other.arc")
    assert code_of(folder) == "wrongShard"
    folder, _ = moved("part-00001.arc", 4)
    os.mkfifo(folder / "part-00001.arc")
    assert code_of(folder) == "wrongShard"
    folder, _ = moved("_arc", 5)
    (folder / "_arc").mkdir()
    os.symlink("manifest.arc", folder / MANIFEST)
    with pytest.raises((OSError, DatasetError)):
        arc_format.dataset(folder)


@pytest.mark.parametrize("name", ["_arc", "_arc/manifest.arc", "part-00000.arc", "year=2026"])
def test_nothing_is_written_through_a_link_out_of_the_folder(tmp_path: pathlib.Path, name: str) -> None:
    folder, outside = tmp_path / "set", tmp_path / "outside"
    for each in (folder, outside):
        each.mkdir()
    if name == "_arc/manifest.arc":
        (folder / "_arc").mkdir()
    is_file = name.endswith(".arc")
    target = outside / "file" if is_file else outside
    if is_file:
        target.write_bytes(b"theirs")
    (folder / name).symlink_to(target)
    table = pa.table({"name": ["Ann"], "year": [2026]})
    with pytest.raises(arc_format.UsageError):
        arc_format.write_dataset(folder, [{"Person": table}], partition_by=["year"] if name == "year=2026" else [])
    assert os.listdir(outside) == (["file"] if is_file else [])
    assert not is_file or target.read_bytes() == b"theirs"


@pytest.mark.parametrize("change", [
    lambda tables: {**tables, "Shard": tables["Shard"].drop_columns(["rows"])},
    lambda tables: {**tables, "Shard": tables["Shard"].set_column(1, "path", pa.array([1, 2, 3]))},
    lambda tables: {"Other": tables["Shard"]}])
def test_an_archive_that_is_no_manifest_is_refused(tmp_path: pathlib.Path, change: Any) -> None:
    folder = written(tmp_path / "set")
    tables = change({"Shard": arc_format.open(folder / MANIFEST).table("Shard")})
    arc_format.write(folder / MANIFEST, tables, roots={"shards": next(iter(tables))})
    assert code_of(folder, lambda people: people) == "wrongShard"
    arc_format.write(folder / MANIFEST, tables, roots={"other": next(iter(tables))})
    assert code_of(folder, lambda people: people) == "wrongShard"
    (folder / MANIFEST).write_bytes(b"nothing")
    assert code_of(folder, lambda people: people) == "notAnArchive"


def with_roots(data: bytes, chunks: bytes) -> bytes:
    """An archive whose only segment of roots has these chunks."""
    file, view = io.BytesIO(), memoryview(data)
    layout, writer = read_layout(view, arc_format.DEFAULT), SegmentWriter(file, "zlib")
    for each in layout.segments:
        payload = bytes(read_payload(view, each).data)
        if each.kind == b"ROWS" and each.first == 0:
            assert each.count == 1
            payload = varint(1) + varint(0) + varint(1) + varint(1) + chunks
        writer.write(each.kind, payload, each.first, each.count, each.flags)
    writer.finish(layout.row_count)
    return file.getvalue()


def test_a_manifest_is_charged_before_shards_are_made_of_it(tmp_path: pathlib.Path) -> None:
    def refused(limits: arc_format.Limits = arc_format.UNTRUSTED) -> str:
        tracemalloc.start()
        start = time.process_time()
        with pytest.raises((DatasetError, arc_format.ArcError)) as error:
            arc_format.dataset(tmp_path, limits=limits)
        assert time.process_time() - start < 5
        assert tracemalloc.get_traced_memory()[1] < arc_format.UNTRUSTED.raw_bytes
        tracemalloc.stop()
        return str(getattr(error.value, "code"))  # noqa: B009

    one, path = Shard("a.arc", uuid.UUID(int=1), 1, 1, {}), tmp_path / MANIFEST
    Manifest([one]).write(str(tmp_path))
    data = path.read_bytes()
    # One object, named so often: kilobytes.
    for count, code in ((9_000_000, "limitExceeded"), (200_000, "wrongShard")):
        path.write_bytes(with_roots(data, chunk(1, b"\x08" + count.to_bytes(8, "little"))
                                    + chunk(count, b"\x01" + b"\x01" * count)))
        assert path.stat().st_size < 20_000
        assert refused() == code
    # So many objects, no file for each.
    Manifest([one] * 300_000).write(str(tmp_path))
    assert refused() == "limitExceeded"
    # One file with objects of so many classes.
    classes = {f"C{index:x}": 0 for index in range(1_200_000)}
    Manifest([Shard("a.arc", uuid.UUID(int=1), 1, 1, classes)]).write(str(tmp_path))
    assert refused() == "limitExceeded"


def test_manifests_that_are_changed_at_random_are_refused_or_say_what_is_so(tmp_path: pathlib.Path) -> None:
    seed = int(os.environ.get("ARC_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"ARC_SEED={seed}")
    folder, generator, codes = written(tmp_path / "set"), random.Random(seed), set()
    data = (folder / MANIFEST).read_bytes()
    table = arc_format.dataset(folder).table("Person")
    for _ in range(100):
        (folder / MANIFEST).write_bytes(readers.changed(data, generator))
        try:
            people = arc_format.dataset(folder, limits=arc_format.UNTRUSTED)
            people.verify()
            assert people.table("Person").num_rows in (table.num_rows, 4, 8)
            codes.add("ok")
        except (DatasetError, arc_format.ArcError) as error:
            codes.add(error.code)
        except UsageError:
            # Of no shard is left, or its class has another name.
            codes.add("usage")
    assert len(codes) > 3, codes


# ---- Links that lead nowhere

@pytest.mark.parametrize(("link", "code"), [
    (3 << 32 | 1, "danglingReference"), (1 << 32 | 7, "danglingReference"), (0xFFFF_FFFF, "danglingReference"),
    ((1 << 31) - 1 << 32 | 1, "danglingReference"), (1 << 32 | 5, "wrongClass"), (5, "wrongClass")])
def test_links_to_what_is_not_there_are_found(tmp_path: pathlib.Path, link: int, code: str) -> None:
    tables = [shard(number) for number in range(3)]
    tables[2]["Person"] = tables[2]["Person"].set_column(2, "boss", pa.array([None, link, None, None], pa.int64()))
    arc_format.write_dataset(tmp_path / "set", tables, links=LINKS, references={("Pet", "owner"): "Person"})
    assert code_of(tmp_path / "set") == code
    # By themselves the files are sound.
    for each in range(3):
        arc_format.dataset(tmp_path / "set").archive(each).verify()


def test_nil_of_another_shard_is_found_and_a_shard_beyond_all_ids_is_no_id(tmp_path: pathlib.Path) -> None:
    link = pa.struct([pa.field("shard", pa.uint32()), pa.field("row", pa.uint32())])
    for name, value, code in (("a", {"shard": 1, "row": 0}, "danglingReference"),
                              ("b", {"shard": 1 << 31, "row": 1}, "danglingReference")):
        field = pa.field("boss", link, metadata={"arc:attributes": 'T{ArcLink<Person>="shard"I"row"I},N,V_boss'})
        table = pa.table({"boss": pa.array([value], link)}, pa.schema([field]))
        arc_format.write_dataset(tmp_path / name, [{"Person": table}])
        assert code_of(tmp_path / name) == code
    with pytest.raises(UsageError, match="shard and row apart"):
        arc_format.dataset(tmp_path / "b").table("Person")
    assert arc_format.dataset(tmp_path / "b").archive(0).table("Person")["boss"].to_pylist() == [
        {"shard": 1 << 31, "row": 1}]


def test_links_in_a_circle_and_to_subclasses_hold(tmp_path: pathlib.Path) -> None:
    shards = [{"Car": pa.table({"$row": [1], "next": [1 - number << 32 | 1]}),
               "Truck": pa.table({"$row": [2], "next": [1 - number << 32 | 2]})} for number in range(2)]
    links = {("Car", "next"): "Car", ("Truck", "next"): "Car"}
    arc_format.write_dataset(tmp_path / "set", shards, links=links, superclasses={"Truck": "Car"})
    arc_format.dataset(tmp_path / "set").verify()


def test_links_are_written_of_what_they_can_be(tmp_path: pathlib.Path) -> None:
    people = pa.table({"name": ["Ann"], "boss": [-1]})
    for column, target, message in (("name", "Person", "are integers, or lists"), ("boss", "$x", "no class"),
                                    ("none", "Person", "in no table"), ("boss", "Person", "a link is an id")):
        with pytest.raises(UsageError, match=message):
            arc_format.write(tmp_path / "a.arc", {"Person": people}, links={("Person", column): target})


def test_a_data_set_goes_to_other_processes(tmp_path: pathlib.Path) -> None:
    people = arc_format.dataset(written(tmp_path / "set"))
    assert pickle.loads(pickle.dumps(people)).table("Person").equals(people.table("Person"))


def test_an_error_of_a_file_that_links_lead_to_names_no_other(tmp_path: pathlib.Path) -> None:
    folder = written(tmp_path / "set")
    (folder / "part-00001.arc").write_bytes((folder / "part-00002.arc").read_bytes())
    with pytest.raises(DatasetError) as error:
        arc_format.dataset(folder).verify()
    assert error.value.path == str(folder / "part-00001.arc")
    assert getattr(error.value, "__notes__", []) == []


def test_shards_of_other_types_say_which(tmp_path: pathlib.Path) -> None:
    arc_format.write(tmp_path / "a.arc", {"T": pa.table({"v": [1], "w": [1]})})
    arc_format.write(tmp_path / "b.arc", {"T": pa.table({"v": [0.5]})})
    people = arc_format.dataset(tmp_path)
    with pytest.raises(arc_format.UsageError, match="'v' double in place of 'v' int64, 'w' int64; choose common ones"):
        people.table("T")
    with pytest.raises(arc_format.UsageError, match="'v' double in place of 'v' int64;"):
        people.table("T", ["v"])


def columns(*arrays: Any) -> list[dict[str, pa.Table]]:
    """A shard for each array, of a class T with a column `v`."""
    return [{"T": pa.table({"v": array})} for array in arrays]


NULLS = pa.nulls(1)


@pytest.mark.parametrize("values", [
    pa.array([1], pa.int32()), pa.array([[1.5]]), pa.array([{"a": 1}]), pa.array([uuid.UUID(int=1)], pa.uuid()),
    pa.array([0], pa.timestamp("us", "UTC")), pa.array(["x"]).dictionary_encode()], ids=lambda each: str(each.type))
def test_a_column_without_values_has_the_type_of_other_shards(tmp_path: pathlib.Path, values: pa.Array) -> None:
    value = values.to_pylist()[0]
    for number, (arrays, expected) in enumerate((((NULLS, values, NULLS), [None, value, None]),
                                                 ((values, NULLS), [value, None]))):
        arc_format.write_dataset(tmp_path / str(number), columns(*arrays))
        data = arc_format.dataset(tmp_path / str(number))
        data.verify()
        assert data.table("T")["v"].to_pylist() == expected
    # Of an iterator the shards before are known.
    arc_format.write_dataset(tmp_path / "made", iter(columns(values, NULLS)))
    assert arc_format.dataset(tmp_path / "made").table("T")["v"].to_pylist() == [value, None]


def test_types_are_asked_of_lists_structures_and_frames_without_values(tmp_path: pathlib.Path) -> None:
    shards: list[Any] = [
        {"T": pandas.DataFrame({"n": [None], "to": [[]], "s": [{"a": None, "b": []}]})},
        {"T": pandas.DataFrame({"n": [7], "to": [[1 << 32 | 1]], "s": [{"a": 1, "b": ["x"]}]})},
        {"T": polars.DataFrame({"n": [None], "to": [None], "s": [None]})}]
    arc_format.write_dataset(tmp_path / "set", shards, links={("T", "to"): "T"})
    assert arc_format.dataset(tmp_path / "set").table("T").drop_columns(["$id", "$row"]).to_pylist() == [
        {"n": None, "to": [], "s": {"a": None, "b": []}}, {"n": 7, "to": [1 << 32 | 1], "s": {"a": 1, "b": ["x"]}},
        {"n": None, "to": None, "s": None}]
    # A stream of pyarrow says its schema before it is read, another may be read only once.
    table = pa.table({"v": [5, 6]})
    once: Any = types.SimpleNamespace(__arrow_c_stream__=table.to_reader().__arrow_c_stream__)
    arc_format.write_dataset(tmp_path / "streams", [*columns(NULLS), {"T": table.to_reader()}, {"T": once}])
    assert arc_format.dataset(tmp_path / "streams").table("T")["v"].to_pylist() == [None, 5, 6, 5, 6]
    arc_format.write_dataset(tmp_path / "none", columns(NULLS, NULLS))
    assert arc_format.dataset(tmp_path / "none").table("T")["v"].to_pylist() == [None, None]


def test_a_column_without_values_is_a_reference_where_another_shard_says_so(tmp_path: pathlib.Path) -> None:
    archive = arc_format.open(SOUND["person.arc"])
    people = archive.table("Person")
    without = pa.table({"$row": [1], "name": ["Eve"], "mother": pa.nulls(1), "friends": [[]]})
    arc_format.write_dataset(tmp_path / "set", [{"Person": without}, {"Person": people}])
    data = arc_format.dataset(tmp_path / "set")
    assert data.edges().num_rows == archive.edges().num_rows
    assert data.table("Person")["mother"].to_pylist() == [None, None, 1 << 32 | 1]


@pytest.mark.parametrize(("shards", "says"), [
    (columns([1], [0.5]), "'v' of 'T' is double in shard 1 and int64 in shard 0.*Int64"),
    (columns(NULLS, ["a"], pa.array([1], pa.int8())), "'v' of 'T' is int8 in shard 2 and string in shard 1.*cast one"),
    (iter(columns(NULLS, [1])), "'v' of 'T' is int64 in shard 1 and null in shard 0.*cast what has no values"),
    (columns([{"a": None, "b": 0.5}], [{"a": 1, "b": 1}]), "'v' of 'T' is struct<a: int64, b: double> in shard 0|"
     "is struct<a: int64, b: int64> in shard 1"),
    (columns([{"a": 1}], [{"b": None}]), "is struct<b: null> in shard 1 and struct<a: int64> in shard 0"),
    ([{"T": pandas.DataFrame({"v": each})} for each in ([1, 2], [1, None])], r"astype\('Int64'\)")])
def test_shards_of_other_types_are_not_written(tmp_path: pathlib.Path, shards: Any, says: str) -> None:
    with pytest.raises(arc_format.UsageError, match=says):
        arc_format.write_dataset(tmp_path / "set", shards)
    assert not (tmp_path / "set" / "_arc").exists()


def test_types_that_are_read_as_one_are_one(tmp_path: pathlib.Path) -> None:
    arc_format.write_dataset(tmp_path / "texts", columns(
        pa.array(["a"]), pa.array(["b"]).dictionary_encode(), pa.array(["c"], pa.string_view())))
    assert arc_format.dataset(tmp_path / "texts").table("T")["v"].to_pylist() == ["a", "b", "c"]
    arc_format.write_dataset(tmp_path / "lists", columns(
        pa.array([["a"]], pa.list_view(pa.string())), [["b"]], NULLS, pa.array([["c"]], pa.list_(pa.string(), 1))))
    assert arc_format.dataset(tmp_path / "lists").table("T")["v"].to_pylist() == [["a"], ["b"], None, ["c"]]
    runs = pc.run_end_encode(pa.array([1, 1]))
    arc_format.write_dataset(tmp_path / "runs", columns(pa.array([None]), runs, pa.array([2])))
    assert arc_format.dataset(tmp_path / "runs").table("T")["v"].to_pylist() == [None, 1, 1, 2]
    leads = columns(pa.array([0], pa.int32()), pa.array([0]), NULLS)
    arc_format.write_dataset(tmp_path / "leads", leads, references={("T", "v"): "T"})
    assert arc_format.dataset(tmp_path / "leads").table("T")["v"].to_pylist() == [1, 1 << 32 | 1, None]


def test_each_question_says_in_which_file_an_error_is(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "b.arc"
    arc_format.write(tmp_path / "a.arc", {"T": pa.table({"a": [1]})})
    path.write_bytes(b"%PDF-1.7")
    shards = arc_format.dataset(tmp_path)
    for question in (lambda: shards.classes, shards.counts, shards.verify, lambda: shards.table("T"), shards.edges):
        with pytest.raises(arc_format.ArcError) as error:
            question()
        assert error.value.__notes__ == [f"in {str(path)!r}"]
