#!/usr/bin/env python3
"""Makes the archives in this folder, of shapes that Arc's writer never or seldom gives, and their JSON (Spec: 10).

    make.py     writes NAME.arc and NAME.json; then `../manifest.py` writes the manifest

The documents are written by hand here, not taken from a reader.
"""

import json
import pathlib
import struct
import sys

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
from bytes_of_archives import *  # noqa: E402, F403

#: Repeated members: a list of pairs is a JSON object with just these.
class Pairs(list):
    """Members of an object in order, a name twice where that is so."""


def reference(row):
    return {"$ref": row}


def document(roots, *objects, version="1.0"):
    """A document of objects of (class, properties)."""
    return {"format": "arc", "version": version, "roots": roots, "objects": [
        {"id": row, "class": name, "properties": properties} for row, (name, properties) in enumerate(objects, 1)]}


def root_only(*chunks, **keys):
    """An archive of the roots alone: `types` are the attributes of each by name."""
    columns = [column(key, attributes, 0) for key, attributes in keys["types"].items()]
    table = [*keys.get("strings", ()), classes(new_class(0, "$roots", *columns))]
    return archive(*table, rows(1, runs((0, 1)), block(len(columns), *chunks)),
                   **{key: value for key, value in keys.items() if key in ("minor", "optional")})


ROOT = new_class(0, "$roots", column("root", 'T@"A"', 0))
NO_ROOT = new_class(0, "$roots")
FIRST_ROW = rows(1, runs((0, 1)), block(1, plain([1])))


def long_runs():
    """Encoding 18: values of 8 bytes, lengths of 4."""
    body = b"\x12\x08\x02" + struct.pack("<QQ", 7, 2**64 - 1) + b"\x04" + struct.pack("<II", 3, 2)
    return root_only(plain([5]), chunk(5, body), types={"lengths": "T$[Q]"}), document(
        {"lengths": [7, 7, 7, {"$integer": str(2**64 - 1)}, {"$integer": str(2**64 - 1)}]})


def signed_runs():
    """Encoding 18 of signed values that are narrower than their kind, lengths of 2 bytes."""
    body = b"\x12\x02\x02" + struct.pack("<hh", -300, 5) + b"\x02" + struct.pack("<HH", 1, 2)
    return root_only(plain([3]), chunk(3, body), types={"root": "T$[q]"}), document({"root": [-300, 5, 5]})


def aligned():
    """Aligned integers and numbers, each with another padding."""
    parts, roots = [runs((0, 1)), varint(6)], {}
    types, size = {}, len(runs((0, 1))) + 1
    for key, type_, code, encoding in (
            ("shorts", "$[s]", "h", 130), ("ints", "$[i]", "i", 132), ("doubles", "$[d]", "d", 128)):
        values = [1, -2, 300]
        length = plain([len(values)])
        head, data = varint(len(values)) + bytes([encoding]), struct.pack(f"<3{code}", *values)
        at = size + len(length) + 1 + len(head)  # behind a byte count of one byte
        body = head + bytes(-at % 8) + data
        parts += [length, varint(len(body)), body]
        size += len(length) + 1 + len(body)
        types[key], roots[key] = "T" + type_, [float(value) for value in values] if code == "d" else values
    parts[1] = varint(len(types))
    table = classes(new_class(0, "$roots", *(column(key, type_, 0) for key, type_ in types.items())))
    return archive(table, rows(1, *parts)), document(roots)


def plain_where_aligned_cannot_be():
    """A plain chunk at byte 19 of its payload, where no aligned one of so many values can stand (Spec: 04.3)."""
    values = list(range(31))
    return root_only(texts("filler"), plain([31]), plain(values, "i"),
                     types={"before": 'T@"NSString"', "root": "T$[i]"}), document({"before": "filler", "root": values})


def late_columns():
    """A class gets keyed columns later; a block leaves them out, and one leaves out the second of two."""
    return archive(
        classes(ROOT, new_class(1, "A", column("x", "TC,N", 1))), FIRST_ROW,
        rows(1, runs((1, 1)), block(1, plain([10]))),
        classes(varint(1) + more(column("y", "TC", 1, 2), column("z", "TB", 1, 2)), count=0),
        rows(2, runs((1, 2)), block(2, plain([11, 12]), bits([0, 1]), plain([99]))),
        rows(1, runs((1, 1)), block(3, plain([13]), bits([1]), plain([98]), bits([1]), bits([1])))), document(
        {"root": reference(1)}, ("A", {"x": 10}), ("A", {"x": 11}), ("A", {"x": 12, "y": 99}),
        ("A", {"x": 13, "y": 98, "z": True}))


def links_last():
    """All `LINK` segments behind all rows, in another order than these."""
    return archive(
        classes(ROOT, new_class(1, "A", column("n", "TC,N", 1), column("w", 'T@"A",N,W', 1))), FIRST_ROW,
        rows(2, runs((1, 2)), block(2, plain([1, 2]))), rows(1, runs((1, 1)), block(2, plain([3]))),
        links(3, 1, plain([0])), links(1, 2, plain([3, 1]))), document(
        {"root": reference(1)}, ("A", {"n": 1, "w": reference(3)}), ("A", {"n": 2, "w": reference(1)}),
        ("A", {"n": 3, "w": None}))


def unknown_segments():
    """Kinds that no version defines, with the flag: stored, compressed, empty, private."""
    return archive(
        Segment(b"NEWK", b"anything", 12, 3, flags=1), classes(ROOT, new_class(1, "A")), FIRST_ROW,
        Segment(b"xMPL", b"a" * 100, 0, 0, codec=1, flags=1), rows(1, runs((1, 1)), block(0)),
        Segment(b"NEWK", b"", 0, 0, codec=1, flags=1)), document({"root": reference(1)}, ("A", {}))


def metadata_last():
    """`META` behind the rows; flag bit 0 of a known kind is ignored; an empty key."""
    meta = metadata(("", "empty"), ("arc.id", "00010203-0405-0607-0809-0A0B0C0D0E0F"), ("z", ""))
    meta.flags = 1
    return archive(classes(NO_ROOT), rows(1, runs((0, 1)), block(0)), meta), document({})


def several_types_for_one_key():
    """Keyed columns of one key: a row has a value in one of them at most."""
    value = [column("v", attributes, 1, 2) for attributes in ("TC", 'T@"NSString"', 'T@"A"', "T$?C")]
    return archive(
        classes(ROOT, new_class(1, "A", *value)), FIRST_ROW,
        rows(6, runs((1, 6)), block(
            4, bits([1, 0, 0, 0, 0, 0]), plain([7]), bits([0, 1, 0, 0, 0, 0]), texts("seven"),
            bits([0, 0, 1, 0, 1, 0]), plain([1, 0]), bits([0, 0, 0, 1, 0, 0]), bits([0]), plain([])))), document(
        {"root": reference(1)}, ("A", {"v": 7}), ("A", {"v": "seven"}), ("A", {"v": reference(1)}), ("A", {"v": None}),
        ("A", {"v": None}), ("A", {}))


def two_blocks():
    """A compressed payload of more than 2 MiB: two blocks. The long string is one that no column uses."""
    table = strings("Ann", "a" * (BLOCK + 5), "Bob", width=4)
    table.codec = 1
    return archive(table, classes(new_class(0, "$roots", column("root", 'T$[@"NSString"]', 0))),
                   rows(1, runs((0, 1)), block(1, plain([2]), names(2, 0)))), document({"root": ["Bob", "Ann"]})


def differences_that_wrap():
    """Encoding 17 modulo 2^(8w): 250, 4, 14; and signed 127, -128, -127."""
    return root_only(
        plain([3]), chunk(3, bytes([0x11, 1, 0, 250, 10])), plain([3]), chunk(3, bytes([0x11, 1, 0, 127, 1])),
        types={"unsigned": "T$[C]", "signed": "T$[q]"}), document({"unsigned": [250, 4, 14], "signed": [127, -128, -127]})


def widest_packed():
    """Encoding 16 with 56 bits a value; and one whose base is above its values, modulo."""
    number = 2**56 - 1
    return root_only(
        plain([2]), chunk(2, bytes([0x10, 8, 56]) + struct.pack("<Q", 1) + number.to_bytes(7, "little") + bytes(7)),
        plain([2]), chunk(2, bytes([0x10, 1, 2, 0xFF, 0b1001])),
        types={"wide": "T$[Q]", "modulo": "T$[c]"}), document(
        {"wide": [{"$integer": str(2**56)}, 1], "modulo": [0, 1]})


def constants():
    """One value for all: bits, numbers, uuids; one value is enough for it."""
    return root_only(
        plain([9]), chunk(9, b"\x10\1"), plain([2]), chunk(2, b"\x10" + struct.pack("<f", 0.5)),
        chunk(1, b"\x10" + bytes(range(16))), types={"bits": "T$[B]", "floats": "T$[f]", "id": 'T@"NSUUID"'}), document(
        {"bits": [True] * 9, "floats": [0.5, 0.5], "id": {"$uuid": "00010203-0405-0607-0809-0A0B0C0D0E0F"}})


def attributes_in_any_order():
    """`T` last, twice, unknown ones, one in quotes; `W` with a value is `W`."""
    return archive(
        classes(ROOT, new_class(
            1, "A", column("a", 'N,Vx,T{P="x"C"y"C},TZ', 1), column("b", '"swift,TC,TS', 1),
            column("c", 'Wx,T@"A",Q5,', 1), column("d", "Tc", 1))), FIRST_ROW,
        rows(1, runs((1, 1)), block(4, plain([1]), plain([2]), plain([3]), plain([-4], "b"))),
        links(1, 1, plain([1]))), document(
        {"root": reference(1)},
        ("A", {"a": {"$struct": "P", "fields": {"x": 1, "y": 2}}, "b": 3, "c": reference(1), "d": -4}))


def any_references():
    """`@`, protocols alone, protocols behind a class, and values with protocols."""
    types = ["T@", 'T@"<P><Q>"', 'T@"A<P>"', 'T@"NSString<P>"', 'T@"Gone"']
    return archive(
        classes(new_class(0, "$roots", *(column(str(at), type_, 0) for at, type_ in enumerate(types))),
                new_class(1, "A<P>"), new_class(2, "B", superclass=1)),
        rows(1, runs((0, 1)), block(5, plain([1]), plain([2]), plain([2]), texts("x"), plain([0]))),
        rows(2, runs((1, 1), (2, 1)), block(0), block(0))) , document(
        {"0": reference(1), "1": reference(2), "2": reference(2), "3": "x", "4": None}, ("A<P>", {}), ("B", {}))


def names_of_types():
    """Brackets in names, an operator, a record without name, payloads that are no structures, `@` before a label."""
    types = {"generic": '{Pair<Int, String>="a"C"b"C}', "operator": '{X<&operator< >="a"C}', "arrow": "{F<() -> A>=C}",
             "nameless": "{?=CC}", "payload": '$(E="none""number"C"text"@"NSString")', "member": '{S="r"@"n"C}'}
    return root_only(
        plain([1]), plain([2]), plain([3]), plain([4]), plain([5]), plain([6]), plain([1]), plain([7]), texts(),
        plain([0]), plain([8]), types={key: "T" + type_ for key, type_ in types.items()}), document({
            "generic": {"$struct": "Pair<Int, String>", "fields": {"a": 1, "b": 2}},
            "operator": {"$struct": "X<&operator< >", "fields": {"a": 3}},
            "arrow": {"$struct": "F<() -> A>", "fields": {"0": 4}},
            "nameless": {"$struct": "?", "fields": {"0": 5, "1": 6}},
            "payload": {"$enum": "E", "case": "number", "payload": 7},
            "member": {"$struct": "S", "fields": {"r": None, "n": 8}}})


def recursive_types():
    """A tree of structures, 1(2, 3(4)) in the values' pre-order; an enumeration that holds itself directly."""
    def tree(value, *children):
        return {"$struct": "T", "fields": {"v": value, "c": list(children)}}

    return root_only(
        plain([1, 2, 3, 4]), plain([2, 0, 1, 0]), plain([1, 1, 0]),
        types={"tree": 'T{T="v"C"c"$[{T}]}', "list": 'T$(L="end""more"$(L))'}), document({
            "tree": tree(1, tree(2), tree(3, tree(4))),
            "list": {"$enum": "L", "case": "more", "payload": {
                "$enum": "L", "case": "more", "payload": {"$enum": "L", "case": "end"}}}})


def empty_things():
    """Segments without strings and classes, a class without rows, rows without columns, empty collections, no text."""
    return archive(
        classes(count=0), strings(), classes(new_class(
            0, "$roots", column("a", "T$[q]", 0), column("s", "T$<q>", 0), column("d", "T$<q:q>", 0),
            column("t", 'T@"NSString"', 0), column("e", "T{E=}", 0), column("o", "T$?q", 0)),
            new_class(1, "None"), new_class(2, "Bare")), strings(width=8),
        rows(1, runs((0, 1)), block(6, plain([0]), plain([]), plain([0]), plain([]), plain([0]), plain([]), plain([]),
                                    texts(""), bits([0]), plain([]))),
        rows(3, runs((2, 1), (2, 2)), block(0))), document(
        {"a": [], "s": {"$set": []}, "d": {"$dictionary": []}, "t": "", "e": {"$struct": "E", "fields": {}}, "o": None},
        *[("Bare", {})] * 3)


def one_key_in_parent_and_child():
    """Two columns of a key; a subclass need not list its superclass's columns; a class between without columns."""
    return archive(
        classes(ROOT, new_class(1, "A", column("k", "TC,N", 1)), new_class(2, "B", superclass=1),
                new_class(3, "C", column("k", "TC,N", 3), column("k", "TC,N", 1), superclass=2),
                new_class(4, "D", superclass=3)), FIRST_ROW,
        rows(4, runs((3, 1), (1, 1), (4, 1), (3, 1)), block(1, plain([1])), block(2, plain([2, 4]), plain([3, 5])),
             block(0))), document(
        {"root": reference(1)}, ("C", {"k": 2, "A.k": 3}), ("A", {"k": 1}), ("D", {}), ("C", {"k": 4, "A.k": 5}))


def labels_that_repeat():
    """Fields of one label, and one labelled as another's position: members of one name."""
    return root_only(
        plain([1]), plain([2]), plain([3]), types={"root": 'T{S="a"C"a"C""C}'}), document(
        {"root": {"$struct": "S", "fields": Pairs([("a", 1), ("a", 2), ("2", 3)])}})


def numbers():
    """Borders of integers, NaN with payloads, infinities, negative zero, float16."""
    doubles = [-0.0, float("inf"), float("-inf"), 1e16, 5e-324, 0.1]
    nan = struct.pack("<Q", 0x7FF8_0000_0000_0001) + struct.pack("<Q", 0x7FF8_0000_0000_0000)
    halves = [0x3800, 0x8000, 0x7E00, 0x7D01, 0xFE00, 0x0001]
    return root_only(
        plain([4]), plain([2**53 - 1, 2**53, -2**53, -2**63], "q"), plain([8]),
        fixed(struct.pack("<6d", *doubles) + nan, 8), plain([6]), fixed(struct.pack("<6H", *halves), 2), plain([2]),
        fixed((2**127 - 1).to_bytes(16, "little") + (-1).to_bytes(16, "little", signed=True), 16),
        types={"integers": "T$[q]", "doubles": "T$[d]", "halves": "T$[ ]", "wide": "T$[t]"}), document({
            "integers": [2**53 - 1, *({"$integer": str(each)} for each in (2**53, -2**53, -2**63))],
            "doubles": [-0.0, {"$float": "inf"}, {"$float": "-inf"}, 1e16, 5e-324, 0.1,
                        {"$float": "nan", "bits": "7ff8000000000001"}, {"$float": "nan"}],
            "halves": [0.5, -0.0, {"$float": "nan"}, {"$float": "nan", "bits": "7fa02000"},
                       {"$float": "nan", "bits": "ffc00000"}, 5.9604645e-08],
            "wide": [{"$integer": str(2**127 - 1)}, -1]})


def dates():
    """Rounding to microseconds, half a one up; years of six digits; what has no calendar."""
    values = [0.0, 5e-7, -2.5e-6, -1.0, 252455616000.0, -63145526401.0, 2.0**52, -2.0**52, float("inf")]
    texts_ = ["2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "2000-12-31T23:59:59.999997Z", "2000-12-31T23:59:59Z",
              "+010001-01-01T00:00:00Z", "-000001-12-31T23:59:59Z", None, None, None]
    seconds = [*values[:-1], {"$float": "inf"}]
    return root_only(plain([len(values)]), fixed(struct.pack("<9d", *values), 8), types={"root": 'T$[@"NSDate"]'}), \
        document({"root": [{"$date": text, "seconds": each} for text, each in zip(texts_, seconds)]})


def a_later_minor_version():
    """Minor version 7 and all optional features: nothing that a reader of 1.0 must know."""
    return root_only(plain([7]), types={"root": "TC"}, minor=7, optional=2**32 - 1), document(
        {"root": 7}, version="1.7")


def weak_inside_of_values():
    """Weak references in structures in arrays: the lengths stand in `ROWS`, the references in `LINK`."""
    return archive(
        classes(ROOT, new_class(1, "A", column("list", 'T$[{S="n"C"w"$~@"A"}],N', 1))), FIRST_ROW,
        rows(2, runs((1, 2)), block(1, plain([2, 1]), plain([1, 2, 3]))), links(1, 2, plain([2, 0, 1]))), document(
        {"root": reference(1)},
        ("A", {"list": [{"$struct": "S", "fields": {"n": 1, "w": reference(2)}},
                        {"$struct": "S", "fields": {"n": 2, "w": None}}]}),
        ("A", {"list": [{"$struct": "S", "fields": {"n": 3, "w": reference(1)}}]}))


def text_of_all_kinds():
    """Names that differ in normalisation alone, NUL, characters beyond the first plane, data, an URL with a base."""
    types = {"\u00E9": '@"NSString"', "e\u0301": '@"NSString"', "": '@"NSString"', "data": '@"NSData"',
             "url": '@"NSURL"', "decimal": '@"NSDecimalNumber"'}
    return root_only(
        texts("a\0b"), texts("\u00E9"), texts("\U0001F600"), texts(b"\xFF\0"), texts("x?y"), bits([1]),
        texts("https://example.org/"), texts("-1.50"), types={key: "T" + type_ for key, type_ in types.items()}), \
        document({"\u00E9": "a\0b", "e\u0301": "\u00E9", "": "\U0001F600", "data": {"$data": "/wA="},
                  "url": {"$url": "x?y", "base": "https://example.org/"}, "decimal": {"$decimal": "-1.50"}})


def wider_than_needed():
    """Widths that hold more than the values need, lengths of 8 bytes, ids of 4 and in runs [V4 binds writers only]."""
    ids = b"\1\x12\4\2" + struct.pack("<II", 1, 0) + b"\4" + struct.pack("<II", 2, 1)
    return root_only(
        plain([3], "Q"), chunk(3, ids), plain([1], "I"), chunk(1, b"\0\x08" + struct.pack("<Q", 3) + b"abc"),
        types={"ids": 'T$[@"NSString"]', "text": 'T$[@"NSString"]'}, strings=[strings("no", "yes", width=8)]), document(
        {"ids": ["yes", "yes", "no"], "text": ["abc"]})


CASES = [
    long_runs, signed_runs, aligned, plain_where_aligned_cannot_be, late_columns, links_last, unknown_segments,
    metadata_last, several_types_for_one_key, two_blocks, differences_that_wrap, widest_packed, constants,
    attributes_in_any_order, any_references, names_of_types, recursive_types, empty_things, one_key_in_parent_and_child,
    labels_that_repeat, numbers, dates, a_later_minor_version, weak_inside_of_values, text_of_all_kinds,
    wider_than_needed]


def text_of(value):
    """JSON, with `Pairs` as objects."""
    if isinstance(value, (dict, Pairs)):
        pairs = value.items() if isinstance(value, dict) else value
        return "{" + ",".join(json.dumps(name) + ":" + text_of(each) for name, each in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text_of, value)) + "]"
    return json.dumps(value)


def made():
    """Name, what it is for, bytes and document of each."""
    for case in CASES:
        data, expected = case()
        yield case.__name__.replace("_", "-"), case.__doc__, data, text_of(expected) + "\n"


if __name__ == "__main__":
    for name, _, data, expected in made():
        (FOLDER / f"{name}.arc").write_bytes(data)
        (FOLDER / f"{name}.json").write_text(expected)
