"""Reading of some columns of some classes of a segment with the directory, without other chunks. Spec: 13.3."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import cached_property, partial

import numpy as np

from arc_format.basics.errors import reject
from arc_format.basics.limits import Limits
from arc_format.columns.chunks import Chunk
from arc_format.columns.directory import Directory
from arc_format.columns.places import Held, Places
from arc_format.columns.rows import CHUNK_BYTES, Block, ColumnChunks, Rows, Wanted, read_runs
from arc_format.columns.runs import RunIndex, index_runs
from arc_format.container.cursor import Cursor
from arc_format.container.inflation import Part
from arc_format.container.segment import Segment
from arc_format.schema.classes import Class, ClassTable, Column
from arc_format.schema.types import Node

#: Whether a block may be skipped, by its class, the index of its first chunk, and its column count.
Excluded = Callable[[Class, int, int], bool]

#: A requested column of a block: its position, the column, its first chunk and the end of its chunks in the block.
_Asked = tuple[int, Column, int, int]


class Selection:
    """Reads blocks of a file that has a directory.

    `payload` returns at least the requested parts of the payload of a segment, without a check of the checksum.
    `segments` are all segments with rows. `has_points` is whether decompression can begin at points.
    """

    def __init__(self, directory: Directory, table: ClassTable, limits: Limits, segments: list[Segment],
                 payload: Callable[[Segment, list[Part]], Held], *, has_points: bool = False) -> None:
        self.directory, self.table, self.limits, self.payload = directory, table, limits, payload
        self._segments, self._has_points = segments, has_points
        self._places = Places(directory)
        # Python lists, because access to an element of an array takes ten times as long.
        self._classes: list[int] = directory.classes.tolist()
        self._columns: list[int] = directory.columns.tolist()
        self._chunk_starts: list[int] = directory.chunk_starts.tolist()
        #: the last request, and its columns by class and column count of blocks
        self._last: tuple[Wanted | None, dict[tuple[int, int], list[_Asked]]] = None, {}
        #: the number of bytes of each segment and of its `LINK` that were compared with the directory
        self._checked: dict[int, tuple[int, int]] = {}

    def blocks(self, number: int, segment: Segment, link: Segment | None, classes: Container[int], wants: Wanted,
               excludes: Excluded) -> Iterator[Block]:
        """Returns the blocks of some classes in a segment, with the requested columns."""
        directory, memory = self.directory, 0
        chosen = [
            at for at in directory.blocks(number) if self._classes[at] in classes and not excludes(
                self.table[self._classes[at]], self._chunk_starts[at], self._columns[at])]
        if not chosen:
            return
        self._places.check_sizes(number, segment, link)
        last = self._last
        if last[0] is not wants:
            last = self._last = wants, {}
        wanted = [self._wanted(at, wants, last[1]) for at in chosen]
        in_rows, in_link = self._parts(number, chosen, wanted, segment, link)
        held, held_link = self.payload(segment, in_rows), self.payload(link, in_link) if link else None
        here, before = (_size(held), _size(held_link) if held_link else 0), self._checked.get(number, (-1, -1))
        if here[0] > before[0] or here[1] > before[1]:
            self._places.check(number, segment, held, held_link)
            self._checked[number] = max(here[0], before[0]), max(here[1], before[1])
        payload, links = held[0], held_link[0] if held_link else None
        runs = self._runs(number, segment, payload)
        for at, asked in zip(chosen, wanted, strict=True):
            each, columns, start = self.table[self._classes[at]], self._columns[at], self._chunk_starts[at]
            if columns < each.required_columns:
                reject("R2", segment.offset, f"{columns} columns of '{each.name}'")
            starts, lengths = runs(each.index)
            directory.check_runs(number, at, segment.first, starts, lengths)
            block = Block(each, starts, lengths)
            block.column_count = columns
            for position, column, first, end in asked:
                memory += CHUNK_BYTES * (end - first)
                if memory > self.limits.raw_bytes:
                    reject("A2", segment.offset, f"chunks that take {memory} bytes")
                block.columns[position] = ColumnChunks(column, [
                    self._chunk(chunk, node, payload, links, segment)
                    for chunk, node in zip(range(start + first, start + end), column.tree.stored, strict=True)])
            yield block

    def _wanted(self, at: int, wants: Wanted, known: dict[tuple[int, int], list[_Asked]]) -> list[_Asked]:
        """Returns the requested columns of a block. `known` contains the columns of similar blocks."""
        index, columns = self._classes[at], self._columns[at]
        found = known.get((index, columns))
        if found is None:
            found, each, chunk = [], self.table[index], 0
            for position, column in each.stored_columns:
                if position >= columns:
                    break
                end = chunk + len(column.tree.stored)
                if wants(each, position):
                    found.append((position, column, chunk, end))
                chunk = end
            known[index, columns] = found
        return found

    def _parts(self, number: int, chosen: list[int], wanted: list[list[_Asked]], segment: Segment, link: Segment | None,
               ) -> tuple[list[Part], list[Part]]:
        """Returns the parts of a segment and of its `LINK` that contain its runs and the requested columns."""
        in_rows, in_link = [(0, int(self.directory.heads[number]))], list[Part]()
        # Only the decompression of a larger part takes longer.
        if segment.codec or (link and link.codec):
            for at, columns in zip(chosen, wanted, strict=True):
                for _, _, first, end in columns:
                    for chunk in range(self._chunk_starts[at] + first, self._chunk_starts[at] + end):
                        (in_link if self.directory.is_weak[chunk] else in_rows).append(self._places.part(chunk))
        return in_rows, in_link

    def _runs(self, number: int, segment: Segment, payload: Cursor) -> Callable[[int], tuple[Rows, Rows]]:
        """Returns a function that returns the runs of a class in a segment: first rows and lengths."""
        # The index needs the first bytes of all segments. Without points, these are decompressed with other bytes.
        if (not segment.codec or self._has_points or "index" in self.__dict__) and self.index is not None:
            return partial(self.index.of, number)
        cursor = Cursor(self.directory.head(number, payload), payload.offset)
        classes, lengths = read_runs(cursor, segment, len(self.table))
        cursor.done()
        starts = segment.first + np.cumsum(lengths) - lengths
        return lambda index: (starts[classes == index], lengths[classes == index])

    @cached_property
    def index(self) -> RunIndex | None:
        """The runs of all segments; None if they must be read one by one, to report the first error."""
        sizes = self.directory.heads.tolist()
        if any(size > segment.raw for size, segment in zip(sizes, self._segments, strict=True)):
            return None
        heads = [self.directory.head(number, self.payload(segment, [(0, size)])[0])
                 for number, (segment, size) in enumerate(zip(self._segments, sizes, strict=True))]
        return index_runs(heads, self._segments, len(self.table))

    def _chunk(self, position: int, node: Node, payload: Cursor, links: Cursor | None, segment: Segment) -> Chunk:
        source = links if node.kind == "weak" else payload
        if source is None:
            reject("L1", segment.offset, "no LINK for a weak column")
        chunk = Chunk(Cursor(source.data, source.offset, int(self._places.chunks[position])), node)
        self.directory.check_chunk(position, chunk)
        return chunk


def _size(held: Held) -> int:
    """Returns the number of present bytes of a payload."""
    return sum(end - start for start, end in held[1])
