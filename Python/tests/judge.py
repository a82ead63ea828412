"""The judge, `Spec/reference/arc.py`, and changes of archives, those of `.ci/compare-readers`."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import pathlib
import random
import sys
from typing import Any

from documents import REPOSITORY

import arc_format

FIXTURES = REPOSITORY / "Fixtures"


def _loaded(name: str, path: pathlib.Path) -> Any:
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    # Nothing is left beside the sources.
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


arc = _loaded("arc", REPOSITORY / "Spec" / "reference" / "arc.py")
sys.modules["arc"] = arc
sys.path.append(str(FIXTURES))
pairs_of_faults = _loaded("pairs_of_faults", FIXTURES / "pairs_of_faults.py")
tables = _loaded("tables", REPOSITORY / "Spec" / "reference" / "tables.py")
readers = _loaded("compare_readers", REPOSITORY / ".ci" / "compare-readers")

#: Archives that are sound, as bytes, by name; ARC_ARCHIVES names folders with more, of which the small ones are taken:
#: the judge reads a cell in microseconds.
SOUND = {path.name: path.read_bytes()
         for folder in (FIXTURES, FIXTURES / "valid", FIXTURES / "generations",
                        *map(pathlib.Path, filter(None, os.environ.get("ARC_ARCHIVES", "").split(os.pathsep))))
         for path in sorted(folder.glob("*.arc")) if path.stat().st_size < 16_000}

#: How many changed archives are tried.
MUTATIONS = int(os.environ.get("ARC_MUTATIONS", "2000"))


def verdict_of_judge(data: bytes) -> str:
    """Code and rule, or `ok`."""
    try:
        arc.Archive(data, arc.UNTRUSTED)
    except arc.ArchiveError as error:
        return f"{error.code} [{error.rule}]"
    return "ok"


def verdict(data: bytes) -> str:
    """The same by `arc_format`."""
    try:
        arc_format.open(data, limits=arc_format.UNTRUSTED, verify="all")
    except arc_format.ArcError as error:
        return f"{error.code} [{error.rule}]"
    return "ok"


def changed_archives(count: int) -> tuple[int, list[bytes]]:
    """Archives with a few bytes changed, most of them under right checksums, and the seed that gives them again."""
    seed = int(os.environ.get("ARC_SEED") or random.SystemRandom().randrange(1 << 32))
    generator = random.Random(seed)
    seeds = [data for data in SOUND.values() if len(data) < 20_000]
    return seed, [readers.changed(generator.choice(seeds), generator) for _ in range(count)]
