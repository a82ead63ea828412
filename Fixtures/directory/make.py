#!/usr/bin/env python3
"""Makes the archives in this folder, which have a chunk directory or points for decompression (Spec: 13): right ones,
and each list of them lying.

A reader that uses no directories gives the document; one that does, the code, where the manifest has one.
"""

import pathlib
import struct
import sys
import zlib

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
from bytes_of_archives import *  # noqa: E402, F403


def sequence(values):
    """An integer sequence, plain, of the least width. Spec: 04.3."""
    width = next(width for width in (1, 2, 4, 8) if max(values, default=0) < 1 << 8 * width)
    return bytes([width]) + b"".join(value.to_bytes(width, "little") for value in values)


def sums(values):
    return struct.pack(f"<{len(values)}I", *values)


class Directory:
    """The lists of a directory, to be changed before they become bytes."""

    def __init__(self):
        self.heads, self.head_sums, self.blocks = [], [], []
        self.classes, self.rows, self.runs, self.starts, self.columns = [], [], [], [], []
        self.sizes, self.counts, self.encodings, self.sums, self.ranges = [], [], [], [], []
        self.first, self.tail = 0, b""

    def segment(self, head, *blocks):
        """The runs of a `ROWS` segment, and its blocks."""
        self.heads.append(len(head))
        self.head_sums.append(zlib.crc32(head))
        self.blocks.append(len(blocks))
        for numbers, chunks in blocks:
            for each, value in zip((self.classes, self.rows, self.runs, self.starts, self.columns), numbers):
                each.append(value)
            for data, borders in chunks:
                body = data[1:]  # byte counts here are below 128
                self.sizes.append(len(body))
                self.counts.append(body[0])
                self.encodings.append(body[1])
                self.sums.append(zlib.crc32(body))
                self.ranges.append(borders)

    def payload(self):
        """Spec: 13, section 2."""
        count = len(self.ranges)
        bits = bytearray((count + 7) // 8)
        for at, borders in enumerate(self.ranges):
            bits[at // 8] |= (borders is not None) << at % 8
        ranges = [borders for borders in self.ranges if borders]
        parts = [varint(len(self.heads)), sequence(self.heads), sums(self.head_sums), sequence(self.blocks)]
        parts += map(sequence, (self.classes, self.rows, self.runs, self.starts, self.columns))
        parts += [*map(sequence, (self.sizes, self.counts, self.encodings)), sums(self.sums), bytes(bits)]
        parts.append(sequence([outside for outside, *_ in ranges]))
        parts += [struct.pack("<" + code, least) for _, code, least, _ in ranges]
        parts += [struct.pack("<" + code, most) for _, code, _, most in ranges]
        return b"".join(parts) + self.tail

    def made(self):
        """The segment."""
        return Segment(b"CDIR", self.payload(), len(self.heads), self.first, flags=1)


def prefix(text):
    """The first 8 bytes of a text as a number."""
    return int.from_bytes(text.encode()[:8].ljust(8, b"\0"), "big")


#: What is in the archive that the directories are of: a class with a number, a name, a friend that may be weak.
TABLE = classes(
    new_class(0, "$roots", column("root", 'T@"P"', 0)),
    new_class(1, "P", column("age", "Tc,N", 1), column("name", 'T@"NSString",N,C', 1),
              column("nick", 'T$?@"NSString",N,C', 1), column("score", "T$?d,N", 1),
              column("friend", 'T@"P",N,W', 1)),
    new_class(2, "Q", column("b", "TB,N", 2), column("c", "TB,N", 2)))
RUNS, MORE_RUNS = runs((1, 1), (2, 1), (1, 1)), runs((1, 2))
AGES, FRIENDS = plain([30, -1], "b"), plain([0, 3])
NAMES, NICK, NO_NICK = texts("Annabella", "Bob"), names(1, 0), chunk(2, b"\x10\0")
SCORES = fixed(struct.pack("<2d", float("nan"), 2.5), 8)
ROOT_CHUNK, BARE_CHUNK = plain([1]), [bits([1]), bits([0])]
LATE = [plain([7, 7]), texts("Cy", ""), names(), bits([0, 0]), fixed(b"", 8), bits([0, 0])]
LATE_FRIENDS = plain([0, 0])


def lists():
    """The right directory."""
    right = Directory()
    right.segment(runs((0, 1)), ((0, 1, 1, 0, 1), [(ROOT_CHUNK, (0, "Q", 1, 1))]))
    right.segment(
        RUNS,
        ((1, 2, 2, 0, 5), [
            (AGES, (0, "q", -1, 30)), (NAMES, (0, "Q", prefix("Annabell"), prefix("Bob"))),
            (bits([1, 1]), None), (NICK, (0, "Q", 0, 1)), (bits([1, 1]), None), (SCORES, (1, "d", 2.5, 2.5)),
            (FRIENDS, (1, "Q", 3, 3))]),
        ((2, 1, 1, 1, 2), [(each, None) for each in BARE_CHUNK]))
    right.segment(MORE_RUNS, ((1, 2, 1, 0, 5), [
        (LATE[0], (0, "q", 7, 7)), (LATE[1], (0, "Q", 0, prefix("Cy"))), (LATE[3], None), (LATE[2], None),
        (LATE[5], None), (LATE[4], None), (LATE_FRIENDS, None)]))
    return right


def with_directory(directory, **keys):
    """The archive with this segment, or these, before the index."""
    body = block(5, AGES, NAMES, bits([1, 1]), NICK, bits([1, 1]), SCORES)
    late = block(5, LATE[0], LATE[1], LATE[3], LATE[2], LATE[5], LATE[4])
    extra = directory if isinstance(directory, list) else [directory]
    return archive(
        TABLE, strings("Al", "Bo"), rows(1, runs((0, 1)), block(1, ROOT_CHUNK)),
        rows(3, RUNS, body, block(2, *BARE_CHUNK)), links(1, 3, FRIENDS), rows(2, MORE_RUNS, late),
        links(4, 2, LATE_FRIENDS), *extra, **keys)


DOCUMENT = """{"format":"arc","version":"1.0","roots":{"root":{"$ref":1}},"objects":[
{"id":1,"class":"P","properties":{"age":30,"name":"Annabella","nick":"Bo","score":{"$float":"nan"},"friend":null}},
{"id":2,"class":"Q","properties":{"b":true,"c":false}},
{"id":3,"class":"P","properties":{"age":-1,"name":"Bob","nick":"Al","score":2.5,"friend":{"$ref":3}}},
{"id":4,"class":"P","properties":{"age":7,"name":"Cy","nick":null,"score":null,"friend":null}},
{"id":5,"class":"P","properties":{"age":7,"name":"","nick":null,"score":null,"friend":null}}]}
"""


def changed(name, at, value):
    """The directory with one value of a list changed."""
    directory = lists()
    getattr(directory, name)[at] = value
    return with_directory(directory.made())


def other_segment(**keys):
    segment = lists().made()
    for key, value in keys.items():
        setattr(segment, key, value)
    return segment


class Points:
    """The lists of points, to be changed before they become bytes: of STRS, ROWS, LINK and ROWS segments."""

    def __init__(self):
        self.points = [1, 2, 1, 0]
        self.raw, self.stored, self.sums = [], [], []
        self.first, self.count, self.codec = 0, 4, 0

    def payload(self):
        """Spec: 13, section 5."""
        return varint(len(self.points)) + b"".join(map(sequence, (self.points, self.raw, self.stored))) + sums(self.sums)

    def made(self):
        """The segment."""
        return Segment(b"ZPTS", self.payload(), self.count, self.first, flags=1, codec=self.codec)


def with_points(change=lambda points, segments: None, payload=None, lists_of=1):
    """The compressed archive with points, or with points that differ.

    `change` changes the lists. `payload` replaces the payload of the segment.
    """
    segments = [
        strings("Al", "Bo"), rows(3, RUNS, block(5, AGES, NAMES, bits([1, 1]), NICK, bits([1, 1]), SCORES),
                                  block(2, *BARE_CHUNK)),
        links(1, 3, FRIENDS), rows(2, MORE_RUNS, block(5, LATE[0], LATE[1], LATE[3], LATE[2], LATE[5], LATE[4]))]
    start = len(RUNS) + 1 + len(AGES)
    # The points: the lengths and the bytes of the strings; names of P; the values of a weak column.
    for segment, borders in zip(segments, ([4], [start, start + len(NAMES)], [2], [])):
        segment.codec, segment.borders = 1, borders
    points = Points()
    for segment in segments:
        before = 0, 0
        for border in segment.borders:
            stored = deflated(segment.payload, segment.borders)
            found = border, stored.index(b"\0\0\xFF\xFF", before[1]) + 4
            points.raw.append(found[0] - before[0])
            points.stored.append(found[1] - before[1])
            before = found
    points.sums = [zlib.crc32(segments[0].payload[:4]), zlib.crc32(segments[0].payload[4:])]
    change(points, segments)
    listed = points.made()
    if payload is not None:
        listed.payload = payload(points)
    return archive(
        TABLE, segments[0], rows(1, runs((0, 1)), block(1, ROOT_CHUNK)), *segments[1:],
        links(4, 2, LATE_FRIENDS), *[listed] * lists_of, lists().made())


def changed_points(name, at, value):
    """The compressed archive with one value of a list of points changed."""
    def change(points, segments):
        getattr(points, name)[at] = value
    return with_points(change)


def moved_points(at, raw=0, stored=0):
    """The compressed archive with a point at another place, and all other points where they are."""
    def change(points, segments):
        points.raw[at] += raw
        points.stored[at] += stored
        if at == 1:
            points.raw[2] -= raw
            points.stored[2] -= stored
    return with_points(change)


def set_points(**values):
    """The compressed archive with a property of the segment changed."""
    def change(points, segments):
        for name, value in values.items():
            setattr(points, name, value)
    return with_points(change)


def hostile_points():
    """Name, what it is for, bytes. The name begins with the rule."""
    yield "Y6-two", "two lists of points", with_points(lists_of=2)
    yield "Y6-first", "`first` of the index is 1", set_points(first=1)
    yield "Y7-cut", "the last byte is missing", with_points(payload=lambda points: points.payload()[:-1])
    yield "Y7-left-over", "a byte is left over", with_points(payload=lambda points: points.payload() + b"\0")
    yield "Y7-distance", "two points at one byte", changed_points("raw", 2, 0)
    yield "Y7-billions", "2^60 points of a segment", with_points(payload=lambda points: b"\4\x10\x08\0" + struct.pack(
        "<Q", 1 << 60) + points.payload()[6:])
    yield "Y7-encoding", "distances with an encoding that no page defines", with_points(
        payload=lambda points: points.payload()[:6] + b"\x20" + points.payload()[7:])
    yield "Y8-segments", "fewer segments than there are", with_points(payload=lambda points: b"\3" + points.payload()[1:])
    yield "Y8-count", "another count in the index", set_points(count=3)
    yield "Y8-raw", "a point behind the payload", changed_points("raw", 0, 100)
    yield "Y8-stored", "a point behind the stored payload", changed_points("stored", 0, 200)
    yield "Y8-head", "a point in the header of the zlib stream", changed_points("stored", 0, 5)
    yield "Y8-tail", "a point in the checksum of the zlib stream", with_points(point_in_the_checksum)
    yield "Y9-raw", "a point for the byte before", moved_points(1, raw=-1)
    yield "Y9-stored", "a point within the empty deflate block", moved_points(1, stored=-2)
    yield "Y9-window", "a point where bytes before it are needed", with_points(without_flush)
    yield "Y10-sum", "a wrong checksum of a part of the strings", changed_points("sums", 1, 1)


def point_in_the_checksum(points, segments):
    """The last point of the rows is 3 bytes before the end of the zlib block."""
    points.stored[2] = len(deflated(segments[1].payload, segments[1].borders)) - 3 - points.stored[1]


def without_flush(points, segments):
    """The names are compressed with the bytes before them: the last point is no point."""
    stored = deflated(segments[1].payload, segments[1].borders[:1])
    segments[1].borders = segments[1].borders[:1]
    # Right but for its place: where the last part would begin if it were the last byte of the stream.
    points.stored[2] = len(stored) - 6 - points.stored[1]


def hostile():
    """Name, what it is for, bytes. The name begins with the rule."""
    yield from hostile_points()
    yield "Y1-two", "two directories", with_directory([lists().made()] * 2)
    yield "Y1-first", "`first` of the index is 1", with_directory(other_segment(first=1))
    yield "Y2-cut", "the last byte is missing", with_directory(other_segment(payload=lists().payload()[:-1]))
    yield "Y2-left-over", "a byte is left over", with_directory(other_segment(payload=lists().payload() + b"\0"))
    yield "Y2-bits", "a bit behind the last chunk", with_directory(other_segment(payload=lists().payload().replace(
        bits_of_ranges(lists()), bits_of_ranges(lists())[:-1] + bytes([bits_of_ranges(lists())[-1] | 0x80]))))
    yield "Y2-class", "a class that does not exist", changed("classes", 1, 9)
    yield "Y2-classes-twice", "a class with two blocks", changed("classes", 2, 1)
    yield "Y2-columns", "more columns than the class has", changed("columns", 1, 6)
    yield "Y2-billions", "2^40 segments", with_directory(other_segment(payload=varint(1 << 40) + lists().payload()[1:]))
    short = b"\1\x10\x08\x00" + struct.pack("<Q", 1 << 60)
    yield "Y2-blocks", "a segment with 2^60 blocks", with_directory(other_segment(payload=b"\1\1\3" + bytes(4) + short[1:]))
    yield "Y2-ranged", "a range of bits", changed("ranges", 3, (0, "Q", 1, 1))
    few = lists()
    for each in (few.heads, few.head_sums, few.blocks):
        del each[1:]
    for each in (few.classes, few.rows, few.runs, few.starts, few.columns):
        del each[1:]
    for each in (few.sizes, few.counts, few.encodings, few.sums, few.ranges):
        del each[1:]
    yield "Y3-segments", "fewer segments than there are", with_directory(few.made())
    yield "Y3-count", "another count in the index", with_directory(other_segment(count=2))
    yield "Y3-head", "more bytes of runs", changed("heads", 1, 8)
    yield "Y3-class", "another class", changed("classes", 0, 1)
    yield "Y3-rows", "fewer rows of a class", changed("rows", 1, 1)
    yield "Y3-runs", "one run where there are two", changed("runs", 1, 1)
    yield "Y3-start", "another first row", changed("starts", 2, 0)
    yield "Y3-size", "a chunk that reaches into the next", changed("sizes", 1, 5)
    yield "Y3-value-count", "more values", changed("counts", 2, 3)
    yield "Y3-encoding", "another encoding", changed("encodings", 2, 1)
    yield "Y4-head", "a wrong checksum of runs", changed("head_sums", 1, 1)
    yield "Y4-chunk", "a wrong checksum of a chunk", changed("sums", 1, 1)
    yield "Y5-least", "a range that leaves out a value", changed("ranges", 1, (0, "q", 0, 30))
    yield "Y5-most", "a range that is too wide", changed("ranges", 1, (0, "q", -1, 31))
    yield "Y5-outside", "a nil too many", changed("ranges", 7, (2, "Q", 3, 3))
    yield "Y5-no-number", "a range whose borders are no numbers", changed(
        "ranges", 6, (1, "d", float("nan"), float("nan")))
    yield "Y5-text", "a prefix that is none of the least text", changed(
        "ranges", 2, (0, "Q", prefix("Ann"), prefix("Bob")))
    yield "Y5-nothing-in-it", "a range of nils only", changed("ranges", 16, (0, "Q", 1, 1))


def bits_of_ranges(directory):
    """The bytes of the list of bits."""
    data = bytearray((len(directory.ranges) + 7) // 8)
    for at, borders in enumerate(directory.ranges):
        data[at // 8] |= (borders is not None) << at % 8
    return bytes(data)


def sound():
    """Name, what it is for, bytes."""
    yield "right", "a directory that says what there is: the example of Spec/13", with_directory(lists().made())
    few = lists()
    few.ranges = [None] * len(few.ranges)
    yield "without-ranges", "all ranges left out", with_directory(few.made())
    yield "compressed", "the directory compressed", with_directory(other_segment(codec=1))
    data = lists().made()
    yield "not-last", "a directory that is not the last segment", with_directory(
        [data, Segment(b"NEWK", b"behind it", 0, 0, flags=1)])
    yield "points", "points for decompression in compressed segments", with_points()
    yield "points-compressed", "the list of points compressed", set_points(codec=1)
    yield "points-none", "a list without points", with_points(no_points)


def no_points(points, segments):
    """No segment has points. The strings have one part."""
    points.points, points.raw, points.stored = [0, 0, 0, 0], [], []
    points.sums = [zlib.crc32(segments[0].payload)]


def made():
    """Name, what it is for, bytes, document, rule or None."""
    for name, about, data in sound():
        yield name, about, data, DOCUMENT, None
    for name, about, data in hostile():
        yield name, about, data, DOCUMENT, name.split("-")[0]


if __name__ == "__main__":
    (FOLDER / "document.json").write_text(DOCUMENT)
    for name, _, data, _, _ in made():
        (FOLDER / f"{name}.arc").write_bytes(data)
