"""The kinds of nodes, and the storage of their values. Spec: 04.1."""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "bool", "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32", "uint64", "uint128",
    "float16", "float32", "float64", "date", "uuid", "string", "data", "decimal", "url", "optional", "array", "set",
    "dictionary", "structure", "enumeration", "reference", "weak"]

#: The type codes of numbers.
SCALARS: dict[str, Kind] = {
    "B": "bool", "c": "int8", "s": "int16", "i": "int32", "q": "int64", "t": "int128", "C": "uint8", "S": "uint16",
    "I": "uint32", "Q": "uint64", "T": "uint128", " ": "float16", "f": "float32", "d": "float64"}

#: The class names that denote values.
VALUES: dict[str, Kind] = {
    "NSString": "string", "NSData": "data", "NSDate": "date", "NSUUID": "uuid", "NSURL": "url",
    "NSDecimalNumber": "decimal"}

#: Kinds that are stored as integers: the maximum width in bytes, and whether they are signed.
INTEGERS: dict[Kind, tuple[int, bool]] = {
    "int8": (1, True), "int16": (2, True), "int32": (4, True), "int64": (8, True),
    "uint8": (1, False), "uint16": (2, False), "uint32": (4, False), "uint64": (8, False),
    "array": (8, False), "set": (8, False), "dictionary": (8, False),
    "enumeration": (4, False), "reference": (4, False), "weak": (4, False)}

#: Kinds of a fixed size: the size of a value in bytes.
FIXED: dict[Kind, int] = {
    "int128": 16, "uint128": 16, "float16": 2, "float32": 4, "float64": 8, "date": 8, "uuid": 16}

BITS: frozenset[Kind] = frozenset({"bool", "optional"})
TEXTS: frozenset[Kind] = frozenset({"string", "data", "decimal"})
COLLECTIONS: frozenset[Kind] = frozenset({"array", "set", "dictionary"})
REFERENCES: frozenset[Kind] = frozenset({"reference", "weak"})


def without_protocols(name: str) -> str:
    """Returns the class of a quoted word: `C` for `C<P><Q>`. Spec: 03.4.

    Returns the whole word if its brackets are not balanced groups at its end.
    """
    start = name.find("<")
    if start < 0:
        return name
    depth = 0
    for at in range(start, len(name)):
        character = name[at]
        if character == "<":
            depth += 1
        elif character == ">" and name[at - 1] != "-":
            depth -= 1
        if depth < 0 or (depth == 0 and character != ">"):
            return name
    return name if depth else name[:start]


def value_kind(class_name: str) -> Kind | None:
    """Returns the kind that a class name denotes, if it denotes values."""
    return VALUES.get(without_protocols(class_name))
