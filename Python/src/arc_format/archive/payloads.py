"""The payloads of a file's segments: checked once, and inflated ones kept for a while."""

from __future__ import annotations

from arc_format.container.cursor import Cursor
from arc_format.container.inflation import Inflation
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

    def begin(self, segment: Segment, size: int) -> Cursor:
        """`size` bytes or more of what a segment holds, for a reader that compares checksums of parts, by a directory.

        The segment's own checksum is not compared; a compressed one is inflated as far as is needed.
        """
        start = segment.offset + 24
        if segment.codec:
            return Cursor(self._inflated(segment, size), start)
        return Cursor(self.data[start:start + segment.stored], start)

    def __call__(self, segment: Segment) -> Cursor:
        """What a segment holds, from its begin on."""
        stored = self.check(segment)
        return Cursor(self._inflated(segment, segment.raw) if segment.codec else stored, segment.offset + 24)

    def check(self, segment: Segment) -> memoryview:
        """The bytes of a segment as they are stored, whose checksum is right [S2], [S5]."""
        stored = stored_bytes(self.data, segment, self.checks_sums and segment.offset not in self._sound)
        self._sound.add(segment.offset)
        return stored

    def _inflated(self, segment: Segment, size: int) -> memoryview:
        kept, start = self._kept.get(segment.offset), segment.offset + 24
        if kept is None:
            kept = Inflation(self.data[start:start + segment.stored], segment.raw, start)
            if self._kept_bytes + segment.raw + _WINDOW_BYTES <= KEPT_BYTES:
                self._kept[segment.offset] = kept
                self._kept_bytes += segment.raw + _WINDOW_BYTES
        return kept.upto(size)
