"""Reads bytes as a description for Kaitai Struct says, as far as `Spec/arc.ksy` uses that language.

Kaitai's compiler makes readers of a description; here it is followed step by step, since no registry of Python has it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from typing import Any


class MismatchError(Exception):
    """Bytes that are not as the description says."""


class Stream:
    """Bytes, and the place in them that is read next. Bits come from the low ones of a byte on."""

    def __init__(self, data: bytes) -> None:
        self.data, self.pos, self.size = data, 0, len(data)
        self._bits = self._bit_count = 0

    def take(self, size: int) -> bytes:
        self._bit_count = 0
        if not 0 <= size <= self.size - self.pos:
            raise MismatchError(f"{size} bytes at {self.pos} of {self.size}")
        self.pos += size
        return self.data[self.pos - size:self.pos]

    def bits(self, count: int) -> int:
        if not self._bit_count:
            self._bits, self._bit_count = self.take(1)[0], 8
        assert count <= self._bit_count
        value = self._bits & (1 << count) - 1
        self._bits, self._bit_count = self._bits >> count, self._bit_count - count
        return value


class Fields(list[Any]):
    """A field that repeats."""

    @property
    def last(self) -> Any:
        return self[-1]


class Node:
    """A value of a type of the description: its fields, and its instances where they are asked for."""

    def __init__(self, spec: Mapping[str, Any], stream: Stream, parameters: dict[str, Any],
                 outer: tuple[Mapping[str, Any], ...] = ()) -> None:
        self._spec, self._io = spec, stream
        self._specs = (spec, *outer)
        self._fields = parameters
        for each in spec.get("seq", ()):
            if "if" not in each or self._value(each["if"]):
                self._fields[each["id"]] = self._field(each)

    def __getattr__(self, name: str) -> Any:
        if name in self._fields:
            return self._fields[name]
        instance = self._spec.get("instances", {}).get(name)
        if instance is None:
            raise AttributeError(name)
        if "value" in instance:
            self._fields[name] = self._value(instance["value"])
        else:
            before, self._io.pos = self._io.pos, self._value(str(instance["pos"]))
            self._fields[name] = self._once(instance, self._io, {})
            self._io.pos = before
        return self._fields[name]

    def _field(self, field: Mapping[str, Any]) -> Any:
        if "repeat" not in field:
            return self._once(field, self._io, {})
        values = self._fields[field["id"]] = Fields()
        count = self._value(str(field["repeat-expr"])) if field["repeat"] == "expr" else None
        while len(values) != count and (field["repeat"] != "eos" or self._io.pos < self._io.size):
            values.append(self._once(field, self._io, {"_index": len(values)}))
            if field["repeat"] == "until" and self._value(field["repeat-until"], {"_": values[-1]}):
                break
        return values

    def _once(self, field: Mapping[str, Any], stream: Stream, more: dict[str, Any]) -> Any:
        if "contents" in field:
            if stream.take(len(field["contents"])) != bytes(field["contents"]):
                raise MismatchError(f"{field['id']} at {stream.pos}")
            return field["contents"]
        type_ = field.get("type")
        if isinstance(type_, Mapping):
            chosen = self._value(type_["switch-on"], more)
            cases = {case: each for case, each in type_["cases"].items() if case != "_"}
            type_ = next((each for case, each in cases.items() if self._value(str(case)) == chosen),
                         type_["cases"].get("_"))
        if "size" in field or field.get("size-eos"):
            size = stream.size - stream.pos if field.get("size-eos") else self._value(str(field["size"]), more)
            data = stream.take(size)
            if field.get("process") == "zlib":
                data = zlib.decompress(data)
            if type_ == "str":
                return data.decode(field["encoding"])
            return data if type_ is None else self._typed(type_, Stream(data), more)
        assert type_ is not None
        value = self._typed(type_, stream, more)
        valid = field.get("valid")
        if isinstance(valid, Mapping):
            is_valid = value in valid["any-of"] if "any-of" in valid else self._value(valid["expr"], {"_": value})
        else:
            is_valid = valid is None or value == valid
        if not is_valid:
            raise MismatchError(f"{field.get('id')} is {value} at {stream.pos}")
        return value

    def _typed(self, type_: str, stream: Stream, more: dict[str, Any]) -> Any:
        if re.fullmatch("u[1248]", type_):
            return int.from_bytes(stream.take(int(type_[1])), "little")
        if re.fullmatch("b[1-8]", type_):
            return stream.bits(int(type_[1]))
        name, _, arguments = type_.strip().partition("(")
        for depth, spec in enumerate(self._specs):
            if name in spec.get("types", {}):
                found = spec["types"][name]
                values = [self._value(each, more) for each in _split(arguments[:-1], ",")] if arguments else []
                names = [each["id"] for each in found.get("params", ())]
                return Node(found, stream, dict(zip(names, values, strict=True)), self._specs[depth:])
        raise AssertionError(f"no type {name}")

    def _value(self, expression: str, more: Mapping[str, Any] | None = None) -> Any:
        """The value of an expression: Python's words but for the choice, casts and enumerations."""
        condition, *rest = _split(expression, "?")
        if rest:
            yes, no = _split("?".join(rest), ":")
            return self._value(yes if self._value(condition, more) else no, more)
        text = re.sub(r"\.as<\w+>", "", expression.strip())
        text = re.sub(r"(\w+)::(\w+)", lambda match: str(self._number(match[1], match[2])), text)
        if text.startswith("(") and text.endswith(")") and "?" in text:
            return self._value(text[1:-1], more)
        return eval(text, {"__builtins__": {}}, _Scope(self, more or {}))

    def _number(self, enumeration: str, name: str) -> Any:
        for spec in self._specs:
            if enumeration in spec.get("enums", {}):
                return {each: number for number, each in spec["enums"][enumeration].items()}[name]
        raise AssertionError(f"no enumeration {enumeration}")


class _Scope(dict[str, Any]):
    def __init__(self, node: Node, more: Mapping[str, Any]) -> None:
        super().__init__(more)
        self.node = node

    def __missing__(self, name: str) -> Any:
        return getattr(self.node, name)


def _split(text: str, sign: str) -> list[str]:
    """The parts of an expression between signs that stand outside of brackets; `::` is none."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(text):
        depth += (text[at] in "([") - (text[at] in ")]")
        if text.startswith("::", at):
            at += 1
        elif text[at] == sign and not depth:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    return [*parts, text[start:]]


class Description:
    """A description, with which bytes are read."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        assert (spec["meta"]["endian"], spec["meta"]["bit-endian"]) == ("le", "le")
        self.spec = spec

    def read(self, data: bytes, type_: str | None = None, **parameters: int) -> Node:
        """The bytes as the whole, or as a type of the description."""
        spec = self.spec if type_ is None else self.spec["types"][type_]
        return Node(spec, Stream(data), dict(parameters), () if type_ is None else (self.spec,))
