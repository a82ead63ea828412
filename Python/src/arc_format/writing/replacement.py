"""Replaces a file as a whole, with the care of Arc's `AtomicFile`. Spec: [W6]."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from arc_format.basics.errors import UsageError

#: The number of names that a file can have before it replaces another one. They follow from the name of the target, so
#: the next save finds what a killed one left.
_NAME_COUNT = 16

#: The maximum length of a target's name, in bytes, to include in a temporary name.
_INCLUDED_BYTES = 100


@contextmanager
def replacement(path: str) -> Iterator[BinaryIO]:
    """Opens a file that replaces `path` when the block ends without an error.

    A symbolic link is followed; owner and permissions of an existing file are preserved as far as the system allows.
    If the block raises, the existing file is unchanged. On Linux, the new file has no name until it is complete, so a
    killed process leaves no file. On other systems, or if a process is killed between naming and renaming, the next
    save of the same file removes the remaining file.
    """
    target = os.path.realpath(path)
    with _naming(path):
        folder = os.open(os.path.dirname(target), os.O_RDONLY | os.O_DIRECTORY)
    try:
        with _naming(path):
            old = os.stat(target) if os.path.lexists(target) else None
            if old is not None and not stat.S_ISREG(old.st_mode):
                raise UsageError(f"{path!r} is not a regular file: name a file to replace, or a new one")
            file = _NewFile(folder, os.path.basename(target), old)
        try:
            with open(file.descriptor, "wb", closefd=False) as buffer:
                yield buffer
            with _naming(path):
                file.commit()
        finally:
            file.close()
    finally:
        os.close(folder)


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Replaces the path in system errors by the path of the caller."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


class _NewFile:
    """A new file in the folder of the file that it replaces."""

    def __init__(self, folder: int, target: str, old: os.stat_result | None) -> None:
        self.folder, self.target, self.old = folder, target, old
        #: The name of the new file; None if it has none.
        self.name: str | None = None
        # It is never readable by more users than the file that it replaces.
        self.mode = 0o666 if old is None else old.st_mode & 0o600
        descriptor = self._unnamed()
        if descriptor is None:
            descriptor = self._take_name(self._named)
        self.descriptor = descriptor

    def commit(self) -> None:
        """Replaces the old file by the new file."""
        if self.old is not None:
            self._inherit(self.old)
        os.fsync(self.descriptor)
        if self.name is None and (self.old is not None or not self._link(self.target)):
            # Only renaming replaces a file.
            self._take_name(lambda name: self.descriptor if self._link(name) else None)
        if self.name is not None:
            os.rename(self.name, self.target, src_dir_fd=self.folder, dst_dir_fd=self.folder)
            self.name = None
        for name in self._names():
            self._remove_debris(name)
        os.fsync(self.folder)

    def close(self) -> None:
        """Removes the new file unless it has replaced the old one."""
        if self.name is not None:
            os.unlink(self.name, dir_fd=self.folder)
        os.close(self.descriptor)

    def _unnamed(self) -> int | None:
        """A locked file without a name; None if the system has no such files, or cannot name them later."""
        if not hasattr(os, "O_TMPFILE"):
            return None
        try:
            descriptor = os.open(".", os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, self.mode, dir_fd=self.folder)
        except OSError as error:
            if error.errno in (errno.EISDIR, errno.EOPNOTSUPP, errno.ENOENT, errno.EINVAL):
                return None
            raise
        if os.access(f"/proc/self/fd/{descriptor}", os.F_OK) and _is_locked(descriptor):
            return descriptor
        os.close(descriptor)
        return None

    def _named(self, name: str) -> int | None:
        """A new locked file with a name; None if the name exists."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            descriptor = os.open(name, flags, self.mode, dir_fd=self.folder)
        except FileExistsError:
            return None
        if _is_locked(descriptor) and self._has_name(name, descriptor):
            return descriptor
        # Another save removed it as a remaining file before it was locked.
        os.close(descriptor)
        return None

    def _link(self, name: str) -> bool:
        """Gives the file without a name one. Returns False if the name exists."""
        try:
            # With a folder's descriptor Python calls linkat, which follows the link of /proc to the file.
            os.link(f"/proc/self/fd/{self.descriptor}", name, dst_dir_fd=self.folder, follow_symlinks=True)
        except FileExistsError:
            return False
        return True

    def _take_name(self, make: Callable[[str], int | None]) -> int:
        """Takes the first free temporary name; waits for the save that uses the first one if all are in use."""
        while True:
            for name in self._names():
                while True:
                    descriptor = make(name)
                    if descriptor is not None:
                        self.name = name
                        return descriptor
                    if not self._remove_debris(name):
                        break
            self._wait(self._names()[0])

    def _names(self) -> list[str]:
        """The temporary names of the target, which are those of Arc in Swift too."""
        encoded = os.fsencode(self.target)
        short = self.target if len(encoded) <= _INCLUDED_BYTES else ""
        return [f".{short}.{zlib.crc32(encoded):x}-{number}.tmp" for number in range(_NAME_COUNT)]

    def _remove_debris(self, name: str) -> bool:
        """Removes the file with a temporary name if no save has it locked. Returns whether it did."""
        descriptor = self._open(name)
        if descriptor is None:
            return False
        try:
            if not _is_locked(descriptor) or not self._has_name(name, descriptor):
                return False
            os.unlink(name, dir_fd=self.folder)
            return True
        finally:
            os.close(descriptor)

    def _wait(self, name: str) -> None:
        """Waits for the save that uses a temporary name."""
        descriptor = self._open(name)
        if descriptor is None:
            if os.path.lexists(f"/proc/self/fd/{self.folder}/{name}"):
                raise FileExistsError(errno.EEXIST, "a name for a temporary file is taken", name)
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        finally:
            os.close(descriptor)

    def _open(self, name: str) -> int | None:
        """Opens a file that a save may have left; None for a link, a device, a pipe or nothing."""
        try:
            if not stat.S_ISREG(os.stat(name, dir_fd=self.folder, follow_symlinks=False).st_mode):
                return None
            return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self.folder)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.EACCES, errno.ELOOP):
                return None
            raise

    def _has_name(self, name: str, descriptor: int) -> bool:
        """Whether an open file still has a name."""
        try:
            named = os.stat(name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return os.path.samestat(named, os.fstat(descriptor))

    def _inherit(self, old: os.stat_result) -> None:
        """Gives the new file the owner and permissions of the old one, as far as the system allows."""
        new, mode = os.fstat(self.descriptor), old.st_mode & 0o777
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            try:
                os.fchown(self.descriptor, old.st_uid, old.st_gid)
            except PermissionError:
                try:
                    os.fchown(self.descriptor, -1, old.st_gid)
                except PermissionError:
                    # The group differs: it gets the permissions of all users, not the permissions of the old group.
                    mode = mode & ~0o070 | (mode & 0o007) << 3
        os.fchmod(self.descriptor, mode)


def _is_locked(descriptor: int) -> bool:
    """Locks a file. Returns False if another process has it locked."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
