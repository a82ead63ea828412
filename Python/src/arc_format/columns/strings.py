"""The string table: all strings of all STRS segments. Spec: 04.4, rules X1, X3, I5."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from arc_format.basics.errors import reject
from arc_format.basics.limits import Limits
from arc_format.columns.integers import UNSIGNED, Integers
from arc_format.columns.texts import Offsets, check_utf8, offsets_of, take_texts
from arc_format.container.layout import Layout
from arc_format.container.segment import Segment, read_payload


class Strings:
    """Strings with consecutive ids, from `first` on, as Arrow arrays that share their characters."""

    def __init__(self, first: int, offsets: Offsets, body: memoryview) -> None:
        self.first = first
        self.array: pa.Array = pa.Array.from_buffers(
            pa.large_string(), len(offsets) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(body)])
        #: bytes of each
        self.lengths = np.diff(offsets)

    @cached_property
    def views(self) -> pa.Array:
        """The strings as views of 16 bytes: gathering views copies no characters."""
        return self.array.cast(pa.string_view())


class StringTable:
    """The strings of the string table, by id. Only segments with requested ids are read."""

    def __init__(self, data: memoryview, segments: Sequence[Segment], limits: Limits) -> None:
        self._data, self._segments, self._limits = data, segments, limits
        #: the id after the last string of each segment, by the index
        self._ends = np.cumsum([segment.count for segment in segments], dtype=np.int64)
        #: lengths and characters of each segment that was read
        self._texts: dict[int, tuple[Integers, memoryview]] = {}
        #: the segments that were joined last, and their strings
        self._joined = range(0), Strings(0, np.zeros(1, np.int64), memoryview(b""))

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    @property
    def whole(self) -> Strings:
        """All strings of the table."""
        return self._of(range(len(self._segments)))

    def holding(self, numbers: npt.NDArray[np.integer]) -> Strings:
        """Returns strings that include the strings with some ids. All ids must be below the count."""
        if len(self) > self._limits.elements:
            reject("A7", self._segments[0].offset, f"{len(self)} strings")
        if not len(numbers):
            return self._joined[1]
        first, last = np.searchsorted(self._ends, [numbers.min(), numbers.max()], side="right").tolist()
        return self._of(range(first, last + 1))

    def number(self, text: str) -> int:
        """Returns the id of a string; -1 if it is not in the table."""
        return int(pc.index(self.whole.array, pa.scalar(text, pa.large_string())).as_py())

    def _of(self, segments: range) -> Strings:
        """Returns the strings of at least these segments."""
        joined, strings = self._joined
        if joined.start <= segments.start and segments.stop <= joined.stop:
            return strings
        if joined:
            # Requests for strings of changing segments: joining some segments repeatedly would take longer.
            segments = range(len(self._segments))
        texts, total = [], 0
        for number in segments:
            texts.append(self._texts.get(number) or self._read(self._segments[number], total))
            total += len(texts[-1][0])
        body = texts[0][1] if len(texts) == 1 else memoryview(b"".join(body for _, body in texts))
        offsets = offsets_of(np.concatenate([lengths.astype(np.int64) for lengths, _ in texts]))
        strings = Strings(int(self._ends[segments.start - 1]) if segments.start else 0, offsets, body)
        # Caches segments that may be joined with others. If all are joined, none is needed again.
        self._texts = {} if len(segments) == len(self._segments) else dict(zip(segments, texts, strict=True))
        self._joined = segments, strings
        return strings

    def _read(self, segment: Segment, total: int) -> tuple[Integers, memoryview]:
        """Reads and checks the lengths and characters of a segment. `total` strings precede the segment."""
        cursor = read_payload(self._data, segment)
        count, width = cursor.count(), cursor.u8()
        if width not in UNSIGNED or count > cursor.left() // width:
            reject("X1", cursor.place, f"{count} lengths of {width} bytes")
        if total + count > self._limits.elements:
            reject("A7", segment.offset, f"{total + count} strings")
        lengths = np.frombuffer(cursor.take(count * width), UNSIGNED[width])
        body = take_texts(cursor, lengths, "X1")
        check_utf8(body, offsets_of(lengths), "X3", segment.offset)
        cursor.done()
        if count != segment.count:
            reject("I5", segment.offset, f"{count} strings where the index says {segment.count}")
        return lengths, body


def read_strings(data: memoryview, layout: Layout, limits: Limits) -> StringTable:
    """Returns the string table, with all STRS segments read."""
    table = StringTable(data, layout.of_kind(b"STRS"), limits)
    _ = table.whole
    return table
