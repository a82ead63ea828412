"""Shared parts of the commands: exit codes, opening of files, text that cannot steer a terminal."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from typing import TextIO, cast

from arc_format.archive.archive import Archive
from arc_format.basics.errors import ArcError, UsageError
from arc_format.basics.limits import DEFAULT, UNTRUSTED
from arc_format.datasets.dataset import Dataset

#: The exit codes, which are the exit codes of arcdump.
OK, USAGE, DAMAGED, NO_FILE, OUTPUT_FAILED = 0, 64, 65, 66, 74


def add_file(parser: argparse.ArgumentParser) -> None:
    """Adds the argument FILE and the option `--trust`."""
    parser.add_argument("file", metavar="FILE", help="an archive, or a folder of archives with the same classes")
    add_trust(parser)


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Adds the option `--trust`."""
    parser.add_argument("--trust", action="store_true",
                        help="trust the file: raise the limits to gigabytes and millions of objects")


def opened(arguments: argparse.Namespace, path: str | None = None) -> Archive | Dataset:
    """Opens the archive or data set of a command line."""
    path, limits = path or arguments.file, DEFAULT if arguments.trust else UNTRUSTED
    return Dataset(path, limits=limits) if os.path.isdir(path) else Archive(path, limits=limits)


def chosen_classes(archive: Archive | Dataset, names: list[str] | None) -> list[str]:
    """Returns the requested classes; by default, the classes with objects."""
    if not names:
        return [name for name, count in archive.counts().items() if count]
    for name in names:
        if name not in archive.classes:
            raise UsageError(f"there is no class '{name}'; there are: {', '.join(archive.classes) or 'none'}")
    return names


def with_notes(error: Exception) -> str:
    """Returns the message of an error, with the path of the file, and with an option instead of a limit as remedy."""
    if isinstance(error, ArcError) and error.code == "limitExceeded":
        error.remedy = error.remedy.replace("open it with", "give --trust, or open it in Python with")
    return " ".join([str(error), *(f"({note})" for note in getattr(error, "__notes__", []))])


def printable(text: str) -> str:
    """Returns a string of a file for a terminal, with escapes for characters that are not printable."""
    return "".join(character if character.isprintable() or character == "\n" else
                   character.encode("unicode_escape").decode() for character in text)


class _Terminal(io.TextIOBase):
    """A stream on a terminal. Strings of a file cannot send control sequences to the terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str, /) -> int:
        self.stream.write(printable(text))
        return len(text)


def standard_output() -> TextIO:
    """Returns the output of commands: unchanged for files and pipes, with escapes for a terminal."""
    return cast(TextIO, _Terminal(sys.stdout)) if sys.stdout.isatty() else sys.stdout


def file_name(name: str) -> str:
    """Returns a class name as the name of a file in the same folder: `Box<Int>`, but `%2e%2e%2fx` for `../x`."""
    def escaped(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02x}" for byte in match[0].encode("utf-8", "surrogateescape"))

    name = re.sub(r"[^\w<>, .-]|^\.|[. ]$", escaped, name)
    if len(name.encode()) > 150:
        raise UsageError(f"the class name '{name[:40]}…' is too long for a file: export it alone, with -o FILE")
    return name
