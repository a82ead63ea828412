"""Reading of bytes. Each read is checked against the end of its structure. Spec: 02.0."""

from __future__ import annotations

from arc_format.basics.errors import reject


class Cursor:
    """A position in a payload that begins at byte `offset` of the file (approximate in a compressed payload).

    Invariant: `at <= end <= len(data)`; nothing from `end` on is read.
    """

    __slots__ = ("at", "data", "end", "offset")

    def __init__(self, data: memoryview, offset: int, at: int = 0, end: int | None = None) -> None:
        self.data, self.offset, self.at = data, offset, at
        self.end = len(data) if end is None else end

    @property
    def place(self) -> int:
        """The offset of the next byte in the file."""
        return self.offset + self.at

    def left(self) -> int:
        """Returns the number of bytes before `end`."""
        return self.end - self.at

    def take(self, size: int) -> memoryview:
        """Reads the next `size` bytes [B4]."""
        if size > self.end - self.at:
            reject("B4", self.place, f"{self.left()} bytes where {size} are wanted")
        self.at += size
        return self.data[self.at - size:self.at]

    def u8(self) -> int:
        """Reads the next byte [B4]."""
        at = self.at
        if at >= self.end:
            reject("B4", self.place, "no byte where one is wanted")
        self.at = at + 1
        return self.data[at]

    def varint(self) -> int:
        """Reads the next varint [B1]."""
        at = self.at
        byte = self.data[at] if at < self.end else self.u8()
        self.at = at + 1
        if byte < 0x80:
            return byte
        value, shift = byte & 0x7F, 7
        while True:
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            if byte < 0x80 or shift == 63:
                break
            shift += 7
        if byte == 0 or byte >= 0x80 or value >= 1 << 64:
            reject("B1", self.place, "another form of varint")
        return value

    def count(self, item_bytes: int = 1) -> int:
        """Reads a count of items that take at least `item_bytes` bytes each [B5]."""
        value = self.varint()
        if value * item_bytes > self.end - self.at:
            reject("B5", self.place, f"{value} things in {self.left()} bytes")
        return value

    def string(self) -> str:
        """Reads the next string [B3]."""
        data = self.take(self.count())
        try:
            return str(data, "utf-8")
        except UnicodeDecodeError as error:
            reject("B3", self.place, f"text that is not UTF-8: {error.reason}")

    def done(self) -> None:
        """Checks that nothing is left over [B2]."""
        if self.at != self.end:
            reject("B2", self.place, f"{self.left()} bytes left over")
