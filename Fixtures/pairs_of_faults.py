#!/usr/bin/env python3
"""Writes archives that break two rules, to test that readers check in the order of Spec/05, section 4.

    pairs_of_faults.py FOLDER     writes one archive for each pair of faults of different steps

The name of a file is `STEP-RULE-CODE-then-RULE.arc`: a reader with the limits `untrusted` reports CODE, the code of the first
fault. The second fault belongs to a later step.
"""

import itertools
import pathlib
import struct
import sys
import zlib

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
from bytes_of_archives import *  # noqa: E402, F403


def rows_of(run=1, root=1, text=0):
    """The segment of rows: row 0 with the root, and the object, whose class is given by its run."""
    return rows(2, runs((0, 1), (run, 1)), block(1, plain([root])), block(2, names(text)))


def base():
    """The segments of a sound archive by kind: an object of class A with a text and a weak reference to itself."""
    return {
        "META": metadata(("a", "1"), ("b", "2")),
        "CLSS": classes(new_class(0, "$roots", column("root", 'T@"A"', 0)),
                        new_class(1, "A", column("text", 'T@"NSString"', 1), column("own", 'T@"A",W', 1))),
        "STRS": strings("one"),
        "ROWS": rows_of(),
        "LINK": links(0, 2, plain([1])),
    }


class Faults:
    """An archive under change: its segments, and changes of the bytes of the whole file."""

    def __init__(self):
        self.segments, self.changes, self.values = base(), [], {}

    def bytes(self):
        segments = list(self.segments.values())
        data = bytearray(archive(*segments))
        starts = dict(zip(self.segments, segment_starts(segments)))
        for change in self.changes:
            change(data, starts)
        return bytes(data)


def segment_starts(segments):
    """The offset of each segment in the file, and of the index."""
    start = 32
    for segment in segments:
        yield start
        start += whole_size(segment) + 4


def whole_size(segment):
    """The number of bytes of a segment before its checksum."""
    stored = len(segment.payload)
    return 24 + stored + -(stored + 4) % 8


def with_checksum(data, start, end):
    data[end:end + 4] = crc(bytes(data[start:end]))


def feature(faults):
    def change(data, _):
        data[12] |= 1
        with_checksum(data, 0, 28)
    faults.changes.append(change)


def trailer(faults):
    faults.changes.append(lambda data, _: data.__setitem__(slice(-8, -4), b"\0\0\0\0"))


def row_count(faults):
    faults.segments["STRS"].first = 1


def two_metadata(faults):
    faults.segments["META2"] = metadata(("c", "3"))


def unknown(faults):
    faults.segments["NEWS"] = Segment(b"NEWS", b"new", 0, 0)


def damaged_unknown(faults):
    faults.segments["xOWN"] = Segment(b"xOWN", b"own", 0, 0, flags=1)
    damage(faults, "xOWN")


def header(kind):
    """Sets a reserved byte in the header of a segment, under a right checksum of the segment [S1]."""
    def fault(faults):
        def change(data, starts):
            start = starts[kind]
            data[start + 6] = 1
            with_checksum(data, start, start + whole_size(faults.segments[kind]))
            ends = [start + whole_size(segment) for segment, start in zip(faults.segments.values(), starts.values())]
            data[-12:-8] = crc(b"".join(data[end:end + 4] for end in ends))
            with_checksum(data, len(data) - 32, len(data) - 8)
        faults.changes.append(change)
    return fault


def damage(faults, kind):
    """Changes the last byte of a payload, so that the checksum of the segment does not match [S2]."""
    def change(data, starts):
        data[starts[kind] + 24 + len(faults.segments[kind].payload) - 1] ^= 1
    faults.changes.append(change)


def damaged(kind):
    return lambda faults: damage(faults, kind)


def class_twice(faults):
    roots = new_class(0, "$roots", column("root", 'T@"A"', 0))
    faults.segments["CLSS"] = classes(roots, new_class(1, "A"), new_class(2, "A"))


def unordered_keys(faults):
    faults.segments["META"].payload = metadata(("b", "2"), ("a", "1")).payload


def text_in_no_utf8(faults):
    faults.segments["STRS"].payload = varint(1) + b"\1\1\xff"


def stray_link(faults):
    faults.segments["LINK2"] = links(1, 2, plain([1]))


def no_link(faults):
    del faults.segments["LINK"]


def value(name, number):
    """Sets a number in the segment of rows. A second fault of this kind keeps the first."""
    def fault(faults):
        faults.values[name] = number
        faults.segments["ROWS"] = rows_of(**faults.values)
    return fault


def directory(faults):
    faults.segments["CDIR"] = Segment(b"CDIR", b"\x07", 1, 0, flags=1)


#: Step, rule, code, and what makes the fault. Spec: 05-graph, section 4.
FAULTS = [
    (1, "H5", "unsupportedFeature", feature),
    (2, "T2", "damagedTrailer", trailer),
    (4, "I2", "indexMismatch", row_count),
    (4, "D2", "malformedSegment", two_metadata),
    (5, "S3", "unsupportedFeature", unknown),
    (5, "S2-unknown", "damagedSegment", damaged_unknown),
    (5, "S1-rows", "malformedSegment", header("ROWS")),
    (5, "S1-meta", "malformedSegment", header("META")),
    (5, "S1-link", "malformedSegment", header("LINK")),
    (6, "S2-classes", "damagedSegment", damaged("CLSS")),
    (6, "C2", "malformedClassTable", class_twice),
    (7, "S2-meta", "damagedSegment", damaged("META")),
    (7, "D3", "malformedSegment", unordered_keys),
    (7, "X3", "invalidString", text_in_no_utf8),
    (8, "S2-rows", "damagedSegment", damaged("ROWS")),
    (8, "L1-stray", "malformedSegment", stray_link),
    (8, "L1-none", "malformedSegment", no_link),
    (8, "R1", "malformedSegment", value("run", 7)),
    (9, "X2", "malformedColumn", value("text", 9)),
    (9, "G2", "danglingReference", value("root", 9)),
    (10, "Y2", "malformedSegment", directory),
]


def pairs():
    """Name and bytes of each archive. Pairs whose faults cannot be in one file are left out."""
    for (step, rule, code, first), (later, other, _, second) in itertools.combinations(FAULTS, 2):
        if step == later:
            continue
        faults = Faults()
        try:
            for fault in (second, first):
                fault(faults)
            yield f"{step}-{rule}-{code}-then-{other}.arc", faults.bytes()
        except KeyError:
            continue


def code(name):
    """The code that a reader reports for an archive with this name."""
    return name.split("-then-")[0].split("-")[-1]


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in pairs():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
