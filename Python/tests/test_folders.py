"""Columns of folders, `key=value`, in Hive's way. Spec: 14.3."""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pyarrow.dataset
import pyarrow.feather
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_datasets import code_of, rewritten

import arc_format
import arc_format.duckdb
import arc_format.polars
from arc_format import UsageError
from arc_format.datasets.folders import folder_of, folder_values

NULL = "__HIVE_DEFAULT_PARTITION__"


def sales(folder: pathlib.Path, **options: Any) -> pathlib.Path:
    """Three shards with a manifest: of November and January 2026, and of 2025 without a month."""
    shards = [{"Sale": pa.table({"amount": [first, first + 1], "year": [year] * 2, "month": pa.array(
        [month] * 2, pa.int64())})} for first, year, month in ((10, 2026, 11), (20, 2026, 1), (30, 2025, None))]
    arc_format.write_dataset(folder, shards, partition_by=("year", "month"), **options)
    return folder


def laid_out(folder: pathlib.Path, *names: str) -> pathlib.Path:
    """An archive in each of some folders, without a manifest; rows count from 0."""
    for number, name in enumerate(names):
        (folder / name).mkdir(parents=True)
        arc_format.write(folder / name / "part-0.arc", {"N": pa.table({"n": [number]})})
    return folder


def test_folders_are_columns_of_tables_batches_and_schemas(tmp_path: pathlib.Path) -> None:
    data = arc_format.dataset(sales(tmp_path / "set"), verify="all")
    data.verify()
    assert data.files[0] == str(tmp_path / "set" / "year=2026" / "month=11" / "part-00000.arc")
    assert data.schema("Sale").names == ["$id", "$row", "amount", "year", "month"]
    assert data.schema("Sale").field("year").type == pa.int32()
    table = data.table("Sale")
    assert table.select(["amount", "year", "month"]).to_pydict() == {
        "amount": [10, 11, 20, 21, 30, 31], "year": [2026] * 4 + [2025] * 2, "month": [11, 11, 1, 1, None, None]}
    assert pa.Table.from_batches(data.batches("Sale")).equals(table)
    assert data.table("Sale", ["month", "amount"]).column_names == ["$id", "$row", "amount", "month"]
    assert data.table("Sale", "year")["year"].to_pylist() == [2026] * 4 + [2025] * 2
    # A file by itself has what it stores.
    assert data.archive(0).table("Sale").column_names == ["$row", "amount"]


def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The shards that are opened from now on."""
    shards: list[int] = []
    archive = arc_format.Dataset.archive

    def counted(data: arc_format.Dataset, shard: int) -> arc_format.Archive:
        shards.append(shard)
        return archive(data, shard)

    monkeypatch.setattr(arc_format.Dataset, "archive", counted)
    return shards


@pytest.mark.parametrize("limits", [arc_format.DEFAULT, arc_format.UNTRUSTED])
def test_conditions_on_folders_open_only_the_shards_in_question(
        tmp_path: pathlib.Path, limits: arc_format.Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    data, shards = arc_format.dataset(sales(tmp_path / "set"), limits=limits), opened(monkeypatch)
    for where, expected in (
            ([("month", "==", 1)], [20, 21]), ([("month", "in", [1, 2]), ("amount", ">", 20)], [21]),
            ([("month", "<", 11), ("year", ">=", 2026)], [20, 21]), ([("month", "!=", 11)], [20, 21]),
            ([("month", "==", 1 << 40)], []), ([("month", "<", 1.5)], [20, 21])):
        shards.clear()
        assert data.table("Sale", ["amount"], where=where)["amount"].to_pylist() == expected
        # The first says what the class has.
        assert set(shards) == {0, 1} if expected else {0}, where
    shards.clear()
    query = arc_format.polars.scan(data, "Sale").filter((polars.col("month") == 1) & (polars.col("year") < 2027))
    assert query.select(polars.col("amount").sum()).collect().item() == 41
    assert set(shards) == {0, 1}
    for sign, value in (("==", "1"), ("in", ["x"])):
        with pytest.raises(UsageError, match="'month' of type int32 cannot be compared"):
            data.table("Sale", where=[("month", sign, value)])


def test_engines_have_columns_of_folders(tmp_path: pathlib.Path) -> None:
    folder, connection = sales(tmp_path / "set"), duckdb.connect()
    arc_format.duckdb.attach(connection, folder, "shop")
    query = 'select year, month, sum(amount)::int from shop."Sale" group by all order by all'
    assert connection.sql(query).fetchall() == [(2025, None, 61), (2026, 1, 41), (2026, 11, 21)]
    frame = arc_format.polars.scan(folder, "Sale")
    assert frame.group_by("year").len().sort("year").collect().rows() == [(2025, 2), (2026, 4)]
    assert frame.select("month").collect()["month"].to_list() == [11, 11, 1, 1, None, None]


def test_folders_without_a_manifest_are_in_the_order_of_their_paths(tmp_path: pathlib.Path) -> None:
    # A dot is less than a slash, and the bytes of é are greater than z.
    laid_out(tmp_path, "x=2", "x=10/y=b", "x=é", "plain", "_x=3", ".x=4", "x=z")
    arc_format.write(tmp_path / "x=2.arc", {"N": pa.table({"n": [9]})})
    table = arc_format.dataset(tmp_path).table("N")
    assert table.select(["n", "x", "y"]).to_pylist() == [
        {"n": 1, "x": "10", "y": "b"}, {"n": 9, "x": None, "y": None}, {"n": 0, "x": "2", "y": None},
        {"n": 6, "x": "z", "y": None}, {"n": 2, "x": "é", "y": None}]


def test_a_pattern_has_the_folders_behind_its_first_star_and_a_list_none(tmp_path: pathlib.Path) -> None:
    folder = sales(tmp_path / "a=1")
    assert arc_format.dataset(folder / "*" / "*" / "*.arc").schema("Sale").names[-2:] == ["year", "month"]
    assert arc_format.dataset(folder / "year=2026" / "*" / "*.arc").schema("Sale").names[-2:] == ["amount", "month"]
    assert arc_format.dataset(folder / "year=2026").schema("Sale").names[-2:] == ["amount", "month"]
    assert arc_format.dataset(arc_format.dataset(folder).files).schema("Sale").names[-1] == "amount"
    (folder / "part.arc").write_bytes((folder / "_arc" / "manifest.arc").read_bytes())
    assert arc_format.dataset(folder / "*.arc").classes == ["Shard"]
    with pytest.raises(UsageError, match=r"has no \.arc files"):
        arc_format.dataset(folder / "_arc" / "*.arc")
    with pytest.raises(UsageError, match=r"no \*\*"):
        arc_format.dataset(folder / "**" / "*.arc")


def test_a_name_that_the_class_has_is_the_column_of_the_class(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, shards = arc_format.dataset(laid_out(tmp_path, "n=7", "n=8", "$row=5", "%24id=5")), opened(monkeypatch)
    assert data.schema("N").names == ["$id", "$row", "n"]
    assert data.table("N")["n"].to_pylist() == [2, 3, 0, 1]
    # And what is asked of it is asked of the class.
    assert data.table("N", where=[("n", "==", 1)])["n"].to_pylist() == [1]
    assert set(shards) == {0, 1, 2, 3}


def test_a_class_that_has_the_name_only_in_another_file_is_read_by_the_first(tmp_path: pathlib.Path) -> None:
    laid_out(tmp_path, "x=1", "x=2")
    arc_format.write(tmp_path / "x=2" / "part-0.arc", {"N": pa.table({"n": [1], "x": ["own"]})})
    data = arc_format.dataset(tmp_path)
    assert data.table("N", ["n", "x"])["x"].to_pylist() == [1, 2]
    with pytest.raises(UsageError, match=r"other columns in .*x=2"):
        data.table("N")


def test_a_typing_error_is_answered_with_the_columns_of_folders_too(tmp_path: pathlib.Path) -> None:
    data = arc_format.dataset(sales(tmp_path / "set"))
    for choice in ({"columns": ["yaer"]}, {"where": [("yaer", "==", 1)]}):
        with pytest.raises(UsageError) as error:
            data.table("Sale", **choice)
        assert "its folders have: year, month" in error.value.__notes__


@pytest.mark.parametrize(("strings", "type_"), [
    ("plain", pa.large_string()), ("view", pa.string_view()),
    ("dictionary", pa.dictionary(pa.int32(), pa.large_string()))])
def test_text_is_as_other_texts_are(tmp_path: pathlib.Path, strings: Any, type_: pa.DataType) -> None:
    table = arc_format.dataset(laid_out(tmp_path, "city=Ulm", f"city={NULL}")).table("N", strings=strings)
    table.validate(full=True)
    assert table.schema.field("city").type == type_
    assert table["city"].to_pylist() == ["Ulm", None]


# ---- As pyarrow has them

SEGMENTS = st.one_of(
    st.integers(-1 << 31, (1 << 31) - 1).map(str), st.integers(0, 99).map("{:04}".format), st.just(NULL),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), max_size=12))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.dictionaries(st.sampled_from(["year", "mo%6Eth", "a b", "é"]), SEGMENTS, max_size=3),
                min_size=1, max_size=4))
@example([{"year": "%zz"}, {"year": "a%2Fb=c"}])
@example([{"year": ""}, {"year": "-0"}])
@example([{"year": "3000000000"}, {"year": "-9223372036854775808"}])
@example([{"year": "9223372036854775808"}])
def test_columns_are_those_of_pyarrow(segments: list[dict[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number, each in enumerate(segments):
            for kind in ("arc", "arrow"):
                below = os.path.join(folder, kind, *(f"{key}={value}" for key, value in each.items()))
                os.makedirs(below, exist_ok=True)
                name, table = os.path.join(below, f"{number}.{kind}"), pa.table({"n": [number]})
                arc_format.write(name, {"N": table}) if kind == "arc" else pyarrow.feather.write_feather(table, name)
        try:
            theirs = pyarrow.dataset.dataset(
                os.path.join(folder, "arrow"), format="feather", partitioning="hive", ignore_prefixes=["."]).to_table()
        except pa.ArrowInvalid as error:
            # It has no type for a column of nulls, and takes hexadecimal numbers for numbers at first.
            assert "infer type" in str(error) or "UTF-8" in str(error), error
            return
        ours = arc_format.dataset(os.path.join(folder, "arc")).table("N").sort_by("n").drop_columns(["$id", "$row"])
        assert set(ours.column_names) == set(theirs.column_names)
        theirs = theirs.sort_by("n").select(ours.column_names)
        for name in ours.column_names:
            values = theirs[name].to_pylist()
            if ours.schema.field(name).type == pa.int64() and pa.types.is_string(theirs.schema.field(name).type):
                # What does not fit into 32 bits is text to it.
                values = [None if value is None else int(value) for value in values]
            assert ours[name].to_pylist() == values


@given(st.dictionaries(st.text(min_size=1), st.one_of(st.none(), st.integers(), st.text()), max_size=3))
def test_what_folders_say_is_read_again(values: dict[str, Any]) -> None:
    path = folder_of(values)
    assert folder_values(f"{path}/part.arc") == {
        key: None if value is None else str(value) for key, value in values.items()}
    assert all(part and part[0] not in "._" and not set(part) & set("\\\0:") for part in path.split("/") if values)


# ---- Writing

def test_what_is_not_one_value_in_each_shard_is_no_folder(tmp_path: pathlib.Path) -> None:
    for number, (values, keys) in enumerate((
            ([1, 2], ["x"]), ([], ["x"]), ([1.5], ["x"]), ([True], ["x"]), ([[1]], ["x"]), ([1], ["y"]),
            ([NULL], ["x"]))):
        with pytest.raises(UsageError, match=r"partition_by= names|no folder can say"):
            arc_format.write_dataset(tmp_path / str(number), [{"A": pa.table({"x": values})}], partition_by=keys)
    with pytest.raises(UsageError, match="write into another folder"):
        arc_format.write_dataset(laid_out(tmp_path / "there", "x=1"), [])


def test_another_reader_takes_shards_in_folders(tmp_path: pathlib.Path, arcdump: str) -> None:
    folder = sales(tmp_path / "set", compression="zlib")
    for path in folder.rglob("*.arc"):
        subprocess.run([arcdump, "verify", path], check=True)


# ---- Hostile names

@pytest.mark.parametrize(("name", "message"), [
    ("=x", "a value and no key"), ("x=1/x=2", "say twice"), ("x=%ff", "not UTF-8"), ("%ff=x", "not UTF-8"),
    ("x=1/%78=1", "say twice")])
def test_folders_that_say_nothing_or_two_things_are_refused(tmp_path: pathlib.Path, name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        arc_format.dataset(laid_out(tmp_path / "laid", name))
    folder = sales(tmp_path / "set")
    rewritten(folder, path=f"{name}/part-00000.arc")
    assert code_of(folder) == "wrongShard"


def test_a_name_that_is_not_utf8_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(UsageError, match="not UTF-8"):
        arc_format.dataset(laid_out(tmp_path, os.fsdecode(b"x=\xff")))


@pytest.mark.parametrize("path", [
    "x=../part.arc", "x=1/../part.arc", "..=x/../../part.arc", "/x=1/part.arc", "x=1//part.arc", "_x=1/part.arc",
    ".x=1/part.arc", "x=1\\y/part.arc", "x=1:2/part.arc", "x=\0/part.arc", "..=1/part.arc"])
def test_a_path_of_a_manifest_that_may_lead_elsewhere_is_refused(tmp_path: pathlib.Path, path: str) -> None:
    folder = sales(tmp_path / "set")
    rewritten(folder, path=path)
    assert code_of(folder) == "wrongShard"


def test_folders_that_are_links_are_refused(tmp_path: pathlib.Path) -> None:
    for number, target in enumerate((str(tmp_path / "other"), ".", "x=1")):
        folder = laid_out(tmp_path / str(number), "x=1")
        (tmp_path / "other").mkdir(exist_ok=True)
        os.symlink(target, folder / "x=2")
        with pytest.raises(UsageError, match="is a link"):
            arc_format.dataset(folder)
    # A file of the folder that is named twice stays in it; one outside is refused.
    folder = laid_out(tmp_path / "file", "x=1")
    os.symlink(folder / "x=1" / "part-0.arc", folder / "part.arc")
    assert arc_format.dataset(folder).table("N")["x"].to_pylist() == [None, 1]
    arc_format.write(tmp_path / "outside.arc", {"N": pa.table({"n": [1]})})
    os.symlink(tmp_path / "outside.arc", folder / "x=1" / "part-1.arc")
    with pytest.raises(UsageError, match="leads out of its folder"):
        arc_format.dataset(folder)


def test_a_manifest_whose_folder_is_a_link_out_is_refused(tmp_path: pathlib.Path) -> None:
    folder = sales(tmp_path / "set")
    (folder / "year=2026").rename(tmp_path / "outside")
    os.symlink(tmp_path / "outside", folder / "year=2026")
    assert code_of(folder) == "wrongShard"


def test_folders_as_deep_as_a_path_may_be_are_read_without_recursion(tmp_path: pathlib.Path) -> None:
    depth = (4000 - len(str(tmp_path))) // 6
    path = os.path.join(tmp_path, *(f"{number:x}=1" for number in range(depth)))
    os.makedirs(path)
    arc_format.write(os.path.join(path, "a.arc"), {"N": pa.table({"n": [1]})})
    assert arc_format.dataset(tmp_path).table("N").num_columns == depth + 3


def test_a_long_name_of_a_folder_is_charged_for_each_row(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / ("x=" + "y" * 250)
    folder.mkdir()
    arc_format.write(folder / "a.arc", {"N": pa.table({"n": range(100_000)})})
    limits = arc_format.Limits(raw_bytes=16 << 20)
    data = arc_format.dataset(tmp_path, limits=limits)
    assert data.table("N", ["n"]).num_rows == 100_000
    with pytest.raises(arc_format.ArcError, match=r"limitExceeded \[A2\]"):
        data.table("N")
