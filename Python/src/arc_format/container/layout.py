"""Header, trailer and index, which determine the positions of all segments. Spec: 02.1, 02.4, 02.5."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from arc_format.basics.errors import reject
from arc_format.basics.limits import Limits
from arc_format.container import deflate
from arc_format.container.segment import KINDS, Segment, read_payload, read_segment_header

SIGNATURE = b"\x8AARC\r\n\x1A\n"
END_SIGNATURE = b"CRA\x8A"


@dataclass
class Layout:
    """The segments of a file. Header, trailer and index are checked."""

    version: tuple[int, int]
    #: the name of the writer, for people
    producer: str
    row_count: int
    segments: list[Segment]

    def of_kind(self, kind: bytes) -> list[Segment]:
        """Returns the segments of one kind, in file order."""
        return [segment for segment in self.segments if segment.kind == kind]


def read_layout(data: memoryview, limits: Limits) -> Layout:
    """Reads header, trailer and index, in the order of 05.4, steps 1 to 5."""
    if len(data) > limits.file_bytes:
        reject("A1", 0, f"{len(data)} bytes")
    version = _read_header(data)
    index_offset, row_count, segment_count, checksum = _read_trailer(data)
    producer, segments, raw_bytes = _read_index(data, limits, index_offset, segment_count, checksum)
    _check_sums(segments, raw_bytes, row_count, len(data) - 32, limits)
    _check_headers(data, segments)
    return Layout(version, producer, row_count, segments)


def _read_header(data: memoryview) -> tuple[int, int]:
    if data[:8] != SIGNATURE[:len(data)]:
        reject("H2", 0, f"the bytes {bytes(data[:8]).hex(' ')}")
    if len(data) < 32:
        reject("H1", len(data), f"{len(data)} bytes")
    major, minor, required, _, reserved, checksum = struct.unpack_from("<HHIIQI", data, 8)
    if deflate.crc32(data[:28]) != checksum or reserved:
        reject("H3", 0, "a damaged header")
    if major != 1:
        reject("H4", 8, f"version {major}.{minor}")
    if required:
        reject("H5", 12, f"features {required:#x}")
    return major, minor


def _read_trailer(data: memoryview) -> tuple[int, int, int, int]:
    """Returns index offset, row count, segment count and segments checksum."""
    start = len(data) - 32
    if start < 32 or data[-4:] != END_SIGNATURE:
        reject("T1", len(data), "no trailer")
    offset, rows, count, segments_checksum, checksum = struct.unpack_from("<QQIII", data, start)
    if deflate.crc32(data[start:start + 24]) != checksum:
        reject("T2", start, "a damaged trailer")
    if not 32 <= offset <= start - 32:
        reject("T3", start, f"an index at byte {offset}")
    return offset, rows, count, segments_checksum


def _read_index(data: memoryview, limits: Limits, offset: int, segment_count: int, checksum: int,
                ) -> tuple[str, list[Segment], int]:
    """Returns the name of the writer, the segments before the index, and the raw size of the index."""
    trailer = len(data) - 32
    index = read_segment_header(data, offset)
    if index.kind != b"INDX" or index.end != trailer:
        reject("I1", offset, "no index that ends at the trailer")
    if index.raw > limits.raw_bytes:
        reject("A2", offset, f"{index.raw} bytes of index")
    cursor = read_payload(data, index)
    producer, segments, checksums, end = cursor.string(), [], bytearray(), 32
    for _ in range(cursor.count(9)):
        kind = bytes(cursor.take(4))
        codec, stored, raw, first, count = (cursor.varint() for _ in range(5))
        segment = Segment(end, kind, codec, stored, raw, first, count)
        end = segment.end
        if (codec > 1 or (codec == 0 and stored != raw) or max(codec, stored, raw, first, count) >= 1 << 40
                or end >= 1 << 48):
            reject("I3", cursor.place, f"codec {codec}, sizes {stored} and {raw}, first {first}, count {count}")
        if end > offset:
            reject("I1", cursor.place, f"a segment that ends at byte {end}")
        segments.append(segment)
        checksums += data[end - 4:end]
    cursor.done()
    if len(segments) != segment_count or end != offset:
        reject("I1", offset, f"{len(segments)} segments that end at byte {end}")
    if deflate.crc32(checksums) != checksum:
        reject("T4", trailer, "an exchanged segment")
    return producer, segments, index.raw


def _check_sums(segments: list[Segment], raw_bytes: int, row_count: int, trailer: int, limits: Limits) -> None:
    sums = {b"CLSS": 0, b"STRS": 0, b"ROWS": 0}
    for segment in segments:
        raw_bytes += segment.raw
        if raw_bytes > limits.raw_bytes:
            reject("A2", segment.offset, f"{raw_bytes} bytes or more after decompression")
        if segment.kind == b"INDX":
            reject("I2", segment.offset, "an index in the index")
        if segment.kind in sums:
            if segment.first != sums[segment.kind]:
                reject("I2", segment.offset, f"first {segment.first}")
            if segment.kind == b"ROWS" and not segment.count:
                reject("I2", segment.offset, "no rows")
            sums[segment.kind] += segment.count
    rows = sums[b"ROWS"]
    if rows != row_count or not 1 <= rows < 1 << 32:
        reject("I2", trailer, f"{rows} rows in segments, {row_count} in the trailer")
    if rows > limits.rows:
        reject("A3", trailer, f"{rows} rows")
    firsts = [segment.first for segment in segments if segment.kind == b"META"]
    if firsts not in ([], [0]):
        reject("D2", 32, f"META segments with first {firsts}")


def _check_headers(data: memoryview, segments: list[Segment]) -> None:
    """Checks [I4] of all segments, and unknown segments completely: a file of a later version is newer, not damaged."""
    for segment in segments:
        header = read_segment_header(data, segment.offset)
        if not header.describes(segment):
            reject("I4", segment.offset, "an index that differs from the header")
        if segment.kind not in KINDS:
            if not header.flags & 1:
                reject("S3", segment.offset, f"a segment of unknown kind {segment.kind!r}")
            read_payload(data, segment)
