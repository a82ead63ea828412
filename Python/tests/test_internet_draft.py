"""The pages of the Spec are an Internet-Draft: what xml2rfc makes of them, and says of them."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

from documents import REPOSITORY

NAME = "draft-arc-object-archive-00"


def test_the_pages_become_a_draft_without_a_warning(tmp_path: pathlib.Path) -> None:
    source = tmp_path / f"{NAME}.xml"
    with source.open("wb") as file:
        subprocess.run([sys.executable, REPOSITORY / "Spec" / "internet-draft" / "make.py"], stdout=file, check=True)
    command: list[str | pathlib.Path]
    command = [pathlib.Path(sys.executable).with_name("xml2rfc"), "--skip-config-files", "--no-network",
               "--cache", tmp_path, "--text", "--html", source]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert [line for line in done.stderr.splitlines() if not line.startswith(" Created file ")] == []
    assert done.returncode == 0

    text, html = (source.with_suffix(suffix).read_text() for suffix in (".txt", ".html"))
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 72
    for title in ("Introduction", "Security Considerations", "IANA Considerations", "Normative References"):
        assert re.search(rf"^\d+\.[\d.]*  {title}$", text, re.M), title
    # Those of tables are those that page 15 lists: test_manifest.py.
    pages = sorted((REPOSITORY / "Spec").glob("[01]*.md"))
    rules = [rule for page in pages for rule in re.findall(r"^\| \[([A-Z]\d+)\] \|", page.read_text(), re.M)]
    assert len(rules) > 100
    for rule in rules:
        assert re.search(rf"^   {rule}  \S", text, re.M), rule
        assert f'id="{rule}"' in html
