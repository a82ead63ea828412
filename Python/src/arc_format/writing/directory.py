"""Writing of the directory of chunks, segment by segment. Spec: 13."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from arc_format.basics.limits import DEFAULT
from arc_format.columns.ranges import FORMS, Range, border, range_of
from arc_format.columns.rows import read_rows
from arc_format.container.cursor import Cursor
from arc_format.container.segment import Segment
from arc_format.schema.classes import Class, ClassTable, Column
from arc_format.schema.kinds import Kind
from arc_format.writing.file import WrittenPoints
from arc_format.writing.integers import encoded_integers
from arc_format.writing.model import WrittenClass
from arc_format.writing.primitives import varint

#: A smaller archive has no directory unless the caller requests it, because it is read at once.
DIRECTORY_BYTES = 4 << 20

#: The minimum size of a column at whose start and end decompression can begin [F4].
COLUMN_BYTES = 1 << 14

#: The distance in strings at which decompression can begin [F4].
STRING_BYTES = 1 << 16

#: Offsets in a payload at which decompression can begin.
Borders = list[int]


class DirectoryWriter:
    """Collects the content of a directory from segments, in the order in which they are written."""

    def __init__(self, table: ClassTable) -> None:
        self._table = table
        #: bytes of runs, their checksum, number of blocks
        self._segments: list[tuple[int, int, int]] = []
        #: class, rows, runs, start, columns
        self._blocks: list[tuple[int, int, int, int, int]] = []
        #: size, count, encoding, checksum
        self._chunks: list[tuple[int, int, int, int]] = []
        self._ranges: list[tuple[Kind, Range] | None] = []

    def add(self, first: int, count: int, rows: bytes, links: bytes | None) -> tuple[Borders, Borders]:
        """Adds the payloads of a ROWS segment and of its LINK. Returns where their large columns begin and end."""
        segment = Segment(0, b"ROWS", 0, len(rows), len(rows), first, count)
        link = None if links is None else Segment(1, b"LINK", 0, len(links), len(links), first, count)
        payloads = {0: rows, 1: links or b""}
        read = read_rows(segment, link, lambda each: Cursor(memoryview(payloads[each.offset]), 0), self._table, DEFAULT)
        self._segments.append((len(read.head), zlib.crc32(read.head), len(read.blocks)))
        in_rows, in_links = _Borders(len(read.head)), _Borders(0)
        for block in read.blocks.values():
            in_rows.at += len(varint(block.column_count))
            for values in block.columns.values():
                sizes = [(chunk.node.kind == "weak", len(varint(len(chunk.stored))) + len(chunk.stored))
                         for chunk in values.chunks]
                in_rows.add(sum(size for is_weak, size in sizes if not is_weak))
                in_links.add(sum(size for is_weak, size in sizes if is_weak))
            self._blocks.append((block.each.index, block.row_count, len(block.starts), int(block.starts[0]) - first,
                                 block.column_count))
            for chunk in (chunk for values in block.columns.values() for chunk in values.chunks):
                self._chunks.append((len(chunk.stored), chunk.count, chunk.encoding, zlib.crc32(chunk.stored)))
                found = range_of(chunk) if chunk.node.kind in FORMS else None
                self._ranges.append(None if found is None else (chunk.node.kind, found))
        return in_rows.found, in_links.found

    def payload(self) -> tuple[bytes, int]:
        """Returns the payload of the CDIR segment, and its *count*."""
        count, chunks = len(self._segments), _lists(self._chunks, 4)
        heads, head_sums, blocks = _lists(self._segments, 3)
        ranges = [each for each in self._ranges if each is not None]
        bits = np.packbits(np.array([each is not None for each in self._ranges], np.bool_), bitorder="little")
        parts = [varint(count), _sequence(heads), _sums(head_sums), _sequence(blocks)]
        parts += map(_sequence, [*_lists(self._blocks, 5), *chunks[:3]])
        parts += [_sums(chunks[3]), bits.tobytes(), _sequence([outside for _, (outside, _, _) in ranges])]
        parts += [border(kind, least) for kind, (_, least, _) in ranges]
        parts += [border(kind, most) for kind, (_, _, most) in ranges]
        return b"".join(parts), count


class _Borders:
    """Collects where the large columns of a payload begin and end."""

    def __init__(self, at: int) -> None:
        self.at, self.found = at, Borders()

    def add(self, size: int) -> None:
        """Adds the next column."""
        if size >= COLUMN_BYTES:
            self.found += [self.at, self.at + size] if self.at not in self.found[-1:] else [self.at + size]
        self.at += size


def string_borders(payload: bytes) -> Borders:
    """Returns where decompression can begin in a segment of strings."""
    return list(range(STRING_BYTES, len(payload), STRING_BYTES))


def points_payload(points: Sequence[WrittenPoints]) -> bytes:
    """Returns the payload of the ZPTS segment. Spec: 13.5."""
    lists = [[[point[side] for point in each.points] for each in points] for side in range(2)]
    distances = [[end - start for each in of_side for start, end in pairwise([0, *each])] for of_side in lists]
    return b"".join([varint(len(points)), *map(_sequence, [[len(each.points) for each in points], *distances]),
                     _sums([checksum for each in points for checksum in each.part_sums])])


def written_table(classes: Iterable[WrittenClass]) -> ClassTable:
    """Returns the class table for a directory."""
    return ClassTable([_class(index, each) for index, each in enumerate(classes)])


def _class(index: int, each: WrittenClass) -> Class:
    columns = [Column(0, column.key, column.attributes, column.flags, column.tree) for column in each.columns]
    stored = [(position, column) for position, column in enumerate(columns) if column.tree.stored]
    return Class(index, each.name, None, columns=columns, stored_columns=stored)


def _lists(rows: Sequence[tuple[int, ...]], width: int) -> list[list[int]]:
    """Returns the columns of some rows."""
    return [[row[position] for row in rows] for position in range(width)]


def _sequence(values: Sequence[int]) -> bytes:
    return encoded_integers(np.array(values, np.uint64), may_align=False).head


def _sums(values: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)
