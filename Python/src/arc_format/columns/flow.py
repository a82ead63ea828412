"""The number of values that rows require of each node, at once; not for recursive types. Spec: 04.5, V2, V6."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arc_format.basics.errors import reject
from arc_format.columns.budget import Budget
from arc_format.columns.chunks import Chunk
from arc_format.columns.integers import exact_sum
from arc_format.columns.rows import ColumnChunks, Rows
from arc_format.schema.kinds import COLLECTIONS
from arc_format.schema.links import link_class
from arc_format.schema.types import Node


@dataclass
class Asked:
    """A node, its chunk if it has one, and the rows of its values if they were requested."""

    node: Node
    chunk: Chunk | None
    owners: Rows | None


def flow(values: ColumnChunks, count: int, budget: Budget, owners: Rows | None = None) -> Iterator[Asked]:
    """Returns the nodes in pre-order. Checks that each has as many values as the nodes above it require.

    The column must not have recursive nodes. `owners` are the rows of the block; in collections, a row is repeated for
    each of its elements. Rows are returned for references, for links, and for nodes that contain references or links.
    """
    column = values.column
    leads = _lead_to_references(column.tree.nodes) if owners is not None else ()
    work: list[tuple[Node, int, int, Rows | None]] = [(column.tree.root, count, 0, owners)]
    while work:
        node, count, level, owners = work.pop()
        if count and node.takes_bytes:
            budget.check_depth(0, level, column)
        chunk = values.of_node[node.index]
        if chunk is not None and chunk.count != count:
            reject("V2", chunk.offset, f"{chunk.count} values of kind {node.kind} in '{column.key}', {count} asked for")
        yield Asked(node, chunk, owners)
        below = _below(node, chunk, count, owners, budget, values, leads)
        work.extend((child, number, level + 1, rows) for child, number, rows in reversed(below))


def _below(node: Node, chunk: Chunk | None, count: int, owners: Rows | None, budget: Budget, values: ColumnChunks,
           leads: tuple[bool, ...]) -> list[tuple[Node, int, Rows | None]]:
    """Returns the children of a node with the number of values of each, and the rows of these values."""
    def kept(child: Node) -> bool:
        return owners is not None and leads[child.index]

    if not node.children:
        if node.kind == "enumeration":
            assert chunk is not None
            _check_cases(node, chunk)
        return []
    if chunk is None:
        return [(child, count, owners if kept(child) else None) for child in node.children]
    if node.kind == "optional":
        child = node.children[0]
        return [(child, chunk.ones(), owners[chunk.mask()] if owners is not None and kept(child) else None)]
    if node.kind in COLLECTIONS:
        lengths = chunk.integers()
        total = exact_sum(lengths)
        is_free = not any(child.takes_bytes for child in node.children)
        budget.charge_elements(total * 64 if is_free else total, values.column)
        repeated = None
        if owners is not None and any(map(kept, node.children)):
            for child in node.children:
                below = values.of_node[child.index]
                if below is not None and below.count != total:
                    reject("V2", below.offset, f"{below.count} values of kind {child.kind} in '{values.column.key}', "
                                               f"{total} asked for")
            budget.charge_memory(8 * total, values.column)
            repeated = np.repeat(owners, lengths.astype(np.int64))
        return [(child, total, repeated if kept(child) else None) for child in node.children]
    _check_cases(node, chunk)
    cases = chunk.integers()
    counts = np.bincount(cases, minlength=len(node.labels))
    by_case: list[Rows] = []
    if owners is not None and any(map(kept, node.children)):
        # Sorts once, because an enumeration may have thousands of cases.
        by_case = np.split(owners[np.argsort(cases, kind="stable")], np.cumsum(counts)[:-1])
    return [(child, int(counts[case]), by_case[case] if by_case and kept(child) else None)
            for case, child in enumerate(node.payloads) if child is not None]


def _check_cases(node: Node, chunk: Chunk) -> None:
    cases = chunk.integers()
    if len(cases) and int(cases.max()) >= len(node.labels):
        reject("V6", chunk.offset, f"case {int(cases.max())} of '{node.name}', which has {len(node.labels)}")


def _lead_to_references(nodes: list[Node]) -> tuple[bool, ...]:
    """Returns whether each node is a reference or a link, or contains one."""
    leads = [node.kind in ("reference", "weak") or link_class(node) is not None for node in nodes]
    for node in reversed(nodes):
        leads[node.index] = leads[node.index] or any(leads[child.index] for child in node.children)
    return tuple(leads)
