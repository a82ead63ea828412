"""The maximum that a reader spends on a file. Spec: 07."""

from __future__ import annotations

from dataclasses import dataclass

from arc_format.basics.errors import UsageError


@dataclass(frozen=True)
class Limits:
    """Limits of a reader. If a file needs more, reading fails with `limitExceeded`.

    The defaults are for trusted files; `UNTRUSTED` is for untrusted files.

    >>> import arc_format
    >>> arc_format.Limits(rows=1_000).rows
    1000
    """

    #: [A1] bytes of the file
    file_bytes: int = 4 << 30
    #: [A2] bytes of all segments after decompression; counted separately, bytes of the tables that a call returns
    raw_bytes: int = 4 << 30
    #: [A3] rows, row 0 included; of rows without bytes, at most 1/64 of this limit
    rows: int = 50_000_000
    #: [A4] classes in the table
    classes: int = 65_535
    #: [A5] bytes of all CLSS segments after decompression
    class_table_bytes: int = 8 << 20
    #: [A6] nodes of one class
    columns_per_class: int = 65_535
    #: [A7] elements of all collections; counted separately, strings of the table
    elements: int = 500_000_000
    #: [A8] levels of a recursive type
    nesting: int = 128

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not isinstance(value, int):
                raise UsageError(f"{name}={value!r}: a limit is a whole number")

    @property
    def is_for_strangers(self) -> bool:
        """Whether files count as untrusted: the limit of bytes is as small as the limit of `UNTRUSTED`."""
        return self.file_bytes <= 64 << 20


#: The limits for trusted files.
DEFAULT = Limits()

#: The limits for untrusted files.
UNTRUSTED = Limits(
    file_bytes=64 << 20, raw_bytes=256 << 20, rows=1_000_000, classes=4_096, class_table_bytes=512 << 10,
    columns_per_class=4_096, elements=10_000_000, nesting=64)
