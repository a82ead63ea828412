"""Archives as frames of pandas. Needs `pip install 'arc-format[pandas]'`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from arc_format.archive.archive import Archive
from arc_format.basics.errors import UsageError
from arc_format.datasets.dataset import Dataset, opened
from arc_format.datasets.shards import Paths
from arc_format.tables.names import ID, ROW
from arc_format.tables.where import Condition

if TYPE_CHECKING:
    import pandas


def read_arc(source: Archive | Dataset | Paths, name: str | None = None, columns: Iterable[str] | None = None, *,
             where: Sequence[Condition] | None = None) -> pandas.DataFrame:
    """Returns the objects of a class as a frame of pandas. The index contains the numbers to which references refer.

    The index is `$row`, or `$id` for a data set, which is a folder, a pattern or a list of files. `name` is the class;
    it is not needed if only one class has objects. `columns` and `where` are as in `Archive.table`. Integers with nulls
    are floats in pandas; use `Archive.table(…).to_pandas(types_mapper=pandas.ArrowDtype)` to preserve them. Raises
    `ArcError` if the file is not valid, and `UsageError` if there is no such class or column.

    >>> import arc_format.pandas
    >>> people = arc_format.pandas.read_arc("Fixtures/person.arc")
    >>> people.loc[2, "name"], people.index.name
    ('Bob', '$row')
    """
    archive = opened(source)
    if name is None:
        names = [each for each, count in archive.counts().items() if count]
        if len(names) != 1:
            raise UsageError(f"{len(names)} classes have objects, {', '.join(names) or 'none'}: name one")
        name = names[0]
    table = archive.table(name, columns, where=where)
    if isinstance(archive, Dataset):
        table = table.drop_columns([ROW])
    return table.to_pandas().set_index(ID if isinstance(archive, Dataset) else ROW)
