"""Points at which the decompression of a segment can begin. Spec: 13.5."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from arc_format.basics.errors import ArcError, reject
from arc_format.basics.limits import Limits
from arc_format.columns.integers import MAXIMUM_SHORT, Sequence, exact_sum, take_plain
from arc_format.container import deflate
from arc_format.container.cursor import Cursor
from arc_format.container.inflation import BLOCK_BYTES, Point, parts_of
from arc_format.container.layout import Layout
from arc_format.container.segment import Segment, read_payload

KIND = b"ZPTS"

#: The approximate memory of each segment and point that a list states.
_ENTRY_BYTES = 96


class SegmentPoints(NamedTuple):
    """The points of a segment, and the checksums of its parts if it contains strings."""

    segment: Segment
    points: list[Point]
    part_sums: list[int]


class Points:
    """The content of a list of points, for the compressed segments of strings, rows and links of a file."""

    def __init__(self, cursor: Cursor, listed: list[Segment], limits: Limits, offset: int) -> None:
        self.offset = offset
        count = cursor.varint()
        if count != len(listed):
            reject("Y8", offset, f"points of {count} segments, but {len(listed)} segments can have points")
        counts = Sequence(cursor, count, 8).values()
        total = exact_sum(counts)
        if total > MAXIMUM_SHORT and total > cursor.left():
            reject("B5", cursor.place, f"{total} points")
        if (count + total) * _ENTRY_BYTES > limits.raw_bytes:
            reject("A2", cursor.place, f"points that take {(count + total) * _ENTRY_BYTES} bytes")
        raw, stored = (Sequence(cursor, total, 8).values().tolist() for _ in range(2))
        if any(not 0 < distance < 1 << 40 for distance in (*raw, *stored)):
            reject("B5", cursor.place, "a distance of 0, or of 2^40 or more")
        self.segments: list[SegmentPoints] = []
        at = 0
        for segment, number in zip(listed, counts.tolist(), strict=True):
            points = list(zip(accumulate(raw[at:at + number]), accumulate(stored[at:at + number]), strict=True))
            for point in points:
                if point[0] >= segment.raw or point[0] % BLOCK_BYTES == 0 or point[1] >= segment.stored:
                    reject("Y8", offset, f"the point {point} of the segment at byte {segment.offset}")
            self.segments.append(SegmentPoints(segment, points, []))
            at += number
        for each in self.segments:
            if each.segment.kind == b"STRS":
                parts = len(each.points) + -(-each.segment.raw // BLOCK_BYTES)
                each.part_sums.extend(np.frombuffer(take_plain(cursor, parts, 4), "<u4").tolist())
        cursor.done()

    def verify(self, data: memoryview, payload: Callable[[Segment], Cursor]) -> None:
        """Compares all parts with the segments [Y8], [Y9], [Y10]. The segments are sound."""
        for segment, points, part_sums in self.segments:
            start = segment.offset + 24
            raw = payload(segment).data
            parts = parts_of(data[start:start + segment.stored], segment.raw, points, self.offset)
            for number, part in enumerate(parts):
                expected = raw[part.start:part.start + part.raw_bytes]
                if part.next(part.raw_bytes, self.offset) != expected:
                    reject("Y9", self.offset, f"a part of the segment at byte {segment.offset} that differs")
                if part_sums and deflate.crc32(expected) != part_sums[number]:
                    reject("Y10", self.offset, f"the checksum of a part of the segment at byte {segment.offset}")


def read_points(data: memoryview, layout: Layout, limits: Limits, checks_sum: bool = True) -> Points | None:
    """Reads the points of a file, if it has a list. Checks [Y6], [Y7], [A2], and [Y8] without the stored payloads."""
    segments = layout.of_kind(KIND)
    if not segments:
        return None
    if len(segments) > 1 or segments[0].first:
        reject("Y6", 32, f"{len(segments)} ZPTS segments, the first with first {segments[0].first}")
    listed = [each for each in layout.segments if each.codec and each.kind in (b"STRS", b"ROWS", b"LINK")]
    if segments[0].count != len(listed):
        reject("Y8", segments[0].offset, f"{segments[0].count} segments by the index, not {len(listed)}")
    try:
        return Points(read_payload(data, segments[0], checks_sum), listed, limits, segments[0].offset)
    except ArcError as error:
        if error.rule in ("A2", "Y8"):
            raise
        reject("Y7", segments[0].offset, f"{error.found}, expected {error.expected} [{error.rule}]")
