"""`arc-format verify`: checks whether archives are sound."""

from __future__ import annotations

import argparse
import sys

from arc_format.basics.errors import ArcError, DatasetError
from arc_format.command.common import DAMAGED, NO_FILE, OK, add_trust, opened, printable, with_notes


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the arguments of the command."""
    parser = commands.add_parser("verify", help="read and check whole archives; exit with 65 if one is damaged")
    parser.add_argument("files", metavar="FILE", nargs="+", help="an archive, or a folder of archives")
    add_trust(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints a line for each file that is not sound."""
    code = OK
    for path in arguments.files:
        try:
            opened(arguments, path).verify()
        except (ArcError, DatasetError) as error:
            print(printable(f"arc-format: {path}: {with_notes(error)}"), file=sys.stderr)
            code = DAMAGED
        except FileNotFoundError:
            # Continues with the other files.
            print(printable(f"arc-format: {path}: no such file"), file=sys.stderr)
            code = code or NO_FILE
    return code
