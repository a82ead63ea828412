#!/usr/bin/env python3
"""Makes the data sets in this folder (Spec: 14): sound ones, and one for each way to break a rule; and `vectors.jsonl`.

    make.py             writes the folders and the vectors
    make.py --check     fails if it would write something else

Each line of `vectors.jsonl` is a data set:

| member | is |
|---|---|
| `folder` | the folder, relative to this folder |
| `about` | in words |
| `shards` | of a sound data set, the paths in the order of their numbers |
| `tables` | of a sound data set, the rows of each class as page 12 defines them, with `$id`, links as ids, and columns of folders |
| `rule`, `code` | the rule that a broken data set breaks, and the error code |
| `when` | what finds the broken rule: `open` reads the manifest, `shard` opens the shard with the number `shard`, `verify` checks the whole data set. A reader that does more also finds it |

The values are written by hand here, not taken from a reader. Only Python's standard library is used.
"""

import json
import pathlib
import shutil
import sys
import uuid

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
from bytes_of_archives import *  # noqa: E402, F403

DATA_SET = "0DA7A5E7-0000-4000-8000-000000000000"
OTHER_SET = "0DA7A5E7-0000-4000-8000-00000000FFFF"
LINK = '{ArcLink<Person>="shard"I"row"I}'


def identifier(number):
    return f"5AA4D000-0000-4000-8000-{number:012X}"


class Data:
    """A shard: people with a name and a link to a friend; some are `Member`, a subclass, with a number."""

    def __init__(self, number, *people, target="Person"):
        self.people, self.link = people, LINK.replace("Person", target)
        self.metadata = {"arc.id": identifier(number), "arc.dataset": DATA_SET, "arc.shard": str(number),
                         "arc.shards": "2", "arc.sorted-by": "Person.name"}

    def counts(self):
        members = sum(1 for each in self.people if len(each) > 2)
        counts = {"Person": len(self.people) - members, "Member": members}
        return {name: count for name, count in counts.items() if count}

    def bytes(self):
        """The people of class Person are first, then the members."""
        people = [each for each in self.people if len(each) == 2]
        members = [each for each in self.people if len(each) > 2]
        table = classes(
            new_class(0, "$roots"),
            new_class(1, "Person", column("name", 'T@"NSString",N,C', 1), column("friend", f"T{self.link},N", 1)),
            new_class(2, "Member", column("name", 'T@"NSString",N,C', 1), column("friend", f"T{self.link},N", 1),
                      column("number", "TC,N", 2), superclass=1))

        def common(some):
            return [texts(*(each[0] for each in some)), plain([each[1][0] for each in some]),
                    plain([each[1][1] for each in some])]

        parts, blocks = [(0, 1)], [block(0)]
        if people:
            parts.append((1, len(people)))
            blocks.append(block(2, *common(people)))
        if members:
            parts.append((2, len(members)))
            blocks.append(block(3, *common(members), plain([each[2] for each in members])))
        return archive(metadata(*sorted(self.metadata.items())), table,
                       rows(1 + len(self.people), runs(*parts), *blocks))


class Set:
    """A data set: shards by path, in the order of their numbers, and the manifest before it becomes bytes."""

    def __init__(self, **shards):
        self.files = {}
        self.entries, self.metadata = [], {}
        self.types = {"path": '@"NSString"', "id": '@"NSUUID"', "rows": "Q", "bytes": "Q",
                      "classes": '$<@"NSString":Q>', "least": "$?Q", "most": "$?Q"}
        self.root, self.class_name, self.order, self.flags = "shards", "Shard", None, {}
        self.has_manifest = True

    def add(self, path, data):
        self.files[path] = data.bytes()
        names = sorted(each[0].encode() for each in data.people)
        self.entries.append({
            "path": path, "id": data.metadata.get("arc.id", identifier(99)), "rows": 1 + len(data.people),
            "bytes": len(self.files[path]), "classes": data.counts(),
            "least": prefix(names[0]) if names else None, "most": prefix(names[-1]) if names else None})
        return self

    def manifest(self):
        """The archive of the manifest. `order` is the positions of the entries in the root."""
        entries = self.entries
        order = range(len(entries)) if self.order is None else self.order
        ids = b"".join(uuid.UUID(each["id"]).bytes for each in entries)
        counts = [list(each["classes"].items()) if isinstance(each["classes"], dict) else each["classes"]
                  for each in entries]
        pairs = [pair for each in counts for pair in each]
        chunks = {
            "path": [texts(*(each["path"] for each in entries))], "id": [fixed(ids, 16)],
            "rows": [plain([each["rows"] for each in entries], "Q")],
            "bytes": [plain([each["bytes"] for each in entries], "Q")],
            "classes": [plain([len(each) for each in counts]), texts(*(name for name, _ in pairs)),
                        plain([count for _, count in pairs], "Q")],
            **{key: [bits([each[key] is not None for each in entries]),
                     plain([each[key] for each in entries if each[key] is not None], "Q")]
               for key in ("least", "most")}}
        keys = [key for key in chunks if key in self.types]
        # A keyed column has a bit for each row, then its values.
        keyed = {key: [bits([1] * len(entries))] for key in keys if self.flags.get(key)}
        table = classes(
            new_class(0, "$roots", column(self.root, f'T$[@"{self.class_name}"]', 0)),
            new_class(1, self.class_name, *(
                column(key, f"T{self.types[key]},N,V_{key}", 1, self.flags.get(key, 0)) for key in keys)))
        head = rows(1 + len(entries), runs((0, 1), *([(1, len(entries))] if entries else [])),
                    block(1, plain([len(order)]), plain([1 + at for at in order])),
                    *([block(len(keys), *(each for key in keys for each in [*keyed.get(key, []), *chunks[key]]))]
                      if entries else []))
        pairs = {"arc.dataset": DATA_SET, "arc.shards": str(len(order)), "arc.sorted-by": "Person.name",
                 **self.metadata}
        pairs = sorted((key, value) for key, value in pairs.items() if value is not None)
        return archive(metadata(*pairs), table, head)


def prefix(text):
    """The first 8 bytes of a text as a number. Spec: 13.2."""
    return int.from_bytes(text[:8].ljust(8, b"\0"), "big")


def pair(first=None, second=None, paths=("part-00000.arc", "part-00001.arc"), change=None):
    """Two shards of which each has a link to the other: Ann knows Cy, Cy knows Ann, Bob knows nobody."""
    shards = [Data(0, ("Ann", (1, 1)), ("Bob", (0, 0), 7)), Data(1, ("Cy", (0, 1)))]
    for data, metadata in zip(shards, (first, second)):
        data.metadata |= metadata or {}
        data.metadata = {key: value for key, value in data.metadata.items() if value is not None}
    made = Set()
    for path, data in zip(paths, shards):
        made.add(path, data)
    if change:
        change(made)
    return made


def person(shard, row, name, friend, **more):
    """A row of the table of a class."""
    return {"$id": shard << 32 | row, "$row": row, "name": name, "friend": friend, **more}


TABLES = {"Person": [person(0, 1, "Ann", 1 << 32 | 1), person(1, 1, "Cy", 1)],
          "Member": [person(0, 2, "Bob", None, number=7)]}


def entry(number=0, **values):
    """A change of an entry of the manifest."""
    return lambda made: made.entries[number].update(values)


def attribute(name, value):
    return lambda made: setattr(made, name, value)


def retyped(key, type_):
    return lambda made: made.types.update({key: type_})


def dropped(key):
    return lambda made: made.types.pop(key)


def exchanged(made):
    """The entries exchanged, with everything that they state: links lead to the other file."""
    made.entries.reverse()


def replaced(path, data):
    return lambda made: made.files.update({path: data.bytes()})


def removed(path):
    return lambda made: made.files.pop(path)


def sound():
    """Name, what it is for, data set, tables."""
    yield "right", "two shards with links to each other, sorted by name", pair(), TABLES
    yield "no-metadata", "neither the shards nor the manifest state a placement: only `arc.id`", pair(
        *({"arc.dataset": None, "arc.shard": None, "arc.shards": None, "arc.sorted-by": None},) * 2,
        change=lambda made: made.metadata.update({"arc.dataset": None, "arc.shards": None, "arc.sorted-by": None})
    ), TABLES
    yield "meaningless-metadata", "values of another form, which a reader ignores", pair(
        {"arc.shard": "01", "arc.dataset": OTHER_SET.lower()}, {"arc.shard": "one", "arc.shards": "+7"},
        change=lambda made: made.metadata.update({"arc.shards": "003"})), TABLES
    yield "no-ranges", "`least` and `most` are nil: the writer does not state them", pair(
        change=lambda made: [each.update(least=None, most=None) for each in made.entries]), TABLES
    yield "counts-of-zero", "a class with 0 rows is as a class that is missing; `$roots` is ignored", pair(
        change=entry(1, classes={"Person": 1, "Member": 0, "Ghost": 0, "$roots": 1})), TABLES
    folders = pair(paths=("year=2025/a.arc", "year=2026/city=S%C3%A3o%20Paulo/b.arc"))
    yield "folders", "folders `key=value`: columns of a number and of a string", folders, {
        "Person": [person(0, 1, "Ann", 1 << 32 | 1, year=2025, city=None),
                   person(1, 1, "Cy", 1, year=2026, city="São Paulo")],
        "Member": [person(0, 2, "Bob", None, number=7, year=2025, city=None)]}
    unfinished = pair(paths=("b.arc", "year=__HIVE_DEFAULT_PARTITION__/a.arc"))
    unfinished.has_manifest = False
    yield "no-manifest", "without a manifest: the shards are in the order of the bytes of their paths", unfinished, {
        "Person": [person(0, 1, "Ann", 1 << 32 | 1, year=None), person(1, 1, "Cy", 1, year=None)],
        "Member": [person(0, 2, "Bob", None, number=7, year=None)]}
    yield "empty", "no shards", Set(), {}


def broken():
    """Rule, name, what it is for, when a reader finds it, data set."""
    first, second = "part-00000.arc", "part-00001.arc"
    yield "Q2", "exchanged", "two entries exchanged: `arc.shard` shows it", 0, pair(change=exchanged)
    yield "Q2", "exchanged-second", "the same, where only one shard states its number", 0, pair(
        {"arc.shard": None}, change=exchanged)
    yield "Q2", "shards-of-manifest", "`arc.shards` of the manifest is another number", "open", pair(
        change=lambda made: made.metadata.update({"arc.shards": "3"}))
    yield "Q2", "shards-of-shard", "`arc.shards` of a shard is another number", 1, pair(None, {"arc.shards": "3"})
    yield "Q2", "data-set", "`arc.dataset` of a shard is another", 0, pair({"arc.dataset": OTHER_SET})
    yield "Q2", "id", "another `arc.id`", 1, pair(change=entry(1, id=identifier(7)))
    yield "Q2", "id-in-small-letters", "an `arc.id` of another form", 0, pair(
        {"arc.id": identifier(0).lower()})
    yield "Q2", "no-id", "a shard without `arc.id`", 0, pair({"arc.id": None})
    yield "Q2", "rows", "another number of rows, in `classes` too", 1, pair(
        change=entry(1, rows=3, classes={"Person": 2}))
    yield "Q2", "bytes", "another size", 0, pair(change=entry(0, bytes=1))
    yield "Q2", "other-file", "another archive with the same people", 1, pair(
        change=replaced(second, Data(7, ("Cy", (0, 1)))))
    yield "Q2", "classes", "other numbers of rows of each class", "verify", pair(
        change=entry(0, classes={"Person": 2}))
    yield "Q2", "classes-unknown", "a class that the shard has not", "verify", pair(
        change=entry(1, classes={"Ghost": 1}))
    yield "Q2", "least", "another least value", "verify", pair(change=entry(0, least=prefix(b"A")))
    yield "Q2", "most", "another greatest value, of a subclass", "verify", pair(change=entry(0, most=prefix(b"Ann")))
    for name, path in (("parent", "../part-00000.arc"), ("absolute", "/part-00000.arc"), ("empty", ""),
                       ("dot", "./part-00000.arc"), ("empty-part", "a//b.arc"), ("hidden", ".part.arc"),
                       ("manifest", "_arc/manifest.arc"), ("backslash", "a\\b.arc"), ("colon", "c:part.arc"),
                       ("nul", "a\0.arc"), ("no-key", "=1/a.arc"), ("key-twice", "x=1/%78=2/a.arc"),
                       ("not-utf-8", "x=%FF/a.arc")):
        yield "Q1", f"path-{name}", f"the path {path!r}", "open", pair(change=entry(0, path=path))
    yield "Q1", "path-twice", "one path for both shards", "open", pair(change=entry(1, path=first))
    yield "Q1", "missing", "no file at a path", 1, pair(change=removed(second))
    yield "Q5", "no-root", "a root of another name", "open", pair(change=attribute("root", "parts"))
    yield "Q5", "other-class", "objects of another class", "open", pair(change=attribute("class_name", "Part"))
    yield "Q5", "listed-twice", "one object twice", "open", pair(change=attribute("order", [0, 1, 0]))
    yield "Q5", "nil", "nil instead of a shard", "open", pair(change=attribute("order", [0, -1]))
    for key in ("path", "id", "rows", "bytes", "classes", "least", "most"):
        yield "Q5", f"no-{key}", f"no property `{key}`", "open", pair(change=dropped(key))
    yield "Q5", "signed-rows", "`rows` of another type", "open", pair(change=retyped("rows", "q"))
    yield "Q5", "keyed-rows", "a keyed property", "open", pair(change=attribute("flags", {"rows": 2}))
    yield "Q5", "sum", "`rows` is not the sum of `classes` and 1", "open", pair(change=entry(0, rows=4))
    yield "Q5", "class-twice", "a class twice in `classes`", "open", pair(
        change=entry(0, classes=[("Person", 1), ("Person", 1)]))
    yield "Q5", "least-alone", "`least` without `most`", "open", pair(change=entry(0, most=None))
    for name, rule, link in (("no-shard", "Q3", (2, 1)), ("no-row", "Q3", (0, 3)), ("nil-of-shard", "Q3", (1, 0)),
                             ("wrong-class", "Q4", (0, 1))):
        made = pair()
        raw = made.files[second] = Data(1, ("Cy", link), target="Member" if rule == "Q4" else "Person").bytes()
        made.entries[1]["bytes"] = len(raw)
        yield rule, f"link-{name}", f"a link to row {link[1]} of shard {link[0]}", "verify", made


CODES = {"Q1": "wrongShard", "Q2": "wrongShard", "Q3": "danglingReference", "Q4": "wrongClass", "Q5": "wrongShard"}


def written():
    """Path and bytes of each file in this folder."""
    lines = []
    for name, about, data_set, tables in sound():
        yield from files_of(name, data_set)
        paths = list(data_set.files)
        if not data_set.has_manifest:
            paths.sort(key=str.encode)
        lines.append({"folder": name, "about": about, "shards": paths, "tables": tables})
    for rule, name, about, when, data_set in broken():
        yield from files_of(f"{rule}-{name}", data_set)
        line = {"folder": f"{rule}-{name}", "about": about, "rule": rule, "code": CODES[rule]}
        lines.append(line | ({"when": "shard", "shard": when} if isinstance(when, int) else {"when": when}))
    yield "vectors.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def files_of(name, data_set):
    for path, data in data_set.files.items():
        yield f"{name}/{path}", data
    if data_set.has_manifest:
        yield f"{name}/_arc/manifest.arc", data_set.manifest()


def main(arguments):
    files = dict(written())
    there = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()} - {"make.py"}
    if arguments == ["--check"]:
        wrong = [name for name, data in files.items() if name not in there or (FOLDER / name).read_bytes() != data]
        for name in [*wrong, *there - files.keys()]:
            print(f"Fixtures/data-sets/{name} is not what make.py writes", file=sys.stderr)
        return 1 if wrong or there - files.keys() else 0
    for path in FOLDER.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
    for name, data in files.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
