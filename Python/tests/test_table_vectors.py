"""The tables of Spec/12 as test vectors, which other implementations can run: `Fixtures/tables.jsonl`.

`Spec/reference/tables.py` is one, and says the same of all archives there are. `ARC_REWRITE_FIXTURES=1` rewrites the
vectors; a rewrite is reviewed like code.
"""

from __future__ import annotations

import json
import math
import os
import pathlib
from typing import Any

import pyarrow as pa
import pytest
from judge import FIXTURES, SOUND, arc, tables

import arc_format

PATH = FIXTURES / "tables.jsonl"

#: Each kind, keys that repeat, several classes, nested types.
TABLES = [
    ("person.arc", "Person"), ("inheritance.arc", "Truck"), ("scalars.arc", "Sample"), ("collections.arc", "Shelf"),
    ("coder.arc", "Note"), ("generics.arc", "Box<String>"), ("valid/numbers.arc", "$roots"),
    ("valid/dates.arc", "$roots"), ("valid/several-types-for-one-key.arc", "A"),
    ("valid/one-key-in-parent-and-child.arc", "C"), ("valid/late-columns.arc", "A"),
    ("valid/recursive-types.arc", "$roots"), ("valid/labels-that-repeat.arc", "$roots"),
    ("valid/names-of-types.arc", "$roots"), ("valid/text-of-all-kinds.arc", "$roots"),
    ("valid/any-references.arc", "$roots"), ("valid/weak-inside-of-values.arc", "A"),
    ("valid/empty-things.arc", "$roots"), ("directory/right.arc", "P")]


def numbered(type_: pa.DataType) -> pa.DataType:
    """A type with numbers in place of timestamps, which Python has for some years only."""
    if pa.types.is_timestamp(type_):
        return pa.int64()
    if pa.types.is_large_list(type_):
        return pa.large_list(numbered(type_.value_type))
    if pa.types.is_map(type_):
        return pa.map_(numbered(type_.key_type), numbered(type_.item_type))
    if pa.types.is_struct(type_):
        return pa.struct([pa.field(field.name, numbered(field.type)) for field in type_])
    return type_


def plain(value: Any) -> Any:
    """A value of Arrow as JSON has it."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def vector(file: str, name: str) -> str:
    """A line."""
    table = arc_format.open(FIXTURES / file).tables()[name]
    return json.dumps({"file": file, "class": name, **plain_table(table)}) + "\n"


def plain_table(table: pa.Table) -> dict[str, Any]:
    """Fields and rows of a table."""
    schema = [[field.name, str(field.type) + ("" if field.nullable else " not null")] for field in table.schema]
    columns = [plain(column.cast(numbered(column.type)).to_pylist() if numbered(column.type) != column.type
                     else column.to_pylist()) for column in table.columns]
    return {"schema": schema, "rows": [list(row) for row in zip(*columns, strict=True)]}


def test_tables_are_those_of_the_vectors() -> None:
    made = [vector(*each) for each in TABLES]
    if os.environ.get("ARC_REWRITE_FIXTURES") == "1":
        PATH.write_text("".join(made))
    for ours, theirs in zip(made, PATH.read_text().splitlines(keepends=True), strict=True):
        assert json.loads(ours) == json.loads(theirs)


def test_a_second_implementation_runs_the_vectors(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tables.main([str(PATH)]) == 0
    assert tables.main([str(FIXTURES / "person.arc"), "Person"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == [[1, "Ann", None, [2]], [2, "Bob", 1, []]]
    (tmp_path / "person.arc").write_bytes((FIXTURES / "person.arc").read_bytes())
    for right, wrong in (("int64 not null", "int64"), ('"Bob"', '"Eve"'), ("null", "0")):
        line = next(line for line in PATH.read_text().splitlines() if "person.arc" in line)
        (tmp_path / "tables.jsonl").write_text(line.replace(right, wrong))
        assert tables.main([str(tmp_path / "tables.jsonl")]) == 1
        assert capsys.readouterr().out == line + "\n"


@pytest.mark.parametrize("name", SOUND)
def test_both_implementations_make_the_same_tables(name: str) -> None:
    judged = arc.Archive(SOUND[name], arc.DEFAULT)
    for class_name, table in arc_format.open(SOUND[name]).tables().items():
        other = tables.Table(judged, class_name)
        ours = plain_table(table)
        theirs = {"schema": [list(field) for field in other.fields], "rows": list(other.rows())}
        # Texts of JSON may be escaped in several ways.
        recursive = [at for at, column in enumerate(other.each.columns) if column.tree.nodes[0].is_recursive]
        for rows in (ours["rows"], theirs["rows"]):
            for at in (ours["schema"].index([other.names[each], "large_string"]) for each in recursive):
                for row in rows:
                    row[at] = row[at] and json.loads(row[at])
        assert json.dumps(ours) == json.dumps(theirs)
