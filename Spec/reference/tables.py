#!/usr/bin/env python3
"""Archives as tables of Arrow, with only Python's standard library: page 12 as a program, based on arc.py.

    tables.py FILE CLASS   prints the table of a class, or of `$roots`, as a line of page 12's test vectors
    tables.py VECTORS      compares each table of a file of vectors, such as Fixtures/tables.jsonl

The archives that vectors name are in the folder of the vectors. Exit codes: 0 success; 1 a table differs, and is
printed; 64 wrong usage. A file that breaks a rule is an error of arc.py.
"""

import json
import os
import struct
import sys
import uuid
from fractions import Fraction

import arc

SIMPLE = {
    "bool": "bool", "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64", "uint8": "uint8",
    "uint16": "uint16", "uint32": "uint32", "uint64": "uint64", "int128": "decimal256(39, 0)",
    "uint128": "decimal256(39, 0)", "float16": "halffloat", "float32": "float", "float64": "double",
    "string": "large_string", "decimal": "large_string", "data": "large_binary", "uuid": "extension<arrow.uuid>",
    "date": "timestamp[us, tz=UTC]", "reference": "int64", "weak": "int64",
    "url": "struct<url: large_string, base: large_string>"}
NAMES = "dictionary<values=string, indices=int32, ordered=0>"

# Microseconds from 1970 to 2001.
EPOCH = 978_307_200_000_000


# ---- 2 Names

def distinct(names, taken=()):
    result = []
    for name in names:
        candidate, number = name, 2
        while candidate in taken or candidate in result:
            candidate, number = f"{name}#{number}", number + 1
        result.append(candidate)
    return result


def column_names(classes, each):
    # These are the names of page 10, as string literals.
    names = [json.loads(name) for name in arc.column_names(classes, each)]
    shared = [f"{name}:{encoding(column)}" if names.count(name) > 1 else name
              for name, column in zip(names, each.columns)]
    return distinct(shared, ("$row", "$class", "$id"))


def encoding(column):
    at = 0
    while column.attributes[at] != "T":
        at = column.attributes.index(",", at) + 1
    return column.attributes[at + 1:arc.parse_type(column.attributes, at + 1, 0)[1]]


def field_names(node):
    return distinct([label or str(position) for position, label in enumerate(node.labels)])


def payload_names(node):
    return distinct([label for label, payload in zip(node.labels, node.payloads) if payload], ("case",))


# ---- 3 Types

def type_of(node):
    kind = node.kind
    if kind in SIMPLE:
        return SIMPLE[kind]
    if kind == "optional":
        inner = type_of(node.children[0])
        return f"struct<value: {inner}>" if node.children[0].kind == "optional" else inner
    if kind in ("array", "set"):
        return f"large_list<item: {type_of(node.children[0])}>"
    if kind == "dictionary":
        key, value = map(type_of, node.children)
        if node.children[0].kind in ("optional", "reference", "weak", "date"):
            return f"large_list<item: struct<key: {key}, value: {value}>>"
        return f"map<{key}, {value}>"
    if kind == "structure":
        return struct_type(zip(field_names(node), node.children))
    payloads = [payload for payload in node.payloads if payload]
    return f"struct<case: {NAMES}, {struct_type(zip(payload_names(node), payloads))[7:]}" if payloads else NAMES


def struct_type(fields):
    return "struct<" + ", ".join(f"{name}: {type_of(node)}" for name, node in fields) + ">"


def cell(values, node):
    """Reads the next value of a node. Returns it in the form of the test vectors."""
    kind = node.kind
    if kind == "structure":
        return {name: cell(values, child) for name, child in zip(field_names(node), node.children)}
    if kind == "url":
        url, base = (cell(values, child) for child in node.children)
        return {"url": url, "base": base}
    value = values.next(node)
    if kind == "optional":
        if not value:
            return None
        inner = cell(values, node.children[0])
        return {"value": inner} if node.children[0].kind == "optional" else inner
    if kind in ("array", "set"):
        return [cell(values, node.children[0]) for _ in range(value)]
    if kind == "dictionary":
        entries = [[cell(values, child) for child in node.children] for _ in range(value)]
        return entries if type_of(node).startswith("map") else [dict(zip(("key", "value"), each)) for each in entries]
    if kind == "enumeration":
        if not any(node.payloads):
            return node.labels[value]
        cases = [case for case, payload in enumerate(node.payloads) if payload]
        fields = zip(payload_names(node), cases)
        return {"case": node.labels[value], **{
            name: cell(values, node.payloads[case]) if case == value else None for name, case in fields}}
    return scalar(kind, value)


def scalar(kind, value):
    if kind in ("reference", "weak"):
        return value or None
    if kind == "bool":
        return bool(value)
    if kind == "data":
        return value.hex()
    if kind == "uuid":
        return str(uuid.UUID(bytes=value))
    if kind in ("int128", "uint128"):
        return str(int.from_bytes(value, "little", signed=kind == "int128"))
    if kind == "date":
        seconds, = struct.unpack("<d", value)
        return EPOCH + (Fraction(seconds) * 1_000_000 + Fraction(1, 2)).__floor__() if abs(seconds) < 9.0e12 else None
    if kind.startswith("float"):
        number, = struct.unpack({"float16": "<e", "float32": "<f", "float64": "<d"}[kind], value)
        return number if abs(number) < float("inf") else str(number)
    return value


# ---- 1 Tables

class Table:
    """Returns the table of a class: fields with their types, and rows."""

    def __init__(self, archive, name):
        self.archive = archive
        self.each = next(each for each in archive.classes if each.name == name)
        self.names = column_names(archive.classes, self.each)
        self.fields, self.class_names = [("$row", "int64 not null")], []
        for name, column in zip(self.names, self.each.columns):
            root = column.tree.nodes[0]
            self.fields.append((name, "large_string" if root.is_recursive else type_of(root.children[0]
                                if column.is_keyed else root)))
            node = root.children[0] if column.is_keyed else root
            leads_to = self.family(node.name) if node.kind in ("reference", "weak") else ()
            self.class_names.append(None)
            if len(leads_to) > 1:
                taken = ["$row", "$class", "$id", *self.names, *filter(None, self.class_names)]
                self.class_names[-1], = distinct([name + "$class"], taken)
                self.fields.append((self.class_names[-1], NAMES))

    def family(self, name):
        """Returns the numbers of the classes to which a reference may refer."""
        return range(1, len(self.archive.classes)) if name is None else self.archive.families.get(name, ())

    def rows(self):
        for segment, link in self.archive.segments:
            for block in arc.Rows(self.archive, segment, link).blocks.values():
                if block.each is self.each:
                    for row in (row for rows in block.rows for row in rows):
                        yield [row, *self.row(block)]

    def row(self, block):
        for position, column in enumerate(self.each.columns):
            value = self.value(block.columns[position]) if position < len(block.columns) else None
            yield value
            if self.class_names[position]:
                yield self.class_of(value) if value else None

    def value(self, values):
        node = values.nodes[0]
        if values.column.is_keyed:
            if not values.next(node):
                return None
            node = node.children[0]
        if not values.nodes[0].is_recursive:
            return cell(values, node)
        printer = arc.Printer(self.archive)
        printer.value(values, node)
        text = "".join(printer.pieces)
        return None if text == "null" else text

    def class_of(self, row):
        number = self.archive.numbers_of_rows[row]
        return next(each.name for each in self.archive.classes if each.number == number)


# ---- 6 Test vectors

def vector(folder, file, name):
    with open(os.path.join(folder, file), "rb") as opened:
        table = Table(arc.Archive(opened.read()), name)
    return {"file": file, "class": name, "schema": [list(field) for field in table.fields], "rows": list(table.rows())}


def main(arguments):
    if len(arguments) == 2:
        print(json.dumps(vector("", *arguments)))
        return 0
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 64
    code = 0
    with open(arguments[0], encoding="utf-8") as lines:
        for expected in map(json.loads, lines):
            # Compared as text, because numbers that are equal can be different values: -0.0 and 0.0.
            found = vector(os.path.dirname(arguments[0]), expected["file"], expected["class"])
            if json.dumps(found) != json.dumps(expected):
                print(json.dumps(found))
                code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
