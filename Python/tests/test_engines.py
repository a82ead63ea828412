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


def segments_read(archive: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """The columns and segments of each reading of an archive from now on."""
    found: list[tuple[Any, Any]] = []
    read = archive.read_batches

    def noted(name: str, columns: Any, options: Any, *rest: Any, **choices: Any) -> Iterator[pa.RecordBatch]:
        found.append((columns, choices.get("segments")))
        yield from read(name, columns, options, *rest, **choices)

    monkeypatch.setattr(archive, "read_batches", noted)
    return found


def test_duckdb_reads_the_columns_and_segments_of_a_query(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 40_000
    table = pa.table({
        "n": range(count), "text": [f"t{row % 1000}" for row in range(count)],
        "half": [row / 2 if row % 10 else None for row in range(count)],
        "day": pa.array([row // 100 for row in range(count)], pa.date32()),
        "moment": pa.array([row * 1000 for row in range(count)], pa.timestamp("ms", "UTC")),
        "kind": pa.array([f"k{row % 3}" for row in range(count)]).dictionary_encode(),
        "nan": [float("nan") if row % 2 else 1.0 for row in range(count)],
        "next": pa.array([*range(1, count), None])})
    file = io.BytesIO()
    arc_format.write(file, {"T": table}, references={("T", "next"): "T"}, directory=True, segment_rows=10_000)
    archive = arc_format.open(file.getvalue())
    found = segments_read(archive, monkeypatch)
    connection = duckdb.connect()
    arc_format.duckdb.attach(connection, archive, "a")
    assert found == []
    for query, answer, columns, segments in (
            ("count(*) from t", 40_000, 1, None), ("sum(n) from t", sum(range(count)), 1, None),
            ("text from t where n = 25000", "t0", 2, [3]),
            ("sum(n) from t where n < 3 or n > 39998", 40_002, 1, [1, 4]),
            ("count(*) from t where half = 7.5", 1, 2, [1]),
            ("count(*) from t where half is null", 4000, 2, [1, 2, 3, 4]),
            ("min(n) from t where day = date '1970-10-01'", 27_300, 2, [3]),
            ("count(*) from t where day >= date '1970-10-01' and day < date '1970-10-02'", 100, 2, [3]),
            ("max(n) from t where moment < timestamptz '1970-01-01 00:00:02Z'", 1, 2, [1]),
            ("count(*) from t where n in (1, 39999)", 2, 2, None),
            ("count(*) from t where kind = 'k1'", 13_333, 2, None),
            ("count(*) from t where text = 't7' and n >= 30000", 10, 3, [4]),
            ("min(n) from t where next is null", 39_999, 2, None),
            ("count(*) from t where nan = 1", 20_000, 2, [1, 2, 3, 4]), ("n from t where next = 39000", 38_998, 2, [4]),
            ('n from t where "$row" = 12345', 12_344, 2, [2]), ("count(*) from t where n > 50000", 0, 2, [])):
        found.clear()
        assert connection.sql(f'select {query.replace("from t", "from a.T")}').fetchall() == [(answer,)], query
        assert [len(found), len(set(found[0][0]))] == [1, columns], query
        assert segments is None or found[0][1] == segments, query


def test_duckdb_reads_data_sets_by_shards_and_segments(tmp_path: pathlib.Path) -> None:
    shards = [{"T": pa.table({"n": range(start, start + 5000), "year": [2020 + start // 5000] * 5000})}
              for start in range(0, 20_000, 5000)]
    arc_format.write_dataset(tmp_path / "s", shards, partition_by=["year"], sorted_by=("T", "n"), directory=True)
    connection = duckdb.connect()
    arc_format.duckdb.attach(connection, tmp_path / "s", "s")
    for query, answer in (("sum(n) from s.T", sum(range(20_000))), ("count(*) from s.T where year = 2021", 5000),
                          ('count(*) from s.T where "$id" >= 4294967296', 15_000), ("n from s.T where n = 7", 7),
                          ("count(*) from s.T where n between 4999 and 5000 and year > 2020", 1)):
        assert connection.sql(f"select {query}").fetchall() == [(answer,)], query


def test_duckdb_and_arrow_types(tmp_path: pathlib.Path) -> None:
    from test_arrow_types import EXTENSIONS, LEAVES

    columns = {f"c{number}": pa.concat_arrays([each.slice(0, 1), pa.nulls(1, each.type)])
               for number, each in enumerate([*LEAVES, *EXTENSIONS])}
    arc_format.write(tmp_path / "a.arc", {"T": pa.table({"n": [0, 1], **columns})})
    connection = duckdb.connect()
    arc_format.duckdb.attach(connection, tmp_path / "a.arc", "a")
    assert len(connection.sql("select * from a.T").fetchall()) == 2
    for name in columns:
        assert connection.sql(f"select n, {name} is null from a.T where n = 0 and {name} is not null").fetchall() == [
            (0, False)]


def test_errors_of_a_damaged_file_reach_the_query(tmp_path: pathlib.Path) -> None:
    file = io.BytesIO()
    arc_format.write(file, {"T": pa.table({"n": range(100)})})
    data = bytearray(file.getvalue())
    data[data.rindex(b"ROWS", 0, data.index(b"INDX")) + 26] ^= 1
    connection = duckdb.connect()
    arc_format.duckdb.attach(connection, arc_format.open(bytes(data)), "a")
    with pytest.raises(duckdb.Error, match="damagedSegment"):
        connection.sql("select * from a.T").fetchall()
