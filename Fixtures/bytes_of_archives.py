"""Archives by hand: segments of any bytes under right sizes and checksums. Python's standard library alone."""

import struct
import zlib

BLOCK = 1 << 21


def varint(value):
    """[B1]"""
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(data) + bytes([value])


def string(text):
    """[B3]"""
    data = text.encode()
    return varint(len(data)) + data


def chunk(count, body):
    """A chunk: its byte count, its value count, and encoding with values as they are given. Spec: 04.2."""
    data = varint(count) + body
    return varint(len(data)) + data


def plain(values, code="B"):
    """A chunk of plain integers; `code` is their width and sign as `struct` has them."""
    return chunk(len(values), bytes([struct.calcsize(code)]) + struct.pack(f"<{len(values)}{code}", *values))


def bits(values):
    """A chunk of bits."""
    data = bytearray((len(values) + 7) // 8)
    for at, value in enumerate(values):
        data[at // 8] |= value << at % 8
    return chunk(len(values), b"\0" + bytes(data))


def fixed(data, size):
    """A chunk of values of a fixed size, plain."""
    return chunk(len(data) // size, b"\0" + data)


def texts(*values):
    """A chunk of plain texts, lengths of one byte."""
    data = [value if isinstance(value, bytes) else value.encode() for value in values]
    return chunk(len(data), b"\0\1" + bytes(map(len, data)) + b"".join(data))


def names(*ids):
    """A chunk of strings by their numbers in the table."""
    return chunk(len(ids), b"\1\1" + bytes(ids))


def column(key, attributes, declaring, flags=0):
    """A column of the class table. Spec: 03.2."""
    return varint(declaring) + string(key) + string(attributes) + bytes([flags])


def new_class(index, name, *columns, superclass=None, version=0):
    """An entry of a new class."""
    above = 0 if superclass is None else superclass + 1
    return varint(index) + string(name) + varint(above) + varint(version) + more(*columns)


def more(*columns):
    """A number of columns, and these."""
    return varint(len(columns)) + b"".join(columns)


def runs(*pairs):
    """The runs of a `ROWS` segment: class and length of each. Spec: 04.6."""
    return varint(len(pairs)) + b"".join(varint(index) + varint(length) for index, length in pairs)


def block(column_count, *chunks):
    """A block of a `ROWS` segment."""
    return varint(column_count) + b"".join(chunks)


class Segment:
    """A segment: `count` is what the index says; *first* of known kinds is reckoned, unless it is given."""

    def __init__(self, kind, payload, count, first=None, codec=0, flags=0, borders=()):
        self.kind, self.payload, self.count, self.first = kind, payload, count, first
        self.codec, self.flags, self.borders = codec, flags, borders


def classes(*entries, count=None):
    """A `CLSS` segment; `count` of them are new classes, all without."""
    return Segment(b"CLSS", varint(len(entries)) + b"".join(entries), len(entries) if count is None else count)


def strings(*values, width=1):
    """A `STRS` segment."""
    data = [value.encode() for value in values]
    lengths = b"".join(len(value).to_bytes(width, "little") for value in data)
    return Segment(b"STRS", varint(len(data)) + bytes([width]) + lengths + b"".join(data), len(data))


def rows(count, *parts):
    """A `ROWS` segment of so many rows."""
    return Segment(b"ROWS", b"".join(parts), count)


def links(first, count, *chunks):
    """The `LINK` segment of the `ROWS` segment that begins with row `first`."""
    return Segment(b"LINK", b"".join(chunks), count, first)


def metadata(*pairs):
    """A `META` segment."""
    return Segment(b"META", varint(len(pairs)) + b"".join(string(key) + string(value) for key, value in pairs),
                   len(pairs), 0)


def deflated(payload, borders=()):
    """Spec: 02.3. Decompression can begin at each border. Spec: 13.5."""
    data = b""
    for at in range(0, len(payload), BLOCK):
        end, stream, block = min(at + BLOCK, len(payload)), zlib.compressobj(9), b""
        starts = [at] + [border for border in borders if at < border < end]
        for start, stop in zip(starts, [*starts[1:], end]):
            block += stream.compress(payload[start:stop]) + stream.flush(
                zlib.Z_FINISH if stop == end else zlib.Z_FULL_FLUSH)
        data += struct.pack("<I", len(block)) + block
    return data


def crc(data):
    return struct.pack("<I", zlib.crc32(data))


def archive(*segments, minor=0, optional=0, writer="by hand"):
    """The file."""
    header = b"\x8AARC\r\n\x1A\n" + struct.pack("<HHIIQ", 1, minor, 0, optional, 0)
    data, checksums, entries, sums = bytearray(header + crc(header)), b"", b"", {}
    for segment in segments:
        first = sums.get(segment.kind, 0) if segment.first is None else segment.first
        sums[segment.kind] = sums.get(segment.kind, 0) + segment.count
        stored = deflated(segment.payload, segment.borders) if segment.codec else segment.payload
        data += _segment(segment.kind, segment.flags, segment.codec, stored, len(segment.payload))
        checksums += data[-4:]
        numbers = segment.codec, len(stored), len(segment.payload), first, segment.count
        entries += segment.kind + b"".join(map(varint, numbers))
    offset, index = len(data), string(writer) + varint(len(segments)) + entries
    data += _segment(b"INDX", 0, 0, index, len(index))
    trailer = struct.pack("<QQII", offset, sums[b"ROWS"], len(segments), zlib.crc32(checksums))
    return bytes(data + trailer + crc(trailer) + b"CRA\x8A")


def _segment(kind, flags, codec, stored, raw):
    data = struct.pack("<4sBBHQQ", kind, flags, codec, 0, len(stored), raw) + stored
    data += bytes(-(len(stored) + 4) % 8)
    return data + crc(data)
