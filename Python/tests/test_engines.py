"""DuckDB, Polars, NetworkX and scipy on archives."""

from __future__ import annotations

import datetime
import io
import pathlib
from collections.abc import Iterator
from typing import Any

import duckdb
import networkx
import polars
import pyarrow as pa
import pytest
from archives import archive, chunk, class_table, rows
from judge import FIXTURES, SOUND

import arc_format
import arc_format.duckdb
import arc_format.polars


@pytest.mark.parametrize("name", SOUND)
def test_duckdb_and_polars_take_every_class(name: str) -> None:
    archive = arc_format.open(SOUND[name])
    connection = duckdb.connect()
    views = arc_format.duckdb.attach(connection, archive, "a")
    assert views == [*archive.classes, "edges", "objects"]
    for each in archive.classes:
        count = archive.counts()[each]
        quoted = each.replace('"', '""')
        try:
            assert len(connection.sql(f'select * from a."{quoted}"').fetchall()) == count
        except duckdb.InvalidInputException as error:
            # Random archives have dictionaries with equal keys, which no program of Swift writes [G9].
            assert "duplicate key" in str(error) and name.startswith("random")
        assert len(arc_format.polars.scan(archive, each).collect()) == count
    assert connection.sql("select count(*) from a.edges").fetchall() == [(archive.edges().num_rows,)]


def test_polars_reads_what_a_query_needs() -> None:
    frame = arc_format.polars.scan(FIXTURES / "inheritance.arc", "Truck")
    assert frame.select("trailer$class").collect().to_dicts() == [{"trailer$class": "Car"}]
    assert frame.head(1).select("load", "wheels").collect().to_dicts() == [{"load": 2.5, "wheels": 4}]
    assert frame.filter(polars.col("load") > 3).collect().to_dicts() == []
    assert frame.select(polars.len()).collect().item() == 1


def numbers(**columns: Any) -> arc_format.Archive:
    """An archive of 300,000 rows in several segments, with a directory."""
    file = io.BytesIO()
    arc_format.write(file, {"N": pa.table({"n": range(300_000), **columns})}, directory=True)
    return arc_format.open(file.getvalue())


def rows_read(archive: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each batch has that is read from now on."""
    counts: list[int] = []
    read = archive.read_batches

    def counted(*arguments: Any, **options: Any) -> Iterator[pa.RecordBatch]:
        for batch in read(*arguments, **options):
            counts.append(batch.num_rows)
            yield batch

    monkeypatch.setattr(archive, "read_batches", counted)
    return counts


def test_polars_passes_over_segments_that_a_filter_excludes(monkeypatch: pytest.MonkeyPatch) -> None:
    dates = pa.array([row * 10**6 for row in range(300_000)], pa.timestamp("us", "UTC"))
    archive = numbers(text=[f"{row:06}" for row in range(300_000)], date=dates)
    counts = rows_read(archive, monkeypatch)
    frame, n = arc_format.polars.scan(archive, "N"), polars.col("n")
    day = datetime.datetime(1970, 1, 1, 12, tzinfo=datetime.UTC)
    for expression, expected in (
            (n == 5, 1), (n < 7, 7), ((n >= 299_998) & (polars.col("text") > "1"), 2), (polars.lit(9) > n, 9),
            (polars.col("text") == "000017", 1), (polars.col("date") < day, 43_200), (polars.col("$row") == 3, 1),
            (n.is_between(1, 3) & (n < 4), 3)):
        counts.clear()
        assert len(frame.filter(expression).select("n").collect()) == expected, str(expression)
        assert 0 < sum(counts) < 150_000, str(expression)
    # What is not understood is filtered by Polars alone.
    for expression, expected in (((n == 5) | (n == 299_999), 2), (n % 100_000 == 0, 3), (n.is_in([1, 2]), 2),
                                 (~(n > 0), 1), (n != 4, 299_999), (n == 0.5, 0)):
        assert len(frame.filter(expression).collect()) == expected, str(expression)
    assert frame.head(3).filter(n > 1).collect()["n"].to_list() == [2]


def test_what_is_no_number_is_as_great_as_an_engine_has_it() -> None:
    archive = numbers(score=[float("nan") if row == 299_999 else row / 2 for row in range(300_000)])
    frame, score = arc_format.polars.scan(archive, "N"), polars.col("score")
    whole = polars.from_arrow(archive.table("N"))
    assert isinstance(whole, polars.DataFrame)
    for expression in (score > 149_999.0, score >= 149_999.0, score == float("nan"), score < 1.0, score == 1.0):
        assert frame.filter(expression).collect()["n"].to_list() == whole.filter(expression)["n"].to_list()


def test_engines_take_folders_patterns_and_lists_as_data_sets(tmp_path: pathlib.Path) -> None:
    for name in ("a.arc", "b.arc"):
        arc_format.write(tmp_path / name, {"N": pa.table({"n": range(100)})})
    files = [tmp_path / "a.arc", tmp_path / "b.arc"]
    for source in (tmp_path, str(tmp_path / "*.arc"), tmp_path / "?.arc", files, map(str, files)):
        frame = arc_format.polars.scan(source, "N")
        assert frame.filter(polars.col("$id") == (1 << 32) + 3).select("n").collect().rows() == [(2,)]
    connection = duckdb.connect()
    arc_format.duckdb.attach(connection, str(tmp_path / "*.arc"), "pattern")
    assert connection.sql('select count("$id") from pattern."N"').fetchall() == [(200,)]
    # A file that is there is no pattern.
    (tmp_path / "a.arc").rename(tmp_path / "[a].arc")
    assert len(arc_format.polars.scan(tmp_path / "[a].arc", "N").collect()) == 100
    with pytest.raises(arc_format.UsageError, match=r"has no \.arc files"):
        arc_format.polars.scan(tmp_path / "none*", "N")


def test_data_sets_in_engines() -> None:
    shards = arc_format.dataset([FIXTURES / "person.arc"] * 2)
    connection = duckdb.connect()
    arc_format.duckdb.attach(connection, shards, "people")
    query = 'select count(*) from people."Person" a join people."Person" b on a.mother = b."$id"'
    assert connection.sql(query).fetchall() == [(2,)]
    query = "select count(*) from people.objects o join people.edges e on o.row = e.src"
    assert connection.sql(query).fetchall() == [(4,)]
    assert arc_format.polars.scan(shards, "Person").select("$id").collect()["$id"].n_unique() == 4


def test_graphs() -> None:
    archive = arc_format.open(FIXTURES / "cycle.arc")
    graph: Any = archive.to_networkx()
    assert networkx.is_strongly_connected(graph)
    assert graph.nodes[1] == {"class": "Knot"}
    assert sorted(column for *_, column in graph.edges(data="column")) == ["Knot.home"] * 2 + ["Knot.next"] * 2
    assert archive.to_scipy().toarray().tolist() == [[0, 0, 0], [0, 0, 2], [0, 1, 1]]


def test_names_that_differ_in_capitals_alone_are_views_of_their_own() -> None:
    names = ["Per", "per", "PER#2", "Edges", 'q"; drop table x;--']
    columns = [(name, "Tq", 0) for name in ("a", "A")]
    data = archive(class_table(*((name, columns) for name in names)), 6, *(
        rows(1, chunk(1, bytes([1, index])), chunk(1, b"\x01\x06"), class_index=index, column_count=2)
        for index in range(1, 6)))
    connection = duckdb.connect()
    views = arc_format.duckdb.attach(connection, arc_format.open(data), "db")
    assert views == ["Per", "per#2", "PER#2#2", "Edges", names[4], "objects"]
    for index, view in enumerate(views[:5], 1):
        quoted = view.replace('"', '""')
        assert connection.sql(f'select a from db."{quoted}"').fetchall() == [(index,)]
