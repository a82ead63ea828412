"""Arrow types as JSON: the format strings of Arrow's C data interface, which all implementations of Arrow share."""

from __future__ import annotations

import json
import re
from typing import Any

import pyarrow as pa

#: A type: a format string, or an object with a format string and what the string does not contain.
Notation = Any

_LEAVES: dict[str, pa.DataType] = {
    "n": pa.null(), "b": pa.bool_(), "c": pa.int8(), "C": pa.uint8(), "s": pa.int16(), "S": pa.uint16(),
    "i": pa.int32(), "I": pa.uint32(), "l": pa.int64(), "L": pa.uint64(), "e": pa.float16(), "f": pa.float32(),
    "g": pa.float64(), "z": pa.binary(), "Z": pa.large_binary(), "vz": pa.binary_view(), "u": pa.string(),
    "U": pa.large_string(), "vu": pa.string_view(), "tdD": pa.date32(), "tdm": pa.date64(), "tts": pa.time32("s"),
    "ttm": pa.time32("ms"), "ttu": pa.time64("us"), "ttn": pa.time64("ns"), "tDs": pa.duration("s"),
    "tDm": pa.duration("ms"), "tDu": pa.duration("us"), "tDn": pa.duration("ns"), "tin": pa.month_day_nano_interval()}
_FORMATS = {type_: format_ for format_, type_ in _LEAVES.items()}
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}
_DECIMALS = {32: pa.decimal32, 64: pa.decimal64, 128: pa.decimal128, 256: pa.decimal256}
_LISTS = {"+l": pa.list_, "+L": pa.large_list, "+vl": pa.list_view, "+vL": pa.large_list_view}

#: Metadata that tables have from archives. It describes the columns of one archive only.
_OWN = b"arc:"

#: The maximum nesting depth of a type.
_MAXIMUM_DEPTH = 64


def notation(field: pa.Field) -> Notation:
    """Returns the notation of a field of a table, without its name. Raises `ValueError` if the type has none."""
    type_, parts = field.type, dict[str, Any]()
    if isinstance(type_, pa.BaseExtensionType) and type_ != pa.uuid():
        parts["extension"] = [type_.extension_name, _extension_metadata(type_)]
        type_ = type_.storage_type
    if type_ == pa.uuid():
        parts["format"], parts["extension"] = "w:16", ["arrow.uuid", ""]
    else:
        parts["format"], children = _format(type_)
        if children:
            parts["children"] = [_child(each) for each in children]
        if pa.types.is_dictionary(type_):
            parts["dictionary"] = notation(pa.field("", type_.value_type))
            if type_.ordered:
                parts["ordered"] = True
        if pa.types.is_map(type_) and type_.keys_sorted:
            parts["sorted"] = True
    if not field.nullable:
        parts["nullable"] = False
    metadata = {_text(key): _text(value) for key, value in (field.metadata or {}).items() if not key.startswith(_OWN)}
    if metadata:
        parts["metadata"] = metadata
    return parts["format"] if len(parts) == 1 else parts


def field_of(name: str, noted: Notation, depth: int = 0) -> pa.Field:
    """Returns the field with a notation. Raises `ValueError` if it is not a notation."""
    parts = {"format": noted} if isinstance(noted, str) else noted
    if not isinstance(parts, dict) or not isinstance(parts.get("format"), str) or depth > _MAXIMUM_DEPTH:
        raise ValueError(f"{str(noted)[:80]} is not the notation of a type")
    children = parts.get("children", [])
    if not isinstance(children, list):
        raise ValueError("the children of a type are not a list")
    fields = []
    for child in children:
        if not isinstance(child, dict) or not isinstance(child.get("name"), str):
            raise ValueError("a child of a type has no name")
        fields.append(field_of(child["name"], child, depth + 1))
    try:
        type_ = _type(parts["format"], fields, parts.get("sorted") is True)
        if "dictionary" in parts:
            values = field_of("", parts["dictionary"], depth + 1).type
            type_ = pa.dictionary(type_, values, parts.get("ordered") is True)
        if "extension" in parts:
            extension, described = parts["extension"]
            type_ = _extension(type_, extension, described)
        metadata = parts.get("metadata") or None
        return pa.field(name, type_, parts.get("nullable") is not False, metadata and {
            _bytes(key): _bytes(value) for key, value in metadata.items()})
    except (pa.ArrowException, TypeError, AttributeError, OverflowError, IndexError, KeyError) as error:
        raise ValueError(f"{str(noted)[:80]} is not the notation of a type: {error}") from None


def _child(field: pa.Field) -> Notation:
    noted = notation(field)
    return {"name": field.name, **({"format": noted} if isinstance(noted, str) else noted)}


def _format(type_: pa.DataType) -> tuple[str, list[pa.Field]]:
    types = pa.types
    if type_ in _FORMATS:
        return _FORMATS[type_], []
    if types.is_timestamp(type_):
        return f"ts{type_.unit[0]}:{type_.tz or ''}", []
    if types.is_decimal(type_):
        width = "" if types.is_decimal128(type_) else f",{type_.bit_width}"
        return f"d:{type_.precision},{type_.scale}{width}", []
    if types.is_fixed_size_binary(type_):
        return f"w:{type_.byte_width}", []
    if types.is_dictionary(type_):
        return _format(type_.index_type)
    if types.is_struct(type_):
        return "+s", list(type_)
    if types.is_map(type_):
        return "+m", [type_.key_field, type_.item_field]
    if types.is_fixed_size_list(type_):
        return f"+w:{type_.list_size}", [type_.value_field]
    if types.is_run_end_encoded(type_):
        return "+r", [pa.field("run_ends", type_.run_end_type, False), pa.field("values", type_.value_type)]
    for format_, is_list in (("+l", types.is_list), ("+L", types.is_large_list), ("+vl", types.is_list_view),
                             ("+vL", types.is_large_list_view)):
        if is_list(type_):
            return format_, [type_.value_field]
    raise ValueError(f"{type_} has no notation")


def _type(format_: str, children: list[pa.Field], is_sorted: bool) -> pa.DataType:
    if format_ in _LEAVES:
        return _LEAVES[format_]
    if match := re.fullmatch(r"ts([smun]):(.*)", format_, re.S):
        return pa.timestamp(_UNITS[match[1]], match[2] or None)
    if match := re.fullmatch(r"d:(\d+),(-?\d+)(?:,(\d+))?", format_):
        return _DECIMALS[int(match[3] or 128)](int(match[1]), int(match[2]))
    if match := re.fullmatch(r"w:(\d+)", format_):
        return pa.binary(int(match[1]))
    if match := re.fullmatch(r"\+w:(\d+)", format_):
        return pa.list_(children[0], int(match[1]))
    if format_ == "+s":
        return pa.struct(children)
    if format_ == "+m":
        return pa.map_(*children, keys_sorted=is_sorted)
    if format_ == "+r":
        return pa.run_end_encoded(children[0].type, children[1].type)
    return _LISTS[format_](children[0])


def _extension_metadata(type_: pa.BaseExtensionType) -> str:
    """Returns the parameters of an extension type in the form of its specification."""
    if isinstance(type_, pa.ExtensionType):
        return _text(type_.__arrow_ext_serialize__())
    if isinstance(type_, pa.OpaqueType):
        return json.dumps({"type_name": type_.type_name, "vendor_name": type_.vendor_name})
    if isinstance(type_, pa.FixedShapeTensorType):
        parts = {"shape": type_.shape, "dim_names": type_.dim_names, "permutation": type_.permutation}
        return json.dumps({key: value for key, value in parts.items() if value is not None})
    return ""


def _extension(storage: pa.DataType, name: Any, described: Any) -> pa.DataType:
    """Returns an extension type, or its storage type if the program does not have the extension type."""
    field = pa.field("", storage, metadata={
        "ARROW:extension:name": _bytes(name), "ARROW:extension:metadata": _bytes(described)})
    try:
        return pa.ipc.read_schema(pa.schema([field]).serialize()).field(0).type
    except Exception as error:  # The extension type is a class of the program, which may raise anything.
        raise ValueError(f"{name!r} is not an extension type of {storage}: {error}") from None


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")
