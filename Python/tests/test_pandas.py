"""Frames of pandas from archives."""

from __future__ import annotations

import io
import pathlib

import pandas
import pyarrow as pa
import pytest
from judge import FIXTURES

import arc_format
from arc_format import UsageError
from arc_format.pandas import read_arc


def test_a_class_is_a_frame_with_rows_as_its_index(tmp_path: pathlib.Path) -> None:
    frame = read_arc(FIXTURES / "inheritance.arc", "Truck", ["load", "trailer"])
    assert list(frame.columns) == ["load", "trailer", "trailer$class"] and list(frame.index) == [2]
    assert frame.loc[2, "trailer"] == 1
    people = read_arc(FIXTURES / "person.arc", where=[("name", ">=", "B")])
    assert people["name"].to_list() == ["Bob"] and people.index.name == "$row"
    both = read_arc([FIXTURES / "person.arc"] * 2, "Person", ["name"])
    assert list(both.columns) == ["name"] and both.loc[(1 << 32) + 2, "name"] == "Bob"
    kinds = pandas.Categorical(["b", "a"], ["a", "b", "c"], ordered=True)
    days = pandas.to_datetime(["2026-01-02"] * 2)
    arc_format.write(tmp_path / "a.arc", {"T": pandas.DataFrame({"kind": kinds, "day": days})})
    again = read_arc(tmp_path / "a.arc")
    assert again["kind"].dtype == kinds.dtype and again["day"].dt.tz is None


def test_a_class_has_to_be_named_among_several() -> None:
    with pytest.raises(UsageError, match="2 classes have objects, Car, Truck: name one"):
        read_arc(FIXTURES / "inheritance.arc")
    with pytest.raises(UsageError, match="there is no class 'Boat'"):
        read_arc(FIXTURES / "inheritance.arc", "Boat")
    with pytest.raises(arc_format.ArcError):
        read_arc(FIXTURES / "invalid" / "S2-payload.arc")
    empty = io.BytesIO()
    arc_format.write(empty, {"T": pa.table({"x": pa.array([], pa.int64())})})
    with pytest.raises(UsageError, match="0 classes have objects, none: name one"):
        read_arc(arc_format.open(empty.getvalue()))
