"""The check that the links of a data set refer to objects of their class. Spec: 14.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from arc_format.archive.archive import Archive
from arc_format.basics.errors import DatasetError
from arc_format.schema.links import link_class

#: The maximum size of cached class numbers of rows, in bytes: class numbers of the shards of the last requests.
_KEPT_BYTES = 256 << 20

#: Shards, rows, and ids of both. The shard of a link in a file may be any number below 2^32.
Numbers = npt.NDArray[np.uint64]

_ROW_BITS, _ROW = np.uint64(32), np.uint64(0xFFFF_FFFF)


class LinkChecker:
    """Checks the links of one shard after the other. `archive` opens a shard. No link is followed further.

    Therefore a cycle of links, or a long chain, does not open a shard repeatedly.
    """

    def __init__(self, count: int, archive: Callable[[int], Archive]) -> None:
        self.count, self.archive = count, archive
        self._targets: dict[int, Archive] = {}
        self._kept_rows = 0

    def check(self, archive: Archive, path: str) -> None:
        """Raises an error if a link of an archive is not valid."""
        found: dict[str, Numbers] = {}
        for name, shards, rows in _links(archive):
            if (shards[rows == 0] != 0).any():
                self._dangles(path, name, int(shards[(rows == 0) & (shards != 0)][0]), 0)
            there = rows != 0
            ids = shards[there] << _ROW_BITS | rows[there]
            found[name] = np.unique(np.concatenate([found.get(name, ids[:0]), ids]))
        for name, ids in found.items():
            shards = ids >> _ROW_BITS
            for shard in np.unique(shards).tolist():
                rows = (ids[shards == shard] & _ROW).astype(np.int64)
                if shard >= self.count or int(rows.max()) > (target := self._target(shard)).rows:
                    self._dangles(path, name, shard, int(rows.max()))
                wrong = rows[~target.are_of(rows, name)]
                if len(wrong):
                    raise DatasetError(
                        "wrongClass", path, f"a link to row {int(wrong[0])} of shard {shard}, which is of class "
                        f"'{target.objects(wrong[:1])[0].as_py()}'", f"a '{name}' or an object of a subclass",
                        "write the data set again; whatever wrote it broke a rule")

    def _dangles(self, path: str, name: str, shard: int, row: int) -> None:
        raise DatasetError("danglingReference", path, f"a link to row {row} of shard {shard}",
                           f"a '{name}' in one of {self.count} shards, or row 0 of shard 0",
                           "write the data set again; whatever wrote it broke a rule")

    def _target(self, shard: int) -> Archive:
        if shard not in self._targets:
            archive = self.archive(shard)
            self._kept_rows += archive.rows
            while self._targets and self._kept_rows > _KEPT_BYTES:
                self._kept_rows -= self._targets.pop(next(iter(self._targets))).rows
            self._targets[shard] = archive
        return self._targets[shard]


def _links(archive: Archive) -> Iterator[tuple[str, Numbers, Numbers]]:
    """Returns the class, the shards and the rows of all links, for each node in each block."""
    for values in archive.columns_where(lambda column: any(map(link_class, column.tree.nodes))):
        for node in values.column.tree.nodes:
            name = link_class(node)
            if name is not None:
                shards, rows = (values.of_node[child.index] for child in node.children)
                assert shards is not None and rows is not None
                yield name, shards.integers().astype(np.uint64), rows.integers().astype(np.uint64)
