"""The vectors of page 09 are read as the page says, by both readers. Swift's: EncodingPageTests."""

from __future__ import annotations

import re
from typing import Any

import judge
import pytest
from documents import REPOSITORY

from arc_format.basics.errors import ArcError
from arc_format.schema.types import column_tree

PAGE = (REPOSITORY / "Spec" / "09-encodings.md").read_text(encoding="utf-8")
VECTORS = re.findall(r"^\| `(T.+?)` \| (.+) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("reader", [column_tree, judge.arc.column_tree], ids=["arc_format", "arc.py"])
@pytest.mark.parametrize(("attributes", "said"), VECTORS)
def test_vectors_are_read_as_the_page_says(reader: Any, attributes: str, said: str) -> None:
    if said.startswith("breaks"):
        with pytest.raises((ArcError, judge.arc.ArchiveError)) as error:
            reader(attributes, False, 0)
        assert f"breaks [{error.value.rule}]" in said
        return
    record = reader(attributes, False, 0).nodes[0]
    assert (record.kind, record.name) == ("structure", re.findall("`([^`]+)`", said)[0])
    assert [(label, child.kind) for label, child in zip(record.labels, record.children, strict=True) if label] == \
        re.findall(r"`([^`]+)` (?:an? )?(int64|string|uint8|reference|optional)", said)


def test_there_are_vectors() -> None:
    assert len(VECTORS) > 10
