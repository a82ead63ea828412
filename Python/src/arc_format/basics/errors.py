"""Errors of archives: the rules of the Spec that a file can break, with their codes."""

from __future__ import annotations

import sys
import warnings
from typing import NoReturn

#: The code and the expectation of each rule that a reader checks.
RULES: dict[str, tuple[str, str]] = {
    "B1": ("malformedSegment", "a varint in its shortest form, below 2^64"),
    "B2": ("malformedSegment", "a structure that ends where its length says"),
    "B3": ("invalidString", "well-formed UTF-8"),
    "B4": ("truncated", "each field inside of what holds it"),
    "B5": ("malformedSegment", "a count that the bytes that are left can hold"),
    "H1": ("truncated", "a file of 32 bytes or more"),
    "H2": ("notAnArchive", "the signature 8A 41 52 43 0D 0A 1A 0A"),
    "H3": ("damagedHeader", "a header whose checksum holds and whose reserved bytes are 0"),
    "H4": ("unsupportedVersion", "major version 1"),
    "H5": ("unsupportedFeature", "no required feature that this reader does not know"),
    "S1": ("malformedSegment", "codec 0 or 1, reserved bytes 0, equal sizes with codec 0"),
    "S2": ("damagedSegment", "a segment whose checksum holds"),
    "S3": ("unsupportedFeature", "a segment of a known kind, or one that may be ignored"),
    "S5": ("malformedSegment", "padding of zeros"),
    "Z1": ("limitExceeded", "a raw size of at most 1032 times the stored one"),
    "Z2": ("compressionFailed", "a zlib stream that gives exactly its block"),
    "T1": ("truncated", "a trailer at the end of the file"),
    "T2": ("damagedTrailer", "a trailer whose checksum holds"),
    "T3": ("damagedTrailer", "an index between header and trailer"),
    "T4": ("damagedTrailer", "the segments that were written together"),
    "I1": ("indexMismatch", "an index that lists all segments before it"),
    "I2": ("indexMismatch", "counts of the index that add up"),
    "I3": ("malformedSegment", "sizes below 2^40 and segments below 2^48"),
    "I4": ("indexMismatch", "an index that says what the segment's header says"),
    "I5": ("indexMismatch", "as many classes or strings as the index says"),
    "D1": ("malformedSegment", "metadata with distinct keys in ascending order"),
    "D2": ("malformedSegment", "at most one META segment, first 0"),
    "D3": ("indexMismatch", "as many pairs of metadata as the index says"),
    "C1": ("malformedClassTable", "a class that exists, or the next new one"),
    "C2": ("malformedClassTable", "a new name, and a superclass that stands earlier"),
    "C3": ("malformedClassTable", "a column declared by its class or a superclass"),
    "C4": ("malformedClassTable", "one column for a declaring class and key"),
    "C5": ("malformedClassTable", "class 0 named $roots, without superclass, subclasses and flags"),
    "C6": ("malformedClassTable", "a class name without $ in front that stands for no value"),
    "C7": ("malformedClassTable", "a keyed column where it is added to a known class"),
    "C8": ("malformedClassTable", "flags 0 to 3"),
    "E1": ("malformedEncoding", "a type encoding, at most 128 levels deep"),
    "E2": ("malformedEncoding", "a type that a column can hold"),
    "E3": ("malformedEncoding", "a mention inside of the record that it means"),
    "E4": ("malformedEncoding", "a record that does not hold itself directly"),
    "P1": ("malformedEncoding", "a T attribute with a type and a comma or the end behind it"),
    "P2": ("malformedEncoding", "W with a reference"),
    "V1": ("malformedColumn", "an encoding of the kind, and exactly as many values as it says"),
    "V2": ("malformedColumn", "as many values of each node as its rows ask for"),
    "V3": ("malformedColumn", "zeros behind the last bit"),
    "V5": ("invalidString", "well-formed UTF-8"),
    "V6": ("unknownCase", "a case that the enumeration has"),
    "V8": ("malformedColumn", "at most 2^18 values in a chunk that is not plain"),
    "V9": ("malformedColumn", "fewer bits than the width, at most 56, and zeros behind the last"),
    "V10": ("malformedColumn", "runs of 1 or more that add up"),
    "V11": ("malformedColumn", "padding of zeros before aligned values"),
    "X1": ("malformedSegment", "lengths of 1, 2, 4 or 8 bytes that lie in the payload"),
    "X2": ("malformedColumn", "the number of a string of the table"),
    "X3": ("invalidString", "well-formed UTF-8"),
    "K1": ("malformedColumn", "a value in one column at most of those that share a key"),
    "R1": ("malformedSegment", "runs of existing classes that add up to the rows"),
    "R2": ("malformedSegment", "all columns of the class that are not keyed, and no more than it has"),
    "L1": ("malformedSegment", "one LINK segment where weak columns are, and none elsewhere"),
    "G1": ("malformedSegment", "row 0, and only row 0, of class $roots"),
    "G2": ("danglingReference", "0 or a row of the file"),
    "G3": ("wrongClass", "a row of the class that the reference names, or of a subclass"),
    "G4": ("constructionOrder", "a reference to an earlier row"),
    "Y1": ("malformedSegment", "at most one CDIR segment, first 0"),
    "Y2": ("malformedSegment", "a directory of well-formed lists"),
    "Y3": ("indexMismatch", "a directory that says what the segments have"),
    "Y4": ("damagedSegment", "runs and chunks whose checksums are those of the directory"),
    "Y5": ("indexMismatch", "the least and greatest of the values"),
    "Y6": ("malformedSegment", "at most one ZPTS segment, first 0"),
    "Y7": ("malformedSegment", "well-formed lists of points"),
    "Y8": ("indexMismatch", "points inside the zlib blocks of the compressed segments"),
    "Y9": ("indexMismatch", "points from which decompression yields the bytes of the payload"),
    "Y10": ("damagedSegment", "parts whose checksums are in the list of points"),
    "A1": ("limitExceeded", "a file within the limit file_bytes"),
    "A2": ("limitExceeded", "memory within the limit raw_bytes"),
    "A3": ("limitExceeded", "rows within the limit rows"),
    "A4": ("limitExceeded", "classes within the limit classes"),
    "A5": ("limitExceeded", "a class table within the limit class_table_bytes"),
    "A6": ("limitExceeded", "columns within the limit columns_per_class"),
    "A7": ("limitExceeded", "collections within the limit elements"),
    "A8": ("limitExceeded", "values within the limit nesting"),
}

_REMEDIES = {
    "truncated": "copy the file again; `arcdump recover` saves what is left",
    "notAnArchive": "open an .arc file, transferred as binary",
    "unsupportedVersion": "read it with a newer arc-format",
    "unsupportedFeature": "read it with a newer arc-format",
    "limitExceeded": "if you trust the file, open it with greater limits: limits=arc_format.Limits(…)",
    "danglingReference": "write the file again; whatever wrote it broke a rule",
    "wrongClass": "write the file again; whatever wrote it broke a rule",
    "constructionOrder": "write the file again; whatever wrote it broke a rule",
}
_DAMAGED = "restore the file from a copy; `arcdump recover` saves what is left"


class ArcError(ValueError):
    """An archive breaks a rule of the Spec.

    `code` is an error code of the Spec, `rule` is the name of the rule, `offset` is an approximate byte offset in the
    file, and `found` describes the content at this offset.

    >>> import arc_format
    >>> try:
    ...     arc_format.open(b"%PDF-1.7")
    ... except arc_format.ArcError as error:
    ...     print(error.code, error.rule, error.offset)
    notAnArchive H2 0
    """

    def __init__(self, rule: str, offset: int, found: str) -> None:
        self.code, self.expected = RULES[rule]
        self.rule, self.offset, self.found = rule, offset, found
        self.remedy = _REMEDIES.get(self.code, _DAMAGED)
        super().__init__(rule, offset, found)

    def __str__(self) -> str:
        return (f"{self.code} [{self.rule}] at byte {self.offset}: found {self.found}, "
                f"expected {self.expected}; {self.remedy}")


class DatasetError(ValueError):
    """The archives of a data set do not fit its manifest, or one another. Spec: 14.

    `code` is `wrongShard` (a manifest that is not valid, or a file that the manifest does not describe), or, for links,
    `danglingReference` or `wrongClass`. `path` is the path of the file.
    """

    def __init__(self, code: str, path: str, found: str, expected: str, remedy: str) -> None:
        self.code, self.path, self.found, self.expected, self.remedy = code, path, found, expected, remedy
        super().__init__(code, path, found, expected, remedy)

    def __str__(self) -> str:
        return f"{self.code} in {self.path!r}: found {self.found}, expected {self.expected}; {self.remedy}"


class UsageError(ValueError):
    """A request does not fit the archive or the tables: for example an unknown class, or a type without an encoding.

    The message states what was found, the possible choices, and what to do.
    """


class ArcWarning(UserWarning):
    """Values or types of a table are not preserved: an archive rounds the values, or has no such type."""


def warn(message: str) -> None:
    """Issues an `ArcWarning` at the line of the program that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "arc_format":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, ArcWarning, stacklevel=level)


def reject(rule: str, offset: int, found: str) -> NoReturn:
    """Raises the error for a broken rule."""
    raise ArcError(rule, offset, found)
