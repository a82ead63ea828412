"""What callers do by mistake: an error in words, never a wrong answer."""

from __future__ import annotations

import io
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow.compute as pc
import pytest
from archives import archive, chunk, class_table, rows
from judge import FIXTURES

import arc_format
import arc_format.duckdb
import arc_format.polars
from arc_format import UsageError

PERSON = FIXTURES / "person.arc"
#: Wrong types, unseen by a checker of types.
ANY: Any = None
NUMBER: Any = 5


@pytest.mark.parametrize(("source", "says"), [
    (FIXTURES, "is a folder: arc_format.dataset opens"), (None, "no archive is in None"), (7, "no archive is in 7"),
    ([str(PERSON)], "no archive is in"), (io.StringIO("text"), "open the file with 'rb'"),
    (io.TextIOWrapper(io.BytesIO(PERSON.read_bytes()), "utf-8"), "open the file with 'rb'")])
def test_what_is_no_archive_is_not_opened(source: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        arc_format.open(source)


@pytest.mark.parametrize(("source", "says"), [
    (None, "no archives are in None"), (b"a.arc", "no archives are in"), ([str(PERSON), None], "None in a list"),
    ([str(PERSON), str(FIXTURES)], "is a folder: give it alone")])
def test_what_is_no_list_of_archives_is_no_data_set(source: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        arc_format.dataset(source)


def test_files_that_are_not_there_are_missed_when_a_data_set_is_opened(tmp_path: pathlib.Path) -> None:
    for source in (tmp_path / "none", [PERSON, tmp_path / "none"]):
        with pytest.raises(FileNotFoundError) as error:
            arc_format.dataset(source)
        assert error.value.filename == str(tmp_path / "none")


def test_a_pattern_takes_files_alone(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.arc").write_bytes(PERSON.read_bytes())
    (tmp_path / "b.arc").mkdir()
    assert arc_format.dataset(str(tmp_path / "*.arc")).counts() == {"Person": 2}


PEOPLE: Any = arc_format.open(PERSON)


@pytest.mark.parametrize(("question", "says"), [
    (lambda: PEOPLE.table(["Person"]), "there is no class"),
    (lambda: PEOPLE.table("Person", 5), "name columns"),
    (lambda: PEOPLE.edges("mother"), "no column 'mother' has references; these have: Person.mother"),
    (lambda: PEOPLE.edges(5), "name columns"),
    (lambda: PEOPLE.object("1"), "there is no row 1: rows are 0 to 2"),
    (lambda: PEOPLE.object(1.0), "there is no row"), (lambda: PEOPLE.object(None), "there is no row"),
    (lambda: PEOPLE.objects([-1]), "are no rows"), (lambda: PEOPLE.objects([1.5]), "are no rows"),
    (lambda: PEOPLE.objects(["1"]), "are no rows"), (lambda: PEOPLE.objects([None]), "are no rows"),
    (lambda: PEOPLE.objects(1), "are no rows"), (lambda: PEOPLE.objects([10**20]), "are no rows"),
    (lambda: PEOPLE.objects(PEOPLE.table("Person")["friends"]), "list_flatten makes one"),
    (lambda: list(PEOPLE.batches("Person", segments=[1])), r"segments=\[1\]: give .* which are below 1"),
    (lambda: list(PEOPLE.batches("Person", segments=[0, -1])), "segments="),
    (lambda: list(PEOPLE.batches("Person", segments="0")), "segments='0'"),
    (lambda: list(PEOPLE.batches("Person", segments=0)), "segments=0"),
    (lambda: arc_format.duckdb.attach(duckdb.connect(), PEOPLE, "people", classes=NUMBER), "classes=5"),
    (lambda: arc_format.Limits(rows=ANY), "rows=None: a limit is a whole number"),
    (lambda: arc_format.open(PERSON, limits=ANY), "limits=None: give arc_format.DEFAULT"),
    (lambda: arc_format.dataset([PERSON]).archive(1), "there is no shard 1: shards are 0 to 0"),
    (lambda: arc_format.dataset([PERSON]).archive(-1), "there is no shard -1"),
    (lambda: arc_format.dataset([PERSON]).edges("mother"), "no column 'mother' has references"),
    (lambda: arc_format.polars.scan(ANY, "Person"), "no archives are in None: give a folder, a pattern"),
])
def test_a_question_that_makes_no_sense_is_refused(question: Callable[[], Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        question()


@pytest.mark.parametrize(("library", "question", "needs"), [
    ("networkx", lambda: PEOPLE.to_networkx(), "NetworkX"), ("scipy.sparse", lambda: PEOPLE.to_scipy(), "scipy")])
def test_a_library_that_is_missing_is_named_with_what_installs_it(
        monkeypatch: pytest.MonkeyPatch, library: str, question: Callable[[], Any], needs: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=rf"needs {needs}: pip install 'arc-format\[graph\]'"):
        question()


def test_one_name_is_a_list_of_one() -> None:
    assert arc_format.duckdb.attach(duckdb.connect(), PEOPLE, "people", classes="Person")[0] == "Person"
    assert PEOPLE.edges("Person.mother").num_rows == 1
    assert PEOPLE.objects([]).to_pylist() == []
    assert arc_format.dataset([PERSON]).edges("Person.mother").num_rows == 1


@pytest.mark.parametrize("source", [PEOPLE, arc_format.dataset([PERSON, PERSON])], ids=["archive", "dataset"])
@pytest.mark.parametrize(("where", "says"), [
    ([("mother", "==", None)], r"\('mother', 'in', \[None\]\)"), ([("mother", "!=", None)], "is_valid"),
    ([None], "a condition is"), ([5], "a condition is"), ([("name", ["=="], 1)], "a condition is"),
    (5, "give a list of conditions"), (pc.field("name") == "Ann", "give a list of conditions"),
    ("name", "a condition is"), ([("mother", "==", "x")], "cannot be compared"),
    ([("mother", "in", ["x"])], "cannot be compared")])
def test_conditions_that_no_row_could_fulfil_are_refused(source: Any, where: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        source.table("Person", where=where)


def test_rows_without_a_value_are_asked_for_as_the_error_says() -> None:
    assert PEOPLE.table("Person", where=[("mother", "in", [None])])["name"].to_pylist() == ["Ann"]
    shards = arc_format.dataset([PERSON, PERSON])
    assert shards.table("Person", where=[("mother", "in", [None])])["$id"].to_pylist() == [1, 1 << 32 | 1]
    assert shards.table("Person", where=[("mother", "in", [None, 1 << 32 | 1])])["$id"].to_pylist() == [
        1, 1 << 32 | 1, 1 << 32 | 2]


def test_conditions_that_are_made_as_they_are_asked_for_hold_in_every_shard() -> None:
    shards = arc_format.dataset([PERSON, PERSON])
    assert shards.table("Person", where=(each for each in [("name", "==", "Ann")])).num_rows == 2  # type: ignore[arg-type]
    assert sum(batch.num_rows for batch in shards.batches("Person", where=iter([("name", "==", "Ann")]))) == 2  # type: ignore[arg-type]


def test_a_matrix_has_no_reference_that_leads_nowhere() -> None:
    data = archive(class_table(("A", [("other", 'T@"A"', 0)])), 2, rows(1, chunk(1, b"\x01\x09")))
    with pytest.raises(arc_format.ArcError, match=r"danglingReference \[G2\].*row 9 of 2"):
        arc_format.open(data).to_scipy()


def test_a_name_that_arrow_cuts_is_refused_before_an_engine_has_it() -> None:
    data = archive(class_table(("A", [("a\0b", "TB", 0), ("a\0c", "TB", 0)])), 2,
                   rows(1, chunk(1, b"\x00\x01"), chunk(1, b"\x00\x01"), column_count=2))
    opened = arc_format.open(data)
    assert opened.table("A").column_names == ["$row", "a\0b", "a\0c"]
    with pytest.raises(UsageError, match="that no engine takes"):
        arc_format.polars.scan(opened, "A")


@pytest.mark.parametrize(("name", "says"), [
    ("", "give the database a name"), (None, "give the database a name"), ("temp", "choose another name"),
    ("twice", "choose another name")])
def test_names_of_databases_that_duckdb_does_not_take_are_refused(name: Any, says: str) -> None:
    connection = duckdb.connect()
    arc_format.duckdb.attach(connection, PEOPLE, "twice")
    with pytest.raises(UsageError, match=says):
        arc_format.duckdb.attach(connection, PEOPLE, name)
