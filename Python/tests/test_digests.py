"""The digests of Fixtures/digests.jsonl, which any implementation computes. Spec: 16."""

from __future__ import annotations

import io
import json
import subprocess
from typing import Any

import pyarrow as pa
import pytest
from judge import FIXTURES, arc

import arc_format

VECTORS = [json.loads(line) for line in (FIXTURES / "digests.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each["file"])
def test_digests_are_those_of_the_vectors(vector: dict[str, str]) -> None:
    assert arc_format.open(FIXTURES / vector["file"]).digest() == vector["digest"]


def test_a_digest_depends_on_the_content_alone(arcdump: str) -> None:
    rows = {"name": [f"name {number // 3}" for number in range(70_000)], "number": range(70_000)}
    digests: set[str] = set()
    cases: list[tuple[Any, dict[str, Any]]] = [
        (rows, {}), (rows, {"compression": "zlib"}), (rows, {"segment_rows": 1_000}),
        (rows, {"directory": True, "metadata": {"key": "value"}}), ({**rows, "number": [*range(69_999), 0]}, {})]
    for values, options in cases:
        file = io.BytesIO()
        arc_format.write(file, {"T": pa.table(values)}, **options)
        digest = arc_format.open(file.getvalue()).digest()
        assert digest == arc.Digest(arc.Archive(file.getvalue())).text()
        result = subprocess.run([arcdump, "digest", "--trust", "-"], input=file.getvalue(), capture_output=True,
                                check=True)
        assert result.stdout.decode() == digest + "\n"
        digests.add(digest)
    assert len(digests) == 2


def test_a_damaged_archive_has_no_digest() -> None:
    with pytest.raises(arc_format.ArcError, match="G2"):
        arc_format.open(FIXTURES / "invalid" / "G2-row-9-of-3.arc").digest()
