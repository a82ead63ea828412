"""The manifest of all fixtures, which any implementation can run, and the Spec's lists of rules."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from decimal import Decimal
from typing import Any

import pytest
from documents import REPOSITORY
from judge import FIXTURES, arc, verdict, verdict_of_judge

import arc_format

ENTRIES = [json.loads(line) for line in (FIXTURES / "manifest.jsonl").read_text().splitlines()]


def document(text: str) -> Any:
    """A document as documents are compared: numbers exactly, with the sign of zero, members as pairs."""
    return json.loads(text, object_pairs_hook=list, parse_float=lambda digits: (Decimal(digits), digits[0] == "-"))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["file"])
def test_fixtures_are_read_as_the_manifest_says(entry: dict[str, str]) -> None:
    data = (FIXTURES / entry["file"]).read_bytes()
    if "code" in entry:
        assert verdict_of_judge(data) == verdict(data)
        assert verdict(data).startswith(entry["code"] + " ")
        return
    expected = document((FIXTURES / entry["json"]).read_text())
    assert document(arc.Printer(arc.Archive(data, arc.UNTRUSTED)).document()) == expected
    assert verdict(data) == "ok"
    for table in arc_format.open(data, limits=arc_format.UNTRUSTED).tables().values():
        table.validate(full=True)


def test_the_manifest_and_its_documents_are_what_is_made() -> None:
    assert {entry["file"] for entry in ENTRIES} == {str(path.relative_to(FIXTURES)) for path in FIXTURES.rglob("*.arc")
                                                 if "data-sets" not in path.parts}
    sys.path.append(str(FIXTURES))
    spec = importlib.util.spec_from_file_location("manifest", FIXTURES / "manifest.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, text in module.files():
        assert (FIXTURES / name).read_text() == text, f"{name}: run Fixtures/manifest.py"
    for name, _, data, text in module.make.made():
        assert (FIXTURES / "valid" / f"{name}.json").read_text() == text
        # zlib promises the content, not the bytes, from version to version.
        if name not in ("two-blocks", "unknown-segments"):
            assert (FIXTURES / "valid" / f"{name}.arc").read_bytes() == data


def test_each_rule_of_a_reader_stands_in_the_list_of_a_class() -> None:
    tables = set()
    for path in sorted((REPOSITORY / "Spec").glob("*.md")):
        tables |= set(re.findall(r"^\| \[([A-Z]\d+)\] \|", path.read_text(), re.M))
    text = (REPOSITORY / "Spec" / "15-conformance.md").read_text()
    listed: list[str] = []
    for row in re.findall(r"^\| \*\*\w+\*\* \|.*$", text, re.M):
        for letter, first, letter_of_last, last in re.findall(r"\b([A-Z])(\d+)(?:–([A-Z])(\d+))?", row):
            assert letter_of_last in ("", letter)
            listed += [f"{letter}{number}" for number in range(int(first), int(last or first) + 1)]
    # N5 to N7 are the appendix's.
    others = {*(f"Y{number}" for number in range(1, 11)), *(f"Q{number}" for number in range(1, 6))}
    assert set(listed) - others == tables - {"N5", "N6", "N7"} - others
