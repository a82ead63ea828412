"""Dates that Python has not: `Date.distantPast` of Swift is one, three days before the year 1."""

from __future__ import annotations

import datetime
import io
import json
import pathlib

import numpy as np
import pyarrow as pa
import pytest
from judge import arc

import arc_format
from arc_format.command.main import main
from arc_format.tables.dates import calendar_texts, microseconds

DISTANT_PAST = -63_114_076_800.0


def events(*seconds: float | None) -> bytes:
    """An archive of dates, by their seconds since 2001."""
    field = pa.field("days", pa.large_list(pa.float64()), metadata={"arc:attributes": 'T$[$?@"NSDate"],N'})
    file = io.BytesIO()
    days = pa.array([[each] for each in seconds], field.type)
    arc_format.write(file, {"Event": pa.table([days], pa.schema([field]))})
    return file.getvalue()


def test_an_object_has_them_as_text() -> None:
    archive = arc_format.open(events(0.5, DISTANT_PAST, 3e11, None), verify="all")
    assert [archive.object(row)["days"][0] for row in range(1, 5)] == [
        datetime.datetime(2001, 1, 1, microsecond=500_000, tzinfo=datetime.UTC),
        "0000-12-30T00:00:00Z", "+011507-08-17T05:20:00Z", None]


def test_they_are_exported_as_all_dates_are(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "events.arc"
    path.write_bytes(events(0.0, DISTANT_PAST))
    assert main(["export", str(path), "--format", "jsonl"]) == 0
    assert [json.loads(line)["days"] for line in capsys.readouterr().out.splitlines()] == [
        ["2001-01-01T00:00:00Z"], ["0000-12-30T00:00:00Z"]]
    assert main(["export", str(path), "--format", "csv"]) == 0
    assert "0000-12-30T00:00:00Z" in capsys.readouterr().out


def test_their_texts_are_those_of_the_judge() -> None:
    generator = np.random.default_rng(1)
    seconds = np.concatenate([generator.uniform(-1e12, 1e12, 500), [0.0, 0.5, DISTANT_PAST, -63_145_699_200.5, 2.5e11]])
    micros, _ = microseconds(seconds)
    assert calendar_texts(micros) == [json.loads(arc.calendar(each)) for each in seconds.tolist()]
