"""Archives with a directory: any archive gets one."""

from __future__ import annotations

import functools
import struct
import zlib

from judge import arc

from arc_format.basics.limits import DEFAULT
from arc_format.columns.rows import pair_links
from arc_format.container.layout import read_layout
from arc_format.container.segment import read_payload
from arc_format.schema.classes import read_classes
from arc_format.writing.directory import DirectoryWriter
from arc_format.writing.primitives import string, varint


@functools.lru_cache(64)
def directory_of(data: bytes) -> tuple[bytes, int]:
    """The payload of the directory of an archive, and its *count*."""
    view = memoryview(data)
    layout = read_layout(view, DEFAULT)
    writer = DirectoryWriter(read_classes(view, layout, DEFAULT))
    for segment, link in pair_links(layout):
        writer.add(segment.first, segment.count, bytes(read_payload(view, segment).data),
                   None if link is None else bytes(read_payload(view, link).data))
    return writer.payload()


def with_directory(data: bytes, payload: bytes | None = None) -> bytes:
    """The archive with its directory, or with this one, as the last segment, instead of one that it has there."""
    right, count = directory_of(data)
    payload = right if payload is None else payload
    _, rows, _, _ = arc.read_trailer(data)
    entries = arc.read_index(memoryview(data), arc.DEFAULT, *arc.read_trailer(data))
    if entries[-1].kind == b"CDIR":
        entries = entries[:-1]
    kept, added = data[:entries[-1].end], segment(b"CDIR", payload, flags=1)
    checksums = b"".join(data[each.end - 4:each.end] for each in entries) + added[-4:]
    index = string("test") + varint(len(entries) + 1) + b"".join(
        each.kind + b"".join(map(varint, (each.codec, each.stored, each.raw, each.first, each.count)))
        for each in entries) + b"CDIR" + b"".join(map(varint, (0, len(payload), len(payload), 0, count)))
    trailer = struct.pack("<QQII", len(kept) + len(added), rows, len(entries) + 1, zlib.crc32(checksums))
    return kept + added + segment(b"INDX", index) + trailer + struct.pack("<I", zlib.crc32(trailer)) + b"CRA\x8A"


def segment(kind: bytes, payload: bytes, flags: int = 0) -> bytes:
    """A stored segment."""
    data = struct.pack("<4sBBHQQ", kind, flags, 0, 0, len(payload), len(payload)) + payload
    data += bytes(-(len(payload) + 4) % 8)
    return data + struct.pack("<I", zlib.crc32(data))
