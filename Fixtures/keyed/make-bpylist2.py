#!/usr/bin/env python3
"""Writes `bpylist2-*.plist` with bpylist2 4.1.1 (PyPI), an archiver that is not ours: make-bpylist2.py [FOLDER]"""
import os
import sys
from dataclasses import dataclass
from typing import Optional

from bpylist2 import archive_types, archiver

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))


@dataclass
class Person(archive_types.DataclassArchiver):
    name: str = ""
    age: int = 0
    height: float = 0.0
    friends: list = None
    boss: Optional["Person"] = None


archiver.update_class_map({"MyApp.Person": Person})


def put(name, value):
    with open(os.path.join(FOLDER, f"bpylist2-{name}.plist"), "wb") as file:
        file.write(archiver.archive(value))


put("containers", {"list": [1, "two", 3.5, True], "set": {"x"}, "map": {"a": {"b": "c"}},
                   "date": archive_types.timestamp(1795435200), "data": archive_types.NSMutableData(b"\0\1\2")})
boss = Person("Ann", 50, 1.7, [])
put("dataclass", Person("Bob", 30, 1.8, [boss, boss], boss))
put("text", "Grüße \U0001F600")
