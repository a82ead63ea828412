"""Spark reads and writes archives, with two executors."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import cluster
import numpy as np
import pyarrow as pa
import pytest
from documents import PYTHON, REPOSITORY, check, parts
from judge import FIXTURES, verdict_of_judge

import arc_format

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REASON = cluster.reason_against()
pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    import arc_format.spark

    # Paths are those of the folder that the driver was started in.
    with contextlib.chdir(REPOSITORY):
        session = cluster.start()
    arc_format.spark.register(session)
    yield session
    session.stop()


def test_shards_are_read_by_two_executors_and_joined_by_ids(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    count = 2000
    people = pa.table({"name": [f"person {row}" for row in range(count)], "boss": np.arange(count) // 2})
    for number in range(2):
        arc_format.write(tmp_path / f"part-{number}.arc", {"Person": people}, references={("Person", "boss"): "Person"})
    frame = spark.read.format("arc").option("class", "Person").load(str(tmp_path))
    assert frame.schema.names == ["$id", "$row", "name", "boss"]
    assert frame.rdd.getNumPartitions() == 2
    assert spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() == 3
    bosses = frame.select(frame["$id"].alias("id"), frame["name"].alias("boss_name"))
    joined = frame.join(bosses, frame["boss"] == bosses["id"]).select("$id", "boss_name").orderBy("$id").collect()
    assert [row["boss_name"] for row in joined] == 2 * [f"person {row // 2}" for row in range(count)]

    # Written by both, a file for each partition, and references within it are references again.
    out = tmp_path / "out"
    arc_format.write_dataset(out, [{"Old": people.select(["name"])}] * 3)
    frame.write.format("arc").option("class", "Person").option("references", "boss:Person") \
        .option("compression", "zlib").mode("overwrite").save(str(out))
    assert sorted(path.name for path in out.iterdir()) == ["_arc", "part-00000.arc", "part-00001.arc"]
    for path in out.glob("*.arc"):
        assert verdict_of_judge(path.read_bytes()) == "ok"
    assert arc_format.dataset(out).edges().num_rows == 2 * count
    frame.limit(1).write.format("arc").option("class", "Person").mode("append").save(str(out))
    assert len(list(out.glob("*.arc"))) == len(arc_format.dataset(out)) == 3
    arc_format.dataset(out).verify()


def test_what_spark_links_leads_to_other_partitions(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    # A row's id is its partition and position; the third partition is empty, and stays a shard.
    own = "shiftleft({0} div 250, 32) | {0} % 250 + 1"
    frame = spark.range(0, 1000, 1, 4).where("id div 250 <> 2").selectExpr(
        "id", f"{own.format('id')} own", f"if(id in (0, 750), null, {own.format('(id - 1)')}) before")
    frame.write.format("arc").option("class", "Number").option("links", "before:Number").mode("overwrite").save(
        str(tmp_path / "out"))
    numbers = arc_format.dataset(tmp_path / "out")
    numbers.verify()
    assert [numbers.archive(shard).rows for shard in range(len(numbers))] == [250, 250, 0, 250]
    table = numbers.table("Number")
    assert table["$id"].to_pylist() == table["own"].to_pylist()
    rows = dict(zip(table["$id"].to_pylist(), table["id"].to_pylist(), strict=True))
    links = {row["id"]: rows[row["before"]] for row in table.to_pylist() if row["before"] is not None}
    assert links == {number: number - 1 for number in rows.values() if number not in (0, 750)}


@pytest.mark.parametrize(("name", "class_name"), [("scalars.arc", "Sample"), ("collections.arc", "Shelf")])
def test_all_kinds_of_values(spark: SparkSession, name: str, class_name: str) -> None:
    path = str(FIXTURES / name)
    row = spark.read.format("arc").option("class", class_name).load(path).collect()[0].asDict()
    expected = arc_format.open(path).table(class_name).to_pylist()[0]
    assert row.keys() - {"$id"} == expected.keys()
    for key in ("int64", "bool", "double", "string", "data", "numbers", "matrix", "words", "formula"):
        if key in expected:
            assert row[key] == expected[key]


def test_segments_of_a_large_file_are_partitions(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    arc_format.write(tmp_path / "a.arc", {"T": pa.table({"n": np.random.default_rng(1).random(400_000)})}, roots={})
    frame: Any = spark.read.format("arc").option("class", "T").option("columns", "n").option(
        "bytesPerPartition", "2000000").load(str(tmp_path / "a.arc"))
    assert frame.rdd.getNumPartitions() > 1
    assert frame.count() == 400_000


def test_filters_are_asked_of_the_directory(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    count = 300_000
    table = pa.table({"n": range(count), "text": [f"row {row:06}" for row in range(count)],
                      "score": [float("nan") if row == count - 1 else float(row) for row in range(count)],
                      "day": pa.array([row * 10**6 for row in range(count)], pa.timestamp("us", "UTC"))})
    arc_format.write(tmp_path / "a.arc", {"N": table}, directory=True)
    data = bytearray((tmp_path / "a.arc").read_bytes())
    at = data.index(b"row 150000")
    data[at] ^= 1
    (tmp_path / "a.arc").write_bytes(data)
    frame = spark.read.format("arc").option("class", "N").load(str(tmp_path / "a.arc"))
    # The text of the second segment is damaged; what does not ask for rows of it does not meet it.
    for condition, expected in (("n < 9 and `$row` > 0", 9), ("text = 'row 000007' and n in (3, 7)", 1),
                                ("day < timestamp '1970-01-01 00:00:30' and score <= 3.0", 4)):
        assert len(frame.where(condition).select("text").collect()) == expected, condition
    # NaN is greater than all numbers to Spark: no filter of ours takes it away.
    numbers = spark.read.format("arc").option("class", "N").option("columns", "n,score").load(str(tmp_path / "a.arc"))
    assert numbers.where(f"score > {count - 3}.0").count() == 2


def test_folders_are_columns_and_choose_partitions(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "set"
    arc_format.write_dataset(folder, [{"N": pa.table({"n": [year, -year], "year": [year] * 2, "city": [city] * 2})}
                                      for year, city in ((2024, "Ulm"), (2025, "Aš"), (2026, None))],
                             partition_by=["year", "city"])
    frame = spark.read.format("arc").option("class", "N").load(str(folder))
    assert [(field.name, field.dataType.simpleString()) for field in frame.schema][-2:] == [
        ("year", "int"), ("city", "string")]
    rows = frame.where("n > 0").select("n", "year", "city").orderBy("n").collect()
    assert [tuple(row) for row in rows] == [(2024, 2024, "Ulm"), (2025, 2025, "Aš"), (2026, 2026, None)]
    assert frame.where("year >= 2025 and city = 'Aš'").count() == 2
    assert frame.where("city is null").count() == 2
    # What a condition excludes is not opened: the last file is damaged. The first says what the class has.
    (folder / arc_format.dataset(folder).manifest.shards[2].path).write_bytes(b"")  # type: ignore[union-attr]
    assert frame.where("year in (2024, 2025)").count() == 4
    # Written anew or behind, what is in folders counts as well.
    more = spark.createDataFrame([(1,)], "n long").coalesce(1)
    more.write.format("arc").option("class", "N").mode("append").save(str(folder))
    assert len(arc_format.dataset(folder)) == 4
    (folder / "_arc" / "manifest.arc").unlink()
    more.write.format("arc").option("class", "N").mode("append").save(str(folder))
    assert len(arc_format.dataset(folder)) == 5
    more.write.format("arc").option("class", "N").mode("overwrite").save(str(folder))
    assert sorted(path.name for path in folder.rglob("*.arc")) == ["manifest.arc", "part-00000.arc"]


def test_the_tutorial(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    _, of_spark = parts("TUTORIAL.md")
    check(of_spark, "TUTORIAL.md", {"spark": spark, "folder": str(tmp_path / "names")})


def test_the_readme(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    blocks = (PYTHON / "README.md").read_text().split("```")
    block = next(each for each in blocks if "arc_format.spark.register" in each)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "person.arc").write_bytes((FIXTURES / "person.arc").read_bytes())
    for name in ("folder", "other"):
        block = block.replace(f'"{name}"', repr(str(tmp_path / name)))
    exec(block, {"spark": spark, "arc_format": arc_format})
    assert arc_format.dataset(tmp_path / "other").table("Person")["friends"].to_pylist() == [[2], []]


@pytest.mark.parametrize("pairs", ["boss", "boss:", ":Person", "name:Person,boss"])
def test_options_for_references_are_pairs(tmp_path: pathlib.Path, pairs: str) -> None:
    from arc_format.spark import ArcWriter

    for option in ("references", "links"):
        with pytest.raises(arc_format.UsageError, match=f"option '{option}' has .*: write COLUMN:CLASS"):
            ArcWriter({"path": str(tmp_path), "class": "Person", option: pairs}, True, pa.schema([]))
