"""DuckDB, Polars, NetworkX and scipy on archives."""

from __future__ import annotations

from typing import Any

import duckdb
import networkx
import polars
import pytest
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
