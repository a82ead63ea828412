"""Archives of object graphs (`.arc`) as tables: Arrow, DuckDB, Polars, Spark and graphs.

>>> import arc_format
>>> archive = arc_format.open("Fixtures/person.arc")
>>> archive.table("Person").to_pylist()
[{'$row': 1, 'name': 'Ann', 'mother': None, 'friends': [2]}, {'$row': 2, 'name': 'Bob', 'mother': 1, 'friends': []}]
"""

from __future__ import annotations

from arc_format.archive.archive import Archive, Verify
from arc_format.archive.table import ArchiveTable
from arc_format.basics.errors import ArcError, ArcWarning, DatasetError, UsageError
from arc_format.basics.limits import DEFAULT, UNTRUSTED, Limits
from arc_format.container.source import Source
from arc_format.datasets.dataset import Dataset
from arc_format.datasets.shards import Paths
from arc_format.datasets.writing import write_dataset
from arc_format.writing.archive import write

__all__ = ["DEFAULT", "UNTRUSTED", "ArcError", "ArcWarning", "Archive", "ArchiveTable", "Dataset",
           "DatasetError", "Limits", "UsageError", "dataset", "open", "write", "write_dataset"]

__version__ = "1.0.0"


def open(source: Source, *, limits: Limits = DEFAULT, verify: Verify = "segments") -> Archive:
    """Opens an archive: a path, bytes, or an open file (Python's own, of fsspec or of pyarrow.fs).

    For untrusted files, pass `limits=UNTRUSTED, verify="all"`. Raises `ArcError` if the file is not a sound archive.
    """
    return Archive(source, limits=limits, verify=verify)


def dataset(source: Paths, *, limits: Limits = DEFAULT, verify: Verify = "segments") -> Dataset:
    """Opens several archives with the same classes as a data set: a folder, a pattern, or a list of files.

    The manifest of a folder defines its files. Raises `DatasetError` if a file does not match the manifest.

    >>> import arc_format
    >>> shards = arc_format.dataset(["Fixtures/person.arc", "Fixtures/person.arc"])
    >>> shards.table("Person", ["mother"])["$id"].to_pylist()
    [1, 2, 4294967297, 4294967298]
    """
    return Dataset(source, limits=limits, verify=verify)
