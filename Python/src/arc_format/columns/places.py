"""The positions of chunks by a directory, and their check. Spec: 13.2, positions; 13.3."""

from __future__ import annotations

import numpy as np

from arc_format.basics.errors import reject
from arc_format.columns.directory import Directory, starts_of
from arc_format.columns.integers import exact_sum
from arc_format.columns.rows import Rows
from arc_format.container.cursor import Cursor
from arc_format.container.inflation import Part
from arc_format.container.segment import Segment

#: A payload, and the parts of it that are present.
Held = tuple[Cursor, list[Part]]

#: Sizes of segments are below this number [I3]; a larger number in a directory is always wrong.
_IMPOSSIBLE = 1 << 40


class Places:
    """The offset of each block and chunk in the payload of its segment: `LINK` for a weak chunk, else `ROWS`."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        for each in (directory.heads, directory.sizes, directory.columns):
            if len(each) and (int(each.max()) >= _IMPOSSIBLE or exact_sum(each) >= 1 << 60):
                reject("Y3", directory.offset, f"sizes or counts of {int(each.max())}, {exact_sum(each)} in all")
        self.heads, self.columns, self.sizes = (
            each.astype(np.int64) for each in (directory.heads, directory.columns, directory.sizes))
        lengths = self.sizes + _varint_bytes(self.sizes)
        self._lengths: Rows = lengths
        own, weak = (starts_of(np.where(directory.is_weak == which, lengths, 0)) for which in (False, True))
        column_counts = starts_of(_varint_bytes(self.columns))
        blocks, chunks = directory.block_starts, directory.chunk_starts
        segments = np.repeat(np.arange(directory.segment_count), np.diff(blocks))
        first_blocks = blocks[:-1][segments]
        # Before a block are the runs, and the column counts and chunks of the earlier blocks.
        self.blocks = (self.heads[segments] + column_counts[:-1] - column_counts[first_blocks]
                       + own[chunks[:-1]] - own[chunks[first_blocks]])
        block_of_chunk = np.repeat(np.arange(len(segments)), np.diff(chunks))
        first = chunks[:-1][block_of_chunk]
        in_rows = self.blocks[block_of_chunk] + np.diff(column_counts)[block_of_chunk] + own[:-1] - own[first]
        in_link = weak[:-1] - weak[chunks[first_blocks]][block_of_chunk]
        self.chunks: Rows = np.where(directory.is_weak, in_link, in_rows)
        ends = chunks[blocks]
        #: the sizes of the payloads of each segment and of its `LINK` by the directory
        self.row_bytes: Rows = self.heads + np.diff(column_counts[blocks]) + np.diff(own[ends])
        self.link_bytes: Rows = np.diff(weak[ends])

        own_chunks = ~directory.is_weak
        in_segment = segments[block_of_chunk]
        self._in_rows = _Varints(
            np.concatenate([self.blocks, in_rows[own_chunks]]), np.concatenate([self.columns, self.sizes[own_chunks]]),
            np.concatenate([segments, in_segment[own_chunks]]), directory.segment_count)
        self._in_links = _Varints(in_link[~own_chunks], self.sizes[~own_chunks], in_segment[~own_chunks],
                                  directory.segment_count)

    def check_sizes(self, number: int, segment: Segment, link: Segment | None) -> None:
        """Checks that the payloads of a segment and of its `LINK` have the sizes that the directory states."""
        if (int(self.row_bytes[number]), int(self.link_bytes[number])) != (segment.raw, link.raw if link else 0):
            self._differ(segment)

    def check(self, number: int, segment: Segment, rows: Held, link: Held | None) -> None:
        """Checks that each position of a segment contains the expected varint, as far as the payloads are present.

        Then the chunks of the directory are the chunks of the segment: each determines the position of the next.
        """
        if not (self._in_rows.stand(number, rows) and (link is None or self._in_links.stand(number, link))):
            self._differ(segment)

    def part(self, chunk: int) -> Part:
        """Returns the range of a chunk in its payload."""
        start = int(self.chunks[chunk])
        return start, start + int(self._lengths[chunk])

    def _differ(self, segment: Segment) -> None:
        reject("Y3", self.directory.offset, f"other chunks than the segment at byte {segment.offset} has")


class _Varints:
    """The expected varints at some positions in payloads, sorted by segment."""

    def __init__(self, places: Rows, values: Rows, segments: Rows, segment_count: int) -> None:
        sizes = _varint_bytes(values)
        within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        owners = np.repeat(segments, sizes)
        order = np.argsort(owners, kind="stable")
        more = np.where(within + 1 < np.repeat(sizes, sizes), 0x80, 0)
        self._bytes = (np.repeat(values, sizes) >> 7 * within & 0x7F | more).astype(np.uint8)[order]
        self._places = (np.repeat(places, sizes) + within)[order]
        self._starts: list[int] = np.searchsorted(owners[order], np.arange(segment_count + 1)).tolist()

    def stand(self, number: int, held: Held) -> bool:
        """Returns whether the present parts of the payload of a segment contain the expected varints."""
        own = slice(self._starts[number], self._starts[number + 1])
        places, expected, content = self._places[own], self._bytes[own], np.frombuffer(held[0].data, np.uint8)
        if held[1] == [(0, len(content))]:
            try:
                return bytes(content[places]) == bytes(expected)
            except IndexError:
                pass
        is_here = np.zeros(len(places), np.bool_)
        for start, end in held[1]:
            is_here |= (places >= start) & (places < end)
        return bytes(content[places[is_here]]) == bytes(expected[is_here])


def _varint_bytes(values: Rows) -> Rows:
    """Returns the size of each number as a varint."""
    sizes = np.ones(len(values), np.int64)
    for shift in range(7, 42, 7):
        sizes += values >= 1 << shift
    return sizes
