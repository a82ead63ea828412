"""Conversion of Arrow arrays to chunks of nodes, the reverse of `tables.arrays`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.columns.chunks import CONSTANT
from arc_format.columns.integers import ALIGNED, MAXIMUM_SHORT
from arc_format.schema.kinds import INTEGERS, REFERENCES
from arc_format.schema.links import link_class
from arc_format.schema.types import Node, Tree
from arc_format.tables.dates import seconds
from arc_format.tables.options import Options
from arc_format.tables.types import node_type, payload_fields
from arc_format.writing.canonical import entries_of, notation, without_nulls
from arc_format.writing.documents import leaf_values, shredded
from arc_format.writing.integers import ALIGNED_BYTES, encoded_integers
from arc_format.writing.primitives import Encoded
from arc_format.writing.strings import StringWriter
from arc_format.writing.texts import plain_text

#: Returns the new rows for the references of a node in a table; 0 for null.
Resolve = Callable[[Node, pa.Array], npt.NDArray[np.int64]]


class ColumnEncoder:
    """Encodes arrays of a column. Returns a chunk for each stored node."""

    def __init__(self, name: str, tree: Tree, is_keyed: bool, strings: StringWriter, resolve: Resolve) -> None:
        self.name, self.tree, self.is_keyed, self.strings, self.resolve = name, tree, is_keyed, strings, resolve
        self.chunks: dict[int, Encoded] = {}

    def encode(self, array: pa.Array) -> list[tuple[Node, Encoded]]:
        """Returns the chunks of the values of some rows."""
        self.chunks = {}
        root = self.tree.root
        if self.is_keyed:
            mask = np.asarray(array.is_valid())
            self.chunks[root.index] = _bits(mask)
            array = without_nulls(array)
            root = root.children[0]
        if self.tree.is_recursive:
            self._documents(root, array)
        else:
            self._encode(root, array)
        return [(node, self.chunks[node.index]) for node in self.tree.stored]

    def _documents(self, root: Node, array: pa.Array) -> None:
        """Encodes JSON text, with null for nil."""
        streams = shredded(self.tree, root, array.to_pylist(), self.name)
        for node, values in zip(self.tree.nodes, streams, strict=True):
            if node.kind == "optional" and (node is not self.tree.root or not self.is_keyed):
                self.chunks[node.index] = _bits(np.array(values, np.bool_))
            elif node.kind in ("array", "set", "dictionary", "enumeration"):
                self.chunks[node.index] = encoded_integers(np.array(values, np.uint64))
            elif node.is_stored and not node.children:
                self._encode(node, leaf_values(node, values, node_type(node, Options()), self.name))

    def _encode(self, node: Node, array: pa.Array) -> None:
        kind = node.kind
        if kind in REFERENCES:
            self.chunks[node.index] = encoded_integers(self.resolve(node, array).astype(np.uint32))
            return
        if kind == "optional":
            self._optional(node, array)
            return
        if pa.types.is_integer(array.type) and link_class(node) is not None:
            self._links(node, array)
            return
        if array.null_count:
            raise UsageError(f"'{self.name}' has nulls where its type, {self.tree.encoding}, has no optional")
        if kind == "bool":
            self.chunks[node.index] = _bits(np.asarray(array))
        elif kind == "string":
            self.chunks[node.index] = self.strings.encode(array)
        elif kind in ("data", "decimal"):
            if pa.types.is_decimal(array.type):
                array = pa.array([notation(value) for value in array.to_pylist()], pa.large_string())
            self.chunks[node.index] = plain_text(array)
        elif kind in ("array", "set"):
            self._lengths(node, array)
            self._encode(node.children[0], array.flatten())
        elif kind == "dictionary":
            self._lengths(node, array)
            entries = entries_of(array) if pa.types.is_map(array.type) else array.flatten()
            for position, child in enumerate(node.children):
                self._encode(child, entries.field(position))
        elif kind in ("structure", "url"):
            for position, child in enumerate(node.children):
                self._encode(child, array.field(position))
        elif kind == "enumeration":
            self._enumeration(node, array)
        elif kind in INTEGERS:
            width, is_signed = INTEGERS[kind]
            values = array.to_numpy(zero_copy_only=False)
            self.chunks[node.index] = encoded_integers(values.astype(f"{'i' if is_signed else 'u'}{width}"))
        else:
            self.chunks[node.index] = _fixed(_fixed_values(node, array))

    def _optional(self, node: Node, array: pa.Array) -> None:
        child = node.children[0]
        self.chunks[node.index] = _bits(np.asarray(array.is_valid()))
        there = without_nulls(array)
        self._encode(child, there.field(0) if child.kind == "optional" else there)

    def _links(self, node: Node, array: pa.Array) -> None:
        """Encodes ids, with null for nil."""
        ids = array.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        wrong = ids[(ids < 0) | ((ids & 0xFFFF_FFFF == 0) & np.asarray(array.is_valid()) & (ids != 0))]
        if len(wrong):
            raise UsageError(f"'{self.name}' has the number {int(wrong[0])}: a link is an id, shard << 32 | row, and "
                             "the first row is 1")
        for child, part in zip(node.children, (ids >> 32, ids & 0xFFFF_FFFF), strict=True):
            self.chunks[child.index] = encoded_integers(np.where(ids & 0xFFFF_FFFF, part, 0).astype(np.uint32))

    def _lengths(self, node: Node, array: pa.Array) -> None:
        offsets = array.offsets.to_numpy(zero_copy_only=False) if len(array) else np.zeros(1, np.int64)
        self.chunks[node.index] = encoded_integers(np.diff(offsets).astype(np.uint64))

    def _enumeration(self, node: Node, array: pa.Array) -> None:
        names = array.field(0) if node.children else array
        numbers = {label: case for case, label in reversed(list(enumerate(node.labels)))}
        encoded = names if pa.types.is_dictionary(names.type) else names.dictionary_encode()
        known = np.array([numbers.get(label, -1) for label in encoded.dictionary.to_pylist()], np.int64)
        cases = known[encoded.indices.to_numpy(zero_copy_only=False)] if len(known) else np.zeros(len(array), np.int64)
        if (cases < 0).any():
            wrong = names[int(np.argmin(cases))].as_py()
            raise UsageError(f"'{self.name}' has case '{wrong}'; '{node.name}' has: {', '.join(node.labels)}")
        self.chunks[node.index] = encoded_integers(cases.astype(np.uint32))
        payloads = iter(range(1, 1 + len(payload_fields(node))))
        for case, payload in enumerate(node.payloads):
            if payload is not None:
                self._encode(payload, array.field(next(payloads)).filter(pa.array(cases == case)))


def _bits(mask: npt.NDArray[np.bool_]) -> Encoded:
    count = len(mask)
    if 16 < count <= MAXIMUM_SHORT and (mask.all() or not mask.any()):
        return Encoded(count, bytes([CONSTANT, int(mask[0])]))
    return Encoded(count, b"\0" + np.packbits(mask, bitorder="little").tobytes())


def _fixed(values: npt.NDArray[Any]) -> Encoded:
    count, data = len(values), values.view(f"V{values.dtype.itemsize}")
    if 1 < count <= MAXIMUM_SHORT and (data == data[0]).all():
        return Encoded(count, bytes([CONSTANT]) + data[:1].tobytes())
    if values.nbytes >= ALIGNED_BYTES:
        return Encoded(count, bytes([ALIGNED]), np.ascontiguousarray(values).view(np.uint8))
    return Encoded(count, b"\0" + values.tobytes())


def _fixed_values(node: Node, array: pa.Array) -> npt.NDArray[Any]:
    kind = node.kind
    if kind == "date":
        if not pa.types.is_timestamp(array.type):
            return array.to_numpy(zero_copy_only=False).astype("<f8")  # type: ignore[no-any-return]
        return seconds(array.cast(pa.timestamp("us", "UTC")).view(pa.int64()).to_numpy(zero_copy_only=False))
    if kind == "uuid":
        storage = array.storage if isinstance(array, pa.ExtensionArray) else array
        return np.frombuffer(b"".join(storage.to_pylist()), "V16") if len(array) else np.zeros(0, "V16")
    if kind in ("int128", "uint128"):
        wide = array.cast(pa.decimal256(39, 0))
        values = np.frombuffer(wide.buffers()[1], "u8", 4 * len(wide), wide.offset * 32).reshape(len(wide), 4)
        return np.ascontiguousarray(values[:, :2]).view("V16").reshape(len(wide))
    return array.to_numpy(zero_copy_only=False).astype({"float16": "<f2", "float32": "<f4"}.get(kind, "<f8"))  # type: ignore[no-any-return]
