"""`arc-format edges`: all references."""

from __future__ import annotations

import argparse
import io

import pyarrow as pa
import pyarrow.parquet

from arc_format.basics.errors import UsageError
from arc_format.command.common import OK, add_file, opened, standard_output
from arc_format.command.rows import write_csv
from arc_format.writing.file import replaced


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the arguments of the command."""
    parser = commands.add_parser("edges", help="write all references as a table: src, dst, column")
    add_file(parser)
    parser.add_argument("--columns", metavar="A.B,C.D",
                        help="the properties to write, as CLASS.PROPERTY (default: all)")
    parser.add_argument("-o", dest="output", metavar="OUT",
                        help="a .csv or .parquet file to create (default: CSV to standard output)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Writes a line for each reference."""
    columns = arguments.columns.split(",") if arguments.columns else None
    edges = opened(arguments).edges(columns)
    if arguments.output is None:
        write_csv(edges.schema, edges.to_batches(65_536), standard_output())
        return OK
    if not arguments.output.endswith((".csv", ".parquet")):
        raise UsageError(f"'{arguments.output}' is neither .csv nor .parquet: name one of these")
    with replaced(arguments.output) as file:
        if arguments.output.endswith(".parquet"):
            pa.parquet.write_table(edges, file, compression="zstd")
        else:
            text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)  # type: ignore[type-var]
            write_csv(edges.schema, edges.to_batches(65_536), text)
            text.detach()
    return OK
