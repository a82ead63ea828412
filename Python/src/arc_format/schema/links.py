"""Links to objects of other archives of a data set: structures of a certain form. Spec: 14.2."""

from __future__ import annotations

from arc_format.schema.types import Node

_PREFIX = "ArcLink<"


def link_encoding(class_name: str) -> str:
    """Returns the type encoding of a link to objects of a class."""
    return f'{{{_PREFIX}{class_name}>="shard"I"row"I}}'


def link_class(node: Node) -> str | None:
    """Returns the name of the class to which the links of a node refer; None if the node is not a link."""
    name = node.name or ""
    if (node.kind == "structure" and name.startswith(_PREFIX) and name.endswith(">")
            and node.labels == ["shard", "row"] and [child.kind for child in node.children] == ["uint32", "uint32"]):
        return name[len(_PREFIX):-1]
    return None
