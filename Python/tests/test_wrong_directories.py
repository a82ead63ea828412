"""Archives whose directory alone is wrong: they are sound, and are read with a warning. Spec: 15.1."""

from __future__ import annotations

import pytest
from judge import FIXTURES

import arc_format


@pytest.mark.parametrize("name", sorted(path.name for path in (FIXTURES / "directory").glob("Y[1-5]-*.arc")))
def test_a_file_whose_directory_alone_is_wrong_is_read_with_a_warning(name: str) -> None:
    path, right = FIXTURES / "directory" / name, arc_format.open(FIXTURES / "directory" / "right.arc")
    with pytest.raises(arc_format.ArcError, match=name[:2]):
        arc_format.open(path).verify()
    for limits in (arc_format.DEFAULT, arc_format.UNTRUSTED):
        with pytest.warns(arc_format.ArcWarning, match="directory of the archive is wrong"):
            archive = arc_format.open(path, limits=limits, verify="all")
        assert repr({each: table.to_pylist() for each, table in archive.tables().items()}) == repr({
            each: table.to_pylist() for each, table in right.tables().items()})
    # Another error is not a warning.
    with pytest.raises(arc_format.ArcError):
        arc_format.open(FIXTURES / "invalid" / "G2-row-9-of-3.arc", verify="all")
