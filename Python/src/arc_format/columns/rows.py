"""The blocks and chunks of ROWS segments and their LINK segments. Spec: 04.6, 04.7, rules R1, R2, G1, L1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from arc_format.basics.errors import ArcError, reject
from arc_format.basics.limits import Limits
from arc_format.columns.chunks import Chunk
from arc_format.columns.integers import Integers
from arc_format.container.cursor import Cursor
from arc_format.container.layout import Layout
from arc_format.container.segment import Segment
from arc_format.container.varints import take_varints
from arc_format.schema.classes import Class, ClassTable, Column

#: The memory of a chunk as an object, which is charged for each.
CHUNK_BYTES = 256

Rows = npt.NDArray[np.int64]


class ColumnChunks:
    """The chunks of a column in a block, for each node with chunks, in the order of nodes."""

    __slots__ = ("chunks", "column", "of_node")

    def __init__(self, column: Column, chunks: list[Chunk]) -> None:
        self.column, self.chunks = column, chunks
        self.of_node: list[Chunk | None] = [None] * len(column.tree.nodes)
        for chunk in chunks:
            self.of_node[chunk.node.index] = chunk


class Block:
    """The rows of one class in a segment.

    `starts` and `lengths` are the first rows and lengths of its runs. `columns` are the requested columns with chunks,
    by their positions in the class; `column_count` is the column count of the block.
    """

    __slots__ = ("column_count", "columns", "each", "lengths", "row_count", "starts")

    def __init__(self, each: Class, starts: Rows, lengths: Rows) -> None:
        self.each, self.starts, self.lengths = each, starts, lengths
        self.row_count = int(lengths.sum())
        self.column_count = 0
        self.columns: dict[int, ColumnChunks] = {}

    def rows(self) -> Rows:
        """Returns the numbers of its rows, ascending."""
        if len(self.starts) == 1:
            return np.arange(self.starts[0], self.starts[0] + self.row_count)
        before = np.cumsum(self.lengths) - self.lengths
        return np.repeat(self.starts - before, self.lengths) + np.arange(self.row_count)


class RowSegment:
    """A ROWS segment with its LINK: the classes of its runs, and its blocks by class index.

    `head` are the bytes of the runs.
    """

    __slots__ = ("blocks", "head", "run_classes", "run_lengths", "segment")

    def __init__(self, segment: Segment, run_classes: Rows, run_lengths: Rows, head: memoryview) -> None:
        self.segment, self.run_classes, self.run_lengths, self.head = segment, run_classes, run_lengths, head
        self.blocks: dict[int, Block] = {}


#: Whether a column of a block is read, by class and position. The chunks of other columns are skipped unread.
Wanted = Callable[[Class, int], bool]


def pair_links(layout: Layout) -> list[tuple[Segment, Segment | None]]:
    """Returns the ROWS segments, each with the LINK segment of the same *first* [L1]."""
    by_first: dict[int, Segment] = {}
    for link in layout.of_kind(b"LINK"):
        if link.first in by_first:
            reject("L1", link.offset, "a second LINK for these rows")
        by_first[link.first] = link
    pairs = [(segment, by_first.pop(segment.first, None)) for segment in layout.of_kind(b"ROWS")]
    for link in by_first.values():
        reject("L1", link.offset, "a LINK without rows")
    return pairs


def read_rows(segment: Segment, link: Segment | None, payload: Callable[[Segment], Cursor], table: ClassTable,
              limits: Limits, wants: Wanted | None = None) -> RowSegment:
    """Reads a segment; all columns if `wants` is None. `payload` returns the payload of a segment."""
    cursor, links = payload(segment), payload(link) if link else None
    classes, lengths = read_runs(cursor, segment, len(table))
    result = RowSegment(segment, classes, lengths, cursor.data[:cursor.at])
    starts = segment.first + np.cumsum(lengths) - lengths
    # The sort is stable: the runs of a block are consecutive and ascend.
    order = np.argsort(classes, kind="stable")
    present, firsts = np.unique(classes[order], return_index=True)
    ends = [*firsts[1:].tolist(), len(order)]
    has_weak, memory = False, 0
    for index, first, end in zip(present.tolist(), firsts.tolist(), ends, strict=True):
        each, runs = table[index], order[first:end]
        block = Block(each, starts[runs], lengths[runs])
        block.column_count = cursor.varint()
        if not each.required_columns <= block.column_count <= len(each.columns):
            reject("R2", cursor.place, f"{block.column_count} columns of '{each.name}'")
        for position, column in each.stored_columns:
            if position >= block.column_count:
                break
            stored, is_wanted = column.tree.stored, wants is None or wants(each, position)
            memory += CHUNK_BYTES * len(stored) if is_wanted else 0
            if memory > limits.raw_bytes:
                reject("A2", cursor.place, f"chunks that take {memory} bytes")
            chunks = []
            for node in stored:
                source = cursor
                if node.kind == "weak":
                    if links is None:
                        reject("L1", segment.offset, "no LINK for a weak column")
                    has_weak, source = True, links
                if is_wanted:
                    chunks.append(Chunk(source, node))
                else:
                    size = source.count()
                    source.at += size
            if is_wanted:
                block.columns[position] = ColumnChunks(column, chunks)
        result.blocks[index] = block
    cursor.done()
    if link and links:
        if not has_weak or link.count != segment.count:
            reject("L1", link.offset, "a LINK that nothing needs")
        links.done()
    return result


def read_runs(cursor: Cursor, segment: Segment, class_count: int) -> tuple[Rows, Rows]:
    """Reads the classes and lengths of the runs at the start of a ROWS segment [R1], [G1].

    Reads all at once if they are valid, else one by one, to report the first error.
    """
    count, start = cursor.count(2), cursor.at
    try:
        pairs = take_varints(cursor, 2 * count)
        classes, lengths = pairs[0::2], pairs[1::2]
        if _are_sound(classes, lengths, segment, class_count):
            return classes.astype(np.int64), lengths.astype(np.int64)
    except ArcError:
        pass
    cursor.at = start
    return _read_each_run(cursor, count, segment, class_count)


def _are_sound(classes: Integers, lengths: Integers, segment: Segment, class_count: int) -> bool:
    if not len(classes) or int(classes.max()) >= class_count or not int(lengths.min()) >= 1:
        return False
    if int(lengths.max()) > segment.count or int(lengths.sum()) != segment.count:
        return False
    roots = np.flatnonzero(classes == 0)
    return roots.tolist() == ([0] if segment.first == 0 else []) and (segment.first > 0 or int(lengths[0]) == 1)


def _read_each_run(cursor: Cursor, count: int, segment: Segment, class_count: int) -> tuple[Rows, Rows]:
    row, end = segment.first, segment.first + segment.count
    classes, lengths = [], []
    for _ in range(count):
        index, length = cursor.varint(), cursor.varint()
        if index >= class_count or not length or length > end - row:
            reject("R1", cursor.place, f"{length} rows of class {index}")
        if (index == 0) != (row == 0) or (index == 0 and length != 1):
            reject("G1", cursor.place, f"row {row} of class {index}")
        classes.append(index)
        lengths.append(length)
        row += length
    if row != end:
        reject("R1", cursor.place, f"{row - segment.first} rows where {segment.count} are said")
    return np.array(classes, np.int64), np.array(lengths, np.int64)
