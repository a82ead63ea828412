"""What pages and docstrings show is so."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import pkgutil
import re
import shlex
from typing import Any

import pytest
from documents import FLAGS, PYTHON, check, parts

import arc_format
from arc_format.command.main import main

MODULES = [name for _, name, _ in pkgutil.walk_packages(arc_format.__path__, "arc_format.")
           if name != "arc_format.spark"]


@pytest.mark.parametrize("name", ["arc_format", *MODULES])
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed == 0


@pytest.mark.parametrize("page", ["README.md", "TUTORIAL.md"])
def test_examples_of_pages(page: str, tmp_path: pathlib.Path) -> None:
    text, _ = parts(page)
    check(text.replace("/tmp/", f"{tmp_path}/"), page, {})


def test_commands_of_the_readme(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (PYTHON / "README.md").read_text(), re.S)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("arc-format ")]
    assert len(lines) > 5
    for line in lines:
        arguments: list[Any] = shlex.split(line.replace("/tmp/", f"{tmp_path}/"), comments=True)[1:]
        assert main(arguments) == 0, capsys.readouterr().err


def test_every_public_name_is_in_the_readme() -> None:
    readme = (PYTHON / "README.md").read_text()
    for name in arc_format.__all__:
        assert name in readme, name
