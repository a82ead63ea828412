"""The digest of an archive: a SHA-256 of its content, without its encodings and segments. Spec: 16."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from arc_format.columns.budget import Budget
from arc_format.columns.rows import read_rows
from arc_format.columns.strings import StringTable
from arc_format.container.cursor import Cursor
from arc_format.container.segment import Segment
from arc_format.container.varints import varint
from arc_format.schema.classes import ClassTable
from arc_format.schema.kinds import BITS, COLLECTIONS, INTEGERS, REFERENCES, Kind
from arc_format.schema.types import Node
from arc_format.tables.documents import NodeStreams

#: The bytes before the runs: a name, and the version of the digest.
_HEAD = b"ARCD\1"

#: Marks in the work of `_Form`: the end of an element or entry, and the end of a set or dictionary.
_ENTRY_END, _SORT = "entry", "sort"


def digest_of(pairs: list[tuple[Segment, Segment | None]], table: ClassTable, strings: StringTable, budget: Budget,
              payload: Callable[[Segment], Cursor]) -> str:
    """Returns the digest of a verified archive, as 64 hexadecimal digits."""
    runs: list[list[int]] = []
    positions: dict[int, int] = {}
    columns: dict[int, list[Any]] = {}
    for segment, link in pairs:
        rows = read_rows(segment, link, payload, table, budget.limits)
        for index, length in zip(rows.run_classes.tolist(), rows.run_lengths.tolist(), strict=True):
            position = positions.setdefault(index, len(positions))
            if runs and runs[-1][0] == position:
                runs[-1][1] += length
            else:
                runs.append([position, length])
        for index, block in rows.blocks.items():
            hashes = columns.setdefault(index, [hashlib.sha256() for _ in block.each.columns])
            for number, hash_ in enumerate(hashes):
                budget.memory = 0
                values = block.columns.get(number)
                if values is not None:
                    form = _Form(values, strings, budget)
                    for _ in range(block.row_count):
                        hash_.update(form.of(values.column.tree.root))
                elif number >= block.column_count:
                    hash_.update(bytes(block.row_count))
                # Otherwise the column is a structure without fields, whose values take no bytes.
    data = bytearray(_HEAD) + varint(len(runs))
    for position, length in runs:
        data += varint(position) + varint(length)
    data += varint(len(positions))
    for index in positions:
        each = table[index]
        above = table.superclasses(each)
        data += _string(each.name) + varint(len(above)) + b"".join(map(_string, above)) + varint(each.version)
        data += varint(len(each.columns))
        for column, hash_ in zip(each.columns, columns[index], strict=True):
            data += _string(table[column.declaring].name) + _string(column.key) + _string(column.encoding)
            data += bytes([column.is_keyed]) + hash_.digest()
    return hashlib.sha256(data).hexdigest()


class _Form(NodeStreams):
    """Returns the bytes of a column's values for the column digest."""

    def of(self, root: Node) -> bytes:
        """Returns the bytes of the next value of a node. Uses a stack, because values can nest too deep to recurse."""
        parts: list[list[bytes]] = [[]]
        work: list[Node | str] = [root]
        while work:
            item = work.pop()
            if isinstance(item, Node):
                self._begin(item, parts, work)
            elif item == _ENTRY_END:
                entry = b"".join(parts.pop())
                parts[-1].append(entry)
                parts.append([])
            else:
                parts.pop()
                entries = sorted(parts.pop())
                parts[-1].extend(entries)
        return b"".join(parts[0])

    def _begin(self, node: Node, parts: list[list[bytes]], work: list[Node | str]) -> None:
        """Adds the bytes of a value without nested values to `parts`, and the nodes of the nested values to `work`."""
        kind = node.kind
        if kind in ("structure", "url"):
            work.extend(reversed(node.children))
            return
        value = self.next(node)
        if kind == "optional":
            parts[-1].append(bytes([value]))
            work.extend(node.children if value else ())
        elif kind == "array":
            parts[-1].append(varint(value))
            work.extend(node.children * value)
        elif kind in COLLECTIONS:
            parts[-1].append(varint(value))
            parts.extend(([], []))
            work.append(_SORT)
            work.extend([_ENTRY_END, *reversed(node.children)] * value)
        elif kind == "enumeration":
            parts[-1].append(varint(value))
            payload = node.payloads[value]
            work.extend(() if payload is None else (payload,))
        else:
            parts[-1].append(_scalar(kind, value))


def _string(text: str) -> bytes:
    """Returns a string [B3]."""
    data = text.encode()
    return varint(len(data)) + data


def _scalar(kind: Kind, value: Any) -> bytes:
    if kind in BITS:
        return bytes([value])
    if kind in ("string", "decimal"):
        return _string(value)
    if kind == "data":
        return varint(len(value)) + bytes(value)
    if kind in REFERENCES:
        return int(value).to_bytes(4, "little")
    if kind in INTEGERS:
        return int(value).to_bytes(int(kind.lstrip("uint")) // 8, "little", signed=not kind.startswith("u"))
    return bytes(value)
