"""The payloads of a file's segments: checked once, and inflated ones kept for a while."""

from __future__ import annotations

from arc_format.container.cursor import Cursor
from arc_format.container.segment import Segment, read_payload

#: Inflated bytes that are kept at most.
KEPT_BYTES = 64 << 20


class Payloads:
    """Gives payloads. A segment's checksum is compared when it is first read, not again."""

    def __init__(self, data: memoryview, checks_sums: bool) -> None:
        self.data, self.checks_sums = data, checks_sums
        self._sound: set[int] = set()
        self._kept: dict[int, memoryview] = {}
        self._kept_bytes = 0

    def unsummed(self, segment: Segment) -> Cursor:
        """The same for a reader that compares the checksum of each chunk that it reads, by a directory.

        The segment's checksum is not compared, unless it has to be inflated.
        """
        if segment.codec:
            return self(segment)
        start = segment.offset + 24
        return Cursor(self.data[start:start + segment.stored], start)

    def __call__(self, segment: Segment) -> Cursor:
        """What a segment holds, from its begin on."""
        kept = self._kept.get(segment.offset)
        if kept is not None:
            return Cursor(kept, segment.offset + 24)
        cursor = read_payload(self.data, segment, self.checks_sums and segment.offset not in self._sound)
        self._sound.add(segment.offset)
        if segment.codec and self._kept_bytes + segment.raw <= KEPT_BYTES:
            self._kept[segment.offset] = cursor.data
            self._kept_bytes += segment.raw
        return cursor
