"""The string table: all strings of all STRS segments. Spec: 04.4, rules X1, X3, I5."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arc_format.basics.errors import reject
from arc_format.basics.limits import Limits
from arc_format.columns.integers import UNSIGNED
from arc_format.columns.texts import Offsets, check_utf8, offsets_of, take_texts
from arc_format.container.layout import Layout
from arc_format.container.segment import read_payload


class StringTable:
    """The strings that columns name by their numbers, as Arrow arrays that share their characters."""

    def __init__(self, offsets: Offsets, body: memoryview) -> None:
        self.array: pa.Array = pa.Array.from_buffers(
            pa.large_string(), len(offsets) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(body)])
        #: bytes of each
        self.lengths = np.diff(offsets)
        self._views: pa.Array | None = None

    def number(self, text: str) -> int:
        """The number of a string, -1 if it is not in the table."""
        return int(pc.index(self.array, pa.scalar(text, pa.large_string())).as_py())

    def __len__(self) -> int:
        return len(self.array)

    @property
    def views(self) -> pa.Array:
        """The same as views of 16 bytes: to gather them copies no characters."""
        if self._views is None:
            self._views = self.array.cast(pa.string_view())
        return self._views


def read_strings(data: memoryview, layout: Layout, limits: Limits) -> StringTable:
    """All STRS segments, all strings well-formed."""
    lengths, bodies, total = [np.zeros(0, np.int64)], [], 0
    for segment in layout.of_kind(b"STRS"):
        cursor = read_payload(data, segment)
        count, width = cursor.count(), cursor.u8()
        if width not in UNSIGNED or count > cursor.left() // width:
            reject("X1", cursor.place, f"{count} lengths of {width} bytes")
        total += count
        if total > limits.elements:
            reject("A7", segment.offset, f"{total} strings")
        here = np.frombuffer(cursor.take(count * width), UNSIGNED[width])
        body = take_texts(cursor, here, "X1")
        check_utf8(body, offsets_of(here), "X3", segment.offset)
        cursor.done()
        if count != segment.count:
            reject("I5", segment.offset, f"{count} strings where the index says {segment.count}")
        lengths.append(here.astype(np.int64))
        bodies.append(body)
    body = bodies[0] if len(bodies) == 1 else memoryview(b"".join(bodies))
    return StringTable(offsets_of(np.concatenate(lengths)), body)
