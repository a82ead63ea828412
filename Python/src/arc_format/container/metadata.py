"""The metadata of a file. Spec: 02.6."""

from __future__ import annotations

from arc_format.basics.errors import reject
from arc_format.container.layout import Layout
from arc_format.container.segment import read_payload


def read_metadata(data: memoryview, layout: Layout) -> dict[str, str]:
    """Reads the keys and values of the META segment, if there is one [D1], [D3]."""
    pairs: dict[str, str] = {}
    for segment in layout.of_kind(b"META"):
        cursor, last = read_payload(data, segment), None
        for _ in range(cursor.count(2)):
            key = cursor.string()
            if last is not None and key.encode() <= last:
                reject("D1", cursor.place, f"key '{key}' in the wrong place")
            last = key.encode()
            pairs[key] = cursor.string()
        cursor.done()
        if len(pairs) != segment.count:
            reject("D3", segment.offset, f"{len(pairs)} pairs where the index says {segment.count}")
    return pairs
