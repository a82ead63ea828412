"""Some columns of some classes out of a segment, by the directory: other chunks are not looked at. Spec: 13.3."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import cached_property, partial

import numpy as np

from arc_format.basics.errors import reject
from arc_format.basics.limits import Limits
from arc_format.columns.chunks import Chunk
from arc_format.columns.directory import Directory
from arc_format.columns.places import Places
from arc_format.columns.rows import CHUNK_BYTES, Block, ColumnChunks, Rows, Wanted, read_runs
from arc_format.columns.runs import RunIndex, index_runs
from arc_format.container.cursor import Cursor
from arc_format.container.segment import Segment
from arc_format.schema.classes import Class, ClassTable
from arc_format.schema.types import Node

#: Whether a block may be passed over: its class, the position of its first chunk, its column count.
Excluded = Callable[[Class, int, int], bool]


class Selection:
    """Reads blocks of a file that has a directory. `payload` gives what a segment holds, its checksum unseen.

    `segments` are all with rows.
    """

    def __init__(self, directory: Directory, table: ClassTable, limits: Limits, segments: list[Segment],
                 payload: Callable[[Segment], Cursor]) -> None:
        self.directory, self.table, self.limits, self.payload = directory, table, limits, payload
        self._segments = segments
        self._places = Places(directory)
        self._checked: set[int] = set()

    def blocks(self, number: int, segment: Segment, link: Segment | None, classes: Container[int], wants: Wanted,
               excludes: Excluded) -> Iterator[Block]:
        """The blocks of some classes in a segment, with the columns that are wanted."""
        directory, memory = self.directory, 0
        chosen = [
            at for at in directory.blocks(number) if int(directory.classes[at]) in classes and not excludes(
                self.table[int(directory.classes[at])], int(directory.chunk_starts[at]), int(directory.columns[at]))]
        if not chosen:
            return
        payload, links = self.payload(segment), self.payload(link) if link else None
        if number not in self._checked:
            self._places.check(number, segment, payload, links)
            self._checked.add(number)
        runs = self._runs(number, segment, payload)
        for at in chosen:
            each, columns = self.table[int(directory.classes[at])], int(directory.columns[at])
            if columns < each.required_columns:
                reject("R2", segment.offset, f"{columns} columns of '{each.name}'")
            starts, lengths = runs(each.index)
            directory.check_runs(number, at, segment.first, starts, lengths)
            block = Block(each, starts, lengths)
            block.column_count = columns
            chunk = int(directory.chunk_starts[at])
            for position, column in each.stored_columns:
                if position >= columns:
                    break
                stored = column.tree.stored
                if wants(each, position):
                    memory += CHUNK_BYTES * len(stored)
                    if memory > self.limits.raw_bytes:
                        reject("A2", segment.offset, f"chunks that take {memory} bytes")
                    block.columns[position] = ColumnChunks(column, [
                        self._chunk(place, node, payload, links, segment) for place, node in enumerate(stored, chunk)])
                chunk += len(stored)
            yield block

    def _runs(self, number: int, segment: Segment, payload: Cursor) -> Callable[[int], tuple[Rows, Rows]]:
        """What gives the runs of a class in a segment: first rows and lengths."""
        if self.index is not None:
            return partial(self.index.of, number)
        cursor = Cursor(self.directory.head(number, payload), payload.offset)
        classes, lengths = read_runs(cursor, segment, len(self.table))
        cursor.done()
        starts = segment.first + np.cumsum(lengths) - lengths
        return lambda index: (starts[classes == index], lengths[classes == index])

    @cached_property
    def index(self) -> RunIndex | None:
        """The runs of all segments; None where they are to be read one by one: one is compressed, or wrong."""
        if any(segment.codec for segment in self._segments):
            return None
        heads = [self.directory.head(number, self.payload(segment)) for number, segment in enumerate(self._segments)]
        return index_runs(heads, self._segments, len(self.table))

    def _chunk(self, position: int, node: Node, payload: Cursor, links: Cursor | None, segment: Segment) -> Chunk:
        source = links if node.kind == "weak" else payload
        if source is None:
            reject("L1", segment.offset, "no LINK for a weak column")
        chunk = Chunk(Cursor(source.data, source.offset, int(self._places.chunks[position])), node)
        self.directory.check_chunk(position, chunk)
        return chunk
