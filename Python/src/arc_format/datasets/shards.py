"""The files of a data set without a manifest: which they are, and that they lie where they seem to."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import Union

from arc_format.basics.errors import UsageError

#: A folder, a pattern, or a list of files.
Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


def shard_paths(source: Paths) -> list[str]:
    """The files in the order in which they are numbered: of a folder or a pattern by name, of a list as it is.

    Of a folder its `.arc` files, not those of folders in it, nor what begins with a dot or an underscore. A link in a
    folder that leads out of it is refused: whoever fills a folder does not choose what else is read.
    """
    if not isinstance(source, (str, os.PathLike)):
        paths = [os.fspath(path) for path in source]
    else:
        path = os.fspath(source)
        if os.path.isdir(path):
            paths = _of_folder(path)
        else:
            paths = sorted(glob.glob(path)) if glob.has_magic(path) else [path]
    if not paths:
        raise UsageError(f"{source!r} has no .arc files: give a folder with some, a pattern, or a list of files")
    return paths


def leads_out(folder: str, path: str) -> bool:
    """Whether a path in a folder leads out of it by a symbolic link. A circle of links leads to itself."""
    home = os.path.realpath(folder)
    return os.path.commonpath([home, os.path.realpath(path)]) != home


def _of_folder(folder: str) -> list[str]:
    paths = []
    # By bytes, as the Spec has it: not all that is sorted by a language's characters is.
    for entry in sorted(os.listdir(folder), key=os.fsencode):
        path = os.path.join(folder, entry)
        if not entry.endswith(".arc") or entry.startswith((".", "_")):
            continue
        if leads_out(folder, path):
            raise UsageError(f"{path!r} leads out of its folder: put the file itself there, or give a list of files")
        if os.path.isfile(path):
            paths.append(path)
    return paths
