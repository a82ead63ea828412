"""Conversion of the JSON text of recursive types back to values of nodes. Spec: 10."""

from __future__ import annotations

import base64
import decimal
import json
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.schema.types import Node, Tree
from arc_format.tables.names import field_names


def shredded(tree: Tree, root: Node, texts: list[str | None], place: str) -> list[list[Any]]:
    """Returns the values of each node of a column in the order of rows. `texts` is the JSON text of each row."""
    streams: list[list[Any]] = [[] for _ in tree.nodes]
    for text in texts:
        try:
            work = [(root, None if text is None else json.loads(text))]
            while work:
                node, value = work.pop()
                work.extend(reversed(_taken(node, value, streams)))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise UsageError(f"'{place}' holds JSON that is no value of {tree.encoding}: {text!r} ({error!r}); "
                             "see Spec/10-json.md") from error
    return streams


def leaf_values(node: Node, values: list[Any], type_: pa.DataType, place: str) -> pa.Array:
    """Returns values of a node without children as an array of its Arrow type."""
    try:
        return _leaf_values(node, values, type_)
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        raise UsageError(f"'{place}' holds JSON with values that are no {node.kind} ({error!r}); "
                         "see Spec/10-json.md") from error


def _leaf_values(node: Node, values: list[Any], type_: pa.DataType) -> pa.Array:
    kind = node.kind
    if kind in ("reference", "weak"):
        return pa.array([None if value is None else value["$ref"] for value in values], pa.int64())
    if kind == "uuid":
        return pa.ExtensionArray.from_storage(
            type_, pa.array([uuid.UUID(value["$uuid"]).bytes for value in values], pa.binary(16)))
    if kind == "date":
        return _floats([value["seconds"] for value in values], pa.float64())
    if pa.types.is_floating(type_):
        return _floats(values, type_)
    if kind in ("int128", "uint128"):
        return pa.array([decimal.Decimal(_number(value)) for value in values], type_)
    convert: Callable[[Any], Any] = {
        "data": lambda value: base64.b64decode(value["$data"]), "decimal": lambda value: value["$decimal"],
        }.get(kind, _number)
    return pa.array([convert(value) for value in values], type_)


def _number(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return int(value["$integer"]) if "$integer" in value else float(value["$float"])


def _floats(values: list[Any], type_: pa.DataType) -> pa.Array:
    """A NaN with its bits, which Python's own numbers lose."""
    array = pa.array(list(map(_number, values)), type_)
    patterns = {place: int(value["bits"], 16) for place, value in enumerate(values)
                if isinstance(value, dict) and "bits" in value}
    if not patterns or array.null_count:
        return array
    numbers = array.to_numpy(zero_copy_only=False).copy()
    words = numbers.view(f"u{numbers.itemsize}")
    for place, bits in patterns.items():
        pattern = bits
        if numbers.itemsize == 2:
            # Its bits are the bits of the float32.
            pattern = bits >> 16 & 0x8000 | 0x7C00 | bits >> 13 & 0x3FF
            if (pattern & 0x8000) << 16 | 0x7F80_0000 | (pattern & 0x3FF) << 13 != bits:
                raise ValueError(f"{bits:x} are the bits of no float16")
        words[place] = pattern
        if not np.isnan(numbers[place]):
            raise ValueError(f"{bits:x} are the bits of no NaN")
    return pa.array(numbers, type_)


def _taken(node: Node, value: Any, streams: list[list[Any]]) -> list[tuple[Node, Any]]:
    """Adds the value of a node to its stream. Returns the values of its children."""
    kind = node.kind
    if kind == "structure":
        fields = value["fields"]
        return [(child, fields[label]) for child, label in zip(node.children, field_names(node.labels), strict=True)]
    if kind == "url":
        return [(node.children[0], value["$url"]), (node.children[1], value.get("base"))]
    if kind == "optional":
        streams[node.index].append(value is not None)
        return [] if value is None else [(node.children[0], value)]
    if kind in ("array", "set"):
        elements = value if kind == "array" else value["$set"]
        streams[node.index].append(len(elements))
        return [(node.children[0], element) for element in elements]
    if kind == "dictionary":
        entries = value["$dictionary"]
        streams[node.index].append(len(entries))
        return [(child, part) for entry in entries for child, part in zip(node.children, entry, strict=True)]
    if kind == "enumeration":
        case = node.labels.index(value["case"])
        streams[node.index].append(case)
        payload = node.payloads[case]
        return [] if payload is None else [(payload, value["payload"])]
    streams[node.index].append(value)
    return []
