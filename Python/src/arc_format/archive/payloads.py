"""The payloads of a file's segments: checked once, and inflated ones kept for a while."""

from __future__ import annotations

from arc_format.container.cursor import Cursor
from arc_format.container.inflation import Inflation, Part
from arc_format.container.segment import Segment, stored_bytes

#: Inflated bytes that are kept at most.
KEPT_BYTES = 64 << 20

#: What an inflation takes besides: the window of its stream.
_WINDOW_BYTES = 1 << 16


class Payloads:
    """Gives payloads. A segment's checksum is compared when it is first read, not again."""

    def __init__(self, data: memoryview, checks_sums: bool) -> None:
        self.data, self.checks_sums = data, checks_sums
        self._sound: set[int] = set()
        self._kept: dict[int, Inflation] = {}
        self._kept_bytes = 0

    def holding(self, segment: Segment, parts: list[Part]) -> tuple[Cursor, list[Part]]:
        """What a segment holds, some parts of it at least, and which are there.

        For a reader that compares checksums of parts, by a directory: the segment's own is not compared. Of a
        compressed one no more is inflated than is needed.
        """
        start = segment.offset + 24
        if segment.codec:
            raw, there = self._inflation(segment).holding(parts)
            return Cursor(raw, start), there
        return Cursor(self.data[start:start + segment.stored], start), [(0, segment.stored)]

    def __call__(self, segment: Segment) -> Cursor:
        """What a segment holds, from its begin on."""
        stored = self.check(segment)
        return Cursor(self._inflation(segment).upto(segment.raw) if segment.codec else stored, segment.offset + 24)

    def check(self, segment: Segment) -> memoryview:
        """The bytes of a segment as they are stored, whose checksum is right [S2], [S5]."""
        stored = stored_bytes(self.data, segment, self.checks_sums and segment.offset not in self._sound)
        self._sound.add(segment.offset)
        return stored

    def _inflation(self, segment: Segment) -> Inflation:
        kept, start = self._kept.get(segment.offset), segment.offset + 24
        if kept is None:
            kept = Inflation(self.data[start:start + segment.stored], segment.raw, start)
            if self._kept_bytes + segment.raw + _WINDOW_BYTES <= KEPT_BYTES:
                self._kept[segment.offset] = kept
                self._kept_bytes += segment.raw + _WINDOW_BYTES
        return kept
