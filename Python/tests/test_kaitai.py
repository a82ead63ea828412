"""`Spec/arc.ksy` says of all archives that are sound what the other readers find in them."""

from __future__ import annotations

import pytest
import yaml
from documents import REPOSITORY
from judge import FIXTURES, SOUND
from kaitai import Description, MismatchError, Node

import arc_format
from arc_format.columns.rows import pair_links, read_rows
from arc_format.columns.strings import read_strings
from arc_format.container.segment import Segment, read_payload
from arc_format.writing.primitives import varint

ARC = Description(yaml.safe_load((REPOSITORY / "Spec" / "arc.ksy").read_text()))
ARCHIVES = {**SOUND, **{f"directory/{name}": (FIXTURES / "directory" / f"{name}.arc").read_bytes()
                        for name in ("right", "compressed", "not-last")}}
# It adds columns to a class that it has already, which only the number of classes so far tells.
del ARCHIVES["late-columns.arc"]


def body(segment: Node) -> Node:
    """What a segment holds: blocks of a compressed one are put together, which the description leaves to its users."""
    payload = segment.payload
    if segment.codec == 1 and segment.len_raw > 1 << 21:
        payload = ARC.read(b"".join(each.payload for each in payload.blocks), "payload", kind=segment.kind)
    elif segment.codec == 1:
        payload = payload.single.payload if segment.len_raw else ARC.read(b"", "payload", kind=segment.kind)
    found: Node = payload.body
    return found


@pytest.mark.parametrize("name", ARCHIVES)
def test_what_it_says_is_what_other_readers_find(name: str) -> None:
    data = ARCHIVES[name]
    file, archive = ARC.read(data), arc_format.open(data)
    layout, table = archive._layout, archive._table
    view, at = memoryview(data), 32

    assert (file.header.major, file.header.minor) == layout.version
    assert (file.trailer.num_rows, file.trailer.num_segments) == (layout.row_count, len(layout.segments))
    index = body(file.index)
    assert index.writer.value == layout.producer
    assert file._io.pos == len(data) - 32 and file.trailer.ofs_index == layout.segments[-1].end

    rows = {segment.offset: read_rows(segment, link, lambda each: read_payload(view, each), table, archive.limits)
            for segment, link in pair_links(layout)}
    classes, strings = [], []
    for segment, entry, expected in zip(file.segments, index.entries, layout.segments, strict=True):
        kind = segment.kind.to_bytes(4, "little")
        found = Segment(at, kind, segment.codec, segment.len_stored, segment.len_raw, entry.first.value,
                        entry.count.value)
        assert (found.kind, found.end) == (expected.kind, expected.end)
        assert found.describes(expected) and (found.first, found.count) == (expected.first, expected.count)
        assert (entry.kind, entry.codec.value, entry.len_stored.value, entry.len_raw.value) == (
            segment.kind, segment.codec, segment.len_stored, segment.len_raw)
        at = found.end
        assert not any(segment.padding)
        content = body(segment)
        if kind == b"META":
            assert {pair.key.value: pair.value.value for pair in content.pairs} == archive.metadata
        elif kind == b"CLSS":
            classes += content.entries
        elif kind == b"STRS":
            strings += content.strings
        elif kind == b"ROWS":
            expected_rows = rows[expected.offset]
            assert [run.class_index.value for run in content.runs] == expected_rows.run_classes.tolist()
            assert [run.length.value for run in content.runs] == expected_rows.run_lengths.tolist()
            assert len(content.blocks) == expected.raw - len(expected_rows.head)
        elif kind == b"LINK":
            weak = [chunk for block in rows[next(each.offset for each in layout.of_kind(b"ROWS")
                                                 if each.first == expected.first)].blocks.values()
                    for values in block.columns.values() for chunk in values.chunks if chunk.node.kind == "weak"]
            assert [(each.len.value, each.content.num_values.value, each.content.encoding)
                    for each in content.chunks] == [(len(each.stored), each.count, each.encoding) for each in weak]
        elif kind == b"CDIR":
            assert content.num_segments.value == len(rows)
        elif kind == b"ZPTS":
            assert content.num_segments.value == sum(each.codec and each.kind in (b"STRS", b"ROWS", b"LINK")
                                                     for each in layout.segments)
        else:
            assert len(content.bytes) == expected.raw
    assert [(each.class_index.value, each.name.value, each.superclass.value, each.version.value)
            for each in classes] == [
                (each.index, each.name, 0 if each.superclass is None else each.superclass + 1, each.version)
                for each in table.classes]
    assert [(column.declaring_class.value, column.key.value, column.attributes.value,
             column.is_construction | column.is_keyed << 1) for each in classes for column in each.columns] == [
                 (column.declaring, column.key, column.attributes, column.flags)
                 for each in table.classes for column in each.columns]
    assert strings == read_strings(view, layout, archive.limits).whole.array.to_pylist()


def test_varints_have_one_form() -> None:
    for value in (0, 1, 127, 128, 300, (1 << 56) - 1, 1 << 56, 1 << 63, (1 << 64) - 1):
        assert ARC.read(varint(value), "varint").value == value
    for wrong in (b"", b"\x80", b"\x80\x00", b"\xff" * 9 + b"\x02", b"\xff" * 9 + b"\x81", b"\xff" * 10 + b"\x01"):
        with pytest.raises(MismatchError):
            ARC.read(wrong, "varint")


@pytest.mark.parametrize("name", [
    "B1-65-bits", "B1-overlong", "B3-key-is-no-UTF-8", "B4-class-table-cut", "B5-127-classes-in-30-bytes", "C8-flag",
    "H2-line-ends-changed", "H2-text", "H3-reserved", "S1-reserved", "T1-cut", "T1-longer",
    "X1-width", "Z3-block-cut"])
def test_it_refuses_what_it_can_tell(name: str) -> None:
    with pytest.raises((MismatchError, UnicodeDecodeError)):
        file = ARC.read((FIXTURES / "invalid" / f"{name}.arc").read_bytes())
        assert file.trailer and [body(each) for each in file.segments]
