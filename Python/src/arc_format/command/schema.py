"""`arc-format schema`: classes, properties, types."""

from __future__ import annotations

import argparse

from arc_format.command.common import OK, add_file, opened, printable


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the arguments of the command."""
    parser = commands.add_parser("schema", help="print classes, their properties, and types in Arrow and in the file")
    add_file(parser)
    parser.add_argument("--class", dest="classes", action="append", metavar="CLASS",
                        help="the class to print (default: all)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints a paragraph for each class."""
    archive = opened(arguments)
    counts = archive.counts()
    for name in arguments.classes or archive.classes:
        schema = archive.schema(name)
        chain = (schema.metadata or {}).get(b"arc:superclasses", b"[]").decode()
        superclass = "" if chain == "[]" else f", superclasses {chain}"
        print(printable(f"{name}: {counts.get(name, 0):,} objects{superclass}"))
        width = max(len(each) for each in schema.names)
        for field in schema:
            attributes = (field.metadata or {}).get(b"arc:attributes", b"").decode()
            print(printable(f"  {field.name:{width}}  {field.type}  {attributes}".rstrip()))
    return OK
