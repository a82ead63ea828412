"""Tables say, cell by cell, what arc.py prints. Spec: 10."""

from __future__ import annotations

import base64
import json
import math
from typing import Any

import numpy as np
import pytest
from judge import SOUND, arc

import arc_format
from arc_format.schema.types import Node
from arc_format.tables.names import field_names
from arc_format.tables.types import payload_fields


def as_json(node: Node, value: Any) -> Any:
    """A cell of a table with `dates="seconds"` as page 10 has it; objects as lists of pairs."""
    kind = node.kind
    if kind == "optional":
        if node.children[0].kind == "optional" and value is not None:
            value = value["value"]
        return None if value is None else as_json(node.children[0], value)
    if kind in ("reference", "weak"):
        return None if value is None else [("$ref", value)]
    if kind == "array":
        return [as_json(node.children[0], each) for each in value]
    if kind == "set":
        return [("$set", [as_json(node.children[0], each) for each in value])]
    if kind == "dictionary":
        entries = [(each["key"], each["value"]) if isinstance(each, dict) else each for each in value]
        return [("$dictionary", [[as_json(child, part) for child, part in zip(node.children, entry, strict=True)]
                                 for entry in entries])]
    if kind == "structure":
        return [("$struct", node.name), ("fields", [
            (label or str(position), as_json(child, value[name])) for position, (label, name, child) in enumerate(
                zip(node.labels, field_names(node.labels), node.children, strict=True))])]
    if kind == "url":
        return [("$url", value["url"])] + ([] if value["base"] is None else [("base", value["base"])])
    if kind == "enumeration":
        case = value["case"] if node.children else value
        payload = node.payloads[node.labels.index(case)]
        name = next((name for name, each in payload_fields(node) if each is payload), None) if payload else None
        of_payload = [("payload", as_json(payload, value[name]))] if payload else []
        return [("$enum", node.name), ("case", case), *of_payload]
    return _scalar(kind, value)


def _scalar(kind: str, value: Any) -> Any:
    if kind == "data":
        return [("$data", base64.b64encode(value).decode())]
    if kind == "uuid":
        return [("$uuid", str(value).upper())]
    if kind == "decimal":
        return [("$decimal", value)]
    if kind == "date":
        return [("seconds", _scalar("float64", value))]
    if kind.startswith("float"):
        if not math.isfinite(value):
            return [("$float", "nan" if math.isnan(value) else "inf" if value > 0 else "-inf")]
        return value if kind == "float64" else float(str(np.float32(value)))
    if "int" in kind and abs(value) >= 1 << 53:
        return [("$integer", str(int(value)))]
    return int(value) if "int" in kind else value


def expected_json(value: Any) -> Any:
    """What arc.py prints, without what a table with `dates="seconds"` has not: texts of dates, bits of NaN."""
    if isinstance(value, list):
        return [expected_json(each) for each in value
                if not (isinstance(each, tuple) and each[0] in ("$date", "bits"))]
    return (value[0], expected_json(value[1])) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("strings", ["plain", "dictionary", "view"])
def test_cells_are_those_that_the_judge_prints(name: str, strings: Any) -> None:
    data = SOUND[name]
    document = dict(json.loads(arc.Printer(arc.Archive(data)).document(), object_pairs_hook=list))
    archive = arc_format.open(data)
    tables = archive.tables(strings=strings, dates="seconds", target_classes=False)
    expected = {0: ("$roots", document["roots"])}
    for each in map(dict, document["objects"]):
        expected[each["id"]] = each["class"], each["properties"]
    for class_name, table in tables.items():
        table.validate(full=True)
        columns = archive.class_of(class_name).columns
        names = table.schema.names[1:]
        for row in table.to_pylist():
            their_class, properties = expected.pop(row["$row"])
            assert their_class == class_name
            theirs = dict(properties)
            ours: dict[str, Any] = {}
            for column, field in zip(columns, names, strict=True):
                root = column.tree.root
                value = row[field]
                shown = field.split(":")[0] if column.is_keyed else field
                if column.tree.is_recursive:
                    cell = None if value is None else json.loads(value, object_pairs_hook=list)
                elif column.is_keyed:
                    cell = None if value is None else as_json(root.children[0], value)
                else:
                    cell = as_json(root, value)
                if cell is not None or shown not in ours:
                    ours[shown] = cell
            for shown, cell in ours.items():
                # A keyed column without a value is null in a table.
                assert expected_json(cell) == expected_json(theirs.pop(shown, None)), (row["$row"], shown)
            assert not theirs
    assert not expected


def test_dates_are_rounded_as_the_judge_rounds_them() -> None:
    from arc_format.tables.dates import EPOCH, microseconds, seconds

    generator = np.random.default_rng(1)
    values = np.concatenate([generator.normal(0, 1e9, 2000), generator.normal(0, 1, 500), [0.0, 0.5, 0.1234565, -1e-7],
                             (np.arange(-64, 64) + 0.5) / 128])
    micros, is_date = microseconds(values)
    assert is_date.all()
    for value, micro in zip(values.tolist(), micros.tolist(), strict=True):
        text = np.datetime_as_string(np.array([micro]).view("M8[us]"), unit="us")[0].rstrip("0").rstrip(".") + "Z"
        assert f'"{text}"' == arc.calendar(value)
    assert microseconds(np.array([math.nan, math.inf, 1e15]))[1].tolist() == [False] * 3
    some = EPOCH + generator.integers(-4_000_000_000_000_000, 4_000_000_000_000_000, 2000)
    assert (microseconds(seconds(some))[0] == some).all()
