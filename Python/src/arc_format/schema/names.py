"""The ends of names of records, by partners of brackets. Spec: 09, rules N1 to N3."""

from __future__ import annotations

import re

#: [N3] The number of readings of a text, each with another rule for brackets.
ATTEMPTS = 4

_LITERAL = re.compile(r"'([^\\]|\\.([^\\']|\\.)*)'", re.S)
_STRING = re.compile(r'"([^\\"]|\\.)*"', re.S)
_OPERATOR = re.compile(r"(?<![A-Za-z0-9_$\x80-\U0010FFFF])operator")
_SIGNS = ("<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">")


def angle_partners(text: str, attempt: int) -> dict[int, int]:
    """Returns the position of the partner of each `<` in the text that has a partner.

    Attempt 0 reads the longest operators, 1 the shortest operators, 2 neither operators nor strings, and 3 finds no
    partners [N3].
    """
    partners: dict[int, int] = {}
    if attempt == 3 or "<" not in text:
        return partners
    opened: list[int] = []
    at = 0
    while at < len(text):
        character = text[at]
        size = 1
        if character == "<":
            opened.append(at)
        elif character == ">":
            if opened:
                partners[opened.pop()] = at
        elif character == "-":
            size = 2 if text.startswith("->", at) else 1
        elif character == "'":
            literal = _LITERAL.match(text, at)
            if literal and len(literal[0].encode()) <= 12:
                size = len(literal[0])
        elif attempt < 2 and opened:
            size = _size_of_quoted_or_operator(text, at, longest=attempt == 0)
        at += size
    return partners


def _size_of_quoted_or_operator(text: str, at: int, longest: bool) -> int:
    """Returns the length of the string or operator at `at`, in which brackets do not count [N2]; otherwise 1."""
    if text[at] == '"' and text[max(at - 2, 0):at].endswith(("{", ", ")):
        string = _STRING.match(text, at)
        return len(string[0]) if string else 1
    if text[at] == "o" and _OPERATOR.match(text, at):
        sizes = [len(sign) for sign in _SIGNS
                 if text.startswith(sign, at + 8) and text[at + 8 + len(sign):][:1] in ("<", ">", ",", ")")]
        if sizes:
            return 8 + (max(sizes) if longest else min(sizes))
    return 1
