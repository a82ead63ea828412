"""Which blocks become a record batch: small ones are joined, since each batch has a price of its own."""

from __future__ import annotations

from collections.abc import Iterator

from arc_format.columns.rows import CHUNK_BYTES, Block

#: Rows of a record batch at least, but for the last: segments of fewer rows are joined.
BATCH_ROWS = 1 << 16

#: Memory of chunks that wait for others at most: a file may have a million segments of a row each.
WAITING_BYTES = 32 << 20


class Batching:
    """Blocks that wait to become a batch, by class index."""

    def __init__(self) -> None:
        self._waiting: dict[int, list[Block]] = {}
        self._rows: dict[int, int] = {}
        self._bytes = 0

    def add(self, block: Block) -> Iterator[list[Block]]:
        """Takes a block; gives those that are enough for a batch, those of each class for one."""
        index = block.each.index
        # A large block stands alone: then nothing has to be copied.
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
        """All that wait."""
        for index in sorted(self._waiting):
            yield self._taken(index)

    def _taken(self, index: int) -> list[Block]:
        blocks = self._waiting.pop(index)
        del self._rows[index]
        self._bytes -= sum(map(_bytes, blocks))
        return blocks


def _bytes(block: Block) -> int:
    return CHUNK_BYTES * (1 + sum(len(values.chunks) for values in block.columns.values()))
