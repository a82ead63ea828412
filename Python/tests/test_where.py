"""Whatever is asked, segments that are passed over have no row that an engine would keep."""

from __future__ import annotations

import datetime
import io
import math
import operator
from typing import Any

import polars
import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import arc_format
import arc_format.polars
import arc_format.writing.archive
from arc_format.tables.pushed import pushed

DAYS = st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2100, 1, 1), timezones=st.just(datetime.UTC))
# Texts that share the 8 bytes which a border has.
TEXTS = st.text("ab\u00e9\U0001F600", max_size=3).map(lambda text: "border.." + text) | st.text(max_size=9)
COLUMNS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "int": (pa.int64(), st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-9, 9)),
    "small": (pa.uint8(), st.integers(0, 255)),
    "float": (pa.float64(), st.floats() | st.sampled_from([0.0, -0.0, math.nan, math.inf, 1.5])),
    "half": (pa.float32(), st.floats(width=32) | st.sampled_from([0.0, -0.0, math.nan])),
    "text": (pa.large_string(), TEXTS),
    "day": (pa.timestamp("us", "UTC"), DAYS),
    "flag": (pa.bool_(), st.booleans())}
SIGNS = {"==": pc.equal, "!=": pc.not_equal, "<": pc.less, "<=": pc.less_equal, ">": pc.greater,
         ">=": pc.greater_equal}


@st.composite
def questions(draw: st.DrawFn) -> tuple[pa.Array, str, Any]:
    """Values of a column, a sign, and a value that is often one of them."""
    type_, values = COLUMNS[draw(st.sampled_from(list(COLUMNS)))]
    column = draw(st.lists(values | st.none(), min_size=1, max_size=20))
    if draw(st.booleans()):
        # In order, so that segments differ.
        column.sort(key=lambda each: (each is None or each != each, 0 if each is None or each != each else each))
    there = [each for each in column if each is not None]
    return pa.array(column, type_), draw(st.sampled_from(list(SIGNS))), draw(
        st.sampled_from(there) | values if there else values)


def archive_of(column: pa.Array) -> arc_format.Archive:
    file = io.BytesIO()
    arc_format.write(file, {"T": pa.table({"c": column})}, directory=True, segment_rows=3)
    return arc_format.open(file.getvalue())


@given(questions())
@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
def test_where_gives_what_arrow_keeps(question: tuple[pa.Array, str, Any]) -> None:
    column, sign, value = question
    expected = pa.table({"row": range(1, len(column) + 1), "c": column}).filter(SIGNS[sign](column, value))
    archive = archive_of(column)
    assert archive.table("T", where=[("c", sign, value)])["$row"].to_pylist() == expected["row"].to_pylist()
    if sign == "==" and value == value:
        assert archive.table("T", where=[("c", "in", [value])])["$row"].to_pylist() == expected["row"].to_pylist()


@given(questions())
@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
def test_polars_keeps_what_it_keeps_of_the_whole_table(question: tuple[pa.Array, str, Any]) -> None:
    column, sign, value = question
    archive = archive_of(column)
    c = polars.col("c")
    expression = {"==": c == value, "!=": c != value, "<": c < value, "<=": c <= value, ">": c > value,
                  ">=": c >= value}[sign]
    whole = polars.from_arrow(archive.table("T"))
    assert isinstance(whole, polars.DataFrame)
    found = arc_format.polars.scan(archive, "T").filter(expression).collect()
    assert found["$row"].to_list() == whole.filter(expression)["$row"].to_list()


@given(questions())
@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
def test_no_condition_that_is_pushed_down_takes_a_row_of_spark_away(question: tuple[pa.Array, str, Any]) -> None:
    """To Spark NaN equals itself and is greater than all numbers."""
    column, sign, value = question
    schema = pa.schema([pa.field("c", column.type)])
    if not pushed([("c", sign, value)], schema):
        return

    def order(each: Any) -> Any:
        return (each != each, 0.0 if each != each else each) if isinstance(each, float) else each

    kept = {"==": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
            "!=": operator.ne}[sign]
    expected = [row for row, each in enumerate(column.to_pylist(), 1)
                if each is not None and kept(order(each), order(value))]
    found = archive_of(column).table("T", where=[("c", sign, value)])["$row"].to_pylist()
    assert set(found) >= set(expected)
