"""A data set of many shards on Spark: counted, filtered, joined over references, its components found. See README.md.

Every answer is compared with what is known of how the data was made.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import arc_format
import arc_format.spark

#: Objects of a tree of bosses; the root's friend is the root of the same tree of another shard.
TREE = 100


def people(shard: int, rows: int) -> pa.Table:
    """Trees of bosses, as many in each shard; the same trees of all shards are a component."""
    generator, numbers = np.random.default_rng(shard), np.arange(rows)
    place = numbers % TREE
    is_root = place == 0
    boss = numbers - place + (place - 1) // 2
    friend = np.int64(shard // 2) << np.int64(32) | numbers + 1
    names = pa.array([f"city {each}" for each in range(1000)])
    cities = pa.DictionaryArray.from_arrays(pa.array(generator.integers(0, 1000, rows).astype(np.int32)), names)
    return pa.table({
        "number": pa.array(numbers + np.int64(shard) * rows), "name": pa.array(numbers).cast(pa.large_string()),
        "age": generator.integers(0, 100, rows).astype(np.int8), "score": generator.normal(size=rows), "city": cities,
        "boss": pa.array(boss, mask=is_root), "friend": pa.array(friend, mask=~is_root | (shard == 0))})


def make(folder: pathlib.Path, shards: int, rows: int) -> None:
    """Writes the data set, one shard after the other."""
    arc_format.write_dataset(
        folder, ({"Person": people(shard, rows)} for shard in range(shards)), roots={}, sorted_by=("Person", "number"),
        references={("Person", "boss"): "Person"}, links={("Person", "friend"): "Person"})


@contextmanager
def spark(executors: int, memory: int, partitions: int) -> Iterator[SparkSession]:
    """A session with so many executors of a core each, which are processes of their own."""
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,{memory}]").appName("arc-format")
    for key, value in {
            "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1", "spark.executor.memory": f"{memory}m",
            "spark.driver.memory": "1g", "spark.sql.shuffle.partitions": str(partitions),
            # Java's own serialization takes several times as long for what GraphX sends.
            "spark.serializer": "org.apache.spark.serializer.KryoSerializer", "spark.kryoserializer.buffer.max": "512m",
            # Arrays of a partition are larger than what G1 moves.
            "spark.executor.extraJavaOptions": "-XX:+UseParallelGC",
            "spark.sql.session.timeZone": "UTC", "spark.scheduler.minRegisteredResourcesRatio": "1.0"}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    arc_format.spark.register(session)
    try:
        yield session
    finally:
        session.stop()


class Questions:
    """What is asked of the data set; each answer is known."""

    def __init__(self, session: SparkSession, folder: pathlib.Path, shards: int, rows: int, partitions: int) -> None:
        self.session, self.folder, self.shards, self.rows, self.partitions = session, folder, shards, rows, partitions

    def _people(self, columns: str) -> DataFrame:
        return self.session.read.format("arc").option("class", "Person").option("columns", columns).load(
            str(self.folder))

    def count(self) -> None:
        """All rows."""
        _same(self._people("$row").count(), self.shards * self.rows)

    def group(self) -> None:
        """Two columns, grouped."""
        by_city = self._people("city,score").groupBy("city").agg(F.count("*").alias("n"), F.avg("score")).collect()
        _same(sum(row["n"] for row in by_city), self.shards * self.rows)

    def find(self) -> None:
        """Ten rows of one shard, which manifest and directory say where to look for."""
        start = self.shards * self.rows - self.rows // 2
        _same(self._people("number,name").where(f"number >= {start} and number < {start + 10}").count(), 10)

    def join(self) -> None:
        """Each object with its boss: as many as have one, and each is the one that was meant."""
        objects = self._people("number,boss")
        bosses = objects.select(F.col("$id").alias("key"), F.col("number").alias("boss_number"))
        joined = objects.join(bosses, objects["boss"] == bosses["key"])
        place = F.col("number") % self.rows % TREE
        right = F.col("number") - place + F.floor((place - 1) / 2) == F.col("boss_number")
        count, correct = joined.agg(F.count("*"), F.sum(right.cast("long"))).collect()[0]
        trees = -(-self.rows // TREE)
        _same((count, correct), 2 * (self.shards * (self.rows - trees),))

    def _edges(self) -> DataFrame:
        objects = self._people("boss,friend")
        ends = F.explode(F.array("boss", "friend")).alias("dst")
        return objects.select(F.col("$id").alias("src"), ends).where("dst is not null")

    def edges(self) -> None:
        """References and links as pairs of ids."""
        trees = -(-self.rows // TREE)
        _same(self._edges().count(), self.shards * (self.rows - trees) + (self.shards - 1) * trees)

    def components(self) -> None:
        """By GraphX, of all objects."""
        found = self._graphx(self._edges().coalesce(self.partitions))
        # A tree of a single object that nothing leads to is no vertex.
        self._check_components(found)

    def contracted(self) -> None:
        """By scipy within each shard, whose objects a task has at once; by GraphX, what links make of these."""
        reader = self.session.read.format("arc").option("class", "Person").option("bytesPerPartition", str(1 << 40))
        objects = reader.option("columns", "boss,friend").load(str(self.folder)).mapInArrow(
            _within_shards, "id long, part long, friend long")
        ends = objects.where("friend is not null").select("part", "friend")
        targets = objects.select(F.col("id").alias("friend"), F.col("part").alias("other"))
        links = targets.join(F.broadcast(ends), "friend").select(
            F.col("part").alias("src"), F.col("other").alias("dst"))
        joined = self._graphx(links.coalesce(self.partitions)).select(
            F.col("_1").alias("part"), F.col("_2").alias("component"))
        self._check_components(objects.join(F.broadcast(joined), "part", "left").select(
            F.col("id").alias("_1"), F.coalesce("component", "part").alias("_2")))

    def _graphx(self, edges: Any) -> DataFrame:
        """What GraphX, which Spark has, finds for pairs of ids: each with the least id of its component."""
        jvm: Any = self.session._jvm
        pair = jvm.org.apache.spark.sql.Encoders.tuple(*2 * [jvm.org.apache.spark.sql.Encoders.LONG()])
        level, whole = jvm.org.apache.spark.storage.StorageLevel.MEMORY_AND_DISK(), jvm.scala.reflect.ClassTag.Int()
        graph = jvm.org.apache.spark.graphx.Graph.fromEdgeTuples(
            getattr(edges._jdf, "as")(pair).rdd(), 1, jvm.scala.Option.empty(), level, level, whole)
        vertices = jvm.org.apache.spark.graphx.lib.ConnectedComponents.run(graph, whole, whole).vertices()
        return DataFrame(self.session._jsparkSession.createDataset(vertices, pair).toDF(), self.session)

    def _check_components(self, found: DataFrame) -> None:
        # The root of the same tree of the first shard, whose row stands in the lower bits of all ids of the component.
        row = F.col("_1").bitwiseAND(0xFFFF_FFFF) - 1
        right = row - row % TREE + 1 == F.col("_2")
        count, correct = found.agg(F.count("*"), F.sum(right.cast("long"))).collect()[0]
        _same((count, correct), 2 * (self.shards * self.rows,))


def _within_shards(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The least id of what references join with each object, and its link; of a whole shard at a time."""
    import scipy.sparse

    table = pa.Table.from_batches(list(batches))
    ids, boss = table["$id"].to_numpy(), table["boss"]
    there = boss.is_valid().to_numpy()
    ends = np.flatnonzero(there), np.searchsorted(ids, boss.drop_null().to_numpy())
    graph = scipy.sparse.csr_array((np.ones(len(ends[0]), np.int8), ends), (len(ids),) * 2)
    _, labels = scipy.sparse.csgraph.connected_components(graph, directed=False)
    _, firsts = np.unique(labels, return_index=True)
    result = pa.table({"id": ids, "part": ids[firsts][labels], "friend": table["friend"]})
    yield from result.to_batches(1 << 16)


def _same(found: object, expected: object) -> None:
    if found != expected:
        raise SystemExit(f"found {found}, and {expected} is right")


def components_here(folder: pathlib.Path, shards: int, rows: int) -> None:
    """The same without Spark: edges of all shards to scipy, in one process."""
    import scipy.sparse

    data = arc_format.dataset(folder)
    sources, targets = [], []
    for batch in data.batches("Person", ["boss", "friend"]):
        ids = batch.column("$id")
        for name in ("boss", "friend"):
            column = batch.column(name)
            there = column.is_valid()
            sources.append(_dense(ids.filter(there), rows))
            targets.append(_dense(column.drop_null(), rows))
    source, target = np.concatenate(sources), np.concatenate(targets)
    graph = scipy.sparse.csr_array((np.ones(len(source), np.int8), (source, target)), (shards * rows,) * 2)
    count, _ = scipy.sparse.csgraph.connected_components(graph, directed=False)
    _same(count, -(-rows // TREE))


def _dense(ids: pa.Array, rows: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Ids without gaps between shards."""
    numbers = ids.to_numpy(zero_copy_only=False)
    dense: np.ndarray[Any, np.dtype[np.int32]] = (
        (numbers >> 32) * rows + (numbers & 0xFFFF_FFFF) - 1).astype(np.int32)
    return dense


def processor_seconds() -> dict[int, float]:
    """What each executor of this process took of processors so far: Java, and the Python that it started."""
    parents, own, executors = {}, {}, []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            is_executor = b"CoarseGrainedExecutorBackend" in (path / "cmdline").read_bytes()
        except OSError:
            continue  # It has ended.
        number = int(path.name)
        parents[number] = int(fields[1])
        # With what its children took that have ended.
        own[number] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        if is_executor:
            executors.append(number)
    result = dict.fromkeys((each for each in executors if os.getpid() in _above(each, parents)), 0.0)
    for number, seconds in own.items():
        for above in _above(number, parents):
            if above in result:
                result[above] += seconds
    return result


def _above(number: int, parents: dict[int, int]) -> Iterator[int]:
    """A process and those that it was started by."""
    while number:
        yield number
        number = parents.get(number, 0)


def timed(label: str, work: Callable[[], object], rows: int) -> tuple[float, float]:
    """Runs something; gives seconds of the clock, and of a processor: what the busiest executor took, or this process.

    Where a machine has other things to do, only the latter says what more executors bring.
    """
    start, own, before = time.monotonic(), time.process_time(), processor_seconds()
    work()
    seconds, after = time.monotonic() - start, processor_seconds()
    took = [after[each] - before.get(each, 0.0) for each in after] or [time.process_time() - own]
    print(f"{label:36} {seconds:8.1f} s by the clock, {rows / seconds / 1e6:6.2f} M rows/s;  CPU"
          f"{' +'.join(f'{each:8.1f}' for each in took)} s;  load {os.getloadavg()[0]:.1f}", flush=True)
    return seconds, max(took)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=64)
    parser.add_argument("--rows", type=int, default=20_000, help="rows of a shard; SCALE.md has 1,000,000")
    parser.add_argument("--executors", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--partitions", type=int, default=16, help="of joins, and of the graph")
    parser.add_argument("--memory", type=int, default=1024, help="MiB of an executor")
    parser.add_argument("--questions", nargs="+", default=["count", "group", "find", "join", "edges", "components",
                                                              "contracted"])
    parser.add_argument("--folder", type=pathlib.Path, help="where the data set is, or is made and kept")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder: pathlib.Path = arguments.folder or pathlib.Path(scratch) / "set"
        total = arguments.shards * arguments.rows
        print(f"{total:,} rows in {arguments.shards} shards, {shutil.disk_usage(folder.parent).free >> 30} GiB free")
        if not folder.exists():
            timed("written, one process", lambda: make(folder, arguments.shards, arguments.rows), total)
        size = sum(path.stat().st_size for path in folder.rglob("*.arc"))
        print(f"{size:,} bytes, {size / total:.1f} a row")
        timed("verified, links too", lambda: arc_format.dataset(folder).verify(), total)
        timed("components by scipy, one process",
              lambda: components_here(folder, arguments.shards, arguments.rows), total)
        seconds: dict[str, list[tuple[float, float]]] = {}
        for executors in arguments.executors:
            with spark(executors, arguments.memory, arguments.partitions) as session:
                questions = Questions(session, folder, arguments.shards, arguments.rows, arguments.partitions)
                # What starts with the first question is not what is measured.
                session.range(executors * 4).repartition(executors * 2).mapInArrow(lambda each: each, "id long").count()
                for name in arguments.questions:
                    seconds.setdefault(name, []).append(timed(
                        f"{name}, {executors} executor{'s' * (executors > 1)}", getattr(questions, name), total))
        if len(arguments.executors) > 1:
            print("the first number of executors against the last, by the clock and by CPU of the busiest:")
        for name, times in seconds.items():
            if len(times) > 1:
                print(f"{name:12} {times[0][0] / times[-1][0]:6.2f} {times[0][1] / times[-1][1]:6.2f}")


if __name__ == "__main__":
    main()
