"""What is written is sound for the judge and for Swift, and reads back equal."""

from __future__ import annotations

import datetime
import decimal
import io
import pathlib
import struct
import subprocess
import uuid
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from archives import archive, chunk, class_table, rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judge import SOUND, arc, verdict_of_judge

import arc_format
from arc_format import UsageError


def written(tables: dict[str, Any], **choices: Any) -> bytes:
    file = io.BytesIO()
    arc_format.write(file, tables, **choices)
    assert verdict_of_judge(file.getvalue()) == "ok"
    return file.getvalue()


@st.composite
def types(draw: st.DrawFn, depth: int = 0) -> tuple[pa.DataType, st.SearchStrategy[Any]]:
    """An Arrow type and its values."""
    leaves: list[tuple[pa.DataType, st.SearchStrategy[Any]]] = [
        (pa.bool_(), st.booleans()), (pa.int8(), st.integers(-128, 127)), (pa.int16(), st.integers(-2**15, 2**15 - 1)),
        (pa.int32(), st.integers(-2**31, 2**31 - 1)), (pa.int64(), st.integers(-2**63, 2**63 - 1)),
        (pa.uint8(), st.integers(0, 255)), (pa.uint32(), st.integers(0, 2**32 - 1)),
        (pa.uint64(), st.integers(0, 2**64 - 1)),
        (pa.float32(), st.floats(width=32, allow_nan=False)), (pa.float64(), st.floats(allow_nan=False)),
        (pa.string(), st.text(max_size=8)), (pa.large_string(), st.sampled_from(["red", "green"])),
        (pa.binary(), st.binary(max_size=5)), (pa.uuid(), st.uuids()),
        (pa.timestamp("us", "UTC"), st.datetimes(
            datetime.datetime(1900, 1, 1), datetime.datetime(2100, 1, 1), timezones=st.just(datetime.UTC))),
    ]
    shape = draw(st.sampled_from(["leaf", "leaf", "list", "struct", "map"])) if depth < 2 else "leaf"
    if shape == "leaf":
        leaf: tuple[pa.DataType, st.SearchStrategy[Any]] = draw(st.sampled_from(leaves))
        return leaf
    if shape == "list":
        inner, values = draw(types(depth + 1))
        return pa.list_(inner), st.lists(optional(draw, inner, values), max_size=3)
    if shape == "map":
        inner, values = draw(types(depth + 1))
        return pa.map_(pa.string(), inner), st.dictionaries(st.text(max_size=3), values, max_size=3).map(
            lambda each: list(each.items()))
    fields = [draw(types(depth + 1)) for _ in range(draw(st.integers(1, 3)))]
    struct = pa.struct([pa.field(f"f{number}", inner) for number, (inner, _) in enumerate(fields)])
    return struct, st.fixed_dictionaries({f"f{number}": values for number, (_, values) in enumerate(fields)})


def optional(draw: st.DrawFn, type_: pa.DataType, values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    # pyarrow makes no uuids of Python's inside of others before it is told so: none there.
    return st.one_of(st.none(), values) if draw(st.booleans()) else values


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    count = draw(st.sampled_from([0, 1, 3, 40]))
    columns = {}
    for number in range(draw(st.integers(0, 4))):
        type_, values = draw(types())
        if draw(st.booleans()):
            values = st.one_of(st.none(), values)
        items = draw(st.lists(values, min_size=count, max_size=count))
        columns[f"c{number}"] = array(items, type_)
    return pa.table(columns) if columns else pa.table({"$row": pa.array(range(count), pa.int64())})


def array(items: list[Any], type_: pa.DataType) -> pa.Array:
    """As `pa.array`, uuids at any depth."""
    def storage(each: pa.DataType) -> pa.DataType:
        if each == pa.uuid():
            return pa.binary(16)
        if pa.types.is_list(each):
            return pa.list_(storage(each.value_type))
        if pa.types.is_map(each):
            return pa.map_(each.key_type, storage(each.item_type))
        if pa.types.is_struct(each):
            return pa.struct([pa.field(field.name, storage(field.type)) for field in each])
        return each

    def stored(value: Any) -> Any:
        if isinstance(value, uuid.UUID):
            return value.bytes
        if isinstance(value, dict):
            return {key: stored(each) for key, each in value.items()}
        return type(value)(map(stored, value)) if isinstance(value, (list, tuple)) else value

    made = pa.array(list(map(stored, items)), storage(type_))
    # What holds uuids stays binary: both are values of 16 bytes.
    return pa.ExtensionArray.from_storage(type_, made) if type_ == pa.uuid() else made


@given(tables(), st.sampled_from(["none", "zlib"]))
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_table_reads_back_equal(table: pa.Table, compression: Any) -> None:
    data = written({"T": table}, compression=compression)
    again = arc_format.open(data, limits=arc_format.UNTRUSTED, verify="all").table("T")
    assert again["$row"].to_pylist() == list(range(1, table.num_rows + 1))
    for name in table.schema.names:
        if name != "$row":
            assert again[name].to_pylist() == table[name].to_pylist()


#: All but the one with dates that are none: these are null in a table, and no longer dates when it is written.
WRITABLE = [name for name in SOUND if name != "dates.arc"]


def test_values_that_cannot_be_aligned_where_they_stand_are_plain() -> None:
    # 16,376 bytes of values: with some paddings the byte count of the chunk takes two bytes, with others three.
    generator = np.random.default_rng(1)
    for size in range(8):
        table = pa.table({"text": ["a" * size, *map(str, range(2046))], "x": generator.normal(size=2047)})
        file = io.BytesIO()
        arc_format.write(file, {"A": table}, directory=True)
        assert verdict_of_judge(file.getvalue()) == "ok", size
        assert arc_format.open(file.getvalue(), verify="all").table("A")["x"].equals(table["x"])


@pytest.mark.parametrize("name", WRITABLE)
@pytest.mark.parametrize("compression", ["none", "zlib"])
def test_tables_of_an_archive_make_it_again(name: str, compression: Any) -> None:
    archive = arc_format.open(SOUND[name])
    data = written(archive.tables(), compression=compression, metadata=archive.metadata)
    again = arc_format.open(data, verify="all")
    assert again.metadata == archive.metadata
    assert {key: count for key, count in again.counts().items() if count} == \
        {key: count for key, count in archive.counts().items() if count}
    # Rows have other numbers: what is compared is the graph under the old ones.
    old, new = archive.tables(), again.tables()
    numbers = {0: 0, None: None}
    for key, table in old.items():
        numbers.update(zip(table["$row"].to_pylist(), new[key]["$row"].to_pylist(), strict=True))
    edges = [(numbers[edge["src"]], numbers[edge["dst"]], edge["column"], edge["weak"])
             for edge in archive.edges().to_pylist()]
    assert sorted(edges) == sorted(tuple(edge.values()) for edge in again.edges().to_pylist())
    for key, table in old.items():
        # Classes without objects are not in tables, so fewer references may lead to several classes.
        both = [[field for field in each.schema if b"arc:classes-of" not in (field.metadata or {})]
                for each in (table, new[key])]
        assert both[0] == both[1]
        fields = [field.name for field in table.schema if b"arc:classes-of" not in (field.metadata or {})][1:]
        for column, field in zip(archive.class_of(key).columns, fields, strict=True):
            if not column.tree.has_references:
                assert str(new[key][field].to_pylist()) == str(table[field].to_pylist())


@pytest.mark.parametrize("type_", [
    pa.uuid(), pa.large_list(pa.uuid()), pa.map_(pa.uuid(), pa.large_string()), pa.struct([("id", pa.uuid())]),
    pa.struct([("ids", pa.large_list(pa.struct([("id", pa.uuid())])))])], ids=str)
def test_columns_of_nothing_but_nulls_are_written(type_: pa.DataType) -> None:
    for nulls in (pa.nulls(2, type_), pa.nulls(3, type_).slice(1)):
        table = arc_format.open(written({"A": pa.table({"x": nulls})}), verify="all").table("A")
        assert table["x"].to_pylist() == [None, None]
        again = arc_format.open(written({"A": table}), verify="all").table("A")
        assert again["x"].to_pylist() == [None, None]
        assert again.schema.field("x").type == table.schema.field("x").type


def test_what_is_no_number_in_a_recursive_type_keeps_its_bits() -> None:
    columns: list[bytes] = []
    for kind, usual, size in (("e", 0x7E00, 2), ("f", 0x7FC0_0000, 4), ("d", 0x7FF8 << 48, 8), ("d", 0x7FF8 << 48, 8)):
        infinity, sign = usual & usual << 1, 1 << 8 * size - 1
        values = [usual, sign | usual, infinity | 1, sign | infinity | 1, sign - 1, usual | 2,
                  infinity, int.from_bytes(struct.pack("<" + kind, 1.5), "little")]
        columns.append(chunk(len(values), b"\0" + b"".join(value.to_bytes(size, "little") for value in values)))
    encoding = 'T{Tree="h" "f"f"d"d"t"@"NSDate""c"$[{Tree}]}'
    data = archive(class_table(("Tree", [("t", encoding, 0)])), 2, rows(8, *columns, chunk(8, b"\x01" + bytes(8))))
    table = arc_format.open(data, verify="all").table("Tree")
    again = arc_format.open(written({"Tree": table})).table("Tree")
    assert again["t"].to_pylist() == table["t"].to_pylist()
    assert all(text.count('"bits"') == 4 for text in again["t"].to_pylist()[1:6])


@pytest.mark.parametrize("value", [
    '{"$float":"nan","bits":"7fa02001"}', '{"$float":"nan","bits":"3fc00000"}', '{"$float":"nan","bits":"x"}',
    '{"$float":"nan","bits":"17fc00000"}', '{"$float":"nan","bits":"-1"}', '{"$float":"x"}', '"1"', "{}", "[]", "null"])
def test_json_of_what_is_no_number_is_refused(value: str) -> None:
    encoding = 'T{Tree="h" "c"$[{Tree}]}'
    data = archive(class_table(("Tree", [("t", encoding, 0)])), 2, rows(1, chunk(1, b"\0\0\x3E"), chunk(1, b"\x01\0")))
    table = arc_format.open(data, verify="all").table("Tree")
    text = table["t"].to_pylist()[0].replace("1.5", value)
    assert value in text
    with pytest.raises(UsageError, match=r"float16|no optional"):
        written({"Tree": table.set_column(1, table.schema.field("t"), pa.array([text], pa.large_string()))})


@pytest.mark.parametrize("name", WRITABLE)
def test_swift_reads_what_is_written(name: str, arcdump: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "again.arc"
    arc_format.write(path, arc_format.open(SOUND[name]).tables(), compression="zlib")
    subprocess.run([arcdump, "verify", path], check=True, capture_output=True)
    theirs = subprocess.run([arcdump, "tree", "--json", path], check=True, capture_output=True, text=True).stdout
    assert arc_reads_alike(path.read_bytes(), theirs)


def arc_reads_alike(data: bytes, theirs: str) -> bool:
    from judge import readers

    return bool(readers.is_same(arc.Printer(arc.Archive(data)).document(), theirs))


@given(tables(), tables())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_swift_verifies_any_table(arcdump: str, one: pa.Table, other: pa.Table) -> None:
    data = written({"A": one, "B": other})
    ran = subprocess.run([arcdump, "verify", "-"], input=data, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_references_are_positions_or_rows() -> None:
    city = pa.table({"name": ["Rome", "Oslo"]})
    person = pa.table({"home": pa.array([1, None, 0], pa.int16()), "seen": [[0, 1], [], None]})
    leads = {("Person", "home"): "City", ("Person", "seen"): "City"}
    archive = arc_format.open(written({"Person": person, "City": city}, references=leads))
    assert archive.table("City")["$row"].to_pylist() == [4, 5]
    assert archive.table("Person").to_pylist() == [
        {"$row": 1, "home": 5, "seen": [4, 5]}, {"$row": 2, "home": None, "seen": []},
        {"$row": 3, "home": 4, "seen": None}]
    numbered = city.append_column("$row", pa.array([70, 50]))
    person = pa.table({"home": [50, 70, None], "seen": [[70], [50], []]})
    archive = arc_format.open(written({"Person": person, "City": numbered}, references=leads))
    assert archive.table("Person")["home"].to_pylist() == [5, 4, None]


def test_weak_references_and_superclasses() -> None:
    animal = pa.table({"$row": [1], "name": ["Rex"], "friend": pa.array([2])})
    cat = pa.table({"$row": [2], "name": ["Tom"], "friend": pa.array([1]), "lives": [9]})
    places = [("Animal", "friend"), ("Cat", "friend")]
    data = written({"Animal": animal, "Cat": cat}, references=dict.fromkeys(places, "Animal"), weak=places,
                   superclasses={"Cat": "Animal"})
    archive = arc_format.open(data)
    assert archive.class_of("Cat").columns[2].attributes == 'T@"Animal",N,W,V_friend'
    united = archive.table("Animal", ["name", "lives"], subclasses=True)
    assert united.to_pylist() == [{"$row": 1, "$class": "Animal", "name": "Rex", "lives": None},
                                  {"$row": 2, "$class": "Cat", "name": "Tom", "lives": 9}]
    assert archive.table("Animal")["friend$class"].to_pylist() == ["Cat"]


def test_roots_are_classes_or_objects() -> None:
    people = pa.table({"name": ["Ann", "Bob"]})
    archive = arc_format.open(written({"Person": people}))
    assert archive.tables()["$roots"].to_pylist() == [{"$row": 0, "Person": [1, 2]}]
    archive = arc_format.open(written({"Person": people}, roots={"boss": ("Person", 1), "all": "Person"}))
    root = archive.tables()["$roots"]
    assert root.to_pylist() == [{"$row": 0, "boss": 2, "all": [1, 2]}]
    assert archive.edges(roots=True).num_rows == 3
    assert arc_format.open(written({"Person": people}, roots={})).tables()["$roots"].schema.names == ["$row"]


def test_types_that_archives_have_not_are_the_nearest_ones_in_the_file() -> None:
    table = pa.table({
        "day": pa.array([datetime.date(2026, 5, 9)]), "ns": pa.array([1_000], pa.timestamp("ns")),
        "cents": pa.array([decimal.Decimal("1.50")], pa.decimal128(9, 2)), "code": pa.array([b"abcd"], pa.binary(4)),
        "view": pa.array(["é"], pa.string_view()), "pair": pa.array([[1, 2]], pa.list_(pa.int8(), 2)),
        "name": pa.array(["x"]).dictionary_encode(), "half": pa.array([1.5], pa.float16()), "nothing": pa.nulls(1)})
    assert arc_format.open(written({"T": table})).table("T", types="archive").to_pylist() == [{
        "$row": 1, "day": datetime.datetime(2026, 5, 9, tzinfo=datetime.UTC),
        "ns": datetime.datetime(1970, 1, 1, 0, 0, 0, 1, datetime.UTC), "cents": "1.5", "code": b"abcd",
        "view": "é", "pair": [1, 2], "name": "x", "half": 1.5, "nothing": None}]


@pytest.mark.parametrize(("tables", "choices", "message"), [
    ({"NSString": pa.table({"a": [1]})}, {}, "no class has the name 'NSString'"),
    ({'a"b': pa.table({"a": [1]})}, {}, "holds no quote"),
    ({"T": pa.table({"a": pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])})}, {},
     "Arrow's type sparse_union"),
    ({"T": pa.table({"a": [5]})}, {"references": {("T", "a"): "T"}}, "leads to 5, which is the number of no T"),
    ({"T": pa.table({"a": [5.0]})}, {"references": {("T", "a"): "T"}}, "references and links are integers"),
    ({"T": pa.table({"a": [5]})}, {"references": {("T", "b"): "T"}}, "names column 'b' of 'T', which is in no table"),
    ({"T": pa.table({"a": [5]})}, {"weak": [("T", "a")]}, "is weak, but no reference"),
    ({"T": pa.table({"a": [5]})}, {"roots": {"r": ("T", 1)}}, "name a class of the tables"),
    ({"T": pa.table({"a": [5]})}, {"superclasses": {"T": "T"}}, "its own superclass"),
    ({"T": pa.table({"$row": [1, 1], "a": pa.array([1, 1])})}, {"references": {("T", "a"): "T"}}, "stands twice"),
    ({"T": pa.Table.from_arrays([pa.array([1])] * 2, ["a", "a"])}, {}, "two columns 'a'"),
    ({"T": pa.table({"s": [{'a"': 1}]})}, {}, "names of fields hold no quote"),
    ({"T": pa.table({"a": [0]})}, {"references": {("T", "a"): "Typo"}}, "leads to 0, which is the number of no Typo"),
    ({"T": pa.table({"a": [0]}), "E": pa.table({"b": pa.array([], pa.int8())})}, {"references": {("T", "a"): "E"}},
     "leads to 0, which is the number of no E"),
    ({"T": pa.table({"a": [5]})}, {"compression": "zstd"}, "compression= is 'zstd': it is one of none, zlib"),
    ({"T": {"a": [5]}}, {}, "the table of 'T' is a dict: give a pyarrow.Table"),
])
def test_what_no_archive_holds_is_refused(tables: Any, choices: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        written(tables, **choices)


def test_0_is_nil_among_the_numbers_of_rows_that_reading_gives() -> None:
    table = pa.table({"$row": [1, 2], "a": pa.array([0, 1], pa.uint32())})
    assert arc_format.open(written({"T": table}, references={("T", "a"): "T"})).table("T")["a"].to_pylist() == [None, 1]
    nil = pa.table({"a": pa.array([0], pa.uint32())})
    assert arc_format.open(written({"T": nil}, references={("T", "a"): "Absent"})).table("T")["a"].to_pylist() == [None]


def test_frames_of_other_libraries_are_tables(tmp_path: pathlib.Path) -> None:
    expected = [{"$row": 1, "a": 2, "b": ["x", "y"]}, {"$row": 2, "a": 3, "b": []}]
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [None, ["x", "y"], []]})
    chosen = frame[frame.a > 1]
    polars_frame = pl.DataFrame({"a": [2, 3], "b": [["x", "y"], []]})
    for each in (chosen, polars_frame, duckdb.sql("select * from chosen order by a")):
        assert arc_format.open(written({"T": each})).table("T").to_pylist() == expected
    arc_format.write_dataset(tmp_path / "set", [{"T": chosen}, {"T": polars_frame}])
    assert arc_format.dataset(tmp_path / "set").table("T").select(["$row", "a", "b"]).to_pylist() == expected * 2


@pytest.mark.parametrize(("of", "index"), [(pa.ListViewArray, pa.int32()), (pa.LargeListViewArray, pa.int64())])
def test_views_of_lists_are_lists(of: Any, index: pa.DataType) -> None:
    # Views in any order, over each other, with values that none shows, and more behind a null.
    views = of.from_arrays(pa.array([2, 0, 1, 0], index), pa.array([1, 2, 2, 0], index), pa.array([0, 1, 2, 3]),
                           mask=pa.array([False, True, False, False]))
    for column in (views, views.slice(1), views.slice(2, 1), pa.chunked_array([views, views]), views.slice(4)):
        table = pa.table({"plain": column, "leads": column})
        archive = arc_format.open(written({"T": table, "U": pa.table({"u": range(4)})}, references={
            ("T", "leads"): "U"}), verify="all")
        assert archive.table("T")["plain"].to_pylist() == column.to_pylist()
        assert archive.table("T")["leads"].type == pa.large_list(pa.int64())


def test_lists_without_values_are_lists_of_references_too() -> None:
    archive = arc_format.open(written({"T": pa.table({"to": [[], []]})}, references={("T", "to"): "T"}))
    assert archive.class_of("T").columns[0].encoding == '$[@"T"]'


def test_runs_are_their_values() -> None:
    for values in (pa.array(["a", "a", None, "b"]), pa.array([0, 0, None, 1])):
        runs = pc.run_end_encode(values)
        for column in (runs, runs.slice(1, 2), pa.chunked_array([runs, runs]), runs.slice(4)):
            archive = arc_format.open(written({"T": pa.table({"runs": column})}))
            assert archive.table("T")["runs"].to_pylist() == column.to_pylist()


def test_frames_lose_references_unless_these_are_named_again() -> None:
    people = arc_format.open(SOUND["person.arc"])
    table, leads = people.table("Person"), {("Person", column): "Person" for column in ("mother", "friends")}
    for frame in (pl.from_arrow(table), table.to_pandas(types_mapper=pd.ArrowDtype), duckdb.from_arrow(table)):
        assert arc_format.open(written({"Person": frame})).edges().num_rows == 0
        again = arc_format.open(written({"Person": frame}, references=leads))
        assert again.edges().drop_columns("weak").equals(people.edges().drop_columns("weak"))


def test_categoricals_of_polars_come_back() -> None:
    type_ = pl.Categorical()
    frame = pl.DataFrame({
        "of": pl.Series(["x", None], dtype=type_), "one": pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"])),
        "list": pl.Series([["x", None], None], dtype=pl.List(type_)),
        "pair": pl.Series([["x", None], None], dtype=pl.Array(type_, 2)),
        "inner": pl.Series([{"of": "x"}, None], dtype=pl.Struct({"of": type_}))})
    for each in (frame, frame.head(0), pl.concat([frame, frame], rechunk=False)):
        file = io.BytesIO()
        arc_format.write(file, {"T": each})
        table = arc_format.open(file.getvalue(), verify="all").table("T").drop_columns(["$row"])
        assert table.to_pylist() == each.to_dicts()
        assert table.schema.types[:2] == [pa.dictionary(pa.uint32(), pa.large_string()), pa.dictionary(
            pa.uint8(), pa.large_string(), ordered=True)]
        again: Any = pl.from_arrow(table)
        assert again["one"].dtype == pl.Enum(["a", "b"])


def test_a_refused_archive_leaves_the_file_as_it_was(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.arc"
    arc_format.write(path, {"T": pa.table({"a": [1]})})
    before = path.read_bytes()
    with pytest.raises(UsageError):
        arc_format.write(path, {"T": pa.table({"a": [7]})}, references={("T", "a"): "T"})
    assert path.read_bytes() == before and [each.name for each in tmp_path.iterdir()] == ["a.arc"]


def test_keys_with_commas_bring_no_attributes() -> None:
    archive = arc_format.open(written({"T": pa.table({"a,W": [1], "b,Tq": ["x"]})}))
    assert archive.table("T").to_pylist() == [{"$row": 1, "a,W": 1, "b,Tq": "x"}]


def test_equal_tables_give_equal_bytes() -> None:
    table = pa.table({"a": np.arange(1000), "b": ["x", "y"] * 500})
    assert written({"T": table}) == written({"T": table})


def test_large_tables_are_several_segments() -> None:
    count = 300_000
    lists = pa.LargeListArray.from_arrays(np.arange(count + 1) * 2, np.arange(2 * count))
    table = pa.table({"n": np.arange(count), "l": lists})
    file = io.BytesIO()
    arc_format.write(file, {"T": table}, roots={})
    archive = arc_format.open(file.getvalue(), verify="all")
    assert len(archive.segments) > 2
    assert archive.table("T")["n"].to_numpy().tolist() == list(range(count))
    assert [batch.num_rows for batch in archive.batches("T")] == [87381, 87381, 87381, 37857]


def test_rows_are_sorted_and_references_follow() -> None:
    people = pa.table({"name": ["Cid", None, "Ann", "Bob", "Ann"], "boss": pa.array([2, 0, None, 4, 1]),
                       "all": [[0, 1], [], None, [2], [3, 4]]})
    leads = {("P", "boss"): "P", ("P", "all"): "P", ("Q", "p"): "P"}
    numbered = people.append_column("$row", pa.array([10, 11, 12, 13, 14]))
    for table, other, boss in ((people, pa.table({"p": [0, 4]}), None), (
            numbered.set_column(1, "boss", pa.array([12, 10, None, 14, 11])).set_column(
                2, "all", pa.array([[10, 11], [], None, [12], [13, 14]])), pa.table({"p": [10, 14]}), 1)):
        data = written({"P": table, "Q": other}, references=leads, sorted_by=("P", "name"),
                       roots={"first": ("P", 0), "all": "P"})
        archive = arc_format.open(data, verify="all")
        found = archive.table("P").to_pylist()
        assert [each["name"] for each in found] == ["Ann", "Ann", "Bob", "Cid", None], boss
        names = [None, *(each["name"] for each in found)]
        assert [each["boss"] for each in found] == [None, 5, 2, 1, 4]
        assert [each["all"] for each in found] == [None, [3, 2], [1], [4, 5], []]
        assert [names[row] for row in archive.table("Q")["p"].to_pylist()] == ["Cid", "Ann"]
        assert names[archive.tables()["$roots"]["first"][0].as_py()] == "Cid"
        assert archive.metadata["arc.sorted-by"] == "P.name"


def test_sorted_rows_have_nan_and_then_null_last() -> None:
    table = pa.table({"x": pa.array([2.5, None, float("nan"), -1])})
    found = arc_format.open(written({"T": table}, sorted_by=("T", "x"))).table("T")["x"].to_pylist()
    assert found[:2] == [-1, 2.5] and found[2] != found[2] and found[3] is None
    days = pa.table({"day": pa.array([3, 1, None, 2], pa.date32())})
    again = arc_format.open(written({"T": days}, sorted_by=("T", "day"))).table("T")["day"]
    assert again.cast(pa.int32()).to_pylist() == [1, 2, 3, None]


def test_segments_have_at_most_so_many_rows() -> None:
    table = pa.table({"n": range(2500), "l": [[row] * 3 for row in range(2500)]})
    for maximum, segments in ((1, 2501), (1000, 4), (None, 2), (262_144, 2)):
        archive = arc_format.open(written({"T": table}, segment_rows=maximum, directory=True), verify="all")
        assert len(archive.segments) == segments
        assert archive.table("T").drop_columns("$row").to_pylist() == table.to_pylist()


def test_a_higher_level_takes_fewer_bytes() -> None:
    table = pa.table({"s": [f"{row * row % 977} {row % 7} text" for row in range(20_000)]})
    sizes = [len(written({"T": table}, compression="zlib", level=level)) for level in (1, None, 9)]
    assert sizes[0] > sizes[1] >= sizes[2]


@pytest.mark.parametrize(("choices", "says"), [
    ({"segment_rows": 0}, "segment_rows= is 0: give a number of rows from 1 to 262144"),
    ({"segment_rows": 1 << 20}, "segment_rows= is"), ({"segment_rows": True}, "segment_rows= is"),
    ({"segment_rows": "9"}, "segment_rows= is '9'"), ({"level": 6}, "level= is 6 with compression='none'"),
    ({"level": 0, "compression": "zlib"}, "from 1 to 9"), ({"level": "6", "compression": "zlib"}, "level= is '6'"),
    ({"sorted_by": "a"}, "give a class and its column"), ({"sorted_by": ("U", "a")}, "which has no table"),
    ({"sorted_by": ("T", "b")}, "names 'b' of 'T': name a column of numbers"),
    ({"sorted_by": ("T", "l")}, "names 'l' of 'T': name a column of numbers"),
    ({"sorted_by": ("T", "a"), "references": {("T", "a"): "T"}}, "names 'a' of 'T'")])
def test_options_of_the_writer_are_checked(choices: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        written({"T": pa.table({"a": [0], "l": [[1]]})}, **choices)
