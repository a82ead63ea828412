"""The Arrow type of each node."""

from __future__ import annotations

import pyarrow as pa

from arc_format.basics.errors import UsageError
from arc_format.schema.classes import Column
from arc_format.schema.links import link_class
from arc_format.schema.types import Node
from arc_format.tables.names import distinct, field_names
from arc_format.tables.options import Options

_SIMPLE: dict[str, pa.DataType] = {
    "bool": pa.bool_(), "int8": pa.int8(), "int16": pa.int16(), "int32": pa.int32(), "int64": pa.int64(),
    "uint8": pa.uint8(), "uint16": pa.uint16(), "uint32": pa.uint32(), "uint64": pa.uint64(),
    # 2^127 has 39 digits.
    "int128": pa.decimal256(39, 0), "uint128": pa.decimal256(39, 0),
    "float16": pa.float16(), "float32": pa.float32(), "float64": pa.float64(),
    "uuid": pa.uuid(), "data": pa.large_binary(), "decimal": pa.large_string()}

STRINGS = {"plain": pa.large_string(), "dictionary": pa.dictionary(pa.int32(), pa.large_string()),
            "view": pa.string_view()}

#: The type of names of cases: enumerations without associated values, and the field `case` of others.
CASES = pa.dictionary(pa.int32(), pa.string())

#: Kinds with values that are null in Arrow. Keys of a map are not null, so dictionaries with such keys are lists.
_CAN_BE_NULL = frozenset({"optional", "reference", "weak", "date"})

#: The maximum number of members of a union in Arrow.
_MAXIMUM_MEMBERS = 127


def column_type(column: Column, options: Options) -> pa.DataType:
    """Returns the type of a column. Recursive types are JSON text, because Arrow has no recursive types.

    In a keyed column, null means no value, and also nil.
    """
    root = column.tree.root
    if column.tree.is_recursive:
        return pa.large_string()
    return node_type(root.children[0] if column.is_keyed else root, options)


def node_type(node: Node, options: Options) -> pa.DataType:
    """Returns the type of a node that is not recursive."""
    kind = node.kind
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if kind == "string":
        return STRINGS[options.strings]
    if kind in ("reference", "weak"):
        return pa.int64() if options.references == "int64" else pa.uint32()
    if kind == "date":
        return pa.timestamp("us", "UTC") if options.dates == "timestamp" else pa.float64()
    if kind == "optional":
        child = node.children[0]
        if child.kind == "optional":  # nil in an optional of an optional is not nil
            return pa.struct([pa.field("value", node_type(child, options))])
        if child.kind == "enumeration" and child.children and options.enums == "union":
            return _union(child, options, has_nil=True)
        return node_type(child, options)
    if kind in ("array", "set"):
        return pa.large_list(node_type(node.children[0], options))
    if kind == "dictionary":
        key, value = (node_type(child, options) for child in node.children)
        is_link = options.has_link_ids and link_class(node.children[0]) is not None
        if node.children[0].kind in _CAN_BE_NULL or is_link:
            return pa.large_list(pa.struct([pa.field("key", key), pa.field("value", value)]))
        return pa.map_(key, value)
    if kind == "url":
        return pa.struct([pa.field("url", node_type(node.children[0], options)),
                          pa.field("base", node_type(node.children[1], options))])
    if options.has_link_ids and link_class(node) is not None:
        return pa.int64()
    if kind == "structure":
        return pa.struct([pa.field(name, node_type(child, options))
                          for name, child in zip(field_names(node.labels), node.children, strict=True)])
    if not node.children:
        return CASES
    if options.enums == "union":
        return _union(node, options, has_nil=False)
    return pa.struct([pa.field("case", CASES), *(
        pa.field(name, node_type(payload, options)) for name, payload in payload_fields(node))])


def payload_fields(node: Node) -> list[tuple[str, Node]]:
    """Returns the fields after `case` in the struct of an enumeration: names and nodes of associated values."""
    cases = [(label, payload) for label, payload in zip(node.labels, node.payloads, strict=True) if payload]
    names = distinct((label for label, _ in cases), taken=["case"])
    return [(name, payload) for name, (_, payload) in zip(names, cases, strict=True)]


def _union(node: Node, options: Options, has_nil: bool) -> pa.DataType:
    members = [pa.field("nil", pa.null())] if has_nil else []
    members += [pa.field(label, node_type(payload, options) if payload else pa.null())
                for label, payload in zip(node.labels, node.payloads, strict=True)]
    if len(members) > _MAXIMUM_MEMBERS:
        raise UsageError(f"'{node.name}' has {len(members)} cases, a union has {_MAXIMUM_MEMBERS} at most: "
                         "take enums='struct'")
    return pa.dense_union(members)
