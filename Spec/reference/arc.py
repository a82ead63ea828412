#!/usr/bin/env python3
"""Reads .arc files with only Python's standard library: the pages of the Spec as a program, in their order.

    arc.py [--trust] FILE            prints the archive as JSON (page 10)
    arc.py [--trust] --verify FILE   prints nothing
    arc.py [--trust] --directory FILE   prints the directory as JSON (page 13); null if there is none
    arc.py [--trust] --digest FILE   prints the digest in hexadecimal digits (page 16)

Each command checks the whole file first. FILE may be `-`, standard input. Exit codes: 0 success; 64 wrong usage;
65 the file breaks a rule, with one line on standard error; 66 no such file; 74 output failed. Without `--trust`,
the limits are the limits for untrusted files. The code names each rule in quotes: `check(…, "H2", …)`.
"""

import base64
import hashlib
import json
import math
import re
import struct
import sys
import uuid
import zlib
from array import array
from collections import Counter
from fractions import Fraction
from itertools import accumulate, takewhile
from types import SimpleNamespace

# The code of each rule that a file can break.
CODES = {rule: code for code, rules in {
    "truncated": "B4 H1 T1",
    "notAnArchive": "H2",
    "damagedHeader": "H3",
    "unsupportedVersion": "H4",
    "unsupportedFeature": "H5 S3",
    "malformedSegment": "B1 B2 B5 S1 S5 I3 D1 D2 X1 R1 R2 L1 G1 Y1 Y2 Y6 Y7",
    "damagedSegment": "S2 Y4 Y10",
    "compressionFailed": "Z2",
    "damagedTrailer": "T2 T3 T4",
    "indexMismatch": "I1 I2 I4 I5 D3 Y3 Y5 Y8 Y9",
    "malformedClassTable": "C1 C2 C3 C4 C5 C6 C7 C8",
    "malformedEncoding": "E1 E2 E3 E4 P1 P2",
    "malformedColumn": "V1 V2 V3 V8 V9 V10 V11 X2 K1",
    "invalidString": "B3 V5 X3",
    "unknownCase": "V6",
    "danglingReference": "G2",
    "wrongClass": "G3",
    "constructionOrder": "G4",
    "limitExceeded": "Z1 A1 A2 A3 A4 A5 A6 A7 A8",
}.items() for rule in rules.split()}


class ArchiveError(Exception):
    """A broken rule: its code and name, an approximate byte offset in the file, and what was found."""

    def __init__(self, code, rule, offset, message):
        super().__init__(f"{code} [{rule}] at byte {offset}: {message}")
        self.code, self.rule, self.offset, self.message = code, rule, offset, message


def reject(rule, offset, message):
    raise ArchiveError(CODES[rule], rule, offset, message)


def check(holds, rule, offset, message):
    if not holds:
        reject(rule, offset, message)


# ---- 07 Limits

DEFAULT = SimpleNamespace(
    fileBytes=4 << 30, rawBytes=4 << 30, rows=50_000_000, classes=65_535, classTableBytes=8 << 20,
    columnsPerClass=65_535, elements=500_000_000, nesting=128)
UNTRUSTED = SimpleNamespace(
    fileBytes=64 << 20, rawBytes=256 << 20, rows=1_000_000, classes=4_096, classTableBytes=512 << 10,
    columnsPerClass=4_096, elements=10_000_000, nesting=64)


# ---- 02.0 Primitives

class Cursor:
    """A position in a payload that begins at `offset` in the file. In a compressed payload, offsets are approximate."""

    def __init__(self, data, offset):
        self.data, self.offset, self.at = memoryview(data), offset, 0

    def left(self):
        return len(self.data) - self.at

    def check(self, holds, rule, message):
        if not holds:
            reject(rule, self.offset + self.at, message)

    def take(self, size):
        self.check(size <= self.left(), "B4", f"{size} bytes wanted, {self.left()} left")
        self.at += size
        return self.data[self.at - size:self.at]

    def u8(self):
        return self.take(1)[0]

    def varint(self):
        value = 0
        for shift in range(0, 70, 7):
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
        self.check(byte < 0x80 and (byte or not shift) and value < 1 << 64, "B1", "not the shortest varint")
        return value

    def count(self, item_size=1):
        """Reads a count of items that take at least `item_size` bytes each."""
        value = self.varint()
        self.check(value <= self.left() // item_size, "B5", f"{value} things in {self.left()} bytes")
        return value

    def string(self):
        return text(self.take(self.count()), "B3", self.offset + self.at)

    def done(self):
        self.check(self.left() == 0, "B2", f"{self.left()} bytes left over")


def text(data, rule, offset):
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError as error:
        reject(rule, offset, f"not UTF-8: {error.reason}")


# ---- 02.1 Header

def read_header(data):
    signature = b"\x8AARC\r\n\x1A\n"
    check(data[:8] == signature[:len(data)], "H2", 0, "no signature")
    check(len(data) >= 32, "H1", len(data), "shorter than a header")
    major, minor, required, _, reserved, checksum = struct.unpack_from("<HHIIQI", data, 8)
    check(zlib.crc32(data[:28]) == checksum and reserved == 0, "H3", 0, "damaged header")
    check(major == 1, "H4", 8, f"version {major}.{minor}")
    check(required == 0, "H5", 12, f"features {required:#x}")
    return major, minor


# ---- 02.2 Segment

KINDS = [b"META", b"CLSS", b"STRS", b"ROWS", b"LINK"]


class Segment:
    """The properties of a segment in its header or in the index."""

    def __init__(self, offset, kind, codec, stored, raw):
        self.offset, self.kind, self.codec, self.stored, self.raw = offset, bytes(kind), codec, stored, raw
        self.padding = -(stored + 4) % 8
        self.end = offset + 24 + stored + self.padding + 4


def read_segment_header(data, offset):
    kind, flags, codec, reserved, stored, raw = struct.unpack_from("<4sBBHQQ", data, offset)
    check(codec < 2 and not reserved and flags < 2 and (codec or stored == raw), "S1", offset,
          f"codec {codec}, flags {flags}, reserved {reserved}, sizes {stored} and {raw}")
    segment = Segment(offset, kind, codec, stored, raw)
    segment.flags = flags
    return segment


def read_payload(data, segment):
    """Returns the payload of a segment that is completely in the file."""
    start, end = segment.offset + 24, segment.end - 4
    checksum = int.from_bytes(data[end:end + 4], "little")
    check(zlib.crc32(data[segment.offset:end]) == checksum, "S2", segment.offset, "damaged segment")
    check(not any(data[end - segment.padding:end]), "S5", end - segment.padding, "padding is not 0")
    stored = data[start:start + segment.stored]
    return Cursor(inflate(stored, segment.raw, start) if segment.codec else stored, start)


# ---- 02.3 Compression

BLOCK = 1 << 21


def inflate(stored, size, offset):
    check(size <= 1032 * len(stored) + 64, "Z1", offset, f"{len(stored)} bytes claim to be {size}")
    cursor, blocks = Cursor(stored, offset), []
    for start in range(0, size, BLOCK):
        stored_block = cursor.take(int.from_bytes(cursor.take(4), "little"))
        stream, expected = zlib.decompressobj(), min(BLOCK, size - start)
        try:
            block = stream.decompress(stored_block, expected + 1)
        except zlib.error as error:
            cursor.check(False, "Z2", str(error))
        cursor.check(stream.eof and len(block) == expected and not stream.unused_data, "Z2",
                     f"a block of {len(stored_block)} bytes is not one of {expected}")
        blocks.append(block)
    cursor.done()  # Z3
    return b"".join(blocks)


# ---- 02.4 Trailer

def read_trailer(data):
    """Returns index offset, row count, segment count and segments checksum."""
    start = len(data) - 32
    check(start >= 32 and data[-4:] == b"CRA\x8A", "T1", len(data), "no trailer at the end")
    *fields, checksum = struct.unpack_from("<QQIII", data, start)
    check(zlib.crc32(data[start:start + 24]) == checksum, "T2", start, "damaged trailer")
    check(32 <= fields[0] <= start - 32, "T3", start, f"index at byte {fields[0]}")
    return fields


# ---- 02.5 Index

def read_index(data, limits, index_offset, row_count, segment_count, segments_checksum):
    """Returns the segments before the index, in file order."""
    trailer = len(data) - 32
    index = read_segment_header(data, index_offset)
    check(index.kind == b"INDX" and index.end == trailer, "I1", index_offset, "no index before the trailer")
    check(index.raw <= limits.rawBytes, "A2", index_offset, f"{index.raw} bytes of index")
    cursor = read_payload(data, index)
    cursor.string()  # the name of the writer
    segments, checksums, end = [], [], 32
    for _ in range(cursor.count(9)):
        kind, numbers = cursor.take(4), [cursor.varint() for _ in range(5)]
        segment = Segment(end, kind, *numbers[:3])
        segment.first, segment.count = numbers[3:]
        end = segment.end
        cursor.check(
            segment.codec < 2 and (segment.codec or segment.stored == segment.raw) and max(numbers) < 1 << 40
            and end < 1 << 48, "I3", f"codec, sizes, first, count: {numbers}")
        cursor.check(end <= index_offset, "I1", f"a segment ends at byte {end}")
        segments.append(segment)
        checksums.append(data[end - 4:end])
    cursor.done()
    check(len(segments) == segment_count and end == index_offset, "I1", index_offset,
          f"{len(segments)} segments end at byte {end}")
    check(zlib.crc32(b"".join(checksums)) == segments_checksum, "T4", trailer, "an exchanged segment")

    raw_bytes = index.raw
    sums = {b"CLSS": 0, b"STRS": 0, b"ROWS": 0}
    for segment in segments:
        raw_bytes += segment.raw
        check(raw_bytes <= limits.rawBytes, "A2", segment.offset, f"{raw_bytes} bytes")
        check(segment.kind != b"INDX", "I2", segment.offset, "an index in the index")
        if segment.kind in sums:
            check(segment.first == sums[segment.kind], "I2", segment.offset, f"first {segment.first}")
            check(segment.count or segment.kind != b"ROWS", "I2", segment.offset, "no rows")
            sums[segment.kind] += segment.count
    rows = sums[b"ROWS"]
    check(rows == row_count and 1 <= rows < 1 << 32, "I2", trailer, f"{rows} rows")
    check(rows <= limits.rows, "A3", trailer, f"{rows} rows")
    firsts = [segment.first for segment in segments if segment.kind == b"META"]
    check(firsts in ([], [0]), "D2", 32, f"META segments with first {firsts}")

    for segment in segments:
        header = read_segment_header(data, segment.offset)
        same = [(s.kind, s.codec, s.stored, s.raw) for s in (header, segment)]
        check(same[0] == same[1], "I4", segment.offset, "index and header differ")
        if segment.kind not in KINDS:
            check(header.flags & 1, "S3", segment.offset, f"an unknown segment {segment.kind}")
            read_payload(data, segment)
    return segments


# ---- 02.6 Metadata

def read_metadata(data, segments):
    pairs = {}
    for segment in segments:
        cursor, last = read_payload(data, segment), b""
        for number in range(cursor.count(2)):
            key = cursor.string()
            cursor.check(not number or last < key.encode(), "D1", f"key '{key}' in the wrong place")
            last = key.encode()
            pairs[key] = cursor.string()
        cursor.done()
        check(segment.count == len(pairs), "D3", segment.offset, f"{len(pairs)} pairs")
    return pairs


# ---- 03.1 Class table, 03.2 CLSS payload, 03.3 Flags

class Class:
    def __init__(self, name, superclass, version):
        self.name, self.superclass, self.version, self.columns = name, superclass, version, []


class Column:
    def __init__(self, cursor, trees):
        self.offset = cursor.offset + cursor.at
        self.declaring, self.key, self.attributes = cursor.varint(), cursor.string(), cursor.string()
        flags = cursor.u8()
        cursor.check(flags < 4, "C8", f"flags {flags:#x}")
        self.is_construction, self.is_keyed = bool(flags & 1), bool(flags & 2)
        kind = self.attributes, self.is_keyed
        if kind not in trees:
            trees[kind] = column_tree(*kind, self.offset)
        self.tree = trees[kind]


def read_classes(data, segments, limits):
    size = sum(segment.raw for segment in segments)
    check(size <= limits.classTableBytes, "A5", 32, f"{size} bytes of class table")
    classes, names, trees = [], set(), {}
    for segment in segments:
        cursor, known = read_payload(data, segment), len(classes)
        for _ in range(cursor.count(2)):
            index = cursor.varint()
            cursor.check(index <= len(classes), "C1", f"class {index} of {len(classes)}")
            is_new = index == len(classes)
            if is_new:
                cursor.check(index < limits.classes, "A4", f"{index + 1} classes")
                classes.append(read_class(cursor, index, names))
            for _ in range(cursor.count(4)):
                column = Column(cursor, trees)
                cursor.check(is_new or column.is_keyed, "C7", f"column '{column.key}' is added without flag")
                classes[index].columns.append(column)
        cursor.done()
        check(len(classes) - known == segment.count, "I5", segment.offset, "another number of classes")
    check(classes, "C5", 32, "no class")
    number_subclasses(classes)
    for index, each in enumerate(classes):
        check_columns(classes, index, limits)
        # Structures without fields have no chunks, so the loops over segments skip them.
        each.stored = [(position, column) for position, column in enumerate(each.columns) if column.tree.stored]
        each.without_chunks = [ColumnValues(column, []) for column in each.columns]
    return classes


def read_class(cursor, index, names):
    name, superclass = cursor.string(), cursor.varint()
    version = cursor.varint()
    cursor.check(name and name not in names and superclass <= index, "C2", f"class '{name}' of {superclass}")
    names.add(name)
    if index == 0:
        cursor.check(name == "$roots", "C5", f"class 0 is '{name}'")
    else:
        cursor.check(superclass != 1, "C5", f"'{name}' is a subclass of the roots")
        cursor.check(name[0] != "$" and value_kind(name) is None, "C6", f"class '{name}'")
    return Class(name, superclass - 1 if superclass else None, version)


def number_subclasses(classes):
    """Numbers the classes so that the numbers of a class and all its subclasses are a range."""
    sizes = [1] * len(classes)
    for index in reversed(range(len(classes))):
        if classes[index].superclass is not None:
            sizes[classes[index].superclass] += sizes[index]
    free, next_free = 0, []
    for each, size in zip(classes, sizes):
        if each.superclass is None:
            start, free = free, free + size
        else:
            start = next_free[each.superclass]
            next_free[each.superclass] += size
        next_free.append(start + 1)
        each.number, each.family = start, range(start, start + size)


def check_columns(classes, index, limits):
    seen, nodes = {}, 0
    classes[index].required = 0  # columns that each block has
    for position, column in enumerate(classes[index].columns):
        if not column.is_keyed:
            classes[index].required = position + 1
        what = f"column '{column.key}' of class '{classes[index].name}'"
        check(column.declaring < len(classes) and classes[index].number in classes[column.declaring].family,
              "C3", column.offset, f"{what}: declared by class {column.declaring}")
        check(index or not (column.is_construction or column.is_keyed), "C5", column.offset, f"{what}: flags")
        others = seen.setdefault((column.declaring, column.key), set())
        own = column.attributes if column.is_keyed else None
        check(own not in others, "C4", column.offset, f"{what}: a second one")
        others.add(own)
        nodes += len(column.tree.nodes)
        check(nodes <= limits.columnsPerClass, "A6", column.offset, f"{what}: {nodes} nodes")


# ---- 03.4 Type encodings, with 04.1 Kinds

SCALARS = dict(zip("BcsiqtCSIQT fd", (
    "bool int8 int16 int32 int64 int128 uint8 uint16 uint32 uint64 uint128 float16 float32 float64").split()))
VALUES = {"NSString": "string", "NSData": "data", "NSDate": "date", "NSUUID": "uuid", "NSURL": "url",
          "NSDecimalNumber": "decimal"}
BITS = {"bool", "optional"}
INTEGERS = {  # width, is signed
    "int8": (1, True), "int16": (2, True), "int32": (4, True), "int64": (8, True),
    "uint8": (1, False), "uint16": (2, False), "uint32": (4, False), "uint64": (8, False),
    "array": (8, False), "set": (8, False), "dictionary": (8, False),
    "enumeration": (4, False), "reference": (4, False), "weak": (4, False)}
FIXED = {"int128": 16, "uint128": 16, "float16": 2, "float32": 4, "float64": 8, "date": 8, "uuid": 16}
TEXT = {"string", "data", "decimal"}
COLLECTIONS = {"array", "set", "dictionary"}


def without_protocols(name):
    """Returns `C` for `C<P><Q>`; the whole name if its brackets are not balanced groups at its end."""
    start, depth = name.find("<"), 0
    for at in range(start, len(name)) if start >= 0 else ():
        depth += (name[at] == "<") - (name[at] == ">" and name[at - 1:at] != "-")
        if depth < 0 or depth == 0 and name[at] != ">":
            return name
    return name if start < 0 or depth else name[:start]


def value_kind(class_name):
    return VALUES.get(without_protocols(class_name))


class Node:
    """A node of a column. For an enumeration, `children` are the nodes of associated values, and `labels` the cases."""

    def __init__(self, nodes, kind, name=None):
        self.kind, self.name, self.children, self.labels, self.payloads = kind, name, [], [], []
        self.is_stored = kind not in ("structure", "url")
        self.index = len(nodes)
        nodes.append(self)


class Tree:
    """The nodes of a column in pre-order."""

    def __init__(self, nodes):
        self.nodes, self.stored = nodes, [node for node in nodes if node.is_stored]
        self.has_strong = any(node.kind == "reference" for node in nodes)
        for node in reversed(nodes):
            # The record that a mention means encloses the mention, and has chunks [E4].
            is_mention = [child.index <= node.index for child in node.children]
            node.is_recursive = any(is_mention) or any(child.is_recursive for child in node.children
                                                       if child.index > node.index)
            node.takes_bytes = node.is_stored or any(
                mention or child.takes_bytes for child, mention in zip(node.children, is_mention))


class Unreadable(Exception):
    """The text is not a type if names end where this reading ends them."""


class TypeParser:
    """Reads one type from `text[at:]`. `partners` determines where its names end ([N1]).

    `flaws` are the broken rules other than the grammar. They count only if the text is a type of the grammar.
    """

    def __init__(self, text, at, partners):
        self.text, self.at, self.partners = text, at, partners
        self.nodes, self.records, self.breaks, self.flaws = [], [], 0, []

    def next_is(self, token):
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def expect(self, holds):
        if not holds:
            raise Unreadable(f"character {self.at} of '{self.text}'")

    def demand(self, holds, rule, message):
        if not holds:
            self.flaws.append((rule, f"{message}: {self.text}"))

    def until(self, quote):
        end = self.text.find(quote, self.at)
        self.expect(end >= 0)
        word, self.at = self.text[self.at:end], end + 1
        return word

    def type(self, level=1, closer=None):
        """Reads a type.

        `closer` is the closer of the record with labels whose member the type is, if only prefixes are between them.
        """
        self.expect(level <= 128 and self.at < len(self.text))
        if self.text[self.at] in SCALARS:
            self.at += 1
            return Node(self.nodes, SCALARS[self.text[self.at - 1]])
        if self.next_is("@"):
            return self.object(closer)
        if self.next_is("$?"):
            return self.container("optional", level, closer)
        if self.next_is("$~"):
            node = self.type(level + 1, closer)
            self.demand(node.kind == "reference", "E2", "a weak value")
            node.kind = "weak"
            return node
        if self.next_is("$["):
            node = self.container("array", level)
            self.expect(self.next_is("]"))
            return node
        if self.next_is("$<"):
            node = self.container("set", level)
            if self.next_is(":"):
                node.kind = "dictionary"
                self.breaks += 1
                node.children.append(self.type(level + 1))
                self.breaks -= 1
            self.expect(self.next_is(">"))
            return node
        self.expect(self.text.startswith(("{", "$("), self.at))
        return self.record("{", "}", level) if self.next_is("{") or not self.next_is("$(") else \
            self.record("$(", ")", level)

    def object(self, closer):
        name, start = None, self.at
        if self.next_is('"'):
            name = self.until('"')
            if closer and not (name and self.text[self.at:self.at + 1] in ('"', closer)):
                name, self.at = None, start
        kind = value_kind(name) if name else None
        if kind == "url":
            node = Node(self.nodes, "url")
            node.children = [Node(self.nodes, "string"), Node(self.nodes, "optional")]
            node.children[1].children = [Node(self.nodes, "string")]
            return node
        is_any = name is None or name and not without_protocols(name)
        return Node(self.nodes, kind) if kind else Node(self.nodes, "reference", None if is_any else name)

    def container(self, kind, level, closer=None):
        node = Node(self.nodes, kind)
        self.breaks += 1
        node.children.append(self.type(level + 1, closer))
        self.breaks -= 1
        return node

    def name_of_record(self, closer):
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in ("=", closer):
            self.at = self.partners.get(self.at, self.at) + 1
        self.expect(self.at < len(self.text))
        return self.text[start:self.at]

    def record(self, opener, closer, level):
        name = self.name_of_record(closer)
        if self.next_is(closer):
            return self.mention(opener, name)
        self.at += 1
        is_enumeration = opener == "$("
        node = Node(self.nodes, "enumeration" if is_enumeration else "structure", name)
        self.records.append((opener, name, node, self.breaks))
        self.breaks += is_enumeration
        labels_closer = closer if self.text.startswith('"', self.at) else None
        while not self.next_is(closer):
            label = self.until('"') if self.next_is('"') else None
            self.expect(label is not None or not is_enumeration)
            has_type = not self.text.startswith(('"', closer), self.at)
            self.demand(has_type or is_enumeration, "E2", f"field '{label}' has no type")
            child = self.type(level + 1, labels_closer) if has_type else None
            node.labels.append(label or "")
            node.payloads.append(child)
            node.children += [child] if child else []
        self.demand(node.labels or not is_enumeration, "E2", f"enumeration '{name}' without cases")
        self.breaks -= is_enumeration
        self.records.pop()
        return node

    def mention(self, opener, name):
        for other, known, node, breaks in reversed(self.records):
            if (other, known) == (opener, name) and name != "?":
                self.demand(self.breaks > breaks, "E4", f"'{name}' holds itself")
                return node
        self.demand(False, "E3", f"'{name}' stands outside of what it means")
        return Node(self.nodes, "structure", name)


# ---- 09.3 Where names end

LITERAL = re.compile(r"'([^\\]|\\.([^\\']|\\.)*)'", re.S)
STRING = re.compile(r'"([^\\"]|\\.)*"', re.S)
OPERATOR = re.compile(r"(?<![A-Za-z0-9_$\x80-\U0010FFFF])operator")
OPERATORS = "<=> <<= >>= ->* << >> <= >= -> < >".split()


def angle_partners(text, attempt, offset):
    """Returns the index of the partner for the index of each `<` with a partner, both plus `offset`.

    `attempt` 0 to 3 are the four readings of [N3].
    """
    partners, stack, at = {}, [], 0
    while attempt < 3 and at < len(text):
        size = 1
        if text.startswith("->", at):
            size = 2
        elif text[at] == "'":
            literal = LITERAL.match(text, at)
            size = len(literal[0]) if literal and len(literal[0].encode()) <= 12 else 1
        elif attempt < 2 and stack and text[at] == '"' and text[max(at - 2, 0):at].endswith(("{", ", ")):
            string = STRING.match(text, at)
            size = len(string[0]) if string else 1
        elif attempt < 2 and stack and OPERATOR.match(text, at):
            signs = [sign for sign in OPERATORS if text.startswith(sign, at + 8)
                     and text[at + 8 + len(sign):at + 9 + len(sign)] in ("<", ">", ",", ")")]
            if signs:
                size = 8 + len((max if attempt == 0 else min)(signs, key=len))
        elif text[at] == "<":
            stack.append(at)
        elif text[at] == ">" and stack:
            partners[offset + stack.pop()] = offset + at
        at += size
    return partners


def parse_type(text, at, offset):
    """Returns the nodes of the type at `text[at:]`, and the index of its end. A comma or the end follows the type."""
    comma = text.find(",", at)
    for whole in [text, text[:comma]] if comma >= 0 else [text]:
        for attempt in range(4):
            parser = TypeParser(whole, at, angle_partners(whole[at:], attempt, at))
            try:
                parser.type()
                parser.expect(whole[parser.at:parser.at + 1] in ("", ","))
            except Unreadable as error:
                problem = error
                continue
            for rule, message in parser.flaws:
                reject(rule, offset, message)
            return parser.nodes, parser.at
    reject("E1", offset, str(problem))


# ---- 03.5 Property attributes

def column_tree(attributes, is_keyed, offset):
    nodes, is_weak, at = None, False, 0
    while at < len(attributes):
        comma = attributes.find(",", at)
        end = comma if comma >= 0 else len(attributes)
        if attributes[at] == "T" and nodes is None:
            nodes, end = parse_type(attributes, at + 1, offset)
        is_weak = is_weak or attributes[at] == "W"
        at = end + 1
    check(nodes is not None, "P1", offset, f"no type: '{attributes}'")
    if is_weak:
        check(nodes[0].kind == "reference", "P2", offset, f"weak, but no reference: {attributes}")
        nodes[0].kind = "weak"
    if is_keyed:
        outer = Node([], "optional")
        outer.children = [nodes[0]]
        for node in nodes:
            node.index += 1
        nodes = [outer] + nodes
    return Tree(nodes)


# ---- 04.2 Chunks

class Chunk:
    """The values of a node in one segment. The initializer checks the form; `values` reads the values."""

    def __init__(self, payload, node, strings):
        size = payload.count()
        payload.take(size)
        # This cursor ends with the chunk. Alignment counts from the start of the payload.
        cursor = Cursor(payload.data[:payload.at], payload.offset)
        cursor.at = payload.at - size
        self.node, self.offset, self.is_table = node, cursor.offset + cursor.at, False
        self.bytes = cursor.data[cursor.at:]
        self.count, self._values = cursor.varint(), None
        self.encoding = cursor.data[cursor.at] if cursor.left() else None
        if node.kind in INTEGERS:
            width, is_signed = INTEGERS[node.kind]
            self.read = take_integers(cursor, self.count, width, is_signed, may_align=True)
        elif node.kind in BITS:
            self.read = self.bits(cursor)
        elif node.kind in FIXED:
            self.read = self.fixed(cursor, FIXED[node.kind])
        else:
            self.read = self.text(cursor, strings)
        cursor.done()

    def check(self, holds, rule, message):
        if not holds:
            reject(rule, self.offset, message)

    @property
    def values(self):
        if self._values is None:
            self._values = self.read()
        return self._values

    def bits(self, cursor):
        encoding = cursor.u8()
        if encoding == 0x10:
            bit = cursor.u8()
            cursor.check(bit < 2, "V3", f"bit {bit}")
            self.check_constant()
            return lambda: [bit] * self.count
        cursor.check(encoding == 0, "V1", f"encoding {encoding:#x} of bits")
        data = take_plain(cursor, (self.count + 7) // 8, 1)
        check_last_bits(cursor, data, self.count, "V3")
        return lambda: [byte >> bit & 1 for byte in data for bit in range(8)][:self.count]

    def check_constant(self):
        self.check(1 <= self.count, "V1", "no value")
        self.check(self.count <= 1 << 18, "V8", f"{self.count} values")

    def fixed(self, cursor, size):
        encoding = cursor.u8()
        if encoding == 0x10:
            self.check_constant()
            value = bytes(cursor.take(size))
            return lambda: [value] * self.count
        cursor.check(encoding in (0, 0x80), "V1", f"encoding {encoding:#x} of {size} bytes")
        if encoding:
            align(cursor)
        data = take_plain(cursor, self.count, size)
        return lambda: [bytes(data[at:at + size]) for at in range(0, len(data), size)]

    def text(self, cursor, strings):
        encoding = cursor.u8()
        self.is_table = encoding == 1 and self.node.kind == "string"
        cursor.check(self.is_table or encoding == 0, "V1", f"encoding {encoding:#x} of text")
        if self.is_table:
            self.ids = take_integers(cursor, self.count, 4)
            return lambda: [strings[identifier] for identifier in self.ids()]
        lengths = take_integers(cursor, self.count, 8)()
        total = sum(lengths)
        cursor.check(total < 1 << 63 and total <= cursor.left(), "V1", f"{total} bytes of text")
        data = bytes(cursor.take(total))
        ends = list(accumulate(lengths, initial=0))
        parts = (data[start:end] for start, end in zip(ends, ends[1:]))
        if self.node.kind == "data":
            return lambda: list(parts)
        return lambda: [text(part, "V5", self.offset) for part in parts]


# ---- 04.3 Integer sequences

WIDTHS = {1: "bB", 2: "hH", 4: "iI", 8: "qQ"}


def unpack(data, width, is_signed=False):
    return struct.unpack(f"<{len(data) // width}{WIDTHS[width][not is_signed]}", data)


def check_last_bits(cursor, data, bits, rule):
    cursor.check(not bits % 8 or data[-1] >> bits % 8 == 0, rule, "bits behind the last value")


def take_plain(cursor, count, width):
    cursor.check(count <= cursor.left() // width, "V1", f"{count} values of {width} bytes")
    return cursor.take(count * width)


def take_integers(cursor, count, limit, is_signed=False, may_align=False):
    """Reads `count` integers of at most `limit` bytes each. Returns a function that returns them."""
    encoding = cursor.u8()
    packings = {0x10: packed, 0x11: delta, 0x12: run_length}
    width = cursor.u8() if encoding in packings else encoding & 0x7F
    cursor.check(width in WIDTHS and width <= limit, "V1", f"encoding {encoding:#x}, width {width}")
    if encoding in packings:
        cursor.check(count <= 1 << 18, "V8", f"{count} values")
        read = packings[encoding](cursor, count, width)
        half, whole = 1 << 8 * width - 1, 1 << 8 * width
        return (lambda: [v - whole if v >= half else v for v in read()]) if is_signed else read
    if encoding & 0x80:
        cursor.check(may_align and width > 1, "V1", f"encoding {encoding:#x}")
        align(cursor)
    data = take_plain(cursor, count, width)
    return lambda: unpack(data, width, is_signed)


def align(cursor):
    cursor.check(not any(cursor.take(-cursor.at % 8)), "V11", "padding before aligned values")


def bit_width(cursor, width):
    bits = cursor.u8()
    cursor.check(bits < 8 * width and bits <= 56, "V9", f"{bits} bits of {width} bytes")
    return bits


def take_numbers(cursor, count, bits):
    data = take_plain(cursor, (count * bits + 7) // 8, 1)
    check_last_bits(cursor, data, count * bits, "V9")

    def read():
        # Eight numbers of `bits` bits take exactly `bits` bytes.
        groups = (int.from_bytes(data[at:at + bits], "little") for at in range(0, len(data), bits))
        shifts, mask = range(0, 8 * bits, bits), (1 << bits) - 1
        return [group >> shift & mask for group in groups for shift in shifts][:count]
    return read if bits else lambda: [0] * count


def packed(cursor, count, width):
    bits, base = bit_width(cursor, width), int.from_bytes(cursor.take(width), "little")
    numbers, mask = take_numbers(cursor, count, bits), (1 << 8 * width) - 1
    return lambda: [base + number & mask for number in numbers()]


def delta(cursor, count, width):
    cursor.check(count, "V1", "differences of no values")
    bits = bit_width(cursor, width)
    first, base = (int.from_bytes(cursor.take(width), "little") for _ in range(2))
    numbers, mask = take_numbers(cursor, count - 1, bits), (1 << 8 * width) - 1
    return lambda: list(accumulate(numbers(), lambda value, step: value + base + step & mask, initial=first))


def run_length(cursor, count, width):
    runs = cursor.count(width + 1)
    values = unpack(take_plain(cursor, runs, width), width)
    length_width = cursor.u8()
    cursor.check(length_width in (1, 2, 4), "V1", f"lengths of {length_width} bytes")
    lengths = unpack(take_plain(cursor, runs, length_width), length_width)
    cursor.check(0 not in lengths and sum(lengths) == count, "V10", f"runs of {sum(lengths)}, not {count}")
    return lambda: [value for value, length in zip(values, lengths) for _ in range(length)]


# ---- 04.4 Strings

def read_strings(data, segments, limits):
    strings = []
    for segment in segments:
        cursor = read_payload(data, segment)
        count, width = cursor.count(), cursor.u8()
        cursor.check(width in WIDTHS and count <= cursor.left() // width, "X1", f"{count} lengths of {width}")
        check(len(strings) + count <= limits.elements, "A7", segment.offset, f"{count} strings")
        lengths = unpack(cursor.take(count * width), width)
        cursor.check(sum(lengths) <= cursor.left(), "X1", f"{sum(lengths)} bytes of text")
        strings += [text(cursor.take(length), "X3", segment.offset) for length in lengths]
        cursor.done()
        check(count == segment.count, "I5", segment.offset, f"{count} strings")
    return strings


# ---- 04.5 Nodes

class ColumnValues:
    """The values of a column for the rows of a block."""

    def __init__(self, column, chunks):
        self.column, self.nodes, self.chunks = column, column.tree.nodes, chunks
        self.by_node = [None] * len(self.nodes)
        for chunk in chunks:
            self.by_node[chunk.node.index] = chunk
        self.taken = [0] * len(self.nodes)

    def take(self, node, count):
        start = self.taken[node.index]
        chunk = self.by_node[node.index]
        end = self.taken[node.index] = start + count
        chunk.check(end <= chunk.count, "V2", f"{chunk.count} values of {node.kind}, {end} or more asked for")
        return chunk.values[start:end] if node.children or node.kind in ("reference", "enumeration") else ()

    def skip(self, count, budget, row=None):
        """Consumes and checks `count` values of the column; if `row` is set, the values of that row [G4]."""
        work = [(self.nodes[0], count, 0, 0)]
        while work:
            node, count, depth, level = work.pop()
            if node.is_recursive and count > 1:
                work.append((node, count - 1, depth, level))
                count = 1
            budget.check_depth(depth, level, self.column)
            values = self.take(node, count) if node.is_stored else ()
            if node.kind == "reference" and row is not None:
                target = max(values, default=0)
                check(target < row or not target, "G4", self.column.offset,
                      f"'{self.column.key}' leads from row {row} to row {target}")
            asked = self.asked(node, count, values, budget)
            for child, number in reversed(asked):
                if number and child.takes_bytes:
                    work.append((child, number, depth + (child.index <= node.index), level + 1))

    def asked(self, node, count, values, budget):
        """Returns the children of a node, each with the number of values that `count` values of the node require."""
        if node.kind == "enumeration":
            cases = Counter(values)
            check(max(cases, default=0) < len(node.labels), "V6", self.by_node[node.index].offset,
                  f"case {max(cases, default=0)} of '{node.name}'")
            return [(node.payloads[case], number) for case, number in sorted(cases.items())
                    if node.payloads[case]]
        if node.is_stored and node.children:
            count = sum(values)
            if node.kind in COLLECTIONS:
                is_free = not any(child.takes_bytes for child in node.children)
                budget.charge(count * 64 if is_free else count, self.column)
        return [(child, count) for child in node.children]

    def next(self, node):
        chunk, at = self.by_node[node.index], self.taken[node.index]
        self.taken[node.index] = at + 1
        return chunk.values[at]


# ---- 04.6 Rows, 04.7 Links

class Block:
    """The rows of one class in a segment: their numbers, the values of the columns, and the columns with chunks."""

    def __init__(self, each, rows, columns, stored):
        self.each, self.rows, self.columns, self.stored = each, rows, columns, stored


class Rows:
    """A `ROWS` segment with its `LINK` segment: the runs, and the blocks by class."""

    def __init__(self, archive, segment, link):
        cursor = read_payload(archive.data, segment)
        links = read_payload(archive.data, link) if link else None
        self.runs, self.first, rows, by_class = [], segment.first, segment.first, {}
        for _ in range(cursor.count(2)):
            index, length = cursor.varint(), cursor.varint()
            cursor.check(index < len(archive.classes) and length, "R1", f"{length} rows of class {index}")
            cursor.check(length <= segment.first + segment.count - rows, "R1", f"over {segment.count} rows")
            cursor.check((index == 0) == (rows == 0) and (index or length == 1), "G1", f"row {rows}")
            self.runs.append((index, length))
            by_class.setdefault(index, []).append(range(rows, rows + length))
            rows += length
        cursor.check(rows == segment.first + segment.count, "R1", f"fewer rows than {segment.count}")
        self.head = cursor.data[:cursor.at]
        self.blocks, has_weak = {}, False
        for index in sorted(by_class):
            each, count = archive.classes[index], cursor.varint()
            cursor.check(each.required <= count <= len(each.columns), "R2", f"{count} columns")
            columns, stored = each.without_chunks[:count], []
            for position, column in stored_columns(each, count):
                chunks = []
                for node in column.tree.stored:
                    if node.kind == "weak":
                        check(links, "L1", segment.offset, "no LINK for a weak column")
                        has_weak = True
                    chunks.append(Chunk(links if node.kind == "weak" else cursor, node, archive.strings))
                columns[position] = ColumnValues(column, chunks)
                stored.append(columns[position])
            self.blocks[index] = Block(each, by_class[index], columns, stored)
        cursor.done()
        if links:
            check(has_weak and link.count == segment.count, "L1", link.offset, "a LINK that nothing needs")
            links.done()


def stored_columns(each, count):
    """Returns the columns with chunks among the first `count` columns of a class, with their positions."""
    return takewhile(lambda stored: stored[0] < count, each.stored)


def pair_links(rows, links):
    """Returns each `ROWS` segment with its `LINK` segment."""
    by_first = {}
    for link in links:
        check(link.first not in by_first, "L1", link.offset, "a second LINK for these rows")
        by_first[link.first] = link
    pairs = [(segment, by_first.pop(segment.first, None)) for segment in rows]
    for link in by_first.values():
        reject("L1", link.offset, "a LINK without rows")
    return pairs


# ---- 05 Graph

class Budget:
    """The elements and empty rows of a file that were counted so far."""

    def __init__(self, limits):
        self.limits, self.elements, self.empty_rows = limits, 0, 0

    def charge(self, count, column):
        self.elements += count
        check(self.elements <= self.limits.elements, "A7", column.offset, f"{self.elements} elements")

    def check_depth(self, depth, level, column):
        nesting = self.limits.nesting
        check(depth <= nesting and level <= 4 * nesting + 3, "A8", column.offset, f"depth of '{column.key}'")

    def charge_empty(self, rows, offset):
        self.empty_rows += rows
        check(self.empty_rows <= self.limits.rows // 64, "A3", offset, f"{self.empty_rows} empty rows")


class Archive:
    """An archive. The initializer checks everything, in the order of 05.4."""

    def __init__(self, data, limits=DEFAULT):
        check(len(data) <= limits.fileBytes, "A1", 0, f"{len(data)} bytes")
        self.data, self.limits = data, limits = memoryview(data), limits
        self.version = read_header(data)
        trailer = read_trailer(data)
        segments = read_index(data, limits, *trailer)
        kinds = {kind: [segment for segment in segments if segment.kind == kind] for kind in KINDS}
        self.row_count = trailer[1]
        self.classes = read_classes(data, kinds[b"CLSS"], limits)
        self.metadata = read_metadata(data, kinds[b"META"])
        self.strings = read_strings(data, kinds[b"STRS"], limits)
        self.segments = pair_links(kinds[b"ROWS"], kinds[b"LINK"])
        self.families = {each.name: each.family for each in self.classes[1:]}
        self.numbers_of_rows = array("I")
        for segment, link in self.segments:
            for index, length in Rows(self, segment, link).runs:
                self.numbers_of_rows += array("I", [self.classes[index].number]) * length
        budget = Budget(limits)
        for segment, link in self.segments:
            for block in Rows(self, segment, link).blocks.values():
                self.check_block(block, segment, budget)
        directories = [segment for segment in segments if segment.kind == b"CDIR"]
        check(len(directories) < 2 and not any(segment.first for segment in directories), "Y1", 32, "directories")
        self.directory = Directory(self, directories[0]) if directories else None
        points = [segment for segment in segments if segment.kind == b"ZPTS"]
        check(len(points) < 2 and not any(segment.first for segment in points), "Y6", 32, "lists of points")
        if points:
            listed = [segment for segment in segments if segment.codec and segment.kind in (b"STRS", b"ROWS", b"LINK")]
            Points(data, points[0], listed, limits)

    def check_block(self, block, segment, budget):
        count, keyed = sum(map(len, block.rows)), {}
        if not block.stored:
            budget.charge_empty(count, segment.offset)
        for values in block.stored:
            column = values.column
            if column.is_construction and column.tree.has_strong:
                for row in (row for rows in block.rows for row in rows):
                    values.skip(1, budget, row)
            else:
                values.skip(count, budget)
            for chunk in values.chunks:
                chunk.check(values.taken[chunk.node.index] == chunk.count, "V2", "more values than asked for")
                self.check_chunk(chunk)
            if column.is_keyed:
                others = keyed.setdefault((column.declaring, column.key), bytearray(count))
                present = values.chunks[0].values
                check(not any(map(int.__and__, others, present)), "K1", column.offset, "two values of a row")
                keyed[column.declaring, column.key] = bytearray(map(int.__or__, others, present))

    def check_chunk(self, chunk):
        node = chunk.node
        if chunk.is_table:
            chunk.check(max(chunk.ids(), default=-1) < len(self.strings), "X2", "an unknown string")
        elif node.kind in ("string", "decimal"):
            chunk.values
        elif node.kind in ("reference", "weak"):
            family = range(1, len(self.classes)) if node.name is None else self.families.get(node.name, ())
            for row in set(chunk.values) - {0}:
                chunk.check(row < self.row_count, "G2", f"row {row} of {self.row_count}")
                chunk.check(self.numbers_of_rows[row] in family, "G3", f"row {row} is no '{node.name}'")


# ---- 13 Directory

class Directory:
    """The content of a `CDIR` segment. The initializer checks it against all segments of rows."""

    def __init__(self, archive, segment):
        self.offset, cursor = segment.offset, read_payload(archive.data, segment)
        try:
            self.read(cursor, archive.classes, archive.limits)
        except ArchiveError as error:
            if error.rule == "A2":
                raise
            reject("Y2", segment.offset, str(error))
        check(segment.count == len(self.heads) == len(archive.segments), "Y3", segment.offset,
              f"{len(self.heads)} segments of {len(archive.segments)}, {segment.count} by the index")
        blocks, chunks = iter(self.blocks), iter(self.chunks)
        for number, pair in enumerate(archive.segments):
            self.check(Rows(archive, *pair), number, blocks, chunks)

    def read(self, cursor, classes, limits):
        stated = 0

        def charge(count):
            nonlocal stated
            stated += count
            check(96 * stated <= limits.rawBytes, "A2", self.offset, f"{stated} segments, blocks and chunks stated")

        def integers(count):
            return list(take_integers(cursor, count, 8)())

        def sums(count):
            return unpack(take_plain(cursor, count, 4), 4)

        count = cursor.count(4)
        charge(count)
        self.heads = list(zip(integers(count), sums(count), integers(count)))
        count = sum(blocks for _, _, blocks in self.heads)
        cursor.check(count <= 1 << 18 or count <= cursor.left(), "B5", f"{count} blocks")
        charge(count)
        self.blocks = list(zip(*(integers(count) for _ in range(5))))
        nodes, at = [], 0
        for _, _, blocks in self.heads:
            indices = [index for index, *_ in self.blocks[at:at + blocks]]
            cursor.check(indices == sorted(set(indices)), "R1", f"classes {indices}")
            at += blocks
        for index, _, _, _, columns in self.blocks:
            cursor.check(index < len(classes) and columns <= len(classes[index].columns), "R2", f"class {index}")
            nodes += [node for _, column in stored_columns(classes[index], columns) for node in column.tree.stored]
            cursor.check(4 * len(nodes) <= cursor.left(), "B5", f"{len(nodes)} chunks")
        charge(len(nodes))
        lists = [integers(len(nodes)) for _ in range(3)] + [sums(len(nodes))]
        bits = take_plain(cursor, (len(nodes) + 7) // 8, 1)
        check_last_bits(cursor, bits, len(nodes), "V3")
        ranged = [node for at, node in enumerate(nodes) if bits[at // 8] >> at % 8 & 1]
        cursor.check(all(node.kind in RANGED for node in ranged), "V1", "a range of a kind without order")
        outside = integers(len(ranged))
        borders = [[struct.unpack(RANGED[node.kind], cursor.take(8))[0] for node in ranged] for _ in range(2)]
        ranges = iter(zip(outside, *borders))
        self.chunks = [(*each, next(ranges) if bits[at // 8] >> at % 8 & 1 else None)
                       for at, each in enumerate(zip(*lists))]
        cursor.done()

    def check(self, rows, number, blocks, chunks):
        size, checksum, count = self.heads[number]
        check((size, count) == (len(rows.head), len(rows.blocks)), "Y3", self.offset, f"segment {number}")
        check(checksum == zlib.crc32(rows.head), "Y4", self.offset, f"runs of segment {number}")
        runs = Counter(index for index, _ in rows.runs)
        for index, block in rows.blocks.items():
            found = (index, sum(map(len, block.rows)), runs[index], block.rows[0][0] - rows.first, len(block.columns))
            check(next(blocks) == found, "Y3", self.offset, f"class {index} in segment {number}")
            for chunk in (chunk for values in block.stored for chunk in values.chunks):
                *stated, checksum, borders = next(chunks)
                what = f"a chunk of kind {chunk.node.kind} in segment {number}"
                check(stated == [len(chunk.bytes), chunk.count, chunk.encoding], "Y3", self.offset, what)
                check(checksum == zlib.crc32(chunk.bytes), "Y4", self.offset, what)
                check(borders is None or borders == range_of(chunk), "Y5", self.offset, what)

    def document(self):
        """Returns the whole directory as JSON."""
        blocks, chunks = iter(self.blocks), iter(self.chunks)
        segments = []
        for size, _, count in self.heads:
            segments.append({"head": size, "blocks": []})
            for index, rows, runs, start, columns in (next(blocks) for _ in range(count)):
                segments[-1]["blocks"].append(dict(
                    zip(("class", "rows", "runs", "start", "columns"), (index, rows, runs, start, columns))))
        return {"segments": segments, "chunks": [
            {"size": size, "count": count, "encoding": encoding, "crc": "%08x" % checksum,
             **({} if borders is None else dict(zip(("outside", "least", "most"), borders)))}
            for size, count, encoding, checksum, borders in chunks]}


class Points:
    """The content of a `ZPTS` segment. The initializer checks it against the segments that it lists."""

    def __init__(self, data, segment, listed, limits):
        self.offset, cursor = segment.offset, read_payload(data, segment)
        check(segment.count == len(listed), "Y8", segment.offset, f"{segment.count} segments of {len(listed)}")
        try:
            self.read(cursor, listed, limits)
        except ArchiveError as error:
            if error.rule in ("A2", "Y8"):
                raise
            reject("Y7", segment.offset, str(error))
        for each, points, sums in zip(listed, self.points, self.sums):
            self.check(data, each, points, sums)

    def read(self, cursor, listed, limits):
        count = cursor.varint()
        check(count == len(listed), "Y8", self.offset, f"{count} segments of {len(listed)}")
        counts = list(take_integers(cursor, count, 8)())
        total = sum(counts)
        cursor.check(total <= 1 << 18 or total <= cursor.left(), "B5", f"{total} points")
        check(96 * (count + total) <= limits.rawBytes, "A2", self.offset, f"{total} points of {count} segments")
        distances = [list(take_integers(cursor, total, 8)()) for _ in range(2)]
        cursor.check(all(0 < distance < 1 << 40 for each in distances for distance in each), "B5", "distances")
        pairs = zip(*distances)
        self.points, self.sums = [], []
        for segment, count in zip(listed, counts):
            own = [next(pairs) for _ in range(count)]
            self.points.append(list(zip(*(accumulate(each) for each in zip(*own)))))
            for raw, stored in self.points[-1]:
                check(raw < segment.raw and raw % BLOCK and stored < segment.stored, "Y8", self.offset,
                      f"a point for byte {raw} at byte {stored} of segment {segment.offset}")
        for segment, points in zip(listed, self.points):
            parts = len(points) + -(-segment.raw // BLOCK) if segment.kind == b"STRS" else 0
            self.sums.append(unpack(take_plain(cursor, parts, 4), 4))
        cursor.done()

    def check(self, data, segment, points, sums):
        raw, stored = read_payload(data, segment).data, data[segment.offset + 24:segment.offset + 24 + segment.stored]
        parts, at, sums = [], 0, iter(sums)
        for block in range(0, segment.raw, BLOCK):
            end = at + 4 + int.from_bytes(stored[at:at + 4], "little")
            starts = [(block, at + 6)] + [point for point in points if block < point[0] < block + BLOCK]
            ends = starts[1:] + [(min(block + BLOCK, segment.raw), end - 4)]
            parts += [(*start, *stop, stop is ends[-1]) for start, stop in zip(starts, ends)]
            at = end
        for first, start, _, stop, _ in parts:
            check(start < stop, "Y8", self.offset, f"the point for byte {first} of segment {segment.offset}")
        for first, start, last, stop, is_last in parts:
            what, stream = f"the part from byte {first} of segment {segment.offset}", zlib.decompressobj(-15)
            try:
                part = stream.decompress(stored[start:stop], last - first + 1)
            except zlib.error as error:
                reject("Y9", self.offset, f"{what}: {error}")
            check(part == raw[first:last] and not stream.unconsumed_tail and not stream.unused_data
                  and stream.eof == is_last, "Y9", self.offset, what)
            check(next(sums, None) in (None, zlib.crc32(part)), "Y10", self.offset, what)


# The stored form of `least` and `most`, by kind.
RANGED = {**dict.fromkeys(("int8", "int16", "int32", "int64"), "<q"),
          **dict.fromkeys(("float16", "float32", "float64", "date"), "<d"),
          **dict.fromkeys(("uint8", "uint16", "uint32", "uint64", "string", "enumeration", "reference", "weak"), "<Q")}


def range_of(chunk):
    """Returns the number of values outside the range (nil, NaN), and the least and the greatest other value.

    None if all values are outside.
    """
    kind = chunk.node.kind
    if chunk.is_table:
        values = chunk.ids()
    elif kind == "string":
        values = [int.from_bytes(value.encode()[:8].ljust(8, b"\0"), "big") for value in chunk.values]
    elif RANGED[kind] == "<d":
        code = {2: "<e", 4: "<f", 8: "<d"}[FIXED[kind]]
        values = [value for data in chunk.values for value in struct.unpack(code, data) if value == value]
    else:
        values = [value for value in chunk.values if value or kind not in ("reference", "weak")]
    return (chunk.count - len(values), min(values), max(values)) if values else None


# ---- 10 JSON

class Printer:
    """Prints an archive as a document of page 10."""

    def __init__(self, archive):
        self.archive, self.pieces = archive, []
        # Values nest in recursive types, whose depth has a limit; objects do not nest.
        sys.setrecursionlimit(4 * archive.limits.nesting + 1000)

    def document(self):
        write, archive = self.pieces.append, self.archive
        write('{\n  "format":"arc",\n  "version":"%d.%d",\n  "roots":' % archive.version)
        row = 0
        for segment, link in archive.segments:
            rows = Rows(archive, segment, link)
            position = dict.fromkeys(rows.blocks, 0)
            names = {index: column_names(archive.classes, block.each) for index, block in rows.blocks.items()}
            for index, length in rows.runs:
                block = rows.blocks[index]
                for _ in range(length):
                    if row:
                        write(",\n" if row > 1 else "\n")
                        write('    {"id":%d,"class":%s,"properties":' % (row, quoted(block.each.name)))
                    self.properties(block, names[index])
                    write("}" if row else ',\n  "objects":[')
                    row += 1
        write("\n  ]\n}\n" if row > 1 else "]\n}\n")
        return "".join(self.pieces)

    def properties(self, block, names):
        separator = "{"
        for values, name in zip(block.columns, names):
            node = values.nodes[0]
            if values.column.is_keyed:
                if not values.next(node):
                    continue
                node = node.children[0]
            self.pieces.append(separator + name + ":")
            self.value(values, node)
            separator = ","
        self.pieces.append("{}" if separator == "{" else "}")

    def value(self, values, node):
        write, kind = self.pieces.append, node.kind
        if kind == "structure":
            write('{"$struct":%s,"fields":{' % quoted(node.name))
            for position, (label, child) in enumerate(zip(node.labels, node.children)):
                write("%s%s:" % ("," if position else "", quoted(label or str(position))))
                self.value(values, child)
            write("}}")
            return
        if kind == "url":
            write('{"$url":' + quoted(values.next(node.children[0])))
            if values.next(node.children[1]):
                write(',"base":' + quoted(values.next(node.children[1].children[0])))
            write("}")
            return
        value = values.next(node)
        if kind == "optional":
            if value:
                self.value(values, node.children[0])
            else:
                write("null")
        elif kind in COLLECTIONS:
            write({"array": "[", "set": '{"$set":[', "dictionary": '{"$dictionary":['}[kind])
            for position in range(value):
                write("," if position else "")
                write("[" if kind == "dictionary" else "")
                for number, child in enumerate(node.children):
                    write("," if number else "")
                    self.value(values, child)
                write("]" if kind == "dictionary" else "")
            write("]" if kind == "array" else "]}")
        elif kind == "enumeration":
            write('{"$enum":%s,"case":%s' % (quoted(node.name), quoted(node.labels[value])))
            if node.payloads[value]:
                write(',"payload":')
                self.value(values, node.payloads[value])
            write("}")
        else:
            write(scalar(kind, value))


# ---- 16 Digest

class Digest:
    """Computes the digest of an archive: a SHA-256 for each column, and one of the runs, the classes and these."""

    def __init__(self, archive):
        self.archive, self.runs, self.positions, self.columns = archive, [], {}, {}
        sys.setrecursionlimit(4 * archive.limits.nesting + 1000)
        for segment, link in archive.segments:
            rows = Rows(archive, segment, link)
            for index, length in rows.runs:
                position = self.positions.setdefault(index, len(self.positions))
                if self.runs and self.runs[-1][0] == position:
                    self.runs[-1][1] += length
                else:
                    self.runs.append([position, length])
            for index, block in rows.blocks.items():
                self.add(index, block)

    def add(self, index, block):
        columns = block.each.columns
        hashes = self.columns.setdefault(index, [hashlib.sha256() for _ in columns])
        count = sum(map(len, block.rows))
        for number, column in enumerate(columns):
            if number >= len(block.columns):
                hashes[number].update(bytes(count))
            else:
                values = block.columns[number]
                for _ in range(count):
                    hashes[number].update(digest_form(values, values.nodes[0]))

    def text(self):
        classes = self.archive.classes
        data = bytearray(b"ARCD\1") + varint(len(self.runs))
        for position, length in self.runs:
            data += varint(position) + varint(length)
        data += varint(len(self.positions))
        for index in self.positions:
            each, above = classes[index], []
            while each.superclass is not None:
                each = classes[each.superclass]
                above.append(each.name)
            each = classes[index]
            data += string(each.name) + varint(len(above)) + b"".join(map(string, above)) + varint(each.version)
            data += varint(len(each.columns))
            for column, digest in zip(each.columns, self.columns[index]):
                data += string(classes[column.declaring].name) + string(column.key) + string(type_text(column))
                data += bytes([column.is_keyed]) + digest.digest()
        return hashlib.sha256(data).hexdigest()


def digest_form(values, node):
    """Returns the bytes of the next value of a node."""
    kind = node.kind
    if kind == "structure":
        return b"".join([digest_form(values, child) for child in node.children])
    if kind == "url":
        return b"".join([digest_form(values, child) for child in node.children])
    value = values.next(node)
    if kind == "optional":
        return b"\1" + digest_form(values, node.children[0]) if value else b"\0"
    if kind in COLLECTIONS:
        parts = [b"".join([digest_form(values, child) for child in node.children]) for _ in range(value)]
        return varint(value) + b"".join(parts if kind == "array" else sorted(parts))
    if kind == "enumeration":
        payload = node.payloads[value]
        return varint(value) + (digest_form(values, payload) if payload else b"")
    if kind == "bool":
        return bytes([value])
    if kind in ("reference", "weak"):
        return struct.pack("<I", value)
    if kind in ("string", "decimal"):
        return string(value)
    if kind == "data":
        return varint(len(value)) + bytes(value)
    if isinstance(value, int):
        size = int(kind.lstrip("uint")) // 8
        return value.to_bytes(size, "little", signed=not kind.startswith("u"))
    return bytes(value)


def varint(value):
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(data) + bytes([value])


def string(value):
    data = value.encode()
    return varint(len(data)) + data


def type_text(column):
    """Returns the type encoding of a column: the value of its attribute `T`."""
    at = 0
    while column.attributes[at] != "T":
        at = column.attributes.index(",", at) + 1
    return column.attributes[at + 1:parse_type(column.attributes, at + 1, 0)[1]]


def column_names(classes, each):
    """Returns the names of columns: the key, after the declaring class if a subclass of it declares the same key."""
    owners = {}
    for column in each.columns:
        owners[column.key] = max(column.declaring, owners.get(column.key, 0))
    return [quoted(column.key if owners[column.key] == column.declaring
                   else classes[column.declaring].name + "." + column.key) for column in each.columns]


def scalar(kind, value):
    if kind in ("reference", "weak"):
        return '{"$ref":%d}' % value if value else "null"
    if kind == "bool":
        return "true" if value else "false"
    if kind == "string":
        return quoted(value)
    if kind == "decimal":
        return '{"$decimal":%s}' % quoted(value)
    if kind == "data":
        return '{"$data":"%s"}' % base64.b64encode(value).decode()
    if kind == "uuid":
        return '{"$uuid":"%s"}' % str(uuid.UUID(bytes=value)).upper()
    if kind == "date":
        seconds, = struct.unpack("<d", value)
        return '{"$date":%s,"seconds":%s}' % (calendar(seconds), number("float64", value))
    if kind.startswith("float"):
        return number(kind, value)
    if kind in ("int128", "uint128"):
        value = int.from_bytes(value, "little", signed=kind == "int128")
    return str(value) if abs(value) < 1 << 53 else '{"$integer":"%d"}' % value


def number(kind, data):
    """Returns the shortest digits that read back as the same value; a float16 counts as the float32 of its value."""
    value, = struct.unpack({"float16": "<e", "float32": "<f", "float64": "<d"}[kind], data)
    if math.isinf(value):
        return '{"$float":"%sinf"}' % ("-" if value < 0 else "")
    if math.isnan(value):
        bits = int.from_bytes(data, "little")
        if kind == "float16":
            bits = (bits & 0x8000) << 16 | 0x7F80_0000 | (bits & 0x3FF) << 13
        usual = 0x7FF8_0000_0000_0000 if kind == "float64" else 0x7FC0_0000
        return '{"$float":"nan"%s}' % (',"bits":"%x"' % bits if bits != usual else "")
    if kind == "float64":
        return repr(value)
    for digits in range(1, 10):
        shortest = float("%.*g" % (digits, value))
        if struct.pack("<f", shortest) == struct.pack("<f", value):
            return repr(shortest)


def calendar(seconds):
    """Returns a date in ISO 8601 and UTC, rounded to microseconds; null if the value is not a date."""
    if not abs(seconds) < 2 ** 52:
        return "null"
    whole, micros = divmod(math.floor(Fraction(seconds) * 1_000_000 + Fraction(1, 2)), 1_000_000)
    days, second = divmod(whole, 86_400)
    # Days since 0000-03-01 in eras of 400 years, so that the leap day ends a year.
    era, day = divmod(days + 11_323 + 719_468, 146_097)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    year += 400 * era + (month >= 10)
    years = "%04d" % year if 0 <= year <= 9999 else "%+07d" % year
    fraction = (".%06d" % micros).rstrip("0") if micros else ""
    return '"%s-%02d-%02dT%02d:%02d:%02d%sZ"' % (
        years, (month + 2) % 12 + 1, day + 1, second // 3600, second // 60 % 60, second % 60, fraction)


def quoted(text):
    """Returns a string literal. It escapes characters that are not printable, because they could steer a terminal."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return '"' + text + '"'

    def escaped(character):
        if character in '"\\':
            return "\\" + character
        if character.isprintable():
            return character
        return "".join("\\u%04x" % unit for unit in struct.unpack(
            "<%dH" % (len(character.encode("utf-16-le")) // 2), character.encode("utf-16-le")))
    return '"' + "".join(map(escaped, text)) + '"'


# ---- Command

def main(arguments):
    names = [argument for argument in arguments if argument == "-" or not argument.startswith("-")]
    flags = set(arguments) - set(names)
    if len(names) != 1 or not flags <= {"--verify", "--trust", "--directory", "--digest"}:
        print(__doc__, file=sys.stderr)
        return 64
    limits = DEFAULT if "--trust" in flags else UNTRUSTED
    try:
        with open(0 if names[0] == "-" else names[0], "rb") as file:
            data = file.read(limits.fileBytes + 1)
    except OSError as error:
        print(f"arc.py: {names[0]}: {error.strerror}", file=sys.stderr)
        return 66
    try:
        archive = Archive(data, limits)
    except ArchiveError as error:
        print(f"arc.py: {names[0]}: {error}", file=sys.stderr)
        return 65
    if "--verify" in flags:
        return 0
    try:
        if "--directory" in flags:
            text = json.dumps(archive.directory and archive.directory.document(), indent=1) + "\n"
        elif "--digest" in flags:
            text = Digest(archive).text() + "\n"
        else:
            text = Printer(archive).document()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    except OSError:
        return 74
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
