#!/usr/bin/env python3
"""Writes the samples of this folder and `manifest.jsonl`, with the standard library alone: make.py [FOLDER]

A sample is a keyed archive or another property list: valid, or broken on purpose, then the manifest names the code. Others
are not made here: `foundation-*.plist` are by Foundation on Linux (FoundationSampleTests with ARC_REWRITE_FIXTURES=1),
`bpylist2-*.plist` by make-bpylist2.py.
"""
import datetime
import json
import os
import plistlib
import struct
import sys

U = plistlib.UID
FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
MANIFEST = []


def cls(name, *superclasses):
    return {"$classname": name, "$classes": [name, *superclasses]}


def frame(objects, top=None, version=100000, archiver="NSKeyedArchiver", **more):
    return {"$archiver": archiver, "$version": version, "$objects": objects, "$top": top or {"root": U(1)}, **more}


def binary(value):
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False)


def xml(value):
    def plain(value):
        if isinstance(value, U):
            return {"CF$UID": value.data}
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        return [plain(inner) for inner in value] if isinstance(value, list) else value

    return plistlib.dumps(plain(value), fmt=plistlib.FMT_XML, sort_keys=False)


def put(name, data, about, code=None):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(data)
    entry = {"file": name, "about": about, "by": "make.py"}
    MANIFEST.append(entry if code is None else {**entry, "code": code})


def valid(name, objects, about, top=None, both=False, **more):
    value = frame(objects, top, **more)
    put(name + ".plist", binary(value), about)
    if both:
        put(name + ".xml.plist", xml(value), about + ", in XML")


OBJECT = "NSObject"
DATE = datetime.datetime(2026, 11, 23, 12, 0, 0)

# ---- values
valid("scalars", [
    "$null",
    {"$class": U(3), "yes": True, "no": False, "zero": 0, "minus": -1, "large": 2**40, "least": -2**63, "most": 2**64 - 1,
     "half": 0.5, "nothing": U(0), "text": U(2), "data": b"\0\1\xff", "date": DATE, "empty": ""},
    "text", cls("Scalars", OBJECT)], "each value of a property list under a key", both=True)
valid("text", [
    "$null", {"$class": U(7), "a": U(2), "b": U(3), "c": U(4), "d": U(5), "e": U(6)},
    "", "Grüße", "日本語 \U0001F600", "<&>\"'", "cafe\u0301", cls("Texts", OBJECT)], "text in ASCII and UTF-16", both=True)
valid("values-of-foundation", [
    "$null",
    {"$class": U(30), "string": U(2), "mutable": U(3), "data": U(4), "date": U(5), "uuid": U(6), "url": U(7), "based": U(8),
     "null": U(10), "number": U(11), "decimal": U(12), "negative": U(13), "nan": U(14), "plain": U(15), "real": U(16)},
    {"$class": U(20), "NS.string": "immutable"}, {"$class": U(21), "NS.string": "mutable"},
    {"$class": U(22), "NS.data": b"bytes"}, {"$class": U(23), "NS.time": 700000000.25},
    {"$class": U(24), "NS.uuidbytes": bytes(range(16))},
    {"$class": U(25), "NS.base": U(0), "NS.relative": U(18)}, {"$class": U(25), "NS.base": U(7), "NS.relative": U(19)},
    "unused number", {"$class": U(26)}, {"$class": U(27), "NS.intval": 42},
    {"$class": U(28), "NS.compact": True, "NS.exponent": -2, "NS.length": 1, "NS.mantissa": b"\x7b\x00" + bytes(14),
     "NS.mantissa.bo": 1, "NS.negative": False},
    {"$class": U(28), "NS.compact": True, "NS.exponent": 1, "NS.length": 2, "NS.mantissa": b"\0\1\0\2" + bytes(12),
     "NS.mantissa.bo": 2, "NS.negative": True},
    {"$class": U(28), "NS.compact": True, "NS.exponent": 0, "NS.length": 0, "NS.mantissa": bytes(16), "NS.mantissa.bo": 1,
     "NS.negative": True},
    7, 2.5, "unused", "http://example.org/a/", "b?c#d",
    cls("NSString", OBJECT), cls("NSMutableString", "NSString", OBJECT), cls("NSData", OBJECT), cls("NSDate", OBJECT),
    cls("NSUUID", OBJECT), cls("NSURL", OBJECT), cls("NSNull", OBJECT), cls("NSNumber", "NSValue", OBJECT),
    cls("NSDecimalNumber", "NSNumber", "NSValue", OBJECT), "unused too", cls("Values", OBJECT)],
    "objects of Foundation that are values; three objects that nothing leads to", both=True)
valid("url-base-of-base", [
    "$null", {"$class": U(6), "url": U(2)}, {"$class": U(7), "NS.base": U(3), "NS.relative": "c"},
    {"$class": U(7), "NS.base": U(4), "NS.relative": "b/"}, {"$class": U(7), "NS.base": U(0), "NS.relative": U(5)},
    "http://example.org/", cls("Holder", OBJECT), cls("NSURL", OBJECT)], "a URL whose base has a base: an object")
valid("url-in-itself", [
    "$null", {"$class": U(2), "NS.base": U(1), "NS.relative": "a"}, cls("NSURL", OBJECT)], "a URL that is its own base")
valid("irregular-values", [
    "$null", {"$class": U(5), "a": U(2), "b": U(3), "c": U(4)}, {"$class": U(6), "NS.string": "text", "NS.more": 1},
    {"$class": U(7), "NS.uuidbytes": b"short"}, {"$class": U(8), "NS.time": "never"},
    cls("Holder", OBJECT), cls("NSString", OBJECT), cls("NSUUID", OBJECT), cls("NSDate", OBJECT)],
    "classes of values whose objects are not as Foundation writes them: objects")
valid("mutable-shared", [
    "$null", {"$class": U(4), "a": U(2), "b": U(2), "c": U(3)}, {"$class": U(5), "NS.string": "shared"},
    {"$class": U(5), "NS.string": "alone"}, cls("Holder", OBJECT), cls("NSMutableString", "NSString", OBJECT)],
    "a mutable string with two references keeps its identity")
valid("nested-archive", [
    "$null", {"$class": U(3), "data": U(2)}, binary(frame(["$null", "inner"])), cls("Holder", OBJECT)],
    "data that is a keyed archive itself")

# ---- collections
ARRAY, SET, DICT = cls("NSArray", OBJECT), cls("NSSet", OBJECT), cls("NSDictionary", OBJECT)
valid("collections", [
    "$null",
    {"$class": U(20), "array": U(2), "set": U(3), "ordered": U(4), "dictionary": U(5), "empty": U(6), "objects": U(7),
     "again": U(2), "mixed": U(10), "nested": U(11), "numbers": U(12)},
    {"$class": U(21), "NS.objects": [U(13), U(14)]}, {"$class": U(22), "NS.objects": [U(13)]},
    {"$class": U(23), "NS.object.0": U(14), "NS.object.1": U(13)},
    {"$class": U(24), "NS.keys": [U(13), U(14)], "NS.objects": [U(15), U(8)]},
    {"$class": U(21), "NS.objects": []}, {"$class": U(21), "NS.objects": [U(8), U(9), U(8)]},
    {"$class": U(25), "name": U(13)}, {"$class": U(25), "name": U(14)},
    {"$class": U(21), "NS.objects": [U(13), U(15), U(8), U(16), U(17), U(0), U(18)]},
    {"$class": U(21), "NS.objects": [U(2), U(3), U(11)]}, {"$class": U(21), "NS.objects": [U(15), U(19)]},
    "one", "two", 3, {"$class": U(26)}, True, 2**64 - 1, 4,
    cls("Collections", OBJECT), ARRAY, SET, cls("NSOrderedSet", OBJECT), DICT, cls("Item", OBJECT), cls("NSNull", OBJECT)],
    "collections are rows: shared, nested, an array in itself, elements of several types", both=True)
valid("collection-subclass", [
    "$null", {"$class": U(4), "NS.objects": [U(2)], "title": U(3), "objects": U(3)}, "element", "title",
    cls("Playlist", "NSMutableArray", "NSArray", OBJECT)], "a subclass of NSMutableArray with keys of its own")
valid("old-dictionary", [
    "$null", {"$class": U(6), "NS.key.0": U(2), "NS.object.0": U(3), "NS.key.1": U(4), "NS.object.1": U(5)},
    "a", 1, "b", 2, DICT], "a dictionary element by element")
valid("plain-containers", [
    "$null", {"$class": U(3), "list": [U(2), 1], "matrix": [[1, 2], [3]], "plain": {"a": 1, "b": [True]}, "through": U(4)},
    "x", cls("Holder", OBJECT), {"x": U(2)}], "arrays and dictionaries of the notation in place of objects", both=True)
valid("equal-keys-distinct-bytes", [
    "$null", {"$class": U(5), "NS.keys": [U(2), U(3)], "NS.objects": [U(4), U(4)]}, "caf\u00e9", "cafe\u0301", 1, DICT],
    "keys that Swift finds equal and bytes do not")

# ---- objects
valid("chain", ["$null"] + [
    {"$class": U(21), "next": U(i + 2) if i < 19 else U(0), "value": i} for i in range(20)] + [cls("Link", OBJECT)], "a chain")
valid("cycle", ["$null", {"$class": U(3), "other": U(2)}, {"$class": U(3), "other": U(1)}, cls("Pair", OBJECT)], "a cycle")
valid("missing-keys", [
    "$null", {"$class": U(5), "NS.objects": [U(2), U(3), U(4)]}, {"$class": U(6), "a": 1}, {"$class": U(6), "a": 2, "b": U(0)},
    {"$class": U(6), "b": U(7)}, ARRAY, cls("Sparse", OBJECT), "text"], "keys that some objects lack, and nil")
valid("several-types", [
    "$null", {"$class": U(6), "NS.objects": [U(2), U(3), U(4), U(5)]}, {"$class": U(7), "v": 1}, {"$class": U(7), "v": "s"},
    {"$class": U(7), "v": U(1)}, {"$class": U(7), "v": 1.5}, ARRAY, cls("Varied", OBJECT)], "four types under one key")
valid("inheritance", [
    "$null", {"$class": U(5), "pet": U(2), "other": U(3), "any": U(4)}, {"$class": U(6), "name": "Rex", "mother": U(3)},
    {"$class": U(7), "name": "Mia"}, {"$class": U(8), "name": "Tom", "lives": 9},
    cls("Owner", OBJECT), cls("Dog", "Animal", OBJECT), cls("Animal", OBJECT), cls("Cat", "Animal", OBJECT)],
    "subclasses; a superclass with objects and one without")
valid("class-names", [
    "$null", {"$class": U(6), "a": U(2), "b": U(3), "c": U(4), "d": U(5)}, {"$class": U(7), "x": 1}, {"$class": U(8), "y": 2},
    {"$class": U(9), "z": 3}, {"$class": U(10), "w": 4}, cls("Q'q", OBJECT), cls("$x", OBJECT), cls("NSString", OBJECT),
    cls('Q"q', OBJECT), cls("_TtC5MyApp4Node", "MyApp.Base", OBJECT)], "class names that an archive does not allow")
valid("superclass-circle", [
    "$null", {"$class": U(3), "a": U(2)}, {"$class": U(4)}, cls("A", "B"), cls("B", "A")], "two classes, each above the other")
valid("two-chains", [
    "$null", {"$class": U(3), "a": U(2)}, {"$class": U(4)}, cls("A", "B", OBJECT), cls("A", "C", OBJECT)],
    "one class with two chains of superclasses")
valid("class-hints", [
    "$null", {"$class": U(2), "v": 1}, {**cls("A", OBJECT), "$classhints": ["B"]}], "a class that names another")
valid("unreached", [
    "$null", {"$class": U(5), "v": 1}, {"$class": U(5), "v": 2}, {"$class": U(5), "v": U(2)}, "alone", cls("A", OBJECT)],
    "objects that no root leads to")
valid("unkeyed", ["$null", {"$class": U(2), "$0": 1, "$1": U(1), "$$own": 2}, cls("A", OBJECT)], "values without keys: $0, $1")
valid("several-roots", ["$null", {"$class": U(2), "v": 1}, cls("A", OBJECT)], "several roots, plain values too",
      top={"root": U(1), "again": U(1), "count": 3, "none": U(0), "flag": True})
valid("root-string", ["$null", "only text"], "a root that is no object")
valid("root-nil", ["$null"], "a root that is nil", top={"root": U(0)})
valid("other-archiver", ["$null", {"$class": U(2)}, cls("A", OBJECT)], "written by a subclass of NSKeyedArchiver",
      archiver="NRKeyedArchiver")
valid("other-top-level-key", ["$null", {"$class": U(2)}, cls("A", OBJECT)], "a key beside the four", **{"extra": "more"})
valid("nib-like", [
    "$null", {"$class": U(4), "NSRoot": U(2), "NSFramework": U(3)}, {"$class": U(5), "NS.special": 1, "NS.pointval": "{1, 2}"},
    "IBCocoaFramework", cls("NSIBObjectData", OBJECT), cls("NSValue", OBJECT)], "as in a nib", top={"IB.objectdata": U(1)})
valid("sharing", ["$null"] + [{"$class": U(42), "NS.objects": [U(i + 2), U(i + 2)]} for i in range(40)] + ["x", ARRAY],
      "arrays of the next array twice: 2^40 paths, 40 rows")

put("readme.xml.plist", xml(frame([
    "$null", {"$class": U(5), "NS.layers": U(2), "scale": 2}, {"$class": U(6), "NS.objects": [U(3), U(4)]},
    {"$class": U(7), "title": "Ground", "chart": U(1)}, {"$class": U(8), "title": "Roads", "chart": U(1)},
    cls("MyApp.Chart", OBJECT), ARRAY, cls("OLDLayer", OBJECT), cls("_TtC5MyApp10ChartLayer", OBJECT)])), "that of the README")

# ---- property lists that are no archives
put("plain.plist", binary({"name": "x", "list": [1, 2.5, {"a": b"b"}], "on": True}), "a property list that is no archive")
put("plain.xml.plist", xml({"name": "x", "list": [1, 2.5, {"a": b"b"}], "on": True}), "the same in XML")
HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://x">\n'
put("written-by-hand.xml.plist", b"\xef\xbb\xbf" + HEAD + b"""<!-- a comment --><plist version="1.0"><dict >
  <key>entities</key><string>&lt;&#65;&#x1F600;<![CDATA[<raw>]]>&amp;<!-- gone -->.</string>
  <key>integers</key><array><integer> -7 </integer><integer>0x1F</integer><integer>+3</integer></array>
  <key>reals</key><array><real>1e3</real><real>nan</real><real>-inf</real></array>
  <key>data</key><data>
    AAEC
    Aw==
  </data><key/><string/><key>dict</key><dict/><key>array</key><array/>
  <key>date</key><date>2026-11-23T12:00:00Z</date><key>true</key><true></true>
</dict></plist>
<!-- done -->""", "all that XML may say")

# ---- broken: the notation
good = binary(frame(["$null", {"$class": U(2), "v": 1}, cls("A", OBJECT)]))
trailer = len(good) - 32


def patched(at, data):
    return good[:at] + data + good[at + len(data):]


def broken(name, data, about, code="malformedPropertyList"):
    put(name + ".plist", data, about, code)


def raw(objects, top=0, width=1, count=None, offsets=None, table=None):
    """A binary property list of objects as bytes."""
    body, places = b"bplist00", []
    for data in objects:
        places.append(len(body))
        body += data
    places = offsets if offsets is not None else places
    start = len(body) if table is None else table
    body += b"".join(place.to_bytes(2, "big") for place in places)
    return body + struct.pack(">6xBBQQQ", 2, width, len(places) if count is None else count, top, start)


broken("empty", b"", "no bytes", "unknownFormat")
broken("no-list", b"text", "text", "unknownFormat")
broken("nibarchive", b"NIBArchive\1\0\0\0" + bytes(60), "another format of Apple's", "unknownFormat")
broken("typedstream", b"\x04\x0bstreamtyped\x81\xe8\x03", "what NSArchiver writes", "unknownFormat")
broken("bplist16", b"bplist16" + bytes(60), "a later binary notation", "unsupportedVersion")
broken("cut", good[:-1], "a byte is missing at the end")
broken("short", good[:20], "only the beginning")
broken("offset-width", patched(trailer + 6, b"\x09"), "offsets of nine bytes")
broken("reference-width", patched(trailer + 7, b"\0"), "references of no bytes")
broken("count-huge", patched(trailer + 8, b"\x10" + bytes(7)), "2^60 values")
broken("count-none", patched(trailer + 8, bytes(8)), "no values")
broken("top-beyond", patched(trailer + 16, b"\0\0\0\0\0\0\xff\xff"), "an outermost value that is not there")
broken("table-beyond", patched(trailer + 24, b"\xff" * 8), "an offset table behind the end")
broken("table-at-start", patched(trailer + 24, bytes(8)), "an offset table in the header")
broken("offset-beyond", raw([b"\x09"], offsets=[500]), "a value behind the table")
broken("offset-in-header", raw([b"\x09"], offsets=[3]), "a value in the header")
broken("marker", raw([b"\x90"]), "a marker of no value")
broken("marker-integer", raw([b"\x15" + bytes(32)]), "an integer of 32 bytes")
broken("integer-cut", raw([b"\x13\0"]), "an integer that is cut off")
broken("length-no-integer", raw([b"\x4f\x09"]), "a length that is a boolean")
broken("length-huge", raw([b"\x4f\x13" + b"\x7f" + b"\xff" * 7]), "data of 2^63 - 1 bytes")
broken("array-huge", raw([b"\xaf\x12\x10\0\0\0"]), "an array of 2^28 elements")
broken("reference-beyond", raw([b"\xa1\x07"]), "an element that is not there")
broken("overlap", raw([b"\xa4\0\1\2\3"] + [b"\x09"] * 3, offsets=[8] * 400), "one offset for all: 400 arrays in one")
broken("sharing-overlap", raw([b"\x4f\x10\xff" + bytes(255)], offsets=[8] * 200), "one offset for 200 values of 258 bytes")
broken("ascii-high", raw([b"\x51\xe9"]), "a byte above 127 in ASCII", "malformedText")
broken("utf8-bad", raw([b"\x72\xc3\x28"]), "a string that is not UTF-8", "malformedText")
broken("uid-wide", raw([b"\x8f" + b"\xff" * 16]), "a UID of 128 bits")
broken("key-no-string", raw([b"\xd1\1\2", b"\x10\1", b"\x09"]), "a key that is an integer")
broken("xml-cut", HEAD + b"<plist><dict><key>a</key>", "XML that ends too early")
broken("xml-empty", HEAD + b"<plist></plist>", "XML without a value")
broken("xml-two", HEAD + b"<plist><true/><false/></plist>", "two outermost values")
broken("xml-wrong-end", HEAD + b"<plist><array></dict></plist>", "an end of something else")
broken("xml-key-alone", HEAD + b"<plist><dict><key>a</key></dict></plist>", "a key without a value")
broken("xml-no-key", HEAD + b"<plist><dict><true/></dict></plist>", "a value without a key")
broken("xml-key-in-array", HEAD + b"<plist><array><key>a</key></array></plist>", "a key in an array")
broken("xml-tag", HEAD + b"<plist><thing/></plist>", "an element that is none")
broken("xml-entity", HEAD + b"<plist><string>&lol;</string></plist>", "an entity that is not XML's")
broken("xml-bomb", b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><plist><string>&b;</string></plist>',
       "entities that expand")
broken("xml-integer", HEAD + b"<plist><integer>12a</integer></plist>", "an integer that is none")
broken("xml-real", HEAD + b"<plist><real>0x1p3</real></plist>", "a real that is none")
broken("xml-date", HEAD + b"<plist><date>2026-02-30T00:00:00Z</date></plist>", "a date that is none")
broken("xml-data", HEAD + b"<plist><data>AAE</data></plist>", "base64 that is cut")
broken("xml-behind", HEAD + b"<plist><true/></plist>x", "text behind the end")
broken("xml-not-utf8", HEAD + b"<plist><string>\xe9</string></plist>", "Latin-1", "malformedText")
broken("xml-encoding", HEAD.replace(b"UTF-8", b"UTF-16") + b"<plist><true/></plist>", "another encoding", "malformedText")
broken("utf16", "<plist><true/></plist>".encode("utf-16"), "UTF-16", "unknownFormat")

# ---- broken: the archive

def refused(name, objects, about, code, top=None, **more):
    broken(name, binary(frame(objects, top, **more)), about, code)


A = cls("A", OBJECT)
refused("uid-beyond", ["$null", {"$class": U(2), "v": U(9)}, A], "a UID of no object", "danglingReference")
refused("uid-beyond-top", ["$null"], "a root that is no object", "danglingReference", top={"root": U(7)})
refused("uid-beyond-class", ["$null", {"$class": U(9)}], "a class that is not there", "danglingReference")
refused("class-instance", ["$null", {"$class": U(1)}], "an object that is its own class", "malformedKeyedArchive")
refused("class-no-uid", ["$null", {"$class": "A"}], "a class by name", "malformedKeyedArchive")
refused("class-no-name", ["$null", {"$class": U(2)}, {"$classes": ["A"]}], "a class without a name", "malformedKeyedArchive")
refused("class-empty-name", ["$null", {"$class": U(2)}, cls("")], "a class with an empty name", "malformedKeyedArchive")
refused("class-chain", ["$null", {"$class": U(2)}, {"$classname": "A", "$classes": [1]}], "a superclass that is a number",
        "malformedKeyedArchive")
refused("class-chain-no-list", ["$null", {"$class": U(2)}, {"$classname": "A", "$classes": "B"}], "superclasses as text",
        "malformedKeyedArchive")
refused("uid-for-object", ["$null", U(0)], "a UID in place of an object", "malformedKeyedArchive")
refused("keys-objects", ["$null", {"$class": U(2), "NS.keys": [U(0)], "NS.objects": []}, DICT], "more keys than objects",
        "malformedKeyedArchive")
refused("equal-keys", ["$null", {"$class": U(3), "NS.keys": [U(2), U(2)], "NS.objects": [U(2), U(2)]}, "k", DICT],
        "a dictionary with equal keys", "duplicateKey")
refused("equal-keys-by-value", [
    "$null", {"$class": U(4), "NS.keys": [U(2), U(3)], "NS.objects": [U(2), U(2)]}, {"$class": U(5), "NS.string": "k"},
    {"$class": U(5), "NS.string": "k"}, DICT, cls("NSString", OBJECT)],
        "keys of equal text in two objects", "duplicateKey")
refused("version", ["$null"], "another version", "unsupportedVersion", version=1, top={"root": U(0)})
refused("version-text", ["$null"], "a version that is text", "malformedKeyedArchive", version="100000")
refused("objects-empty", [], "no objects at all", "malformedKeyedArchive", top={"root": U(0)})
broken("objects-missing", binary({"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {}}), "no $objects",
       "malformedKeyedArchive")
broken("top-missing", binary({"$archiver": "NSKeyedArchiver", "$version": 100000, "$objects": ["$null"]}), "no $top",
       "malformedKeyedArchive")
broken("top-no-dictionary", binary(frame(["$null"], [U(0)])), "roots without names", "malformedKeyedArchive")
broken("duplicate-plist-keys", raw([b"\xd2\1\1\2\2", b"\x51a", b"\x09"]), "two equal keys in a dictionary", "duplicateKey")

lone = binary(frame(["$null", {"$class": U(3), "a": U(2)}, "aé中b", A])).replace("é".encode("utf-16-be"), b"\xd8\x3d")
put("lone-surrogate.plist", lone, "half of a character in UTF-16")

FOREIGN = {"foundation-": "Foundation on Linux, Swift 6.3", "bpylist2-": "bpylist2 4.1.1"}
for name in sorted(os.listdir(FOLDER)):
    for prefix, by in FOREIGN.items():
        if name.startswith(prefix) and name.endswith(".plist"):
            MANIFEST.append({"file": name, "about": name[len(prefix):-len(".plist")].replace("-", " "), "by": by})
with open(os.path.join(FOLDER, "manifest.jsonl"), "w") as file:
    for entry in sorted(MANIFEST, key=lambda entry: entry["file"]):
        file.write(json.dumps(entry, ensure_ascii=False) + "\n")
