"""Sound archives are sound, and broken ones break the rule that arc.py names."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from archives import archive, chunk, class_table, rows
from judge import (
    FIXTURES,
    MUTATIONS,
    SOUND,
    arc,
    changed_archives,
    pairs_of_faults,
    verdict,
    verdict_of_judge,
)

import arc_format
from arc_format.basics.errors import RULES
from arc_format.schema.types import column_tree

INVALID = sorted((FIXTURES / "invalid").glob("*.arc"))


def test_rules_have_the_codes_of_the_spec() -> None:
    assert {rule: code for rule, (code, _) in RULES.items()} == arc.CODES


def test_limits_are_those_of_the_spec() -> None:
    names = {"file_bytes": "fileBytes", "raw_bytes": "rawBytes", "class_table_bytes": "classTableBytes",
             "columns_per_class": "columnsPerClass"}
    for ours, theirs in ((arc_format.DEFAULT, arc.DEFAULT), (arc_format.UNTRUSTED, arc.UNTRUSTED)):
        assert {names.get(name, name): value for name, value in vars(ours).items()} == vars(theirs)


@pytest.mark.parametrize("name", SOUND)
def test_sound_archives_are_sound(name: str) -> None:
    assert verdict(SOUND[name]) == "ok"


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.stem)
def test_invalid_fixtures_break_their_rule(path: object) -> None:
    data = path.read_bytes()  # type: ignore[attr-defined]
    assert verdict(data) == verdict_of_judge(data) != "ok"


def test_first_of_two_faults_is_reported() -> None:
    """The order of checks, Spec: 05-graph, section 4."""
    pairs = dict(pairs_of_faults.pairs())
    assert len(pairs) > 150
    for name, data in pairs.items():
        assert verdict(data).split()[0] == pairs_of_faults.code(name), name


@pytest.mark.parametrize("name", ["person.arc", "collections-zlib.arc"])
def test_every_prefix_is_refused(name: str) -> None:
    data = SOUND[name]
    for size in range(len(data)):
        assert verdict(data[:size]) == verdict_of_judge(data[:size]) != "ok"


@pytest.mark.parametrize("name", ["person.arc", "inheritance-zlib.arc"])
def test_every_flipped_bit_is_found(name: str) -> None:
    data = SOUND[name]
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        assert verdict(bytes(flipped)) == verdict_of_judge(bytes(flipped))


@pytest.mark.parametrize(("attributes", "constant"), [("Td", b"\x10" + bytes(7)), ("TB", b"\x10")])
def test_constant_without_its_whole_value_is_truncated(attributes: str, constant: bytes) -> None:
    data = archive(class_table(("Sample", [("value", attributes, 0)])), 2, rows(2, chunk(2, constant)))
    assert verdict(data) == verdict_of_judge(data) == "truncated [B4]"


def test_changed_archives_are_judged_alike_and_never_give_an_unsound_table() -> None:
    seed, archives = changed_archives(MUTATIONS)
    print(f"ARC_SEED={seed}")
    codes = set()
    for data in archives:
        expected = verdict_of_judge(data)
        assert verdict(data) == expected, f"ARC_SEED={seed}"
        codes.add(expected)
        # Unverified, a table is sound or an error all the same.
        try:
            archive = arc_format.open(data, limits=arc_format.UNTRUSTED)
            for table in archive.tables().values():
                table.validate(full=True)
            archive.edges()
        except arc_format.ArcError:
            assert expected != "ok", f"ARC_SEED={seed}"
    assert len(codes) > 20 or MUTATIONS < 1000


def test_changed_archives_give_every_choice_of_arrow_types_or_an_error() -> None:
    seed, archives = changed_archives(MUTATIONS // 10)
    print(f"ARC_SEED={seed}")
    for data in archives:
        for strings, enums in (("dictionary", "union"), ("view", "struct")):
            try:
                archive = arc_format.open(data, limits=arc_format.UNTRUSTED, verify="none")
                for table in archive.tables(strings=strings, enums=enums, dates="seconds").values():  # type: ignore[arg-type]
                    table.validate(full=True)
            except arc_format.ArcError:
                pass


def test_encodings_that_compilers_write_are_types_or_not_as_for_the_judge() -> None:
    lines = (FIXTURES / "encodings.jsonl").read_text().splitlines()
    encodings = {json.loads(line)["encoding"] for line in lines[::7]}
    for encoding in sorted(encodings):
        attributes = encoding if encoding.startswith("T") else "T" + encoding
        try:
            theirs = [(node.kind, node.name, node.labels) for node in arc.column_tree(attributes, False, 0).nodes]
        except arc.ArchiveError as error:
            with pytest.raises(arc_format.ArcError) as ours:
                column_tree(attributes, False)
            assert ours.value.rule == error.rule, attributes
            continue
        assert [(node.kind, node.name, node.labels) for node in column_tree(attributes, False).nodes] == theirs


def test_errors_say_what_where_and_what_to_do() -> None:
    with pytest.raises(arc_format.ArcError) as error:
        arc_format.open(FIXTURES / "invalid" / "G2-row-9-of-3.arc", verify="all")
    assert str(error.value) == (
        "danglingReference [G2] at byte 137: found row 9 of 3, expected 0 or a row of the file; "
        "write the file again; whatever wrote it broke a rule")


def test_bytes_of_any_kind_are_a_source() -> None:
    data, path = SOUND["person.arc"], str(FIXTURES / "person.arc")
    with open(path, "rb") as file, pa.OSFile(path) as other:
        for source in (data, bytearray(data), memoryview(data), pa.BufferReader(data), file, other, path):
            assert arc_format.open(source).rows == 2
