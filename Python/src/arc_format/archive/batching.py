"""Grouping of blocks into record batches. Small blocks are joined, because each batch has a fixed cost."""

from __future__ import annotations

from collections.abc import Iterator

from arc_format.columns.rows import CHUNK_BYTES, Block

#: The minimum number of rows of a record batch, except the last: smaller segments are joined.
BATCH_ROWS = 1 << 16

#: The maximum memory of chunks that wait for others: a file may have a million segments of one row each.
WAITING_BYTES = 32 << 20


class Batching:
    """Blocks that wait to become a batch, by class index."""

    def __init__(self) -> None:
        self._waiting: dict[int, list[Block]] = {}
        self._rows: dict[int, int] = {}
        self._bytes = 0

    def add(self, block: Block) -> Iterator[list[Block]]:
        """Adds a block. Returns lists of blocks that are enough for a batch, each of one class."""
        index = block.each.index
        # A large block is a batch of its own, so that nothing is copied.
        if block.row_count >= BATCH_ROWS and index in self._waiting:
            yield self._taken(index)
        self._waiting.setdefault(index, []).append(block)
        self._rows[index] = self._rows.get(index, 0) + block.row_count
        self._bytes += _bytes(block)
        if self._rows[index] >= BATCH_ROWS:
            yield self._taken(index)
        if self._bytes >= WAITING_BYTES:
            yield from self.rest()

    def rest(self) -> Iterator[list[Block]]:
        """Returns all waiting blocks."""
        for index in sorted(self._waiting):
            yield self._taken(index)

    def _taken(self, index: int) -> list[Block]:
        blocks = self._waiting.pop(index)
        del self._rows[index]
        self._bytes -= sum(map(_bytes, blocks))
        return blocks


def _bytes(block: Block) -> int:
    return CHUNK_BYTES * (1 + sum(len(values.chunks) for values in block.columns.values()))
