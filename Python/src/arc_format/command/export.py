"""`arc-format export`: classes as Parquet, Arrow, CSV or JSON lines."""

from __future__ import annotations

import argparse
import io
import os
from typing import Any

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

from arc_format.archive.archive import Archive
from arc_format.basics.errors import UsageError, warn
from arc_format.command.common import OK, add_file, chosen_classes, file_name, opened, standard_output
from arc_format.command.rows import write_csv, write_json_lines
from arc_format.datasets.dataset import Dataset
from arc_format.writing.file import replaced

FORMATS = {"parquet": "parquet", "arrow": "arrow", "csv": "csv", "jsonl": "jsonl"}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the arguments of the command."""
    parser = commands.add_parser("export", help="write classes as Parquet, Arrow, CSV or JSON lines")
    add_file(parser)
    parser.add_argument("--format", required=True, choices=FORMATS, help="the format to write")
    parser.add_argument("--class", dest="classes", action="append", metavar="CLASS",
                        help="a class to export (default: all classes with objects)")
    parser.add_argument("--columns", metavar="A,B", help="the properties to export (default: all)")
    parser.add_argument("-o", dest="output", metavar="OUT",
                        help="a folder, or for one class a file such as people.csv "
                             "(default: text to standard output)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Writes a file for each class."""
    archive = opened(arguments)
    classes = chosen_classes(archive, arguments.classes)
    columns = arguments.columns.split(",") if arguments.columns else None
    if arguments.output is None:
        if arguments.format not in ("csv", "jsonl") or len(classes) != 1:
            raise UsageError(f"standard output takes one class as csv or jsonl, not {len(classes)} as "
                             f"{arguments.format}: give a folder with -o")
        _write_text(archive, classes[0], columns, arguments.format, standard_output())
        return OK
    output: str = arguments.output
    is_file = output.endswith("." + arguments.format) and not os.path.isdir(output)
    if is_file and len(classes) != 1:
        raise UsageError(f"'{output}' is a file for one class, not for {len(classes)}: name one with --class, or a "
                         "folder")
    if not is_file:
        if os.path.lexists(output) and not os.path.isdir(output):
            raise UsageError(f"'{output}' is there, and no folder: name a folder, or a new file that ends with "
                             f".{arguments.format}")
        os.makedirs(output, exist_ok=True)
    for name in classes:
        path = output if is_file else os.path.join(output, f"{file_name(name)}.{FORMATS[arguments.format]}")
        with replaced(path) as file:
            _write(archive, name, columns, arguments.format, file)
    return OK


def _write(archive: Archive | Dataset, name: str, columns: list[str] | None, format_: str, file: Any) -> None:
    if format_ in ("csv", "jsonl"):
        text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        _write_text(archive, name, columns, format_, text)
        text.detach()
        return
    schema, batches = archive.schema(name, columns), archive.batches(name, columns)
    if format_ == "arrow":
        with pa.ipc.new_file(file, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
        return
    try:
        pa.parquet.write_table(schema.empty_table(), io.BytesIO())
    except pa.ArrowNotImplementedError as error:
        warn(f"the columns of '{name}' have the types of the archive: {error}")
        schema = archive.schema(name, columns, types="archive")
        batches = archive.batches(name, columns, types="archive")
    with pa.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)


def _write_text(archive: Archive | Dataset, name: str, columns: list[str] | None, format_: str, file: Any) -> None:
    if format_ == "csv":
        write_csv(archive.schema(name, columns), archive.batches(name, columns), file)
    else:
        write_json_lines(archive.batches(name, columns), file)
