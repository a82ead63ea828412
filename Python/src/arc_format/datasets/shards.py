"""The files of a data set without a manifest, and the check that they are in its folder."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Iterable
from typing import Union

from arc_format.basics.errors import UsageError

#: A folder, a pattern, or a list of files.
Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


def shard_paths(source: Paths) -> tuple[str | None, list[str]]:
    """Returns the files in the order of their numbers: sorted by name for a folder or a pattern, unchanged for a list.

    The first result is the folder whose inner folders define columns. For a pattern, it is the folder before the first
    `*`; a list has no such folder.
    """
    if not isinstance(source, (str, os.PathLike)):
        if not isinstance(source, Iterable) or isinstance(source, (bytes, bytearray)):
            raise UsageError(f"no archives are in {source!r}: give a folder, a pattern, or a list of paths")
        base, paths = None, [_file(path) for path in source]
    else:
        path = os.fspath(source)
        if os.path.isdir(path):
            base, paths = path, archives_in(path)
        elif glob.has_magic(path):
            if "**" in path:
                # A cycle of symbolic links would be followed without end.
                raise UsageError(f"{path!r}: a pattern has a * for each level of folders, and no **")
            # A manifest is not a shard.
            paths = [each for each in glob.glob(path)
                     if os.path.basename(os.path.dirname(each)) != "_arc" and os.path.isfile(each)]
            base, paths = _before_magic(path), sorted(paths, key=os.fsencode)
        else:
            base, paths = None, [_file(path)]
    if not paths:
        raise UsageError(f"{source!r} has no .arc files: give a folder with some, a pattern, or a list of files")
    return base, paths


def _file(path: str | os.PathLike[str]) -> str:
    """Returns a path from the caller. Raises an error if there is no such file."""
    if not isinstance(path, (str, os.PathLike)):
        raise UsageError(f"{path!r} in a list of archives: give paths of files")
    if os.path.isdir(path):
        raise UsageError(f"{os.fspath(path)!r} in a list of archives is a folder: give it alone, or the files in it")
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    return os.fspath(path)


def leads_out(folder: str, path: str) -> bool:
    """Returns whether a path in a folder leaves it through a symbolic link. A cycle of links does not leave it."""
    home = os.path.realpath(folder)
    return os.path.commonpath([home, os.path.realpath(path)]) != home


def place_in(folder: str, name: str) -> str:
    """Returns the path of a file to write into a folder. Creates its inner folders.

    Refuses a symbolic link out of the folder, like readers: the author of a folder must not choose which other file is
    overwritten.
    """
    path, place = os.path.join(folder, name), folder
    for part in name.split("/"):
        place = os.path.join(place, part)
        if os.path.islink(place) and leads_out(folder, place):
            raise UsageError(f"{place!r} is a symbolic link out of the folder: remove the link, or write into another "
                             "folder")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def archives_in(folder: str) -> list[str]:
    """Returns the `.arc` files of a folder and of folders `key=value` in it, without names that begin with `.` or `_`.

    Refuses a symbolic link out of the folder, and a symbolic link instead of a folder: the author of a folder must not
    choose which other files are read.
    """
    paths, folders = [], [""]
    while folders:
        below = folders.pop()
        for entry in os.scandir(os.path.join(folder, below)):
            path = os.path.join(below, entry.name)
            if entry.name.startswith((".", "_")):
                continue
            if "=" in entry.name and entry.is_dir():
                if entry.is_symlink():
                    raise UsageError(f"{entry.path!r} is a link: put the folder itself there, or give a list of files")
                folders.append(path)
            elif entry.name.endswith(".arc"):
                if leads_out(folder, entry.path):
                    raise UsageError(
                        f"{entry.path!r} leads out of its folder: put the file itself there, or give a list of files")
                if os.path.isfile(entry.path):
                    paths.append(path)
    # The Spec sorts paths by bytes. An order by characters of a language can differ.
    return [os.path.join(folder, path) for path in sorted(paths, key=os.fsencode)]


def _before_magic(pattern: str) -> str:
    parts = pattern.split(os.sep)
    first = next(number for number, part in enumerate(parts) if glob.has_magic(part))
    return os.sep.join(parts[:first]) or (os.sep if pattern.startswith(os.sep) else os.curdir)
