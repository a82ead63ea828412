"""The directory of chunks: their positions and ranges. Spec: 13."""

from __future__ import annotations

import struct
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arc_format.basics.errors import ArcError, reject
from arc_format.basics.limits import Limits
from arc_format.columns.chunks import Chunk
from arc_format.columns.integers import MAXIMUM_SHORT, Integers, Sequence, check_last_bits, exact_sum, take_plain
from arc_format.columns.ranges import FORMS, Range, range_of
from arc_format.columns.rows import Rows, RowSegment
from arc_format.container import deflate
from arc_format.container.cursor import Cursor
from arc_format.container.layout import Layout
from arc_format.container.segment import read_payload
from arc_format.schema.classes import Class, ClassTable
from arc_format.schema.kinds import Kind

KIND = b"CDIR"

#: The approximate memory of each segment, block and chunk that a directory states.
_ENTRY_BYTES = 96


def read_directory(data: memoryview, layout: Layout, table: ClassTable, limits: Limits, checks_sum: bool = True,
                   ) -> Directory | None:
    """Reads the directory of a file, if it has one. Checks [Y1], [Y2], [A2], and [Y3] as far as the index shows it."""
    segments = layout.of_kind(KIND)
    if not segments:
        return None
    if len(segments) > 1 or segments[0].first:
        reject("Y1", 32, f"{len(segments)} CDIR segments, the first with first {segments[0].first}")
    try:
        directory = Directory(read_payload(data, segments[0], checks_sum), table, limits)
    except ArcError as error:
        if error.rule == "A2":
            raise
        reject("Y2", segments[0].offset, f"{error.found}, expected {error.expected} [{error.rule}]")
    directory.offset, count = segments[0].offset, len(layout.of_kind(b"ROWS"))
    if not segments[0].count == directory.segment_count == count:
        reject("Y3", directory.offset,
               f"{directory.segment_count} segments of {count}, {segments[0].count} by the index")
    return directory


class _Shape(NamedTuple):
    """The number of chunks of the first columns of a class, and properties of each chunk."""

    counts: Rows
    can_be_ranged: npt.NDArray[np.bool_]
    is_weak: npt.NDArray[np.bool_]


class Directory:
    """The content of a directory: lists for segments, for their blocks, and for the chunks of the blocks."""

    def __init__(self, cursor: Cursor, table: ClassTable, limits: Limits) -> None:
        self.offset = self._stated = 0
        self.segment_count = cursor.count(4)
        self._charge(self.segment_count, limits, cursor)
        self.heads, self.head_sums = _sequence(cursor, self.segment_count), _sums(cursor, self.segment_count)
        blocks = _sequence(cursor, self.segment_count)
        count = exact_sum(blocks)
        if count > MAXIMUM_SHORT and count > cursor.left():
            reject("B5", cursor.place, f"{count} blocks")
        self._charge(count, limits, cursor)
        #: the index of the first block of each segment in the lists, and the end of the last
        self.block_starts = starts_of(blocks)
        self.classes, self.rows, self.runs, self.starts, self.columns = (_sequence(cursor, count) for _ in range(5))
        self._check_classes(cursor, table)
        occurring, which = np.unique(self.classes, return_inverse=True)
        shapes = [_shape(table[index]) for index in occurring.tolist()]
        first_counts = starts_of(np.array([len(shape.counts) for shape in shapes], np.int64))[which]
        chunk_counts = _joined([shape.counts for shape in shapes])[first_counts + self.columns.astype(np.int64)]
        total = exact_sum(chunk_counts.view(np.uint64))
        if 4 * total > cursor.left():
            reject("B5", cursor.place, f"{total} chunks")
        self._charge(total, limits, cursor)
        self.chunk_starts = starts_of(chunk_counts)
        first_chunks = starts_of(np.array([len(shape.is_weak) for shape in shapes], np.int64))[which]
        chunks = np.repeat(first_chunks - self.chunk_starts[:-1], chunk_counts) + np.arange(total)
        can_be_ranged = _joined([shape.can_be_ranged for shape in shapes])[chunks].view(np.bool_)
        self.is_weak = _joined([shape.is_weak for shape in shapes])[chunks].view(np.bool_)
        self.sizes, self.counts, self.encodings = (_sequence(cursor, total) for _ in range(3))
        self.sums = _sums(cursor, total)
        bits = take_plain(cursor, (total + 7) // 8, 1)
        check_last_bits(cursor, bits, total, "V3")
        is_ranged = np.unpackbits(np.frombuffer(bits, np.uint8), count=total, bitorder="little").view(np.bool_)
        if (is_ranged & ~can_be_ranged).any():
            reject("V1", cursor.place, "a range of a kind without order")
        #: the index of the range of each chunk in the lists below; -1 for a chunk without a range
        self.range_numbers = np.where(is_ranged, np.cumsum(is_ranged) - 1, -1)
        ranged = int(is_ranged.sum())
        self.outside = _sequence(cursor, ranged)
        self.least, self.most = cursor.take(8 * ranged), cursor.take(8 * ranged)
        cursor.done()

    def _charge(self, count: int, limits: Limits, cursor: Cursor) -> None:
        """Charges for stated items. They take several times the bytes of the payload, which may be compressed [A2]."""
        self._stated += count
        if self._stated * _ENTRY_BYTES > limits.raw_bytes:
            reject("A2", cursor.place, f"a directory that takes, with all before, {self._stated * _ENTRY_BYTES} bytes")

    def _check_classes(self, cursor: Cursor, table: ClassTable) -> None:
        if len(self.classes) and int(self.classes.max()) >= len(table):
            reject("R2", cursor.place, f"class {int(self.classes.max())} of {len(table)}")
        column_counts = np.array([len(each.columns) for each in table.classes], np.uint64)
        if (self.columns > column_counts[self.classes.astype(np.int64)]).any():
            reject("R2", cursor.place, "more columns than a class has")
        ascends = np.diff(self.classes.astype(np.int64)) > 0
        inner = self.block_starts[1:-1] - 1
        ascends[inner[(inner >= 0) & (inner < len(ascends))]] = True
        if not ascends.all():
            reject("R1", cursor.place, "classes that do not ascend")

    def blocks(self, number: int) -> range:
        """Returns the indices of the blocks of a segment."""
        return range(int(self.block_starts[number]), int(self.block_starts[number + 1]))

    def segments_with(self, classes: Collection[int]) -> list[int]:
        """Returns the segments that have blocks of some classes, ascending."""
        blocks = np.flatnonzero(np.isin(self.classes, np.array(list(classes), np.uint64)))
        segments: list[int] = np.unique(np.searchsorted(self.block_starts, blocks, side="right") - 1).tolist()
        return segments

    def range(self, chunk: int, kind: Kind) -> Range | None:
        """Returns the range of the chunk at an index; None if the directory has no range for it."""
        number = int(self.range_numbers[chunk])
        if number < 0:
            return None
        form = FORMS[kind]
        return (int(self.outside[number]), struct.unpack_from(form, self.least, 8 * number)[0],
                struct.unpack_from(form, self.most, 8 * number)[0])

    # ---- Checks of the whole directory, when a file is verified

    def check(self, number: int, rows: RowSegment) -> None:
        """Checks all statements about a segment [Y3], [Y4], [Y5]."""
        blocks = self.blocks(number)
        if (int(self.heads[number]), len(blocks)) != (len(rows.head), len(rows.blocks)):
            self._differ("Y3", f"segment {number}")
        if int(self.head_sums[number]) != deflate.crc32(rows.head):
            self._differ("Y4", f"the runs of segment {number}")
        for at, block in zip(blocks, rows.blocks.values(), strict=True):
            found = (block.each.index, block.row_count, len(block.starts), int(block.starts[0]) - rows.segment.first,
                     block.column_count)
            stated = tuple(int(each[at]) for each in (self.classes, self.rows, self.runs, self.starts, self.columns))
            if stated != found:
                self._differ("Y3", f"class '{block.each.name}' in segment {number}")
            position = int(self.chunk_starts[at])
            for chunk in (chunk for values in block.columns.values() for chunk in values.chunks):
                self.check_chunk(position, chunk)
                borders = self.range(position, chunk.node.kind)
                if borders is not None and borders != range_of(chunk):
                    self._differ("Y5", f"a chunk of kind {chunk.node.kind} at byte {chunk.offset}")
                position += 1

    def check_chunk(self, position: int, chunk: Chunk) -> None:
        """Checks the statements about the size, count, encoding and checksum of a chunk."""
        what = f"a chunk of kind {chunk.node.kind} at byte {chunk.offset}"
        stated = int(self.sizes[position]), int(self.counts[position]), int(self.encodings[position])
        if stated != (len(chunk.stored), chunk.count, chunk.encoding):
            self._differ("Y3", what)
        if int(self.sums[position]) != deflate.crc32(chunk.stored):
            self._differ("Y4", what)

    def _differ(self, rule: str, what: str) -> None:
        reject(rule, self.offset, f"something else of {what} than there is")

    # ---- Runs, for a reader of single chunks

    def head(self, number: int, payload: Cursor) -> memoryview:
        """Returns the bytes of the runs of a segment, after a check of their checksum."""
        head = payload.data[:int(self.heads[number])]
        if int(self.head_sums[number]) != deflate.crc32(head):
            self._differ("Y4", f"the runs of segment {number}")
        return head

    def check_runs(self, number: int, at: int, first: int, starts: Rows, lengths: Rows) -> None:
        """Checks the stated rows of a block with the runs of its class; `first` is the first row of the segment."""
        found = len(starts), int(lengths.sum()), int(starts[0]) - first if len(starts) else -1
        if found != (int(self.runs[at]), int(self.rows[at]), int(self.starts[at])):
            self._differ("Y3", f"class {int(self.classes[at])} in segment {number}")


def _sequence(cursor: Cursor, count: int) -> Integers:
    return Sequence(cursor, count, 8).values()


def _sums(cursor: Cursor, count: int) -> npt.NDArray[np.uint32]:
    return np.frombuffer(take_plain(cursor, count, 4), "<u4")


def starts_of(counts: Integers) -> Rows:
    """Returns the start of each of some consecutive items, and the end of the last."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def _joined(arrays: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int64)


def _shape(each: Class) -> _Shape:
    if each.shape is None:
        nodes = [node for column in each.columns for node in column.tree.stored]
        each.shape = _Shape(starts_of(np.array([len(column.tree.stored) for column in each.columns], np.int64)),
                            np.array([node.kind in FORMS for node in nodes], np.bool_),
                            np.array([node.kind == "weak" for node in nodes], np.bool_))
    shape: _Shape = each.shape
    return shape
