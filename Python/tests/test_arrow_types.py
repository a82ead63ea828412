"""Tables keep their Arrow types: what is read from an archive has the types and values of the written table."""

from __future__ import annotations

import datetime
import decimal
import io
import json
import pathlib
import warnings
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judge import verdict_of_judge

import arc_format
import arc_format.polars
from arc_format import ArcWarning, UsageError

D = decimal.Decimal


def written(table: pa.Table, **choices: Any) -> bytes:
    file = io.BytesIO()
    arc_format.write(file, {"T": table}, **choices)
    assert verdict_of_judge(file.getvalue()) == "ok"
    return file.getvalue()


def read(data: bytes, **choices: Any) -> pa.Table:
    table = arc_format.open(data, limits=arc_format.UNTRUSTED, verify="all").table("T", **choices)
    table.validate(full=True)
    return table.drop_columns("$row")


def check_equal(found: pa.Table, expected: pa.Table) -> None:
    assert found.schema.names == expected.schema.names
    for one, other in zip(found.schema, expected.schema, strict=True):
        assert (one.type, one.nullable) == (other.type, other.nullable)
        assert found[one.name].to_pylist() == expected[one.name].to_pylist()


#: Types without children, with values.
LEAVES: list[pa.Array] = [
    pa.array([True, False]), *(pa.array([0, 1, 127], type_) for type_ in (
        pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())),
    *(pa.array([0.5, -2, 65504], type_) for type_ in (pa.float16(), pa.float32(), pa.float64())),
    *(pa.array(["", "a", "née"], type_) for type_ in (pa.string(), pa.large_string(), pa.string_view())),
    *(pa.array([b"", b"a", b"\0\xff"], type_) for type_ in (pa.binary(), pa.large_binary(), pa.binary_view())),
    pa.array([b"ab", b"\0\0"], pa.binary(2)), pa.array([-4, 0, 20_000], pa.date32()),
    pa.array([-86_400_000, 0], pa.date64()),
    *(pa.array([0, 1, 86_399], pa.timestamp(unit, zone)) for unit in ("s", "ms", "us")
      for zone in (None, "UTC", "Europe/Berlin", "+03:00")),
    *(pa.array([0, -1000, 10**18], pa.timestamp("ns", zone)) for zone in (None, "America/New_York")),
    pa.array([0, 86_399], pa.time32("s")), pa.array([0, 1], pa.time32("ms")), pa.array([0, 1], pa.time64("us")),
    pa.array([0, 1000], pa.time64("ns")), *(pa.array([0, -1000, 10**10], pa.duration(unit)) for unit in (
        "s", "ms", "us", "ns")),
    pa.array([(1, -2, 3), (0, 0, 10**15)], pa.month_day_nano_interval()),
    *(pa.array([D("1.50"), D("-0.07"), D(0)], type_) for type_ in (
        pa.decimal32(5, 2), pa.decimal64(15, 2), pa.decimal128(38, 10), pa.decimal256(70, 2))),
    pa.array([D(12_300)], pa.decimal128(5, -2))]

#: Arrow neither encodes nor decodes runs of intervals.
RUNS = pa.RunEndEncodedArray.from_arrays(
    pa.array([2, 3], pa.int16()), pa.array([(1, 2, 3), None], pa.month_day_nano_interval()))

EXTENSIONS = [
    pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(16), bytes(range(16))], pa.binary(16))),
    pa.ExtensionArray.from_storage(pa.json_(), pa.array(["{}", "[1]"])),
    pa.ExtensionArray.from_storage(pa.bool8(), pa.array([0, 1], pa.int8())),
    pa.ExtensionArray.from_storage(pa.opaque(pa.int64(), "kind", "vendor"), pa.array([1, 2])),
    pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.int32(), [2], ["x"]), pa.array([[1, 2]], pa.list_(
        pa.int32(), 2)))]


@st.composite
def masks(draw: st.DrawFn, count: int) -> pa.Array:
    """Which values are null: none, all or some."""
    return pa.array(draw(st.sampled_from([[False] * count, [True] * count])) if draw(st.booleans()) else draw(
        st.lists(st.booleans(), min_size=count, max_size=count)), pa.bool_())


@st.composite
def leaves(draw: st.DrawFn, count: int) -> pa.Array:
    values = draw(st.sampled_from(LEAVES))
    items = values.to_pylist()
    if (pa.types.is_temporal(values.type) and not pa.types.is_interval(values.type)) or values.type == pa.float16():
        at = draw(st.lists(st.sampled_from([None, *range(len(values))]), min_size=count, max_size=count))
        return values.take(pa.array(at, pa.int64()))
    return pa.array(draw(st.lists(st.sampled_from([None, *items]), min_size=count, max_size=count)), values.type)


@st.composite
def arrays(draw: st.DrawFn, count: int, depth: int = 0) -> pa.Array:
    """An array of any type, nested up to three levels."""
    shape = draw(st.sampled_from(["leaf", "null", "dictionary", "runs", "list", "view", "fixed", "map", "struct"])) \
        if depth < 3 else "leaf"
    if shape == "leaf":
        return draw(leaves(count))
    if shape == "null":
        return pa.nulls(count)
    if shape == "dictionary":
        # Arrow builds no dictionaries of these.
        values = draw(st.sampled_from([each for each in LEAVES if not pa.types.is_interval(each.type)
                                       and each.type != pa.float16()]))
        at = draw(st.lists(st.sampled_from([None, *range(len(values))]), min_size=count, max_size=count))
        type_ = draw(st.sampled_from([pa.int8(), pa.uint16(), pa.int32(), pa.int64()]))
        return pa.DictionaryArray.from_arrays(pa.array(at, type_), values)
    if shape == "runs":
        values = draw(leaves(count))
        return pa.RunEndEncodedArray.from_arrays(pa.array(range(1, count + 1), draw(st.sampled_from(
            [pa.int16(), pa.int32(), pa.int64()]))), values)
    mask = draw(masks(count))
    if shape == "struct":
        children = [draw(arrays(count, depth + 1)) for _ in range(draw(st.integers(0, 2)))]
        if not children:
            return pa.array([None if each else {} for each in mask.to_pylist()], pa.struct([]))
        return pa.StructArray.from_arrays(children, [f"f{number}" for number in range(len(children))], mask=mask)
    if shape == "fixed":
        size = draw(st.integers(1, 3))
        return pa.FixedSizeListArray.from_arrays(draw(arrays(size * count, depth + 1)), size, mask=mask)
    lengths = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    if shape == "map":
        keys = draw(leaves(0)).type
        keys = next(each for each in LEAVES if each.type == keys)
        keys = pa.array([keys[row % len(keys)].as_py() for row in range(int(offsets[-1]))], keys.type)
        return pa.MapArray.from_arrays(pa.array(offsets, pa.int32()), keys, draw(arrays(int(offsets[-1]), depth + 1)),
                                       mask=mask)
    values, is_large = draw(arrays(int(offsets[-1]), depth + 1)), draw(st.booleans())
    width = pa.int64() if is_large else pa.int32()
    if shape == "list":
        of = pa.LargeListArray if is_large else pa.ListArray
        return of.from_arrays(pa.array(offsets, width), values, mask=mask)
    view = pa.LargeListViewArray if is_large else pa.ListViewArray
    return view.from_arrays(pa.array(offsets[:-1], width), pa.array(lengths, width), values, mask=mask)


@given(st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_table_comes_back_with_its_types(data: st.DataObject) -> None:
    count = data.draw(st.sampled_from([0, 1, 3, 20]))
    table = pa.table({f"c{number}": data.draw(arrays(count)) for number in range(data.draw(st.integers(1, 3)))})
    if data.draw(st.booleans()) and count > 1:
        table = pa.concat_tables([table.slice(1), table.slice(0, count // 2)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_equal(read(written(table, compression=data.draw(st.sampled_from(["none", "zlib"])))), table)


@pytest.mark.parametrize("values", [*LEAVES, *EXTENSIONS, RUNS, pa.nulls(2)], ids=lambda each: str(each.type))
def test_each_type_alone_comes_back(values: pa.Array) -> None:
    with_null = pa.concat_arrays([values, pa.nulls(1, values.type)])
    for each in (values, with_null, values.slice(0, 0), with_null.slice(1)):
        table = pa.table({"x": each})
        check_equal(read(written(table)), table)
    if not pa.types.is_null(values.type):
        not_null = pa.table([values.slice(0, 1)], pa.schema([pa.field("x", values.type, nullable=False)]))
        check_equal(read(written(not_null)), not_null)


def test_types_are_those_of_the_archive_on_request() -> None:
    data = written(pa.table({"day": pa.array([1], pa.date32()), "price": pa.array([D("1.50")], pa.decimal128(9, 2))}))
    assert read(data, types="archive").to_pylist() == [
        {"day": datetime.datetime(1970, 1, 2, tzinfo=datetime.UTC), "price": "1.5"}]
    assert read(data, dates="seconds")["day"].type == pa.float64()
    assert read(data, strings="view").schema.types == [pa.date32(), pa.decimal128(9, 2)]
    with pytest.raises(UsageError, match="types='parquet': choose one of 'arrow', 'archive'"):
        read(data, types="parquet")


def test_roots_of_a_table_have_its_types() -> None:
    roots = pa.table({"day": pa.array([1], pa.date32()), "all": pa.array([[0]])})
    file = io.BytesIO()
    arc_format.write(file, {"$roots": roots, "T": pa.table({"n": [1]})}, references={("$roots", "all"): "T"})
    assert arc_format.open(file.getvalue()).tables()["$roots"]["day"].to_pylist() == [datetime.date(1970, 1, 2)]


def test_a_table_with_types_of_archives_adds_no_metadata() -> None:
    table = pa.table({
        "n": [1], "s": pa.array(["a"], pa.large_string()), "l": pa.array([[1]], pa.large_list(pa.int64()))})
    assert b"arrow.types" not in written(table)
    assert arc_format.open(written(table.select(["n"]), metadata={"a": "b"})).metadata == {"a": "b"}


def test_metadata_of_fields_and_the_order_of_categories_come_back() -> None:
    field = pa.field("n", pa.int64(), metadata={"unit": "m"})
    ordered = pandas.Categorical(["low", "high", None], ["low", "middle", "high"], ordered=True)
    frame = pandas.DataFrame({"n": [1, 2, 3], "c": ordered})
    table = pa.table(frame).set_column(0, field, pa.array([1, 2, 3]))
    found = read(written(table))
    assert found.schema.field("n").metadata[b"unit"] == b"m"
    assert found["c"].chunk(0).dictionary.to_pylist() == ["low", "middle", "high"]
    assert found.to_pandas()["c"].dtype == ordered.dtype
    # Written again, nothing is lost or repeated.
    assert read(written(found)).equals(found, check_metadata=True)


def test_conditions_compare_with_the_types_of_the_table() -> None:
    count = 300_000
    table = pa.table({
        "day": pa.array(range(count), pa.date32()), "at": pa.array(range(count), pa.timestamp("s")),
        "kind": pa.array([f"k{row % 3}" for row in range(count)]).dictionary_encode(),
        "text": pa.array([str(row) for row in range(count)], pa.string_view()),
        "price": pa.array(range(count), pa.int64()).cast(pa.decimal128(25, 2)),
        "time": pa.array([row % 86_400 for row in range(count)], pa.time32("s"))})
    file = io.BytesIO()
    arc_format.write(file, {"T": table}, directory=True)
    archive = arc_format.open(file.getvalue())
    day = datetime.date(1970, 1, 4)
    for where, rows in (
            ([("day", "==", day)], [4]), ([("day", "<", day), ("kind", "==", "k1")], [2]), ([("text", "==", "7")], [8]),
            ([("at", ">", datetime.datetime(1970, 1, 4, 11, 19, 58))], [300_000]), ([("day", "in", [day, None])], [4]),
            ([("price", "==", D("5.00"))], [6]), ([("time", "==", datetime.time(0, 0, 1)), ("day", "<=", day)], [2])):
        found = archive.table("T", where=where)
        assert found["$row"].to_pylist() == rows, where
        assert found.drop_columns("$row").schema.types == table.schema.types
    with pytest.raises(UsageError, match="'day' of type date32"):
        archive.table("T", where=[("day", "==", "x")])


def test_values_that_an_archive_rounds_are_said() -> None:
    for values, says in (
            (pa.array([1, 2000], pa.timestamp("ns")), "'x' of 'T': 1 times lose nanoseconds"),
            (pa.array([-10**16 + 1], pa.timestamp("us", "UTC")), "'x' of 'T': 1 times far from 2001 lose"),
            (pa.array([[1], None], pa.list_(pa.timestamp("ns"))), "1 times lose nanoseconds")):
        with pytest.warns(ArcWarning, match=says) as caught:
            written(pa.table({"x": values}))
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        written(pa.table({"x": pa.array([-3_000_000_000_000_000, 5_000_000_000_000_001], pa.timestamp("us"))}))


def test_what_comes_back_as_another_type_is_said() -> None:
    many = pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([str(row) for row in range(5000)]), ordered=True)
    nested = pa.StructArray.from_arrays([pa.DictionaryArray.from_arrays([0], ["a"], ordered=True)], ["s"])
    for each in (many, nested):
        with pytest.warns(ArcWarning, match="'x' of 'T' loses the order of its categories"):
            data = written(pa.table({"x": each}))
        assert read(data)["x"].type == each.type
    tables = {"Base": pa.table({"x": pa.array([1], pa.date32())}),
              "Sub": pa.table({"x": pa.array([1], pa.timestamp("s"))})}
    with pytest.warns(ArcWarning, match="'x' of 'Base' of type timestamp.* becomes date32"):
        arc_format.write(io.BytesIO(), tables, superclasses={"Sub": "Base"})


class Celsius(pa.ExtensionType):  # type: ignore[misc]
    """An extension type of a program."""

    def __init__(self) -> None:
        super().__init__(pa.float64(), "test.celsius")

    def __arrow_ext_serialize__(self) -> bytes:
        return b"\xff"

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: pa.DataType, serialized: bytes) -> Celsius:
        if serialized != b"\xff":
            raise KeyError("not Celsius")
        return cls()


def test_extension_types_of_a_program_come_back_where_it_has_them() -> None:
    values = pa.ExtensionArray.from_storage(Celsius(), pa.array([1.5, None]))
    with pytest.warns(ArcWarning, match="becomes double"):
        written(pa.table({"x": values}))
    pa.register_extension_type(Celsius())
    try:
        data = written(pa.table({"x": values}))
        assert read(data)["x"].type == Celsius()
    finally:
        pa.unregister_extension_type("test.celsius")
    assert read(data)["x"].type == pa.float64()


def with_types(table: pa.Table, types: Any) -> bytes:
    """An archive of a table, with Arrow types of another writer."""
    text = types if isinstance(types, str) else json.dumps({"T": types})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arc_format.writing.archive._arrow_types", lambda _: text)
        return written(table)


@pytest.mark.parametrize("types", [
    "", "[]", "5", '{"T": 5}', "[" * 100_000, '{"T": {"x": 5}}', {"x": "?"}, {"x": {"format": 1}},
    {"x": "w:99999999999"}, {"x": {"format": "+l"}},
    {"x": {"format": "+l", "children": [5]}}, {"x": {"format": "+l", "children": 5}},
    {"x": {"format": "d:99,1"}}, {"x": "d:1,2,3"}, {"x": {"format": "u", "dictionary": "u"}},
    {"x": {"format": "u", "values": 5}}, {"x": {"format": "u", "values": [10**30]}},
    {"x": {"format": "c", "dictionary": "u", "values": ["a", "a"]}}, {"x": {"format": "c", "values": [1, {}]}},
    {"x": {"format": "u", "extension": 5}}, {"x": {"format": "l", "extension": ["arrow.json", ""]}},
    {"x": {"format": "u", "metadata": 5}}], ids=lambda each: str(each)[:40])
def test_types_that_are_none_are_ignored_with_a_warning(types: Any) -> None:
    data = with_types(pa.table({"x": ["1", "2"]}), types)
    with pytest.warns(ArcWarning, match="the Arrow types in the metadata of the file are ignored"):
        assert read(data)["x"].type == pa.large_string()


@pytest.mark.parametrize("noted", ["i", "tdD", {"format": "+l", "children": [{"name": "", "format": "u"}]}, "z"])
def test_types_of_other_columns_are_passed_over(noted: Any) -> None:
    assert read(with_types(pa.table({"x": ["1"]}), {"x": noted, "y": "u"}))["x"].type == pa.large_string()


@pytest.mark.parametrize(("values", "noted", "says"), [
    (pa.array(["1.5", "a"]), "d:9,2", "'x' of 'T' has values that do not fit decimal128"),
    (pa.array(["a"]), "n", "values that are not null"), (pa.array([1], pa.timestamp("us")), "tdD", "a time of day"),
    (pa.array([1], pa.timestamp("us")), "tss:", "would lose data"), (pa.array([b"abc"]), "w:2", "fixed_size_bin"),
    (pa.array([[1], [1, 2]]), {"format": "+w:2", "children": [{"name": "", "format": "l"}]}, "does not have 2 values"),
    (pa.array(["a", None]), {"format": "n"}, "values that are not null")])
def test_values_that_do_not_fit_are_refused(values: pa.Array, noted: Any, says: str) -> None:
    data = with_types(pa.table({"x": values}), {"x": noted})
    with pytest.raises(UsageError, match=says) as error:
        read(data)
    assert str(error.value).endswith("pass types='archive'")
    assert read(data, types="archive").num_rows == len(values)


def test_types_take_no_more_memory_than_the_limits() -> None:
    lists = with_types(pa.table({"x": pa.array([None] * 100, pa.list_(pa.int8()))}), {
        "x": {"format": "+w:2000000000", "children": [{"name": "", "format": "c"}]}})
    for data in (lists, with_types(pa.table({"x": pa.array([None] * 100, pa.binary())}), {"x": "w:2000000000"})):
        with pytest.raises(arc_format.ArcError) as error:
            read(data)
        assert error.value.code == "limitExceeded"


def test_shards_have_one_type(tmp_path: pathlib.Path) -> None:
    shards = [{"T": pa.table({"x": pa.array([1], pa.date32())})},
              {"T": pa.table({"x": pa.array([86400], pa.timestamp("s"))})}]
    arc_format.write_dataset(tmp_path / "a", shards)
    table = arc_format.dataset(tmp_path / "a").table("T")
    assert table["x"].type == pa.date32() and len(set(table["x"].to_pylist())) == 1
    shards[1] = {"T": pa.table({"x": pa.array([1], pa.timestamp("s"))})}
    with pytest.raises(UsageError, match="'x' of 'T'"):
        arc_format.write_dataset(tmp_path / "b", shards)
    # Files of several writers are read as far as their values are equal.
    for name, each in zip("cd", shards, strict=True):
        arc_format.write(tmp_path / f"{name}.arc", each)
    both = arc_format.dataset([tmp_path / "c.arc", tmp_path / "d.arc"])
    with pytest.raises(UsageError, match="do not fit the types in the first file: a time of day; pass types='archive'"):
        both.table("T")
    assert both.table("T", types="archive").num_rows == 2


def test_references_keep_the_types_of_rows() -> None:
    table = pa.table({"boss": pa.array([0, None], pa.int8()), "all": pa.array([[0], [1]], pa.list_(pa.uint16()))})
    data = written(table, references={("T", "boss"): "T", ("T", "all"): "T"})
    assert read(data).schema.types == [pa.int64(), pa.large_list(pa.int64())]


def test_polars_gets_the_types_that_it_has(tmp_path: pathlib.Path) -> None:
    frame = polars.DataFrame({
        "day": [datetime.date(2026, 1, 2), None], "at": [datetime.datetime(2026, 1, 2), None],
        "time": [datetime.time(1, 2), None], "for": [datetime.timedelta(1), None], "price": [D("1.50"), None],
        "kind": polars.Series(["a", None], dtype=polars.Categorical), "pair": polars.Series(
            [[1, 2], None], dtype=polars.Array(polars.Int8, 2))})
    arc_format.write(tmp_path / "a.arc", {"T": frame})
    found = arc_format.polars.scan(tmp_path / "a.arc", "T").drop("$row")
    assert found.collect().equals(frame) and found.collect_schema() == frame.schema
    for each in [*LEAVES, *EXTENSIONS]:
        arc_format.write(tmp_path / "b.arc", {"T": pa.table({"x": each, "l": pa.array(
            [[]] * len(each), pa.list_view(pa.int8()))})})
        assert arc_format.polars.scan(tmp_path / "b.arc", "T").collect().height == len(each)


def test_the_command_writes_all_types_as_text(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    from arc_format.command.main import main

    arc_format.write(tmp_path / "a.arc", {"T": pa.table({
        "day": pa.array([datetime.date(2026, 1, 2)]), "at": pa.array([datetime.datetime(2026, 1, 2, 3)]),
        "time": pa.array([datetime.time(1, 2)]), "for": pa.array([datetime.timedelta(hours=1.5)]),
        "price": pa.array([D("1.50")]), "span": pa.array([(1, 2, 3)], pa.month_day_nano_interval())})})
    for format_, text in (
            ("csv", '1,2026-01-02,2026-01-02T03:00:00,01:02:00,PT5400S,1.50,"[1,2,3]"\n'),
            ("jsonl", '{"$row":1,"day":"2026-01-02","at":"2026-01-02T03:00:00","time":"01:02:00","for":"PT5400S",'
                      '"price":"1.50","span":[1,2,3]}\n')):
        assert main(["export", str(tmp_path / "a.arc"), "--format", format_]) == 0
        assert capsys.readouterr().out.endswith(text)
    assert main(["export", str(tmp_path / "a.arc"), "--format", "arrow", "-o", str(tmp_path / "T.arrow")]) == 0
    assert pa.ipc.open_file(tmp_path / "T.arrow").schema.field("span").type == pa.month_day_nano_interval()
    # Parquet has no intervals of months, days and nanoseconds.
    for columns, day in (("day,time", pa.date32()), ("day,span", pa.timestamp("us", "UTC"))):
        with warnings.catch_warnings(record=True) as caught:
            assert main(["export", str(tmp_path / "a.arc"), "--format", "parquet", "--columns", columns, "-o", str(
                tmp_path / "T.parquet")]) == 0
        assert pyarrow.parquet.read_schema(tmp_path / "T.parquet").field("day").type == day
        assert len(caught) == int("span" in columns)


def test_dates_outside_of_pythons_years_are_texts() -> None:
    far = pa.table({"day": pa.array([4_000_000], pa.date32()), "at": pa.array([10**12], pa.timestamp("s")),
                    "zone": pa.array([10**12], pa.timestamp("s", "UTC"))})
    assert arc_format.open(written(far)).object(1) == {
        "$class": "T", "$row": 1, "day": "12921-08-18", "at": "+033658-09-27T01:46:40",
        "zone": "+033658-09-27T01:46:40Z"}
