"""The runs of all segments at once: the rows of each class in each segment. Spec: 04.6, R1, G1; 13."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arc_format.basics.errors import ArcError
from arc_format.columns.rows import Rows
from arc_format.container.cursor import Cursor
from arc_format.container.segment import Segment
from arc_format.container.varints import continuations, take_varints


class RunIndex:
    """The first rows and lengths of runs, by class and segment.

    If classes are mixed, some tens of segments have a hundred thousand runs; numpy reads all of them almost as fast as
    a few.
    """

    def __init__(self, classes: npt.NDArray[np.uint], lengths: npt.NDArray[np.uint], segment_starts: Rows) -> None:
        self._classes, self._lengths, self._segment_starts = classes, lengths, segment_starts
        # Allocation costs more than the computation. These are the first rows after runs, four bytes each.
        self._ends = np.cumsum(lengths, dtype=np.uint32)
        #: for each requested class: the index of its first run in each segment, first rows and lengths of its runs
        self._of_class: dict[int, tuple[Rows, Rows, Rows]] = {}

    def of(self, number: int, index: int) -> tuple[Rows, Rows]:
        """Returns the runs of a class in a segment."""
        if index not in self._of_class:
            own = np.flatnonzero(self._classes == index)
            lengths = self._lengths[own].astype(np.int64)
            self._of_class[index] = np.searchsorted(own, self._segment_starts), self._ends[own] - lengths, lengths
        starts, rows, lengths = self._of_class[index]
        part = slice(int(starts[number]), int(starts[number + 1]))
        return rows[part], lengths[part]

    def classes_of_rows(self, dtype: npt.DTypeLike) -> npt.NDArray[np.uint]:
        """Returns the class index of each row of the file."""
        return np.repeat(self._classes.astype(dtype), self._lengths)


def index_runs(heads: list[memoryview], segments: list[Segment], class_count: int) -> RunIndex | None:
    """Reads the runs in the first bytes of segments. Returns None if they break a rule."""
    joined = b"".join(heads)
    content = np.frombuffer(joined, np.uint8)
    more = continuations(content)
    try:
        cursor = Cursor(memoryview(joined), 0)
        values = take_varints(cursor, len(content) - len(more))
        cursor.done()
    except ArcError:
        return None
    head_ends = np.cumsum([len(head) for head in heads])
    numbers = head_ends - np.searchsorted(more, head_ends)
    counts = np.diff(np.concatenate([[0], numbers]))
    firsts = numbers - counts
    if not ((counts > 2) & (counts % 2 == 1)).all() or (content[head_ends - 1] >= 0x80).any() \
            or (values[firsts] != counts // 2).any():
        return None
    is_pair = np.ones(len(values), np.bool_)
    is_pair[firsts] = False
    pairs = values[is_pair]
    classes, lengths = pairs[0::2], pairs[1::2]
    starts = np.concatenate([[0], np.cumsum(counts // 2)])
    rows = np.array([segment.count for segment in segments], np.uint64)
    if int(classes.max()) >= class_count or int(lengths.min()) < 1 or int(lengths.max()) > int(rows.max()) \
            or (np.add.reduceat(lengths, starts[:-1], dtype=np.uint64) != rows).any():
        return None
    if np.flatnonzero(classes == 0).tolist() != [0] or int(lengths[0]) != 1:
        return None
    return RunIndex(classes.astype(np.min_scalar_type(class_count)),
                    lengths.astype(np.min_scalar_type(int(lengths.max()))), starts)
