"""What nobody can write: refused in words, and nothing is left behind."""

from __future__ import annotations

import io
import os
import pathlib
import time
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest
from judge import verdict_of_judge

import arc_format
from arc_format import UsageError

PEOPLE = pa.table({"name": ["Ann", "Bob"], "boss": pa.array([None, 0], pa.int64())})
#: Wrong types, unseen by a checker of types.
write: Any = arc_format.write
write_dataset: Any = arc_format.write_dataset


def written(table: Any, **choices: Any) -> bytes:
    file = io.BytesIO()
    write(file, {"T": table}, **choices)
    return file.getvalue()


@pytest.mark.parametrize(("target", "says"), [
    ("", "no path"), (".", "is a folder"), (None, "nothing can be written to None"), (3, "nothing can be written"),
    (io.StringIO(), "open with 'wb'")])
def test_targets_that_take_no_archive_are_refused(target: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        write(target, {"Person": PEOPLE})


def test_errors_name_the_file_that_was_asked_for(tmp_path: pathlib.Path) -> None:
    for path in (tmp_path / "none" / "out.arc", tmp_path / ("a" * 300)):
        with pytest.raises(OSError) as error:
            write(path, {"Person": PEOPLE})
        assert error.value.filename == str(path)
        assert "partial" not in str(error.value)
        assert str(error.value).endswith(f"'{path}'")
    assert os.listdir(tmp_path) == []


def test_a_name_may_be_as_long_as_names_can_be(tmp_path: pathlib.Path) -> None:
    path = tmp_path / ("a" * 251 + ".arc")
    write(path, {"Person": PEOPLE})
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize(("choices", "says"), [
    ({"references": {"Person.boss": "Person"}}, "such as"), ({"references": {("T", "boss"): None}}, "such as"),
    ({"references": 5}, "references= is 5"), ({"links": {("T",): "T"}}, "links= is"),
    ({"weak": "x"}, "weak= is 'x'"), ({"weak": 5}, "weak= is 5"),
    ({"superclasses": {"T": 5}}, "superclasses= is"), ({"metadata": {"a": 1}}, "metadata="),
    ({"metadata": "x"}, "metadata= is 'x'"), ({"metadata": {"a": chr(0xD800)}}, "surrogate"),
    ({"roots": "T"}, "roots="),
    ({"roots": {"x": 1}}, "roots="), ({"roots": {5: "T"}}, "roots="), ({"roots": {"x": ("T", "0")}}, "roots=")])
def test_what_is_said_of_tables_has_its_shape(choices: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        written(PEOPLE, **choices)


@pytest.mark.parametrize("tables", [None, PEOPLE, [PEOPLE], {5: PEOPLE}], ids=str)
def test_tables_have_names(tables: Any) -> None:
    with pytest.raises(UsageError, match="give a dictionary of them by the names of their classes"):
        write(io.BytesIO(), tables)


def nested(levels: int) -> pa.Array:
    array = pa.array([1])
    for _ in range(levels):
        array = pa.LargeListArray.from_arrays([0, 1], array)
    return array


@pytest.mark.parametrize(("column", "says"), [
    (pa.array([1 << 62], pa.timestamp("s")), "'c' of 'T' is no column"),
    (pa.array([[1 << 62]], pa.list_(pa.timestamp("ms"))), "'c' of 'T' is no column"),
    (pa.array([(1 << 31) - 1], pa.date32()), "'c' of 'T' is no column"),
    (pa.array([b"\xff"]).view(pa.string()), "'c' of 'T' is no column.*UTF8"),
    (pa.array([[b"\xff"]]).cast(pa.list_(pa.binary())).view(pa.list_(pa.string())), "UTF8"),
    (nested(200), "'c' of 'T' is no column"),
    (pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([[1]])), "'c' of 'T' is no column")])
def test_values_that_no_archive_has_are_refused(column: pa.Array, says: str) -> None:
    with pytest.raises(UsageError, match=says) as error:
        written(pa.table({"c": column}))
    assert len(str(error.value)) < 400


def test_dates_that_are_finer_than_microseconds_are_cut() -> None:
    with pytest.warns(arc_format.ArcWarning, match="'c' of 'T': 1 times lose nanoseconds"):
        data = written(pa.table({"c": pa.array([978_307_200_000_001_999], pa.timestamp("ns"))}))
    assert arc_format.open(data).table("T")["c"].cast(pa.int64()).to_pylist() == [978_307_200_000_001_000]


@pytest.mark.parametrize("numbers", [pa.array(["1", "2"]), pa.array([1, None])])
def test_numbers_of_rows_are_numbers(numbers: pa.Array) -> None:
    with pytest.raises(UsageError, match=r"'\$row' of 'T' is"):
        written(pa.table({"$row": numbers}))


def test_references_that_pandas_made_floats_are_told_how_to_be_integers() -> None:
    frame = PEOPLE.to_pandas()
    leads = {("T", "boss"): "T"}
    with pytest.raises(UsageError, match=r"astype\('Int64'\)"):
        written(frame, references=leads)
    frame["boss"] = frame["boss"].astype("Int64")
    assert arc_format.open(written(frame, references=leads)).table("T")["boss"].to_pylist() == [None, 1]


def test_no_addresses_of_objects_are_written() -> None:
    with pytest.raises(UsageError, match="the table of 'T' has a column of Python's objects"):
        written(polars.DataFrame({"a": [object()]}))


@pytest.mark.parametrize("frame", [pandas.DataFrame({"a": [1, "x"]}), pandas.DataFrame([[1, 2]], columns=["a", "a"])])
def test_a_frame_that_arrow_does_not_take_is_refused(frame: pandas.DataFrame) -> None:
    with pytest.raises(UsageError, match=r"the table of 'T' is none of Arrow.*: give each column a name of its own"):
        written(frame)


def test_a_link_to_position_0_is_not_taken_for_nil() -> None:
    for number in (1 << 32, 1 << 62):
        with pytest.raises(UsageError, match="the first row is 1"):
            written(pa.table({"f": [number]}), links={("T", "f"): "T"})
    assert arc_format.open(written(pa.table({"f": [0, None]}), links={("T", "f"): "T"})).edges().num_rows == 0


def test_a_class_and_its_subclass_are_both_roots() -> None:
    file = io.BytesIO()
    write(file, {"Animal": pa.table({"legs": [4]}), "Dog": pa.table({"legs": [3, 4], "name": ["Rex", "Bo"]})},
          superclasses={"Dog": "Animal"})
    assert verdict_of_judge(file.getvalue()) == "ok"
    archive = arc_format.open(file.getvalue(), verify="all")
    assert archive.tables()["$roots"].to_pylist() == [{"$row": 0, "Animal": [1], "Dog": [2, 3]}]
    assert archive.table("Animal", subclasses=True)["legs"].to_pylist() == [4, 3, 4]


def test_roots_are_positions_where_tables_have_numbers_of_their_own() -> None:
    table = pa.table({"$row": [7, 3], "next": [3, None]})
    data = written(table, references={("T", "next"): "T"}, roots={"all": "T", "last": ("T", np.int64(1))})
    archive = arc_format.open(data, verify="all")
    assert archive.tables()["$roots"].to_pylist() == [{"$row": 0, "all": [1, 2], "last": 2}]
    assert archive.table("T")["next"].to_pylist() == [2, None]


def test_time_is_linear_in_superclasses_and_in_columns() -> None:
    start = time.process_time()
    chain = {f"C{number}": f"C{number + 1}" for number in range(1500)}
    file = io.BytesIO()
    write(file, {"C0": pa.table({"a": [1]})}, superclasses=chain)
    assert len(arc_format.open(file.getvalue(), verify="all").classes) == 1501
    assert len(written(pa.table({f"c{number}": [1] for number in range(4000)}))) > 4000
    assert time.process_time() - start < 6


@pytest.mark.parametrize(("arguments", "says"), [
    ((None, []), "is a folder"), (("x", {"T": PEOPLE}), "give a list"), (("x", None), "give a list"),
    (("x", [PEOPLE]), "give a dictionary")], ids=["no path", "no list", "nothing", "no names"])
def test_a_data_set_is_a_folder_and_a_list(
        arguments: tuple[Any, Any], says: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=says):
        write_dataset(*arguments)


@pytest.mark.parametrize(("choice", "says"), [
    ("a", "sorted_by= is 'a'"), (5, "sorted_by= is 5"), (("T", "a", "b"), "give a class and its column"),
    (("T", "a.b"), "has no point"), (("U", "a"), "of which no shard has an object")])
def test_what_shards_are_sorted_by_is_a_column_that_a_manifest_can_name(
        choice: Any, says: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(UsageError, match=says):
        write_dataset(tmp_path, [{"T": pa.table({"a": [1], "a.b": [1]})}], sorted_by=choice)


def test_one_name_divides_a_data_set(tmp_path: pathlib.Path) -> None:
    write_dataset(tmp_path / "set", [{"T": pa.table({"a": [1], "year": [2026]})}], partition_by="year")
    assert arc_format.dataset(tmp_path / "set").table("T")["year"].to_pylist() == [2026]
