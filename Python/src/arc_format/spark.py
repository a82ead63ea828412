"""Archives in Spark 4, as a data source in Python. Needs `pip install 'arc-format[spark]'` and Java.

    arc_format.spark.register(spark)
    people = spark.read.format("arc").option("class", "Person").load("folder-or-file")
    people.write.format("arc").option("class", "Person").mode("overwrite").save("folder")

Options for reading:

* `class`: the class
* `columns`: names, separated by commas, because Spark does not report which columns a query needs
* `bytesPerPartition` (default: 16 MiB): a partition is a file or a run of its segments

If files have directories, segments in which no row can match the filters of a query are not read.

Options for writing a data set with a manifest:

* `class`: the class
* `references`, such as `boss:Person,friends:Person`: the targets are in the same partition
* `links`, in the same form: columns of ids, whose targets are in any partition. Each partition, even if it is empty, is
  then a shard, and `$id` of its rows is `partition << 32 | position + 1`
* `compression`: `zlib` or `none`
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceReader,
    InputPartition,
    WriterCommitMessage,
)
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from arc_format.basics.errors import UsageError
from arc_format.basics.limits import DEFAULT
from arc_format.datasets.dataset import ROW_BITS, Dataset
from arc_format.datasets.manifest import MANIFEST, Manifest, read_manifest
from arc_format.datasets.shards import archives_in, place_in
from arc_format.datasets.writing import described, shard_metadata
from arc_format.tables.options import Options
from arc_format.tables.pushed import pushed
from arc_format.tables.recast import recast, recast_schema
from arc_format.tables.where import Condition
from arc_format.writing.archive import write
from arc_format.writing.file import Compression

_BYTES_PER_PARTITION = 16 << 20


def register(spark: SparkSession) -> None:
    """Registers `format("arc")` in a session.

    Allows the session to push filters down to sources in Python. Otherwise Spark refuses sources that accept filters.
    """
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(ArcDataSource)


class ArcDataSource(DataSource):
    """The data source `arc`."""

    @classmethod
    def name(cls) -> str:
        """The name of the format."""
        return "arc"

    def schema(self) -> StructType:
        """The schema of the class in the first file that has the class."""
        return from_arrow_schema(recast_schema(_arrow_schema(self.options), _rule))

    def reader(self, schema: StructType) -> ArcReader:
        """Reads the files at the option `path`."""
        return ArcReader(self.options, schema.names)

    def writer(self, schema: StructType, overwrite: bool) -> ArcWriter:
        """Writes files into the folder at the option `path`."""
        return ArcWriter(dict(self.options), overwrite, to_arrow_schema(schema))


def _option(options: Mapping[str, str], name: str) -> str:
    if name not in options:
        raise UsageError(f"format 'arc' needs option '{name}': .option('{name}', …)")
    return options[name]


def _columns(options: Mapping[str, str]) -> list[str] | None:
    return options["columns"].split(",") if "columns" in options else None


def _leads(options: Mapping[str, str], name: str, class_name: str) -> dict[tuple[str, str], str]:
    """Returns the columns that refer to objects, with the classes of the objects, as an argument of `write`."""
    leads = {}
    for pair in filter(None, options.get(name, "").split(",")):
        column, _, target = pair.partition(":")
        if not column or not target:
            raise UsageError(f"option '{name}' has {pair!r}: write COLUMN:CLASS, with commas between several")
        leads[class_name, column] = target
    return leads


def _dataset(options: Mapping[str, str]) -> Dataset:
    return Dataset(os.path.abspath(_option(options, "path")))


def _arrow_schema(options: Mapping[str, str]) -> pa.Schema:
    return _dataset(options).read_schema(
        _option(options, "class"), _columns(options), Options(accepts=_accepts), target_classes=False)


@dataclass
class ArcPartition(InputPartition):
    """A run of segments of a file."""

    shard: int
    first_segment: int
    segment_count: int


class ArcReader(DataSourceReader):
    """Reads a class of a data set; each task opens one file and reads its segments.

    The planner of the query finds files and schema, because executors have other working folders.
    """

    def __init__(self, options: Mapping[str, str], names: list[str]) -> None:
        self.dataset = _dataset(options)
        self.class_name, self.columns, self.names = _option(options, "class"), _columns(options), names
        self.schema = _arrow_schema(options)
        self.bytes_per_partition = int(options.get("bytesPerPartition", _BYTES_PER_PARTITION))
        self.conditions: list[Condition] = []

    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:  # noqa: N802
        """Stores the filters of a query. Returns all of them, because Spark must also filter the rows."""
        self.conditions = pushed((each for filter in filters for each in _condition(filter)), self.schema)
        return filters

    def partitions(self) -> list[ArcPartition]:
        """Returns runs of segments of some megabytes each."""
        partitions = []
        for shard in self.dataset.shards_with(self.class_name, self.conditions):
            start = size = 0
            segments = self.dataset.archive(shard).segments
            for number, raw in enumerate(segments, 1):
                size += raw
                if size >= self.bytes_per_partition or number == len(segments):
                    partitions.append(ArcPartition(shard, start, number - start))
                    start, size = number, 0
        return partitions

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Returns the batches of a partition, in types that Spark accepts."""
        if not isinstance(partition, ArcPartition):
            return  # Spark also requests a partition if there are no partitions.
        options = Options(reference_base=partition.shard << ROW_BITS, has_link_ids=True, accepts=_accepts)
        segments = range(partition.first_segment, partition.first_segment + partition.segment_count)
        for batch in self.dataset.read_shard(
                partition.shard, self.class_name, self.columns, options, self.schema, segments=segments,
                where=self.conditions):
            yield recast(batch, _rule).select(self.names)


@dataclass
class ArcCommit(WriterCommitMessage):
    """The output of a task: a file without its final name."""

    partition: int
    path: str | None


class ArcWriter(DataSourceArrowWriter):
    """Writes a file for each partition. After all are written, renames the files and writes the manifest."""

    def __init__(self, options: dict[str, str], overwrite: bool, schema: pa.Schema) -> None:
        self.overwrite, self.schema = overwrite, schema
        self.folder = os.path.abspath(_option(options, "path"))
        self.class_name = _option(options, "class")
        self.references, self.links = (_leads(options, name, self.class_name) for name in ("references", "links"))
        self.compression = cast(Compression, options.get("compression", "none"))
        there = None if overwrite or not os.path.isdir(self.folder) else read_manifest(self.folder, DEFAULT)
        self.manifest = Manifest([]) if there is None else there

    def write(self, iterator: Iterator[pa.RecordBatch]) -> ArcCommit:
        """Writes a partition as a hidden file. A partition without rows has no file, unless links count partitions."""
        context = TaskContext.get()
        partition = context.partitionId() if context else 0
        batches = list(iterator)
        if not self.links and not sum(batch.num_rows for batch in batches):
            return ArcCommit(partition, None)
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, f".part-{partition:05}-{secrets.token_hex(6)}")
        # If partitions may be omitted, the number of the shard is only known after all partitions are written.
        number = len(self.manifest.shards) + partition if self.links else None
        table = pa.Table.from_batches(batches, batches[0].schema if batches else self.schema)
        write(path, {self.class_name: table}, references=self.references, links=self.links,
              compression=self.compression,
              metadata=shard_metadata(self.manifest.dataset, number))
        return ArcCommit(partition, path)

    def commit(self, messages: list[ArcCommit | None]) -> None:  # type: ignore[override]
        """Names the files in the order of partitions. They follow the existing files, or replace them.

        If existing files have no manifest, this method writes none.
        """
        os.makedirs(self.folder, exist_ok=True)
        there, manifest = archives_in(self.folder), self.manifest
        if self.overwrite:
            # While files are replaced, the data set is not finished.
            manifest_path = place_in(self.folder, MANIFEST)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(manifest_path)
            for path in there:
                os.unlink(path)
        number = 0 if self.overwrite else len(there)
        written = [(each.partition, each.path) for each in messages if each is not None and each.path is not None]
        for _, path in sorted(written):
            while os.path.exists(name := os.path.join(self.folder, f"part-{number:05}.arc")):
                number += 1
            os.rename(path, name)
            manifest.shards.append(described(self.folder, os.path.basename(name)))
        if self.overwrite or not there or os.path.exists(os.path.join(self.folder, MANIFEST)):
            manifest.write(self.folder)

    def abort(self, messages: list[ArcCommit | None]) -> None:  # type: ignore[override]
        """Removes the written files."""
        for each in messages:
            if each is not None and each.path is not None and os.path.exists(each.path):
                os.unlink(each.path)


_SIGNS = {"EqualTo": "==", "LessThan": "<", "LessThanOrEqual": "<=", "GreaterThan": ">", "GreaterThanOrEqual": ">=",
          "In": "in"}


def _condition(filter: Any) -> Iterator[Condition]:
    """Returns a filter of Spark 4.1 or later as a condition, if the filter compares a column with values."""
    sign = _SIGNS.get(type(filter).__name__)
    if sign is not None and len(filter.attribute) == 1:
        value = [each for each in filter.value if each is not None] if sign == "in" else filter.value
        yield filter.attribute[0], sign, value


def _accepts(type_: pa.DataType) -> bool:
    """Returns whether Spark has a type for the type of a written table."""
    types = pa.types
    if types.is_decimal(type_):
        return bool(types.is_decimal128(type_)) and 0 <= type_.scale <= type_.precision
    if types.is_timestamp(type_):
        return bool(type_.unit == "us")
    if types.is_struct(type_) or types.is_list(type_) or types.is_large_list(type_) or types.is_map(type_):
        return all(_accepts(type_.field(position).type) for position in range(type_.num_fields))
    return bool(types.is_date32(type_) or types.is_string(type_) or types.is_large_string(type_)
                or types.is_binary(type_) or types.is_large_binary(type_) or (types.is_primitive(type_)
                and not types.is_temporal(type_)) or type_ == pa.uuid())


def _rule(type_: pa.DataType) -> pa.DataType:
    """Returns Spark's type for an Arrow type. Spark has no unsigned integers, large types, dictionaries or UUIDs."""
    types = pa.types
    if types.is_dictionary(type_) or types.is_large_string(type_) or types.is_decimal256(type_):
        return pa.string()
    if types.is_large_list(type_):
        return pa.list_(type_.value_type)
    if types.is_large_binary(type_) or type_ == pa.uuid():
        return pa.binary()
    wider = {pa.uint8(): pa.int16(), pa.uint16(): pa.int32(), pa.uint32(): pa.int64(),
             pa.uint64(): pa.decimal128(20, 0), pa.float16(): pa.float32()}
    return wider.get(type_, type_)
