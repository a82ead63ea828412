"""What a reader spends on a file at most. Spec: 07."""

from __future__ import annotations

from dataclasses import dataclass

from arc_format.basics.errors import UsageError


@dataclass(frozen=True)
class Limits:
    """Limits of a reader; a file that needs more fails with `limitExceeded`.

    The defaults are for files of one's own; `UNTRUSTED` is for files from strangers.

    >>> import arc_format
    >>> arc_format.Limits(rows=1_000).rows
    1000
    """

    #: [A1] bytes of the file
    file_bytes: int = 4 << 30
    #: [A2] bytes of all segments after decompression; apart from that, bytes of the tables that a call hands out
    raw_bytes: int = 4 << 30
    #: [A3] rows, row 0 included; of rows without any bytes, 1/64 of it
    rows: int = 50_000_000
    #: [A4] classes in the table
    classes: int = 65_535
    #: [A5] bytes of all CLSS segments after decompression
    class_table_bytes: int = 8 << 20
    #: [A6] nodes of one class
    columns_per_class: int = 65_535
    #: [A7] elements of all collections; apart from that, strings of the table
    elements: int = 500_000_000
    #: [A8] levels of a recursive type
    nesting: int = 128

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not isinstance(value, int):
                raise UsageError(f"{name}={value!r}: a limit is a whole number")

    @property
    def is_for_strangers(self) -> bool:
        """Whether files are taken for those of strangers: by a limit of bytes as small as that of `UNTRUSTED`."""
        return self.file_bytes <= 64 << 20


#: For files of one's own.
DEFAULT = Limits()

#: For files from strangers.
UNTRUSTED = Limits(
    file_bytes=64 << 20, raw_bytes=256 << 20, rows=1_000_000, classes=4_096, class_table_bytes=512 << 10,
    columns_per_class=4_096, elements=10_000_000, nesting=64)
