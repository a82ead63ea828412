"""`arc-format pack`: tables as an archive."""

from __future__ import annotations

import argparse
import errno
import os

import pyarrow as pa
import pyarrow.csv
import pyarrow.ipc
import pyarrow.json
import pyarrow.parquet

from arc_format.basics.errors import UsageError
from arc_format.command.common import OK
from arc_format.writing.archive import write


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the arguments of the command."""
    parser = commands.add_parser(
        "pack", help="convert tables to an archive",
        description="Each table becomes a class with the name of its file (Person.parquet), or with NAME in NAME=FILE.")
    parser.add_argument("tables", metavar="TABLE", nargs="+", help="a .parquet, .arrow, .csv or .jsonl file")
    parser.add_argument("-o", dest="output", metavar="OUT.arc", required=True, help="the archive to create")
    parser.add_argument("--reference", dest="references", action="append", default=[], metavar="CLASS.COLUMN=CLASS",
                        help="a column of references, by '$row' of the target table, or by position from 0")
    parser.add_argument("--compression", choices=("none", "zlib"), default="none",
                        help="the compression of the archive (default: %(default)s)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Writes the archive."""
    tables: dict[str, pa.Table] = {}
    for argument in arguments.tables:
        name, separator, path = argument.partition("=")
        # A path may contain a folder such as year=2026.
        if not separator or os.path.exists(argument):
            name, path = os.path.splitext(os.path.basename(argument))[0], argument
        if name in tables:
            raise UsageError(f"two tables are named '{name}': name one of them, OTHER={path}")
        tables[name] = _read(path)
    references = {}
    for argument in arguments.references:
        place, _, target = argument.partition("=")
        name, dot, column = place.rpartition(".")
        if not dot or not target:
            raise UsageError(f"--reference {argument}: write CLASS.COLUMN=CLASS")
        references[name, column] = target
    write(arguments.output, tables, references=references, compression=arguments.compression)
    return OK


def _read(path: str) -> pa.Table:
    readers = {".parquet": pa.parquet.read_table, ".csv": pa.csv.read_csv, ".jsonl": pa.json.read_json,
               ".arrow": lambda path: pa.ipc.open_file(path).read_all()}
    suffix = os.path.splitext(path)[1]
    if suffix not in readers:
        raise UsageError(f"'{path}' is none of {', '.join(readers)}")
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if os.path.isdir(path) and suffix != ".parquet":
        raise UsageError(f"'{path}' is a folder: name the files in it")
    try:
        table = readers[suffix](path)
        # pyarrow decodes names only when they are read.
        list(table.column_names)
        return table
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: text that is not UTF-8: convert it first") from error
    # Arrow raises OSError for some damaged Parquet files.
    except (pa.ArrowException, OSError) as error:
        raise UsageError(f"{path}: {error}") from error
