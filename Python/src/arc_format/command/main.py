"""The command line `arc-format`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from arc_format.basics.errors import ArcError, DatasetError, UsageError
from arc_format.command import edges, export, pack, schema, sql, verify
from arc_format.command.common import DAMAGED, NO_FILE, OK, OUTPUT_FAILED, USAGE, printable, with_notes

VERSION = "1.0.0"

_EPILOG = """exit codes:
  0   success
  64  wrong usage, or no such class or property
  65  not an archive, or a damaged one
  66  no such file
  74  the output cannot be written"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        """Exits with the exit codes of arcdump."""
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def parser() -> argparse.ArgumentParser:
    """Returns the parser of all commands with their arguments."""
    result = _Parser(prog="arc-format",
                     description="Convert .arc files to tables and tables to .arc files, and query them.",
                     epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--version", action="version", version=VERSION)
    commands = result.add_subparsers(metavar="COMMAND", required=True)
    for command in (schema, export, sql, edges, pack, verify):
        command.add(commands)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns its exit code."""
    parsed = parser().parse_args(arguments)
    try:
        code = int(parsed.run(parsed))
        sys.stdout.flush()
        return code
    except (ArcError, DatasetError) as error:
        file = f"{parsed.file}: " if hasattr(parsed, "file") else ""
        return _failed(DAMAGED, f"{file}{with_notes(error)}")
    except UsageError as error:
        return _failed(USAGE, with_notes(error))
    except FileNotFoundError as error:
        # The folder of an output may be missing too.
        if str(error.filename).startswith(getattr(parsed, "output", None) or "\0"):
            return _failed(OUTPUT_FAILED, f"{error.filename}: there is no such folder")
        return _failed(NO_FILE, f"{error.filename}: no such file")
    except BrokenPipeError:
        # The reader of the pipe has closed it, so nothing is flushed into it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        return _failed(OUTPUT_FAILED, str(error))


def _failed(code: int, message: str) -> int:
    print(printable(f"arc-format: {message}"), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
