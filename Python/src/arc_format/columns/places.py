"""Where a directory says that chunks are, and whether they are there. Spec: 13.2, places; 13.3."""

from __future__ import annotations

import numpy as np

from arc_format.basics.errors import reject
from arc_format.columns.directory import Directory, starts_of
from arc_format.columns.rows import Rows
from arc_format.container.cursor import Cursor
from arc_format.container.segment import Segment

#: Sizes of segments are below this [I3]; a larger number in a directory is never right.
_IMPOSSIBLE = 1 << 40


class Places:
    """Where each block and each chunk begins in the payload of its segment: of `LINK` if it is weak, else of `ROWS`."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        for each in (directory.heads, directory.sizes, directory.columns):
            if len(each) and int(each.max()) >= _IMPOSSIBLE:
                reject("Y3", directory.offset, f"a size or a count of {int(each.max())}")
        self.heads, self.columns, self.sizes = (
            each.astype(np.int64) for each in (directory.heads, directory.columns, directory.sizes))
        lengths = self.sizes + _varint_bytes(self.sizes)
        own, weak = (starts_of(np.where(directory.is_weak == which, lengths, 0)) for which in (False, True))
        column_counts = starts_of(_varint_bytes(self.columns))
        blocks, chunks = directory.block_starts, directory.chunk_starts
        segments = np.repeat(np.arange(directory.segment_count), np.diff(blocks))
        first_blocks = blocks[:-1][segments]
        # What stands before a block: the runs, and the column counts and chunks of the blocks before it.
        self.blocks = (self.heads[segments] + column_counts[:-1] - column_counts[first_blocks]
                       + own[chunks[:-1]] - own[chunks[first_blocks]])
        block_of_chunk = np.repeat(np.arange(len(segments)), np.diff(chunks))
        first = chunks[:-1][block_of_chunk]
        in_rows = self.blocks[block_of_chunk] + np.diff(column_counts)[block_of_chunk] + own[:-1] - own[first]
        in_link = weak[:-1] - weak[chunks[first_blocks]][block_of_chunk]
        self.chunks: Rows = np.where(directory.is_weak, in_link, in_rows)
        ends = chunks[blocks]
        #: how many bytes the payloads of each segment and of its `LINK` have by this
        self.row_bytes: Rows = self.heads + np.diff(column_counts[blocks]) + np.diff(own[ends])
        self.link_bytes: Rows = np.diff(weak[ends])

    def check(self, number: int, segment: Segment, payload: Cursor, links: Cursor | None) -> None:
        """Whether at each place of a segment stands the varint that belongs there.

        Then the chunks are those of the segment, since each leads to the next.
        """
        blocks = self.directory.blocks(number)
        chunks = slice(int(self.directory.chunk_starts[blocks.start]), int(self.directory.chunk_starts[blocks.stop]))
        own_blocks = slice(blocks.start, blocks.stop)
        weak, places, sizes = self.directory.is_weak[chunks], self.chunks[chunks], self.sizes[chunks]
        link_data = links.data if links is not None else memoryview(b"")
        is_right = int(self.row_bytes[number]) == len(payload.data) and int(self.link_bytes[number]) == len(link_data) \
            and _stand(payload.data, self.blocks[own_blocks], self.columns[own_blocks]) \
            and _stand(payload.data, places[~weak], sizes[~weak]) and _stand(link_data, places[weak], sizes[weak])
        if not is_right:
            reject("Y3", self.directory.offset, f"other chunks than the segment at byte {segment.offset} has")


def _varint_bytes(values: Rows) -> Rows:
    """How many bytes each takes as a varint."""
    sizes = np.ones(len(values), np.int64)
    for shift in range(7, 42, 7):
        sizes += values >= 1 << shift
    return sizes


def _stand(data: memoryview, places: Rows, values: Rows) -> bool:
    """Whether each value stands at its place as a varint."""
    if not len(values):
        return True
    content, sizes = np.frombuffer(data, np.uint8), _varint_bytes(values)
    if int((places + sizes).max()) > len(content):
        return False
    for at in range(int(sizes.max())):
        there = sizes > at
        expected = values[there] >> 7 * at & 0x7F | np.where(sizes[there] > at + 1, 0x80, 0)
        if (content[places[there] + at] != expected).any():
            return False
    return True
