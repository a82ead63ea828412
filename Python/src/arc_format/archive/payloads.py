"""The payloads of the segments of a file. Each is checked once, and decompressed payloads are cached."""

from __future__ import annotations

from collections.abc import Mapping

from arc_format.container.cursor import Cursor
from arc_format.container.inflation import Inflation, Part, Point
from arc_format.container.segment import Segment, stored_bytes

#: The maximum number of decompressed bytes in the cache.
KEPT_BYTES = 64 << 20

#: The additional memory of a decompression: the window of its stream.
_WINDOW_BYTES = 1 << 16


class Payloads:
    """Reads payloads. The checksum of a segment is only compared when the segment is first read."""

    def __init__(self, data: memoryview, checks_sums: bool) -> None:
        self.data, self.checks_sums = data, checks_sums
        self._sound: set[int] = set()
        self._kept: dict[int, Inflation] = {}
        self._kept_bytes = 0
        #: the points of segments at which decompression can begin, by offset, and payloads that use them
        self._points: Mapping[int, list[Point]] = {}
        self._kept_parts: dict[int, Inflation] = {}

    def use(self, points: Mapping[int, list[Point]]) -> None:
        """Sets the points at which the decompression of a segment can begin, by the offset of the segment.

        Only `holding` uses the points.
        """
        self._kept_bytes -= sum(kept.raw_bytes + _WINDOW_BYTES for kept in self._kept_parts.values())
        self._points, self._kept_parts = points, {}

    def drop_points(self) -> bool:
        """Drops the points, which can be the cause of an error. Returns whether there were any."""
        had_points = bool(self._points)
        self.use({})
        return had_points

    def holding(self, segment: Segment, parts: list[Part]) -> tuple[Cursor, list[Part]]:
        """Returns at least some parts of the payload of a segment, and which parts are present.

        For a reader with a directory, which compares the checksums of parts: the checksum of the segment is not
        compared. Only the needed part of a compressed payload is decompressed.
        """
        start = segment.offset + 24
        if segment.codec:
            points = self._points.get(segment.offset) if segment.offset not in self._kept else None
            raw, there = self._inflation(segment, points).holding(parts)
            return Cursor(raw, start), there
        return Cursor(self.data[start:start + segment.stored], start), [(0, segment.stored)]

    def __call__(self, segment: Segment) -> Cursor:
        """Returns the payload of a segment."""
        stored = self.check(segment)
        return Cursor(self._inflation(segment).upto(segment.raw) if segment.codec else stored, segment.offset + 24)

    def check(self, segment: Segment) -> memoryview:
        """Returns the stored payload of a segment after its checks [S2], [S5]."""
        stored = stored_bytes(self.data, segment, self.checks_sums and segment.offset not in self._sound)
        self._sound.add(segment.offset)
        return stored

    def _inflation(self, segment: Segment, points: list[Point] | None = None) -> Inflation:
        cache = self._kept if points is None else self._kept_parts
        kept, start = cache.get(segment.offset), segment.offset + 24
        if kept is None:
            kept = Inflation(self.data[start:start + segment.stored], segment.raw, start, points)
            if self._kept_bytes + segment.raw + _WINDOW_BYTES <= KEPT_BYTES:
                cache[segment.offset] = kept
                self._kept_bytes += segment.raw + _WINDOW_BYTES
        return kept
