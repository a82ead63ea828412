"""Arrow arrays of the chunks of a column, from one segment or from consecutive segments."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arc_format.basics.errors import UsageError, reject
from arc_format.columns.budget import Budget
from arc_format.columns.chunks import Chunk
from arc_format.columns.integers import exact_sum
from arc_format.columns.rows import ColumnChunks
from arc_format.columns.strings import StringTable
from arc_format.columns.texts import check_utf8, offsets_of
from arc_format.schema.classes import Column
from arc_format.schema.kinds import FIXED, INTEGERS
from arc_format.schema.links import link_class
from arc_format.schema.types import Node
from arc_format.tables.dates import microseconds
from arc_format.tables.memory import pooled
from arc_format.tables.options import Options
from arc_format.tables.spread import spread, spread_bytes, validity
from arc_format.tables.types import node_type

Counts = list[int]


class ArrayBuilder:
    """Creates the array of a column that is not recursive.

    It reads only checked values: in each segment, each node has as many values as the nodes above it require [V2],
    cases exist [V6], and strings exist [X2] and are UTF-8 [V5]. Therefore an array is sound for any file.
    """

    def __init__(self, column: Column, parts: list[ColumnChunks], strings: StringTable, options: Options,
                 budget: Budget) -> None:
        self.column, self.parts, self.strings, self.options, self.budget = column, parts, strings, options, budget

    def array(self, row_counts: Counts) -> pa.Array:
        """Returns the array of the column, with `row_counts` rows of each part."""
        root = self.column.tree.root
        if not self.column.is_keyed:
            return self._array(root, row_counts)
        mask, ones = self._mask(root, row_counts)
        values = self._array(root.children[0], ones)
        if mask is None:
            return values
        self._charge(spread_bytes(values.type) * sum(row_counts))
        return spread(values, mask)

    def _chunks(self, node: Node, counts: Counts) -> list[Chunk]:
        chunks = []
        for part, count in zip(self.parts, counts, strict=True):
            chunk = part.of_node[node.index]
            assert chunk is not None
            if chunk.count != count:
                reject("V2", chunk.offset, f"{chunk.count} values of kind {node.kind} in '{self.column.key}', "
                                           f"{count} asked for")
            chunks.append(chunk)
        return chunks

    def _charge(self, size: int) -> None:
        self.budget.charge_memory(size, self.column)

    def _array(self, node: Node, counts: Counts) -> pa.Array:
        """Returns the array of all values of a node: `counts` values of each part."""
        kind = node.kind
        if kind == "optional":
            return self._optional(node, counts)
        if kind == "string":
            return self._strings(node, counts)
        if kind in ("data", "decimal"):
            return self._texts(node, counts)
        if kind == "bool":
            return self._bools(node, counts)
        if kind in ("array", "set", "dictionary"):
            return self._collections(node, counts)
        if self.options.has_link_ids and link_class(node) is not None:
            return self._links(node, counts)
        if kind in ("structure", "url"):
            children = [self._array(child, counts) for child in node.children]
            return pa.Array.from_buffers(node_type(node, self.options), sum(counts), [None], children=children)
        if kind in FIXED:
            return self._fixed(node, counts)
        if kind == "enumeration":
            return self._enumeration(node, counts)
        if kind in ("reference", "weak"):
            return self._references(node, counts)
        values = self._integers(node, counts)
        return pa.Array.from_buffers(node_type(node, self.options), len(values), [None, pa.py_buffer(values)])

    # ---- Numbers

    def _integers(self, node: Node, counts: Counts, dtype: str | None = None) -> npt.NDArray[Any]:
        """Returns numbers in the full width of the kind. A single plain, aligned chunk of that width is not copied."""
        width, is_signed = INTEGERS[node.kind]
        type_ = np.dtype(dtype or f"{'i' if is_signed else 'u'}{width}")
        self._charge(sum(counts) * type_.itemsize)
        arrays = [chunk.integers() for chunk in self._chunks(node, counts)]
        return _joined(arrays, type_)

    def _references(self, node: Node, counts: Counts) -> pa.Array:
        if self.options.references == "uint32":
            values = self._integers(node, counts)
            if self.options.reference_base:
                raise UsageError("references of several files do not fit uint32: take references='int64'")
            return pa.Array.from_buffers(pa.uint32(), len(values), [None, pa.py_buffer(values)])
        values = self._integers(node, counts, "i8")
        is_there = values != 0
        bits = None if is_there.all() else validity(is_there)
        if self.options.reference_base:
            values = np.where(is_there, values + self.options.reference_base, 0)
        return pa.Array.from_buffers(pa.int64(), len(values), [bits, pa.py_buffer(values)])

    def _links(self, node: Node, counts: Counts) -> pa.Array:
        """Returns links as ids, null for row 0."""
        shards, rows = (self._integers(child, counts, "i8") for child in node.children)
        if len(shards) and int(shards.max()) >= 1 << 31:
            raise UsageError(f"'{self.column.key}' has a link to shard {int(shards.max())}, and a data set has fewer "
                             "than 2^31: read it as Archive.table() gives it, shard and row apart")
        is_there = rows != 0
        bits = None if is_there.all() else validity(is_there)
        return pa.Array.from_buffers(pa.int64(), len(rows), [bits, pa.py_buffer(shards << 32 | rows)])

    def _fixed(self, node: Node, counts: Counts) -> pa.Array:
        kind, count, size = node.kind, sum(counts), FIXED[node.kind]
        self._charge(count * size)
        values = _joined([chunk.fixed() for chunk in self._chunks(node, counts)], np.dtype(f"V{size}"))
        if kind == "date" and self.options.dates == "timestamp":
            micros, is_date = microseconds(values.view("f8"))
            return pa.Array.from_buffers(node_type(node, self.options), count, [
                None if is_date.all() else validity(is_date), pa.py_buffer(micros)])
        if kind == "uuid":
            return pa.ExtensionArray.from_storage(
                pa.uuid(), pa.Array.from_buffers(pa.binary(16), count, [None, pa.py_buffer(values)]))
        if kind in ("int128", "uint128"):
            self._charge(count * 32)
            halves = values.view("u8").reshape(count, 2)
            wide = np.zeros((count, 4), np.uint64)
            wide[:, :2] = halves
            if kind == "int128":
                wide[:, 2:] = np.where(halves[:, 1:] >> np.uint64(63), np.uint64(2 ** 64 - 1), np.uint64(0))
            return pa.Array.from_buffers(node_type(node, self.options), count, [None, pa.py_buffer(wide)])
        return pa.Array.from_buffers(node_type(node, self.options), count, [None, pa.py_buffer(values)])

    # ---- Bits

    def _bools(self, node: Node, counts: Counts) -> pa.Array:
        chunks = self._chunks(node, counts)
        self._charge(sum(counts))
        if len(chunks) == 1 and chunks[0].constant is None:
            return pa.Array.from_buffers(pa.bool_(), counts[0], [None, pa.py_buffer(chunks[0].body)])
        values = np.concatenate([chunk.mask() for chunk in chunks])
        return pa.Array.from_buffers(pa.bool_(), len(values), [None, validity(values)])

    def _mask(self, node: Node, counts: Counts) -> tuple[npt.NDArray[np.bool_] | None, Counts]:
        """Returns a mask of the present values (None if all are present), and their number in each part."""
        chunks = self._chunks(node, counts)
        ones = [chunk.ones() for chunk in chunks]
        if ones == counts:
            return None, ones
        self._charge(sum(counts))
        return chunks[0].mask() if len(chunks) == 1 else np.concatenate([chunk.mask() for chunk in chunks]), ones

    def _optional(self, node: Node, counts: Counts) -> pa.Array:
        child, type_ = node.children[0], node_type(node, self.options)
        mask, ones = self._mask(node, counts)
        if child.kind == "enumeration" and pa.types.is_union(type_):
            return self._union(child, ones, type_, np.ones(sum(counts), np.bool_) if mask is None else mask)
        values = self._array(child, ones)
        if child.kind == "optional":
            values = pa.Array.from_buffers(type_, len(values), [None], children=[values])
        if mask is None:
            return values
        self._charge(spread_bytes(values.type) * sum(counts))
        return spread(values, mask)

    # ---- Strings

    def _texts(self, node: Node, counts: Counts) -> pa.Array:
        """Returns plain strings. The characters of a single chunk are not copied."""
        return self._plain(node, self._chunks(node, counts))

    def _plain(self, node: Node, chunks: list[Chunk]) -> pa.Array:
        type_ = pa.large_binary() if node.kind == "data" else pa.large_string()
        self._charge(sum(len(chunk.body) + 8 * chunk.count for chunk in chunks))
        if node.kind != "data":
            for chunk in chunks:
                check_utf8(chunk.body, chunk.offsets(), "V5", chunk.offset)
        if len(chunks) == 1:
            offsets, body = chunks[0].offsets(), chunks[0].body
        else:
            lengths = [chunk.lengths for chunk in chunks if chunk.lengths is not None]
            offsets = offsets_of(np.concatenate([each.astype(np.int64) for each in lengths]))
            body = memoryview(b"".join([chunk.body for chunk in chunks]))
        return pa.Array.from_buffers(type_, len(offsets) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(body)])

    def _strings(self, node: Node, counts: Counts) -> pa.Array:
        """Returns runs of chunks with the same storage, each as one array."""
        arrays: list[pa.Array] = []
        alike: list[Chunk] = []
        for chunk in self._chunks(node, counts):
            if alike and alike[-1].is_table != chunk.is_table:
                arrays.append(self._alike(node, alike))
                alike = []
            alike.append(chunk)
        arrays.append(self._alike(node, alike))
        return arrays[0] if len(arrays) == 1 else _concatenated(arrays)

    def _alike(self, node: Node, chunks: list[Chunk]) -> pa.Array:
        choice = self.options.strings
        if not chunks[0].is_table:
            texts = self._plain(node, chunks)
            if choice == "view":
                return texts.cast(pa.string_view())
            if choice == "dictionary":
                indices = pa.array(np.arange(len(texts), dtype=np.int32))
                return pa.DictionaryArray.from_arrays(indices, texts, safe=False)
            return texts
        for chunk in chunks:
            ids = chunk.integers()
            if len(ids) and int(ids.max()) >= len(self.strings):
                reject("X2", chunk.offset, f"string {int(ids.max())} of {len(self.strings)}")
        count = sum(chunk.count for chunk in chunks)
        self._charge(16 * count)
        joined = _joined([chunk.integers() for chunk in chunks], np.dtype("i8" if choice == "view" else "i4"))
        # A dictionary is the whole string table of the file, even if only a part is needed.
        strings = self.strings.whole if choice == "dictionary" else self.strings.holding(joined)
        joined = joined - strings.first if strings.first else joined
        if choice == "view":
            views = strings.views
            all_views = np.frombuffer(views.buffers()[1], "V16", len(views)) if len(views) else np.zeros(0, "V16")
            gathered = all_views[joined]
            return pa.Array.from_buffers(pa.string_view(), count, [None, pa.py_buffer(gathered), *views.buffers()[2:]])
        indices = pa.Array.from_buffers(pa.int32(), count, [None, pa.py_buffer(joined)])
        if choice == "dictionary":
            return pa.DictionaryArray.from_arrays(indices, strings.array, safe=False)
        # A long string with many references is charged before it is copied for each row.
        self._charge(int(strings.lengths[joined].sum()))
        return strings.array.take(indices)

    # ---- Nested types

    def _collections(self, node: Node, counts: Counts) -> pa.Array:
        chunks = self._chunks(node, counts)
        lengths = [chunk.integers() for chunk in chunks]
        totals = [exact_sum(each) for each in lengths]
        is_free = not any(child.takes_bytes for child in node.children)
        self.budget.charge_elements(sum(totals) * 64 if is_free else sum(totals), self.column)
        self._charge(8 * sum(counts))
        type_, total = node_type(node, self.options), sum(totals)
        children = [self._array(child, totals) for child in node.children]
        offsets = offsets_of(_joined(lengths, np.dtype("i8")))
        if not pa.types.is_map(type_):
            if node.kind == "dictionary":
                children = [pa.StructArray.from_arrays(children, fields=list(type_.value_type))]
            return pa.Array.from_buffers(type_, sum(counts), [None, pa.py_buffer(offsets)], children=children)
        if total >= 1 << 31:
            raise UsageError(f"'{self.column.key}' has {total} entries, and a map of Arrow has 2^31 at most: "
                             "read it by batches(), whose tables are smaller")
        entries = pa.StructArray.from_arrays(children, fields=[type_.key_field, type_.item_field])
        return pa.Array.from_buffers(type_, sum(counts), [None, pa.py_buffer(offsets.astype(np.int32))],
                                     children=[entries])

    def _cases(self, node: Node, counts: Counts) -> tuple[npt.NDArray[Any], list[Counts]]:
        """Returns the case of each value [V6], and for associated values the number of values by case and part."""
        self._charge(4 * sum(counts))
        by_part, arrays = [], []
        for chunk in self._chunks(node, counts):
            cases = chunk.integers()
            if len(cases) and int(cases.max()) >= len(node.labels):
                reject("V6", chunk.offset, f"case {int(cases.max())} of '{node.name}', which has {len(node.labels)}")
            arrays.append(cases)
            if node.children:
                by_part.append(np.bincount(cases, minlength=len(node.labels)))
        return _joined(arrays, np.dtype("i4")), np.array(by_part).T.tolist()

    def _enumeration(self, node: Node, counts: Counts) -> pa.Array:
        type_ = node_type(node, self.options)
        if pa.types.is_union(type_):
            return self._union(node, counts, type_, None)
        cases, numbers = self._cases(node, counts)
        indices = pa.Array.from_buffers(pa.int32(), len(cases), [None, pa.py_buffer(cases)])
        names = pa.DictionaryArray.from_arrays(indices, pa.array(node.labels, pa.string()), safe=False)
        if not node.children:
            return names
        self._charge(spread_bytes(type_) * len(cases))
        fields = [spread(self._array(payload, numbers[case]), cases == case)
                  for case, payload in enumerate(node.payloads) if payload is not None]
        return pa.Array.from_buffers(type_, len(cases), [None], children=[names, *fields])

    def _union(self, node: Node, counts: Counts, type_: pa.DataType, mask: npt.NDArray[np.bool_] | None) -> pa.Array:
        """Returns a dense union; with a mask, the union of an optional, whose first member is nil."""
        cases, numbers = self._cases(node, counts)
        codes = cases.astype(np.int8)
        members = []
        if mask is not None:
            codes = np.zeros(len(mask), np.int8)
            codes[mask] = cases + 1
            members.append(pa.nulls(len(mask) - len(cases)))
        for case, payload in enumerate(node.payloads):
            count = sum(numbers[case])
            members.append(pa.nulls(count) if payload is None else self._array(payload, numbers[case]))
        offsets = np.zeros(len(codes), np.int32)
        for code, member in enumerate(members):
            offsets[codes == code] = np.arange(len(member), dtype=np.int32)
        return pa.UnionArray.from_dense(pa.array(codes), pa.array(offsets), members,
                                        [field.name for field in type_])


def _joined(arrays: list[npt.NDArray[Any]], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Returns the concatenated values in a type that can contain them, at an address that Arrow accepts."""
    if len(arrays) == 1:
        array = arrays[0]
        # For numpy, values of a fixed size are bytes, aligned at any address. Arrow requires multiples of 8.
        if array.dtype == dtype and array.ctypes.data % 8 == 0:
            return array
    values = pooled(sum(map(len, arrays)), dtype)
    return np.concatenate(arrays, out=values, casting="unsafe") if arrays else values


def _concatenated(arrays: list[pa.Array]) -> pa.Array:
    if not pa.types.is_dictionary(arrays[0].type):
        return pa.concat_arrays(arrays)
    # The dictionaries are concatenated. Several may contain a string, which is valid for readers of indices.
    dictionaries = pa.concat_arrays([array.dictionary for array in arrays])
    starts = np.cumsum([0] + [len(array.dictionary) for array in arrays[:-1]])
    if len(dictionaries) >= 1 << 31:
        raise UsageError("more than 2^31 strings in a dictionary: take strings='view' or batches()")
    indices = np.concatenate([np.frombuffer(array.indices.buffers()[1], np.int32, len(array)) + start
                              for array, start in zip(arrays, starts, strict=True) if len(array)] or [np.zeros(0)])
    return pa.DictionaryArray.from_arrays(pa.array(indices.astype(np.int32)), dictionaries, safe=False)
