"""Archives against Parquet, side by side in one run: CPU time of one thread, and bytes. See README.md."""

from __future__ import annotations

import argparse
import os
import pathlib
import tempfile
import time
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

import arc_format

CODECS = ("snappy", "zstd", "gzip")

#: The label of a compressed archive.
ZLIB = "archive, zlib"


def people(count: int) -> pa.Table:
    """Rows of the kinds of columns that programs have."""
    generator = np.random.default_rng(1)
    friends = pa.LargeListArray.from_arrays(np.arange(count + 1) * 3, generator.integers(0, count, 3 * count))
    return pa.table({
        "name": [f"person {row}" for row in range(count)], "age": generator.integers(0, 100, count),
        "score": generator.normal(size=count), "isActive": generator.random(count) < 0.5,
        "city": [f"city {number}" for number in generator.integers(0, 1000, count)],
        "born": pa.array(generator.integers(0, 10**9, count) * 10**6, pa.timestamp("us", "UTC")),
        "salary": generator.integers(20_000, 90_000, count).astype(np.int32),
        "note": [None if row % 3 else f"note {row % 50}" for row in range(count)],
        "boss": np.minimum(generator.integers(0, count, count), np.arange(count)), "friends": friends,
        "rating": pa.array([None if row % 7 == 0 else row % 5 for row in range(count)], pa.int8())})


def least(rounds: int, functions: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Milliseconds of CPU time of the fastest round of each, in turns: what else the machine does meets all alike."""
    times: dict[str, float] = {}
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.process_time()
            function()
            times[name] = min(1000 * (time.process_time() - start), times.get(name, float("inf")))
    return times


def compare(name: str, path: str, compressed: str | None, folder: str, rounds: int) -> None:
    """Prints what an archive and the same tables in Parquet take."""
    tables = arc_format.open(path).tables()
    sizes: dict[str, int] = {}
    works: dict[str, Callable[[], Any]] = {}
    for codec in CODECS:
        files = []
        for number, table in enumerate(tables.values()):
            files.append(os.path.join(folder, f"{number}.{codec}.parquet"))
            pa.parquet.write_table(table, files[-1], compression=codec)
        sizes[codec] = sum(map(os.path.getsize, files))
        works[f"Parquet {codec}"] = partial(_read_parquet, files)
    archives = {_label(file): file for file in (path, compressed) if file}
    for label, file in archives.items():
        for strings in ("plain", "dictionary", "view"):
            works[f"{label}, strings {strings}"] = partial(_read_archive, file, strings)
    works["open only"] = lambda: arc_format.open(path)
    works["verify all"] = lambda: arc_format.open(path, verify="all")
    works["edges of all classes"] = lambda: arc_format.open(path).edges()
    times = least(rounds, works)
    rows = sum(table.num_rows for table in tables.values())
    print(f"\n{name}: {rows:,} rows, {len(tables)} tables\n")
    print(f"{'read all tables':34} {'ms CPU':>8} {'/ snappy':>9} {'/ zstd':>7}")
    for label, milliseconds in times.items():
        print(f"{label:34} {milliseconds:8.1f} {milliseconds / times['Parquet snappy']:9.2f} "
              f"{milliseconds / times['Parquet zstd']:7.2f}")
    for number, name_of_class in enumerate(tables):
        if tables[name_of_class].num_rows >= 1000 and name_of_class != "$roots":
            one_column(archives, os.path.join(folder, f"{number}.%s.parquet"), name_of_class, rounds)
    edges = arc_format.open(path).edges().num_rows
    print(f"{edges:,} edges, {edges / times['edges of all classes'] / 1000:.1f} million a second")
    print(f"\n{'bytes':34} {'':8} {'/ snappy':>9} {'/ zstd':>7}")
    for label, file in archives.items():
        size = os.path.getsize(file)
        print(f"{label:25} {size:17,} {size / sizes['snappy']:9.2f} {size / sizes['zstd']:7.2f}")


def one_column(archives: dict[str, str], parquet: str, name: str, rounds: int) -> None:
    """Prints what each column of a class takes, the file opened anew.

    A compressed archive is compared with Parquet with gzip, another archive with Parquet with snappy. The floor of a
    compressed archive is what zlib alone takes for the bytes of the column, if these had streams of their own: what no
    reader of zlib gets below.
    """
    table = pa.parquet.read_table(parquet % "snappy")
    print(f"\n{f'one column of {name}, {table.num_rows:,} rows':40} {'snappy ms':>9} {'gzip ms':>9}"
          + "".join(f" {f'{label} ms':>16} {'ratio':>6} {'floor':>6}" for label in archives))
    for column in table.column_names:
        if "$" in column:
            continue
        # What a reference leads to has a column of its own, which is read with it.
        same = [each for each in table.column_names if each in (column, f"{column}$class")]
        works: dict[str, Callable[[], Any]] = {
            codec: partial(pa.parquet.read_table, parquet % codec, columns=same, use_threads=False)
            for codec in ("snappy", "gzip")}
        for label, path in archives.items():
            works[label] = partial(_read_column, path, name, column)
            works[f"{label}, floor"] = partial(_inflate, _streams(path, name, column))
        times = least(rounds, works)
        others = {label: times["gzip" if label == ZLIB else "snappy"] for label in archives}
        print(f"{column:40} {times['snappy']:9.1f} {times['gzip']:9.1f}" + "".join(
            f" {times[label]:16.1f} {times[label] / others[label]:6.2f} "
            f"{times[f'{label}, floor'] / others[label]:6.2f}" for label in archives))


def _label(path: str) -> str:
    return ZLIB if any(segment.codec for segment, _ in arc_format.open(path)._pairs) else "archive"


def _streams(path: str, name: str, column: str) -> list[tuple[bytes, int]]:
    """The chunks of a column, each compressed by itself, with its size; none if the archive is not compressed."""
    archive = arc_format.open(path)
    names = [field.name for field in archive.schema(name, target_classes=False)][1:]
    wanted = archive.class_of(name).columns[names.index(column)]
    if not any(segment.codec for segment, _ in archive._pairs):
        return []
    return [(zlib.compress(chunk.stored), len(chunk.stored)) for values in archive.columns_where(
        lambda each: each is wanted) for chunk in values.chunks]


def _inflate(streams: list[tuple[bytes, int]]) -> None:
    for stream, size in streams:
        zlib.decompress(stream, bufsize=size)


def _read_parquet(files: list[str]) -> list[pa.Table]:
    return [pa.parquet.read_table(file, use_threads=False) for file in files]


def _read_archive(path: str, strings: Any) -> dict[str, pa.Table]:
    return arc_format.open(path).tables(strings=strings)


def _read_column(path: str, name: str, column: str) -> pa.Table:
    return arc_format.open(path).table(name, [column])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", nargs="*", help="archives to compare besides that of people")
    parser.add_argument("--people", type=int, default=500_000, help="rows")
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    with tempfile.TemporaryDirectory() as folder:
        path, compressed = (os.path.join(folder, name) for name in ("people.arc", "people-zlib.arc"))
        table = people(arguments.people)
        leads = {("Person", "boss"): "Person", ("Person", "friends"): "Person"}
        start = time.process_time()
        arc_format.write(path, {"Person": table}, references=leads)
        print(f"written: {arguments.people / (time.process_time() - start) / 1e6:.1f} million rows a second")
        arc_format.write(compressed, {"Person": table}, references=leads, compression="zlib")
        compare("people, one class", path, compressed, folder, arguments.rounds)
        for archive in arguments.archives:
            compare(pathlib.Path(archive).name, archive, None, folder, arguments.rounds)


if __name__ == "__main__":
    main()
