"""`arc-format sql`: a query over the classes of archives, with DuckDB."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

import pyarrow as pa

from arc_format.basics.errors import ArcError, DatasetError, UsageError
from arc_format.command.common import OK, add_trust, opened, printable, standard_output
from arc_format.command.rows import write_csv, write_json_lines
from arc_format.tables.names import distinct

if TYPE_CHECKING:
    import duckdb

#: Names of DuckDB's own databases.
_TAKEN = ("main", "memory", "system", "temp")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the arguments of the command."""
    parser = commands.add_parser(
        "sql", help="query classes with SQL (DuckDB)",
        description="Each class is a table. The table 'edges' contains all references, and 'objects' the class "
                    "of each row. "
                    "With several files, each file is a database with the name of the file; "
                    "equal names get a suffix such as '#2'.")
    parser.add_argument("query", metavar="QUERY", help="a query in DuckDB's SQL")
    parser.add_argument("files", metavar="FILE", nargs="+", help="an archive, or a folder of archives")
    parser.add_argument("--format", choices=("table", "csv", "jsonl"), default="table",
                        help="the format of the output (default: %(default)s)")
    add_trust(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the rows of the query."""
    try:
        import duckdb
    except ImportError as error:
        raise UsageError("sql needs DuckDB: pip install 'arc-format[duckdb]'") from error
    from arc_format.duckdb import attach_views

    connection = duckdb.connect()
    # DuckDB ignores the case of names.
    names = distinct((os.path.splitext(os.path.basename(os.path.normpath(path)))[0].lower()
                      for path in arguments.files), taken=_TAKEN)
    failures: list[Exception] = []
    for name, path in zip(names, arguments.files, strict=True):
        def failed(error: Exception, path: str = path) -> None:
            error.add_note(f"in {path!r}")
            failures.append(error)

        try:
            attach_views(connection, opened(arguments, path), name, None, failed)
        except (ArcError, DatasetError, UsageError) as error:
            error.add_note(f"in {path!r}")
            raise
    if len(names) == 1:
        quoted = names[0].replace('"', '""')
        connection.execute(f'use "{quoted}"')
    # A query must not read other files of this machine.
    connection.execute("set enable_external_access = false")
    try:
        return _print(connection.sql(arguments.query), arguments.format)
    except (duckdb.Error, pa.ArrowException) as error:
        # What was wrong with a file says more than what DuckDB makes of it.
        if failures:
            raise failures[0] from None
        raise UsageError(f"DuckDB says: {error}") from error


def _print(result: duckdb.DuckDBPyRelation | None, format_: str) -> int:
    if result is None:
        return OK
    if format_ == "table":
        print(printable(str(result)))
        return OK
    table = result.to_arrow_table()
    if format_ == "csv":
        write_csv(table.schema, table.to_batches(), standard_output())
    else:
        write_json_lines(table.to_batches(), standard_output())
    return OK
