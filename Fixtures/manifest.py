#!/usr/bin/env python3
"""Writes `manifest.jsonl`: what a reader has to make of each archive in this folder, one JSON object a line.

    manifest.py             writes it, and the documents of golden archives
    manifest.py --check     fails if it would write something else

| member | is |
|---|---|
| `file` | the archive, relative to this folder |
| `json` | a sound archive's document, by Spec/10: equal as JSON, with members in order and names that repeat |
| `rule`, `code` | the rule that a broken archive breaks, and the code that a reader with the limits `untrusted` gives. With `json` beside it: the code is that of readers that use directories (Spec: 13), the document that of all others |
| `about` | in words |

`data-sets` has its own vectors, because its archives have a meaning only together. Documents in `valid` are written by hand. Those of golden archives are as arc.py prints them, which CI compares with arcdump.
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "Spec" / "reference"), str(FOLDER / "valid")]
import arc  # noqa: E402
import make  # noqa: E402

sys.path.insert(0, str(FOLDER / "directory"))
del sys.modules["make"]
import make as directories  # noqa: E402


def files():
    """Path and text of each file that is written here."""
    made = {f"valid/{name}.arc": about for name, about, *_ in make.made()}
    made |= {f"directory/{name}.arc": about for name, about, *_ in directories.made()}
    lines = []
    for path in sorted(FOLDER.rglob("*.arc")):
        if "data-sets" in path.parts:
            continue
        name, data = str(path.relative_to(FOLDER)), path.read_bytes()
        line = {"file": name}
        if path.parent.name == "directory":
            line["json"] = "directory/document.json"
        try:
            text = arc.Printer(arc.Archive(data, arc.UNTRUSTED)).document()
            line["json"] = line.get("json", str(path.with_suffix(".json").relative_to(FOLDER)))
            if name not in made:
                yield line["json"], text
        except arc.ArchiveError as error:
            rule = path.name.split("-")[0] if path.parent.name == "invalid" else error.rule
            line |= {"rule": rule, "code": error.code}
        line |= {"about": made[name]} if name in made else {}
        lines.append(json.dumps(line) + "\n")
    yield "manifest.jsonl", "".join(lines)
    yield "digests.jsonl", "".join(digests(map(json.loads, lines)))


def digests(entries):
    """A line for each archive without errors, except those with directories, which all have one content. Spec: 16."""
    for entry in entries:
        if "code" not in entry and not entry["file"].startswith("directory/"):
            archive = arc.Archive((FOLDER / entry["file"]).read_bytes(), arc.UNTRUSTED)
            yield json.dumps({"file": entry["file"], "digest": arc.Digest(archive).text()}) + "\n"


def main(arguments):
    is_right = True
    for name, text in files():
        path = FOLDER / name
        if arguments != ["--check"]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"Fixtures/{name} is not what manifest.py writes", file=sys.stderr)
            is_right = False
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
