"""Pages with examples that are run."""

from __future__ import annotations

import doctest
import pathlib
from typing import Any

PYTHON = pathlib.Path(__file__).resolve().parents[1]
#: The repository. A source distribution contains the parts of it that tests read.
REPOSITORY = PYTHON / "checkout" if (PYTHON / "checkout").is_dir() else PYTHON.parent
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def parts(name: str) -> tuple[str, str]:
    """A page without its sections on Spark, and these."""
    without: list[str] = []
    of_spark: list[str] = []
    for section in (PYTHON / name).read_text().split("\n## "):
        (of_spark if "Spark" in section.split("\n")[0] else without).append(section)
    return "\n## ".join(without), "\n## ".join(of_spark)


def check(text: str, name: str, names: dict[str, Any]) -> None:
    """Runs the examples of a text."""
    # The end of a block of code is no output.
    test = doctest.DocTestParser().get_doctest(text.replace("\n```\n", "\n\n"), names, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    assert test.examples
    runner.run(test)
    assert not runner.failures, "see the output"
