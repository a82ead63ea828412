"""The command line: what it prints, writes, and exits with."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import pathlib
import pty
import subprocess
import sys

import pyarrow.ipc
import pyarrow.parquet
import pytest
from judge import FIXTURES, verdict_of_judge

import arc_format
from arc_format.command.common import file_name
from arc_format.command.main import main

PERSON = str(FIXTURES / "person.arc")


def test_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", PERSON]) == 0
    assert capsys.readouterr().out == (
        "Person: 2 objects\n  $row     int64\n  name     large_string  T@\"NSString\",N,R,C,V_name\n"
        "  mother   int64  T@\"Person\",N,W,V_mother\n"
        "  friends  large_list<item: int64>  T$[@\"Person\"],N,C,V_friends\n")


def test_text_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", PERSON, "--format", "jsonl"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == \
        arc_format.open(PERSON).table("Person").to_pylist()
    assert main(["export", PERSON, "--format", "csv", "--columns", "friends,name"]) == 0
    assert capsys.readouterr().out == "$row,name,friends\n1,Ann,[2]\n2,Bob,[]\n"
    assert main(["export", PERSON, "--format", "parquet"]) == 64
    assert "give a folder with -o" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["collections.arc", "scalars.arc", "generics.arc", "coder.arc"])
def test_every_format_holds_every_class_and_packs_again(tmp_path: pathlib.Path, name: str) -> None:
    source = arc_format.open(FIXTURES / name)
    for format_ in ("parquet", "arrow", "csv", "jsonl"):
        assert main(["export", str(FIXTURES / name), "--format", format_, "-o", str(tmp_path)]) == 0
    files = []
    for each, count in source.counts().items():
        if not count:
            continue
        base = tmp_path / file_name(each)
        table = source.table(each)
        assert str(pyarrow.parquet.read_table(f"{base}.parquet").to_pylist()) == str(table.to_pylist())
        with pyarrow.ipc.open_file(f"{base}.arrow") as file:
            assert str(file.read_all().to_pylist()) == str(table.to_pylist())
        assert len(pathlib.Path(f"{base}.jsonl").read_text().splitlines()) == count
        files.append(f"{each}={base}.parquet" if "=" not in each else f"{base}.parquet")
    assert main(["pack", *files, "-o", str(tmp_path / "out.arc")]) == 0
    assert verdict_of_judge((tmp_path / "out.arc").read_bytes()) == "ok"
    assert arc_format.open(tmp_path / "out.arc").edges().num_rows == source.edges().num_rows


def test_a_file_for_one_class(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "people.csv"
    assert main(["export", PERSON, "--format", "csv", "--class", "Person", "-o", str(out)]) == 0
    assert out.read_text().startswith("$row,name,mother,friends\n1,Ann,,[2]\n")
    out.unlink()
    assert main(["export", PERSON, "--format", "csv", "-o", str(out)]) == 0
    assert out.is_file()


def test_what_is_there_already_or_for_one_class_is_said_of_an_output(
        tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    vehicles, out = str(FIXTURES / "inheritance.arc"), str(tmp_path / "vehicles.csv")
    assert main(["export", vehicles, "--format", "csv", "-o", out]) == 64
    assert "is a file for one class, not for 2: name one with --class" in capsys.readouterr().err
    assert main(["export", PERSON, "--format", "csv", "-o", PERSON]) == 64
    assert "is there, and no folder" in capsys.readouterr().err
    (tmp_path / "vehicles.csv").mkdir()
    assert main(["export", vehicles, "--format", "csv", "-o", out]) == 0
    assert sorted(each.name for each in (tmp_path / "vehicles.csv").iterdir()) == ["Car.csv", "Truck.csv"]


def test_pack_of_text(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "Person.csv").write_text("name,boss\nAnn,\nBob,0\n")
    (tmp_path / "Pet.jsonl").write_text('{"owner":1}\n{"owner":null}\n')
    out = str(tmp_path / "out.arc")
    assert main(["pack", str(tmp_path / "Person.csv"), str(tmp_path / "Pet.jsonl"), "-o", out, "--reference",
                 "Person.boss=Person", "--reference", "Pet.owner=Person", "--compression", "zlib"]) == 0
    assert arc_format.open(out, verify="all").table("Pet").to_pylist() == [
        {"$row": 3, "owner": 2}, {"$row": 4, "owner": None}]
    assert main(["pack", str(tmp_path / "x.txt"), "-o", out]) == 64
    assert main(["pack", str(tmp_path / "Person.csv"), "-o", out, "--reference", "boss"]) == 64
    assert "write CLASS.COLUMN=CLASS" in capsys.readouterr().err


def test_sql(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", 'select name from "Person" order by 1', PERSON, "--format", "csv"]) == 0
    assert capsys.readouterr().out == "name\nAnn\nBob\n"
    assert main(["sql", 'select count(*) n from person."Person", cycle."Knot"', PERSON, str(FIXTURES / "cycle.arc"),
                 "--format", "jsonl"]) == 0
    assert capsys.readouterr().out == '{"n":4}\n'
    assert main(["sql", "select * from '/etc/passwd'", PERSON]) == 64
    assert "DuckDB says" in capsys.readouterr().err


def test_edges(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edges", PERSON, "--columns", "Person.friends"]) == 0
    assert capsys.readouterr().out == "src,dst,column,weak\n1,2,Person.friends,false\n"
    for name in ("edges.csv", "edges.parquet"):
        assert main(["edges", PERSON, "-o", str(tmp_path / name)]) == 0
    assert pyarrow.parquet.read_table(tmp_path / "edges.parquet").num_rows == 2
    assert (tmp_path / "edges.csv").read_text().count("\n") == 3
    assert main(["edges", PERSON, "-o", "edges.txt"]) == 64


def test_exit_codes(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", PERSON]) == 0
    damaged = str(FIXTURES / "invalid" / "S2-payload.arc")
    assert main(["verify", PERSON, damaged]) == 65
    assert f"{damaged}: damagedSegment [S2]" in capsys.readouterr().err
    assert main(["schema", str(tmp_path / "none.arc")]) == 66
    assert main(["schema", PERSON, "--class", "Ship"]) == 64
    with pytest.raises(SystemExit) as exit_:
        main(["export", PERSON])
    assert exit_.value.code == 64


def test_no_text_of_a_file_steers_a_terminal_or_leads_out_of_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", PERSON, "--class", "\x1b[31mred"]) == 64
    assert "\x1b" not in capsys.readouterr().err
    for name in ("../x", "/etc/x", "a\0b", "..", ".hidden", "a/b", "nul.", "x\n"):
        assert not {"/", "\0", "\n"} & set(file_name(name)) and not file_name(name).startswith(".")
    assert file_name("Box<Array<Int>>") == "Box<Array<Int>>"
    assert len({file_name(name) for name in ("a/b", "a\\b", "a:b", "a%b", "a%2fb")}) == 5


def test_sql_takes_files_of_any_names(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", 'select count(*) n from person."Person", "person#2"."Person"', PERSON, PERSON,
                 "--format", "csv"]) == 0
    assert capsys.readouterr().out == "n\n4\n"
    for name in ("temp.arc", "System.arc", "memory.arc", "main.arc", "Person.arc"):
        (tmp_path / name).write_bytes(pathlib.Path(PERSON).read_bytes())
        assert main(["sql", 'select count(*) n from "Person"', str(tmp_path / name), "--format", "csv"]) == 0
        assert capsys.readouterr().out == "n\n2\n"
    damaged = str(FIXTURES / "invalid" / "S2-payload.arc")
    assert main(["sql", 'select * from "s2-payload".edges', PERSON, damaged]) == 65
    assert f"in '{damaged}'" in capsys.readouterr().err


def test_files_that_are_missing_do_not_hide_those_that_are_damaged(
        tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing, damaged = str(tmp_path / "none.arc"), str(FIXTURES / "invalid" / "S2-payload.arc")
    assert main(["verify", missing, PERSON]) == 66
    assert capsys.readouterr().err == f"arc-format: {missing}: no such file\n"
    assert main(["verify", missing, damaged]) == 65
    assert damaged in capsys.readouterr().err


def test_errors_of_pack_and_of_outputs_name_what_was_given(
        tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out.arc")
    for suffix in ("csv", "parquet", "jsonl", "arrow"):
        missing = str(tmp_path / f"none.{suffix}")
        assert main(["pack", missing, "-o", out]) == 66
        assert capsys.readouterr().err == f"arc-format: {missing}: no such file\n"
    (tmp_path / "folder.csv").mkdir()
    assert main(["pack", str(tmp_path / "folder.csv"), "-o", out]) == 64
    nowhere = str(tmp_path / "none" / "out.csv")
    for arguments in (["edges", PERSON], ["export", PERSON, "--class", "Person", "--format", "csv"]):
        assert main([*arguments, "-o", nowhere]) == 74
        assert f"{nowhere}: there is no such folder" in capsys.readouterr().err.replace("\n", " ")


def test_tables_that_cannot_be_read_are_named(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "latin.csv").write_bytes(b"\xfcber,b\n1,2\n")
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), tmp_path / "thrift.parquet")
    data = bytearray((tmp_path / "thrift.parquet").read_bytes())
    data[-len(data) // 2:-8] = b"\xff" * (len(data) // 2 - 8)
    (tmp_path / "thrift.parquet").write_bytes(data)
    for name in ("latin.csv", "thrift.parquet"):
        assert main(["pack", str(tmp_path / name), "-o", str(tmp_path / "out.arc")]) == 64
        assert capsys.readouterr().err.startswith(f"arc-format: {tmp_path / name}: ")


def test_an_archive_that_is_refused_is_named_and_limits_are_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    greedy = str(FIXTURES / "invalid" / "A4-classes.arc")
    for command in ("schema", "edges", "verify"):
        assert main([command, greedy]) == 65
        said = capsys.readouterr().err
        assert said.startswith(f"arc-format: {greedy}: limitExceeded [A4]")
        assert "if you trust the file, give --trust" in said


def test_a_folder_with_an_equals_sign_is_no_name_of_a_class(tmp_path: pathlib.Path) -> None:
    (tmp_path / "year=2026").mkdir()
    table = tmp_path / "year=2026" / "Sale.csv"
    table.write_text("amount\n1\n")
    out = str(tmp_path / "out.arc")
    assert main(["pack", str(table), "-o", out]) == 0
    assert arc_format.open(out).classes == ["Sale"]
    assert main(["pack", f"Bill={table}", "-o", out]) == 0
    assert arc_format.open(out).classes == ["Bill"]


def test_csv_has_no_formulas(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["=1+1", "@x", "a;=cmd", "a\t+1", "'=x", "-1.5", "plain", "x;'y", "a;\"=b", "\uff1dx"]
    arc_format.write(tmp_path / "f.arc", {"T": pyarrow.table({"text": texts, "list": [[each] for each in texts]})})
    assert main(["export", str(tmp_path / "f.arc"), "--format", "csv", "--columns", "text"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert [row[1] for row in rows[1:]] == [
        "'=1+1", "'@x", "a;'=cmd", "a\t'+1", "''=x", "-1.5", "plain", "x;''y", "a;'\"=b", "'\uff1dx"]
    assert main(["export", str(tmp_path / "f.arc"), "--format", "jsonl", "--columns", "text"]) == 0
    assert [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()] == texts


@pytest.mark.parametrize("words", [["export", "--format", "csv"], ["export", "--format", "jsonl"], ["sql"]])
def test_no_text_of_a_file_controls_a_terminal(tmp_path: pathlib.Path, words: list[str]) -> None:
    path = str(tmp_path / "f.arc")
    arc_format.write(path, {"T": pyarrow.table({"text": ["\x1b]0;title\x07\u202e", "ok"]})})
    if words[0] == "sql":
        words = ["sql", "select text from T", path, "--format", "csv"]
    else:
        words = [*words, path]
    main_, terminal = pty.openpty()
    code = "import sys; from arc_format.command.main import main; sys.exit(main(sys.argv[1:]))"
    assert subprocess.run([sys.executable, "-c", code, *words], stdout=terminal, check=False).returncode == 0
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):
        while piece := os.read(main_, 4096):
            shown += piece
    os.close(main_)
    assert b"\x1b" not in shown
    assert b"\x07" not in shown
    assert b"ok" in shown
