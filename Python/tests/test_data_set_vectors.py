"""The data sets of Fixtures/data-sets, which other implementations can read: sound ones, and one for each error."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import subprocess
from typing import Any

import pytest
from judge import FIXTURES

import arc_format

FOLDER = FIXTURES / "data-sets"
VECTORS: list[dict[str, Any]] = [json.loads(line) for line in (FOLDER / "vectors.jsonl").read_text().splitlines()]


def named(vectors: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", vectors, ids=lambda each: each["folder"])


def code(work: Any) -> str | None:
    try:
        work()
    except (arc_format.DatasetError, arc_format.ArcError) as error:
        return str(error.code)
    return None


@named([each for each in VECTORS if "tables" in each])
@pytest.mark.parametrize("limits", [arc_format.DEFAULT, arc_format.UNTRUSTED], ids=["trusted", "untrusted"])
def test_sound_data_sets_have_the_tables_of_the_vectors(vector: dict[str, Any], limits: arc_format.Limits) -> None:
    data = arc_format.dataset(FOLDER / vector["folder"], limits=limits)
    data.verify()
    assert [str(pathlib.Path(each).relative_to(FOLDER / vector["folder"])) for each in data.files] == vector["shards"]
    assert {name for name, count in data.counts().items() if count} == set(vector["tables"])
    for name, rows in vector["tables"].items():
        assert data.table(name).to_pylist() == rows


@named([each for each in VECTORS if "code" in each])
def test_broken_data_sets_are_refused_with_the_code(vector: dict[str, Any]) -> None:
    folder = FOLDER / vector["folder"]
    opened = code(lambda: arc_format.dataset(folder, limits=arc_format.UNTRUSTED))
    assert opened == (vector["code"] if vector["when"] == "open" else None)
    if opened is None:
        data = arc_format.dataset(folder, limits=arc_format.UNTRUSTED)
        assert code(data.verify) == vector["code"]
        found = [number for number in range(len(data)) if code(lambda: data.archive(number)) is not None]  # noqa: B023
        assert (vector["shard"] in found) if vector["when"] == "shard" else found == []


@named(VECTORS)
def test_another_reader_agrees(vector: dict[str, Any], arcdump: str) -> None:
    if vector["folder"] == "no-manifest":
        return
    result = subprocess.run([arcdump, "verify", "--json", FOLDER / vector["folder"]], capture_output=True, check=False)
    assert json.loads(result.stdout).get("error", {}).get("code") == vector.get("code")


def test_the_files_are_what_make_writes() -> None:
    spec = importlib.util.spec_from_file_location("make_data_sets", FOLDER / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    files = dict(module.written())
    assert files.keys() == {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()} - {"make.py"}
    for name, data in files.items():
        assert (FOLDER / name).read_bytes() == data, f"{name}: run Fixtures/data-sets/make.py"
