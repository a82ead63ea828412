"""Values of recursive types as JSON text, because Arrow has no recursive types. Spec: 10."""

from __future__ import annotations

import base64
import json
import struct
import uuid
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from arc_format.basics.errors import reject
from arc_format.columns.budget import Budget
from arc_format.columns.chunks import Chunk
from arc_format.columns.rows import ColumnChunks
from arc_format.columns.strings import StringTable
from arc_format.columns.texts import check_utf8
from arc_format.columns.walk import Walk
from arc_format.schema.kinds import BITS, COLLECTIONS, INTEGERS
from arc_format.schema.types import Node
from arc_format.tables.dates import calendar_texts, microseconds

_OPENERS = {"array": "[", "set": '{"$set":[', "dictionary": '{"$dictionary":['}


def documents(values: ColumnChunks, row_count: int, strings: StringTable, budget: Budget) -> pa.Array:
    """Returns JSON text for each row of a block; null if a keyed column has no value or an optional is nil."""
    walk = Walk(values, budget)
    walk.skip(row_count)
    for chunk in values.chunks:
        if walk.taken[chunk.node.index] != chunk.count:
            reject("V2", chunk.offset, f"{chunk.count} values of kind {chunk.node.kind} in '{values.column.key}', "
                                       f"{walk.taken[chunk.node.index]} asked for")
    writer = _Writer(values, strings, budget)
    root, is_keyed = values.column.tree.root, values.column.is_keyed
    texts: list[str | None] = []
    for _ in range(row_count):
        has_value = not is_keyed or writer.next(root)
        text = writer.text(root.children[0] if is_keyed else root) if has_value else "null"
        texts.append(None if text == "null" else text)
    return pa.array(texts, pa.large_string())


class NodeStreams:
    """Reads the values of each node of a column in order, as a stream."""

    def __init__(self, values: ColumnChunks, strings: StringTable, budget: Budget) -> None:
        self.values, self.strings, self.budget = values, strings, budget
        self.streams: dict[int, Iterator[Any]] = {}

    def next(self, node: Node) -> Any:
        """Reads the next value of the node itself."""
        stream = self.streams.get(node.index)
        if stream is None:
            chunk = self.values.of_node[node.index]
            assert chunk is not None
            self.budget.charge_memory(64 * chunk.count, self.values.column)
            stream = self.streams[node.index] = iter(chunk_values(chunk, self.strings))
        return next(stream)


class _Writer(NodeStreams):
    """Writes the values of a column as JSON text."""

    def text(self, root: Node) -> str:
        """Returns the next value with its nested values. Uses a stack, because values can nest too deep to recurse."""
        pieces: list[str] = []
        work: list[str | Node] = [root]
        while work:
            item = work.pop()
            if isinstance(item, str):
                pieces.append(item)
            else:
                work.extend(reversed(self._parts(item)))
        return "".join(pieces)

    def _parts(self, node: Node) -> list[str | Node]:
        kind = node.kind
        if kind == "structure":
            parts: list[str | Node] = [f'{{"$struct":{json.dumps(node.name)},"fields":{{']
            for position, (label, child) in enumerate(zip(node.labels, node.children, strict=True)):
                parts += [f'{"," if position else ""}{json.dumps(label or str(position))}:', child]
            return [*parts, "}}"]
        if kind == "url":
            url = self.next(node.children[0])
            base = self.next(node.children[1].children[0]) if self.next(node.children[1]) else None
            return [json.dumps({"$url": url} if base is None else {"$url": url, "base": base}, separators=(",", ":"))]
        value = self.next(node)
        if kind == "optional":
            return [node.children[0]] if value else ["null"]
        if kind in COLLECTIONS:
            parts = [_OPENERS[kind]]
            for position in range(value):
                parts.append("," if position else "")
                first, *others = node.children
                parts += ["[", first, ",", others[0], "]"] if others else [first]
            return [*parts, "]" if kind == "array" else "]}"]
        if kind == "enumeration":
            parts = [f'{{"$enum":{json.dumps(node.name)},"case":{json.dumps(node.labels[value])}']
            payload = node.payloads[value]
            return [*parts, "}"] if payload is None else [*parts, ',"payload":', payload, "}"]
        return [json.dumps(_scalar(node, value), separators=(",", ":"))]


def chunk_values(chunk: Chunk, strings: StringTable) -> list[Any]:
    """Returns all values of a chunk as values of Python."""
    kind = chunk.node.kind
    if kind in BITS:
        return list(chunk.mask().tolist())
    if kind in INTEGERS:
        return list(chunk.integers().tolist())
    if kind in ("string", "data", "decimal"):
        if chunk.is_table:
            ids = chunk.integers()
            if len(ids) and int(ids.max()) >= len(strings):
                reject("X2", chunk.offset, f"string {int(ids.max())} of {len(strings)}")
            return list(strings.whole.array.take(pa.array(ids.astype(np.int64))).to_pylist())
        offsets = chunk.offsets().tolist()
        if kind != "data":
            check_utf8(chunk.body, chunk.offsets(), "V5", chunk.offset)
        texts = [bytes(chunk.body[start:end]) for start, end in pairwise(offsets)]
        return texts if kind == "data" else [text.decode() for text in texts]
    return [value.tobytes() for value in chunk.fixed()]


def _scalar(node: Node, value: Any) -> Any:
    kind = node.kind
    if kind in ("reference", "weak"):
        return {"$ref": value} if value else None
    if kind == "decimal":
        return {"$decimal": value}
    if kind == "data":
        return {"$data": base64.b64encode(value).decode()}
    if kind == "uuid":
        return {"$uuid": str(uuid.UUID(bytes=value)).upper()}
    if kind == "date":
        return {"$date": _calendar(value), "seconds": _float("d", value)}
    if kind.startswith("float"):
        return _float({"float16": "e", "float32": "f", "float64": "d"}[kind], value)
    if kind in ("int128", "uint128"):
        value = int.from_bytes(value, "little", signed=kind == "int128")
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 53:
        return {"$integer": str(value)}
    return value


def _float(code: str, data: bytes) -> Any:
    """Returns the shortest digits that read back as the same number of that width."""
    value = struct.unpack("<" + code, data)[0]
    if value != value:
        bits = int.from_bytes(data, "little")
        if code == "e":
            bits = (bits & 0x8000) << 16 | 0x7F80_0000 | (bits & 0x3FF) << 13
        usual = 0x7FF8_0000_0000_0000 if code == "d" else 0x7FC0_0000
        return {"$float": "nan"} if bits == usual else {"$float": "nan", "bits": f"{bits:x}"}
    if value in (float("inf"), float("-inf")):
        return {"$float": "inf" if value > 0 else "-inf"}
    return value if code == "d" else float(str(np.float32(value)))


def _calendar(data: bytes) -> str | None:
    micros, is_date = microseconds(np.frombuffer(data, "<f8"))
    return calendar_texts(micros)[0] if is_date[0] else None
