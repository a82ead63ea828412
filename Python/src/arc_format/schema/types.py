"""Types of columns as trees of nodes, and their encodings. Spec: 03.4 and 04.5."""

from __future__ import annotations

from arc_format.basics.errors import reject
from arc_format.schema.kinds import SCALARS, Kind, value_kind, without_protocols
from arc_format.schema.names import ATTEMPTS, angle_partners

#: [E1] The maximum nesting of types.
MAXIMUM_LEVELS = 128


class Node:
    """A node of a column. Spec: 04.5.

    `children` are the child nodes; in a recursive type, a child may be an enclosing node, by a *mention*. For an
    enumeration, `labels` are the cases, and `payloads` the nodes of their associated values, or None. For a structure,
    `labels` are the fields. `name` is the class of a reference (None for any class), or the name of the record.
    """

    __slots__ = ("children", "index", "is_recursive", "is_stored", "kind", "labels", "name", "payloads",
                 "takes_bytes")

    def __init__(self, kind: Kind, name: str | None = None) -> None:
        self.kind, self.name = kind, name
        self.children: list[Node] = []
        self.labels: list[str] = []
        self.payloads: list[Node | None] = []
        self.index = -1
        self.is_stored = kind not in ("structure", "url")
        self.is_recursive = self.takes_bytes = False

    def mentions(self, child: Node) -> bool:
        """Whether a child is this node or an enclosing node."""
        return child.index <= self.index

    def __repr__(self) -> str:
        return f"Node({self.kind!r}, {self.name!r}, index {self.index})"


class Tree:
    """The nodes of a column in pre-order. `encoding` is the type encoding, including the optional of a keyed column."""

    __slots__ = ("encoding", "has_references", "has_strong", "nodes", "stored")

    def __init__(self, nodes: list[Node], encoding: str) -> None:
        self.nodes, self.encoding = nodes, encoding
        for index, node in enumerate(nodes):
            node.index = index
        self.stored = [node for node in nodes if node.is_stored]
        self.has_strong = any(node.kind == "reference" for node in nodes)
        self.has_references = any(node.kind in ("reference", "weak") for node in nodes)
        for node in reversed(nodes):
            # The record that a mention means encloses the mention, and has chunks by [E4].
            below = [child for child in node.children if not node.mentions(child)]
            mentions = len(below) < len(node.children)
            node.is_recursive = mentions or any(child.is_recursive for child in below)
            node.takes_bytes = node.is_stored or mentions or any(child.takes_bytes for child in below)

    @property
    def root(self) -> Node:
        """The node with a value for each row."""
        return self.nodes[0]

    @property
    def is_recursive(self) -> bool:
        """Whether values of a nested node can contain values of this node."""
        return self.root.is_recursive


class _UnreadableError(Exception):
    """The text is not a type if names end where this attempt ends them."""


class _TypeReader:
    """Reads one type of a text. Flaws are broken rules other than [E1]; they count only if the whole type was read."""

    def __init__(self, text: str, at: int, partners: dict[int, int]) -> None:
        self.text, self.at, self.partners = text, at, partners
        self.nodes: list[Node] = []
        #: enclosing records: opener, name, node, and the number of enclosing nodes that end the recursion [E4]
        self.records: list[tuple[str, str, Node, int]] = []
        self.breaks = 0
        self.flaws: list[tuple[str, str]] = []

    def node(self, kind: Kind, name: str | None = None) -> Node:
        node = Node(kind, name)
        node.index = len(self.nodes)
        self.nodes.append(node)
        return node

    def skips(self, token: str) -> bool:
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def need(self, holds: bool) -> None:
        if not holds:
            raise _UnreadableError(f"character {self.at} of '{self.text}'")

    def word(self) -> str:
        """Returns the text up to the next quote, and continues after the quote."""
        end = self.text.find('"', self.at)
        self.need(end >= 0)
        word, self.at = self.text[self.at:end], end + 1
        return word

    def read(self, level: int = 1, closer: str | None = None) -> Node:
        """Reads a type. `closer` is the closer of the record with labels whose member it is, apart from prefixes."""
        self.need(level <= MAXIMUM_LEVELS and self.at < len(self.text))
        scalar = SCALARS.get(self.text[self.at])
        if scalar is not None:
            self.at += 1
            return self.node(scalar)
        if self.skips("@"):
            return self.object(closer)
        if self.skips("$?"):
            return self.around("optional", level, closer)
        if self.skips("$~"):
            node = self.read(level + 1, closer)
            if node.kind != "reference":
                self.flaws.append(("E2", f"a weak value: {self.text}"))
            node.kind = "weak"
            return node
        if self.skips("$["):
            node = self.around("array", level)
            self.need(self.skips("]"))
            return node
        if self.skips("$<"):
            node = self.around("set", level)
            if self.skips(":"):
                node.kind = "dictionary"
                self.add_child(node, level)
            self.need(self.skips(">"))
            return node
        if self.skips("{"):
            return self.record("{", "}", level)
        self.need(self.skips("$("))
        return self.record("$(", ")", level)

    def around(self, kind: Kind, level: int, closer: str | None = None) -> Node:
        node = self.node(kind)
        self.add_child(node, level, closer)
        return node

    def add_child(self, node: Node, level: int, closer: str | None = None) -> None:
        self.breaks += 1
        node.children.append(self.read(level + 1, closer))
        self.breaks -= 1

    def object(self, closer: str | None) -> Node:
        name, start = None, self.at
        if self.skips('"'):
            name = self.word()
            if closer and not (name and self.text[self.at:self.at + 1] in ('"', closer)):
                name, self.at = None, start
        kind = value_kind(name) if name else None
        if kind == "url":
            url = self.node("url")
            url.children = [self.node("string"), self.node("optional")]
            url.children[1].children = [self.node("string")]
            return url
        if kind is not None:
            return self.node(kind)
        is_any = name is None or (name != "" and not without_protocols(name))
        return self.node("reference", None if is_any else name)

    def record(self, opener: str, closer: str, level: int) -> Node:
        name = self.record_name(closer)
        if self.skips(closer):
            return self.mention(opener, name)
        self.at += 1  # the =
        is_enumeration = opener == "$("
        node = self.node("enumeration" if is_enumeration else "structure", name)
        self.records.append((opener, name, node, self.breaks))
        self.breaks += is_enumeration
        member_closer = closer if self.text.startswith('"', self.at) else None
        while not self.skips(closer):
            label = self.word() if self.skips('"') else None
            self.need(label is not None or not is_enumeration)
            has_type = not self.text.startswith(('"', closer), self.at)
            if not has_type and not is_enumeration:
                self.flaws.append(("E2", f"field '{label}' without a type: {self.text}"))
            child = self.read(level + 1, member_closer) if has_type else None
            node.labels.append(label or "")
            node.payloads.append(child)
            if child is not None:
                node.children.append(child)
        if is_enumeration and not node.labels:
            self.flaws.append(("E2", f"enumeration '{name}' without cases: {self.text}"))
        self.breaks -= is_enumeration
        self.records.pop()
        return node

    def record_name(self, closer: str) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in ("=", closer):
            self.at = self.partners.get(self.at, self.at) + 1
        self.need(self.at < len(self.text))
        return self.text[start:self.at]

    def mention(self, opener: str, name: str) -> Node:
        for other, known, node, breaks in reversed(self.records):
            if (other, known) == (opener, name) and name != "?":
                if self.breaks == breaks:
                    self.flaws.append(("E4", f"'{name}', which holds itself: {self.text}"))
                return node
        self.flaws.append(("E3", f"'{name}' outside of what it means: {self.text}"))
        return self.node("structure", name)


def read_type(text: str, at: int, offset: int) -> tuple[list[Node], int]:
    """Returns the nodes of the type at `text[at:]`, and the index of its end, which a comma or the end must follow.

    `offset` is the byte offset in the file for errors [E1] to [E4].
    """
    comma = text.find(",", at)
    problem = "no type"
    for whole in [text] if comma < 0 else [text, text[:comma]]:
        for attempt in range(ATTEMPTS):
            partners = {at + opened: at + closed for opened, closed in angle_partners(whole[at:], attempt).items()}
            reader = _TypeReader(whole, at, partners)
            try:
                reader.read()
                reader.need(whole[reader.at:reader.at + 1] in ("", ","))
            except _UnreadableError as error:
                problem = str(error)
                continue
            if reader.flaws:
                reject(reader.flaws[0][0], offset, reader.flaws[0][1])
            return reader.nodes, reader.at
    reject("E1", offset, f"no type at {problem}")


def column_tree(attributes: str, is_keyed: bool, offset: int = 0) -> Tree:
    """Returns the nodes of a column with some property attributes [P1], [P2]. Spec: 03.5."""
    nodes: list[Node] | None = None
    is_weak, at, encoding = False, 0, ""
    while at < len(attributes):
        comma = attributes.find(",", at)
        end = comma if comma >= 0 else len(attributes)
        if attributes[at] == "T" and nodes is None:
            nodes, end = read_type(attributes, at + 1, offset)
            encoding = attributes[at + 1:end]
        is_weak = is_weak or attributes[at] == "W"
        at = end + 1
    if nodes is None:
        reject("P1", offset, f"no type in '{attributes}'")
    if is_weak:
        if nodes[0].kind != "reference":
            reject("P2", offset, f"W without a reference in '{attributes}'")
        nodes[0].kind = "weak"
    if is_keyed:
        outer = Node("optional")
        outer.children = [nodes[0]]
        nodes = [outer, *nodes]
    return Tree(nodes, encoding)
