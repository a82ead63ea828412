"""Files that are replaced as a whole: owner and permissions, links, and what killed saves leave."""

from __future__ import annotations

import errno
import fcntl
import os
import pathlib
import stat
import subprocess
import sys
import zlib

import pytest

from arc_format import UsageError
from arc_format.writing import replacement as module
from arc_format.writing.replacement import replacement


@pytest.fixture(params=["unnamed", "named"])
def _kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries a file without a name, and one with a temporary name."""
    if request.param == "named":
        monkeypatch.setattr(module._NewFile, "_unnamed", lambda _: None)


def save(path: pathlib.Path, data: bytes) -> None:
    with replacement(str(path)) as file:
        file.write(data)


def temporary(path: pathlib.Path, number: int) -> pathlib.Path:
    return path.with_name(f".{path.name}.{zlib.crc32(os.fsencode(path.name)):x}-{number}.tmp")


@pytest.mark.usefixtures("_kind")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o666, 0o755])
def test_permissions_and_owner_are_preserved(tmp_path: pathlib.Path, mode: int) -> None:
    path = tmp_path / "a.arc"
    path.write_bytes(b"old")
    path.chmod(mode)
    if os.getuid() == 0:
        os.chown(path, 1234, 5678)
    old = path.stat()
    save(path, b"new")
    new = path.stat()
    assert path.read_bytes() == b"new"
    assert (stat.S_IMODE(new.st_mode), new.st_uid, new.st_gid) == (mode, old.st_uid, old.st_gid)
    assert os.listdir(tmp_path) == ["a.arc"]


@pytest.mark.usefixtures("_kind")
def test_a_new_file_has_the_permissions_of_the_process(tmp_path: pathlib.Path) -> None:
    before = os.umask(0o027)
    try:
        save(tmp_path / "a.arc", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.arc").stat().st_mode) == 0o640


@pytest.mark.usefixtures("_kind")
def test_a_symbolic_link_is_followed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "a.arc", tmp_path / "link.arc"
    link.symlink_to(target)
    for data in (b"first", b"second"):
        save(link, data)
        assert link.is_symlink()
        assert target.read_bytes() == data
    assert os.listdir(tmp_path / "real") == ["a.arc"]


@pytest.mark.usefixtures("_kind")
def test_a_failure_leaves_everything_as_it_was(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.arc"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), replacement(str(path)) as file:
        file.write(b"new")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.arc"]


def test_what_is_not_a_file_is_not_replaced(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not a regular file"):
        save(tmp_path / "pipe", b"new")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.usefixtures("_kind")
def test_debris_of_killed_saves_is_removed_and_files_in_use_are_not(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.arc"
    for number in (0, 3):
        temporary(path, number).write_bytes(b"debris")
    with temporary(path, 1).open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        save(path, b"new")
    assert sorted(os.listdir(tmp_path)) == [temporary(path, 1).name, "a.arc"]
    save(path, b"newer")
    assert os.listdir(tmp_path) == ["a.arc"]
    assert path.read_bytes() == b"newer"


def test_a_killed_save_leaves_nothing(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.arc"
    path.write_bytes(b"old")
    code = ("import os, sys; from arc_format.writing.replacement import replacement\n"
            "with replacement(sys.argv[1]) as file:\n"
            "  file.write(b'x' * 1_000_000); file.flush(); os.kill(os.getpid(), 9)")
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9
    save(path, b"new")
    assert os.listdir(tmp_path) == ["a.arc"]


def test_a_full_disk_is_an_error_with_the_path(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.arc"
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as error:
        save(path, b"new")
    assert error.value.filename == str(path)
    assert os.listdir(tmp_path) == []
