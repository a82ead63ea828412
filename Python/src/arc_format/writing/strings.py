"""Writing of the string table, which contains frequent strings once. Spec: 04.4."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from arc_format.columns.integers import UNSIGNED
from arc_format.writing.integers import encoded_integers
from arc_format.writing.primitives import Encoded, varint
from arc_format.writing.texts import plain_text


class StringWriter:
    """Assigns ids to strings in order of first use. `new` are the strings that are in no STRS segment yet."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.new: list[bytes] = []

    def encode(self, array: pa.Array) -> Encoded:
        """Returns a chunk of strings: by table if at least half of them were in the table before, else plain."""
        count = len(array)
        if count < 2:
            return plain_text(array)
        encoded = array.dictionary_encode()
        texts = encoded.dictionary.to_pylist() if 2 * len(encoded.dictionary) <= count else None
        if texts is None:
            return plain_text(array)
        numbers = np.empty(len(texts), np.uint32)
        for position, text in enumerate(texts):
            number = self.ids.get(text)
            if number is None:
                number = self.ids[text] = len(self.ids)
                self.new.append(text.encode())
            numbers[position] = number
        ids = encoded_integers(numbers[encoded.indices.to_numpy()], may_align=False)
        return Encoded(count, b"\1" + ids.head)

    def take_segment(self) -> tuple[bytes, int, int] | None:
        """Returns the payload, *first* and *count* of an STRS segment of the new strings; None if there are none."""
        if not self.new:
            return None
        count = len(self.new)
        lengths = np.array([len(text) for text in self.new], np.uint64)
        width = next(width for width in (1, 2, 4, 8) if int(lengths.max()) < 1 << 8 * width)
        payload = varint(count) + bytes([width]) + lengths.astype(UNSIGNED[width]).tobytes() + b"".join(self.new)
        self.new = []
        return payload, len(self.ids) - count, count
