"""Files that ask for more than they are worth: an error that names the limit, and no memory beyond it."""

from __future__ import annotations

import io
import os
import pathlib
import subprocess
import sys
import textwrap
import time
import tracemalloc
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from archives import archive, chunk, class_table, rows
from directories import with_directory
from judge import verdict, verdict_of_judge

import arc_format
from arc_format import UNTRUSTED, ArcError
from arc_format.columns.places import Places
from arc_format.writing.file import SegmentWriter
from arc_format.writing.primitives import varint

MOST = 1 << 18
ZEROS = chunk(MOST, b"\x10\x08\x00" + bytes(8))  # 2^18 zeros of 8 bytes, packed in 0 bits


def code_of(data: bytes, **choices: object) -> str:
    with pytest.raises(ArcError) as error:
        arc_format.open(data, limits=UNTRUSTED).tables(**choices)  # type: ignore[arg-type]
    return f"{error.value.code} [{error.value.rule}]"


def test_a_kilobyte_that_stands_for_gigabytes_is_sound_and_too_large_for_a_table() -> None:
    columns = [(f"c{index}", "Tq", 0) for index in range(300)]
    data = archive(class_table(("Many", columns)), 2, rows(MOST, *[ZEROS] * 300, column_count=300))
    assert len(data) < 10_000
    assert verdict(data) == verdict_of_judge(data) == "ok"
    assert code_of(data) == "limitExceeded [A2]"
    # One column of it is within the limits.
    assert arc_format.open(data, limits=UNTRUSTED).table("Many", ["c7"]).num_rows == MOST


def test_nil_structures_of_many_fields_are_charged_before_they_are_made() -> None:
    fields = "".join(f'"f{index}"q' for index in range(1000))
    data = archive(class_table(("Wide", [("s", f"T$?{{S={fields}}}", 0)])), 2,
                   rows(MOST, chunk(MOST, b"\x10\x00"), *[chunk(0, b"\x01")] * 1000))
    assert verdict(data) == verdict_of_judge(data) == "ok"
    assert code_of(data) == "limitExceeded [A2]"


def test_cases_with_many_payloads_are_charged_before_they_are_made() -> None:
    cases = "".join(f'"c{index}"{{?=""q}}' for index in range(1000))
    data = archive(class_table(("Cases", [("e", f"T$(E={cases})", 0)])), 2,
                   rows(MOST, chunk(MOST, b"\x10\x01\x00\x00"), ZEROS, *[chunk(0, b"\x01")] * 999))
    assert verdict(data) == verdict_of_judge(data) == "ok"
    assert code_of(data) == "limitExceeded [A2]"
    with pytest.raises(arc_format.UsageError, match="a union has 127 at most"):
        arc_format.open(data).schema("Cases", enums="union")


def test_a_long_string_that_all_rows_name_is_charged_for_each() -> None:
    data = archive(class_table(("Text", [("t", 'T@"NSString"', 0)])), 2,
                   rows(MOST, chunk(MOST, b"\x01\x10\x01\x00\x00")), strings=[b"x" * 100_000])
    assert verdict(data) == verdict_of_judge(data) == "ok"
    assert code_of(data) == "limitExceeded [A2]"
    table = arc_format.open(data, limits=UNTRUSTED).table("Text", strings="dictionary")
    assert table["t"][MOST - 1].as_py() == "x" * 100_000


def test_elements_without_bytes_count_64() -> None:
    data = archive(class_table(("Free", [("a", "T$[{S=}]", 0)])), 2,
                   rows(1, chunk(1, b"\x08" + (200_000).to_bytes(8, "little"))))
    assert verdict(data) == verdict_of_judge(data) == "limitExceeded [A7]"
    assert code_of(data) == "limitExceeded [A7]"


def test_lengths_whose_sum_passes_64_bits_are_refused() -> None:
    huge = (1 << 63).to_bytes(8, "little")
    data = archive(class_table(("Long", [("a", "T$[C]", 0)])), 2,
                   rows(2, chunk(2, b"\x08" + huge + huge), chunk(0, b"\x01")))
    assert verdict(data) == verdict_of_judge(data) == code_of(data) == "limitExceeded [A7]"


def test_values_of_one_segment_do_not_make_up_for_those_of_another() -> None:
    # 1 element too many, then 1 too few: together they are right.
    data = archive(class_table(("Pair", [("a", "T$[C]", 0)])), 2,
                   rows(1, chunk(1, b"\x01\x01"), chunk(2, b"\x01\x07\x07")),
                   rows(1, chunk(1, b"\x01\x02"), chunk(1, b"\x01\x07")))
    assert verdict(data) == verdict_of_judge(data) == "malformedColumn [V2]"
    assert code_of(data) == "malformedColumn [V2]"


def test_a_tree_that_is_too_deep_is_refused_and_one_of_the_most_levels_is_text() -> None:
    def tree(levels: int) -> bytes:
        # Each value has one child, but for the last.
        lengths = bytes([1] * (levels - 1) + [0])
        return archive(class_table(("Tree", [("t", 'T{Tree="v"C"c"$[{Tree}]}', 0)])), 2,
                       rows(1, chunk(levels, b"\x01" + bytes(levels)), chunk(levels, b"\x01" + lengths)))

    assert verdict(tree(65)) == verdict_of_judge(tree(65)) == "ok"
    assert verdict(tree(66)) == verdict_of_judge(tree(66)) == "limitExceeded [A8]"
    assert code_of(tree(66)) == "limitExceeded [A8]"
    text = arc_format.open(tree(65), limits=UNTRUSTED).table("Tree")["t"][0].as_py()
    assert text.count('"$struct"') == 65


def test_rows_without_bytes_are_few() -> None:
    data = archive(class_table(("Empty", [])), 2, (20_000, b"\x01\x01" + b"\xa0\x9c\x01" + b"\x00"))
    assert verdict(data) == verdict_of_judge(data) == "limitExceeded [A3]"


def test_a_text_that_begins_inside_of_a_character_is_refused() -> None:
    body = "é".encode()
    data = archive(class_table(("Cut", [("t", 'T@"NSString"', 0)])), 2, rows(2, chunk(2, b"\x00\x01\x01\x01" + body)))
    assert verdict(data) == verdict_of_judge(data) == "invalidString [V5]"
    for strings in ("plain", "dictionary", "view"):
        assert code_of(data, strings=strings) == "invalidString [V5]"


def test_memory_stays_below_the_limits(tmp_path: pathlib.Path) -> None:
    """In a process of its own that may not have more than 1 GiB beyond what the libraries map."""
    columns = [(f"c{index}", "Tq", 0) for index in range(3000)]
    data = archive(class_table(("Many", columns)), 2, rows(MOST, *[ZEROS] * 3000, column_count=3000))
    path = tmp_path / "bomb.arc"
    path.write_bytes(data)
    program = textwrap.dedent("""
        import resource, sys
        import arc_format
        archive = arc_format.open(sys.argv[1], limits=arc_format.UNTRUSTED)
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30),) * 2)
        archive.verify()
        try:
            archive.tables()
        except arc_format.ArcError as error:
            print(error.code)
    """)
    ran = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert ran.stdout == "limitExceeded\n", ran.stderr


def test_time_is_linear_in_a_class_table_of_many_classes() -> None:
    columns = [("c", "T$[$[$[q]]]", 0)]
    data = archive(class_table(*[(f"C{index}", columns) for index in range(4000)]), 4001)
    start = time.process_time()
    assert len(arc_format.open(data, limits=UNTRUSTED, verify="all").classes) == 4000
    assert time.process_time() - start < 2


def seconds_of(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def test_time_is_linear_in_segments_of_a_class_with_many_columns() -> None:
    columns = [("b", "TB", 0)] + [(f"c{index}", "T{S=}", 0) for index in range(4000)]
    data = archive(class_table(("Thin", columns)), 2,
                   *[rows(1, chunk(1, b"\x00\x01"), column_count=4001) for _ in range(5000)])
    assert seconds_of(lambda: arc_format.open(data, limits=UNTRUSTED, verify="all").table("Thin", ["b"])) < 10
    assert seconds_of(lambda: arc_format.open(data, limits=UNTRUSTED).edges()) < 5
    start = time.process_time()
    assert verdict_of_judge(data) == "ok"
    assert time.process_time() - start < 5


def test_time_is_linear_in_columns_of_equal_names_and_in_cases() -> None:
    columns = [("k", f"Tq,{index}", 2) for index in range(2000)]
    data = archive(class_table(("Same", columns)), 2, rows(1, column_count=0))
    assert seconds_of(lambda: arc_format.open(data, limits=UNTRUSTED).tables()) < 5
    cases = "".join(f'"c{index}"{{?=""@}}' for index in range(2000))
    data = archive(class_table(("Cases", [("e", f"T$(E={cases})", 1)])), 2,
                   rows(MOST, chunk(MOST, b"\x10\x01\x00\x00"), chunk(MOST, b"\x10\x01\x00\x00"),
                        *[chunk(0, b"\x01")] * 1999))
    assert seconds_of(lambda: arc_format.open(data, limits=UNTRUSTED, verify="all").edges()) < 5


def test_many_classes_are_many_tables() -> None:
    classes = [(f"C{index}", [(f"c{index}.{number}", "TB", 0) for number in range(8)]) for index in range(1500)]
    data = archive(class_table(*classes), 1501,
                   *[rows(1, *[chunk(1, b"\x00\x01")] * 8, class_index=index, column_count=8)
                     for index in range(1, 1501)])
    assert len(arc_format.open(data, limits=UNTRUSTED, verify="all").tables()) == 1501


def test_time_is_linear_in_classes_that_are_read_one_after_the_other() -> None:
    count = 1000
    data = archive(class_table(*((f"C{index}", [("b", "TB", 0)]) for index in range(count))), count + 1,
                   *[rows(1, chunk(1, b"\x00\x01"), class_index=index) for index in range(1, count + 1)])
    for each in (data, with_directory(data)):
        opened = arc_format.open(each, limits=UNTRUSTED, verify="all")
        assert seconds_of(lambda opened=opened: [opened.table(name) for name in opened.classes]) < 5  # type: ignore[misc]
        assert all(opened.table(name)["$row"].to_pylist() == [row] for row, name in enumerate(opened.classes, 1))
        assert next(opened.batches("C700", segments=range(701, 800))).num_rows == 1
        assert list(opened.batches("C700", segments=range(702, 800))) == []


def test_batches_are_limited_each_by_itself_and_tables_as_a_whole() -> None:
    limits = arc_format.Limits(raw_bytes=4 << 20)
    zeros = chunk(MOST // 4, b"\x10\x08\x00" + bytes(8))
    data = archive(class_table(("Many", [("c", "Tq", 0)])), 2, *[rows(MOST // 4, zeros)] * 6)
    assert sum(batch.num_rows for batch in arc_format.open(data, limits=limits).batches("Many")) == 6 * MOST // 4
    with pytest.raises(ArcError, match="limitExceeded"):
        arc_format.open(data, limits=limits).table("Many")


def directory_of_nothing(segments: int) -> bytes:
    """A compressed directory that states so many segments, each with a block of the roots, in a file of one."""
    lists = [b"\x01" + bytes([value]) * segments for value in (1, 1, 0, 1, 1, 0, 0)]
    payload = varint(segments) + lists[0] + bytes(4 * segments) + b"".join(lists[1:]) + b"\x01" * 4
    file = io.BytesIO()
    writer = SegmentWriter(file, "zlib")
    writer.write(b"CLSS", class_table(("A", [])), 0, 2)
    writer.write(b"ROWS", varint(1) + varint(0) + varint(1) + varint(0), 0, 1)
    writer.write(b"CDIR", payload, 0, 1, flags=1)
    writer.finish(1)
    return file.getvalue()


def test_what_a_directory_states_is_charged_before_it_is_kept() -> None:
    data = directory_of_nothing(4_000_000)
    assert len(data) < 60_000
    assert verdict(data) == verdict_of_judge(data) == "limitExceeded [A2]"
    data = directory_of_nothing(200_000)
    assert verdict(data) == verdict_of_judge(data) == "indexMismatch [Y3]"
    for each in map(directory_of_nothing, (1_300_000, 20_000_000)):
        tracemalloc.start()
        assert seconds_of(lambda data=each: verdict(data)) < 5  # type: ignore[misc]
        assert tracemalloc.get_traced_memory()[1] < UNTRUSTED.raw_bytes
        tracemalloc.stop()


def test_sizes_whose_sum_passes_64_bits_are_no_places() -> None:
    count = 1 << 24
    directory: Any = SimpleNamespace(
        offset=0, heads=np.zeros(1, np.uint64), columns=np.ones(1, np.uint64),
        sizes=np.broadcast_to(np.uint64(1 << 40) - np.uint64(1), count))
    with pytest.raises(ArcError, match="Y3"):
        Places(directory)


def test_time_is_linear_in_a_directory_of_blocks_of_one_class_with_ever_more_columns() -> None:
    most = 4000
    data = archive(class_table(("Wide", [(f"c{index}", "TB", 0) for index in range(most)])), 2)
    counts = b"".join(index.to_bytes(2, "little") for index in range(most))
    ones = b"\x01" + b"\x01" * most
    payload = varint(most) + ones + bytes(4 * most) + ones * 5 + b"\x02" + counts
    data = with_directory(data, payload)
    assert seconds_of(lambda: verdict(data)) < 1
    assert verdict(data) == verdict_of_judge(data) == "malformedSegment [Y2]"


@pytest.mark.parametrize("name", ["../outside.arc", "/etc/passwd.arc"])
def test_a_link_that_leads_out_of_a_folder_is_refused(tmp_path: pathlib.Path, name: str) -> None:
    folder = tmp_path / "shards"
    folder.mkdir()
    (tmp_path / "outside.arc").write_bytes(b"")
    os.symlink(name, folder / "part.arc")
    with pytest.raises(arc_format.UsageError, match="leads out of its folder"):
        arc_format.dataset(folder)


def test_circles_of_links_and_what_is_no_file_are_no_shards(tmp_path: pathlib.Path) -> None:
    os.symlink("b.arc", tmp_path / "a.arc")
    os.symlink("a.arc", tmp_path / "b.arc")
    os.symlink(".", tmp_path / "self.arc")
    os.mkfifo(tmp_path / "pipe.arc")
    (tmp_path / "folder.arc").mkdir()
    with pytest.raises(arc_format.UsageError, match=r"has no \.arc files"):
        arc_format.dataset(tmp_path)
