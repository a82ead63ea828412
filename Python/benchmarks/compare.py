"""Archives against Parquet, side by side in one run: CPU time of one thread, and bytes. See README.md."""

from __future__ import annotations

import argparse
import os
import pathlib
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

import arc_format


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
    for codec in ("snappy", "zstd"):
        files = []
        for number, table in enumerate(tables.values()):
            files.append(os.path.join(folder, f"{number}.{codec}.parquet"))
            pa.parquet.write_table(table, files[-1], compression=codec)
        sizes[codec] = sum(map(os.path.getsize, files))
        works[f"Parquet {codec}"] = partial(_read_parquet, files)
    archives = {"archive": path} | ({"archive, zlib": compressed} if compressed else {})
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
    largest = max(tables, key=lambda each: tables[each].num_rows)
    print(f"\n{f'one column of {largest}, open and read':45} {'ms CPU':>8} {'snappy':>8} {'ratio':>7}")
    number = list(tables).index(largest)
    parquet = os.path.join(folder, f"{number}.snappy.parquet")
    for column in tables[largest].column_names:
        if "$" in column:
            continue
        # What a reference leads to has a column of its own, which is read with it.
        same = [name for name in tables[largest].column_names if name in (column, f"{column}$class")]
        times_of_one = least(rounds, {
            "archive": partial(_read_column, path, largest, column), "Parquet": partial(
                pa.parquet.read_table, parquet, columns=same, use_threads=False)})
        archive_time, parquet_time = times_of_one["archive"], times_of_one["Parquet"]
        print(f"{column:45} {archive_time:8.1f} {parquet_time:8.1f} {archive_time / parquet_time:7.2f}")
    edges = arc_format.open(path).edges().num_rows
    print(f"{edges:,} edges, {edges / times['edges of all classes'] / 1000:.1f} million a second")
    print(f"\n{'bytes':34} {'':8} {'/ snappy':>9} {'/ zstd':>7}")
    for label, file in archives.items():
        size = os.path.getsize(file)
        print(f"{label:25} {size:17,} {size / sizes['snappy']:9.2f} {size / sizes['zstd']:7.2f}")


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
