#!/usr/bin/env python3
"""Prints the pages of the Spec as one Internet-Draft, a document of RFCXML (RFC 7991), from which xml2rfc makes
text and HTML.

    make.py > draft-arc-object-archive-00.xml

Needs the package `markdown-it-py`. Links between pages become references to sections, and so do the words `section 4`
(of the same page) and `05.4`; names in brackets, such as `[B1]` and `[RFC1950]`, become references to rules and to
other documents. Tables of rules, and those of two columns, become lists of definitions: lines of text are short. What
a draft cannot hold, such as a name without a rule or a line of code that is too long, is an error.
"""

import re
import sys
from collections import Counter
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

NAME = "draft-arc-object-archive-00"
AUTHOR = "The maintainers of Arc"
SPEC = Path(__file__).resolve().parent.parent

# The appendix is the manual of a library, and no part of the format.
PAGES = sorted([*SPEC.glob("[01]*.md"), SPEC / "README.md"])

# The reference that stands for files that are no pages.
REPOSITORY = "ARC"

# Text has lines of 72 characters, of which 3 at the left are free, all of them ASCII.
WIDTH = 69
ASCII = str.maketrans({"–": "-", "−": "-", "×": "*", "…": "...", "␠": "SP",
                       "⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")"})

# Words that begin with a small letter inside of a title.
SMALL = {"a", "an", "and", "as", "by", "for", "in", "is", "it", "of", "or", "that", "the", "to", "with"}

# What a text mentions: key words of BCP 14, rules and references, sections of the same page and of others.
MENTION = re.compile(r"""
    (?P<key>\b(?:(?:MUST|SHALL|SHOULD)(?:\ NOT)?|(?:NOT\ )?RECOMMENDED|REQUIRED|MAY|OPTIONAL)\b)
    | \[(?P<name>[A-Z][A-Z0-9.-]*)\]
    | \b[Ss]ections?\ (?P<section>\d+)\b
    | \b(?P<other>[01]\d\.\d+)\b""", re.VERBOSE)


class Section:
    """A heading of a page, with the blocks and then the sections below it."""

    def __init__(self, page, title, anchor):
        self.page, self.title, self.anchor = page, title, anchor
        self.blocks, self.sections = [], []

    def take(self, title):
        """The section with that title, which is then no part of this one."""
        found = next(section for section in self.sections if section.title == title)
        self.sections.remove(found)
        return found


def words(node):
    """The text of a node without its marks."""
    return node.content if node.type in ("text", "code_inline") else "".join(map(words, node.children))


def rows(table):
    """The rows of a table, that of its head first, as what its cells contain."""
    return [[cell.children[0] for cell in row.children] for part in table.children for row in part.children]


def capitalised(title):
    return " ".join(word if word in SMALL and index else word[:1].upper() + word[1:]
                    for index, word in enumerate(title.split()))


def plain(text):
    text = text.translate(ASCII)
    assert text.isascii(), f"not in ASCII: {text}"
    return text


def element(tag, content="", **attributes):
    values = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{values}>{content}</{tag}>"


class Pages:
    """All pages as sections, with the anchors of what they may mention."""

    def __init__(self):
        self.anchors, self.rules, self.cited = {}, set(), set()
        self.top = {path.name[:2]: self.read(path) for path in PAGES}
        groups = self.top["15"].take("References").sections
        self.references = {group.title: {words(cells[0]): cells for cells in rows(group.blocks[0])[1:]}
                           for group in groups}

    def read(self, path):
        """A page. Its sections are known by what links to them say, and by their numbers, as in `05.4`."""
        nodes = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(path.read_text())).children
        # Below a page with several headings of the first level all others are a level lower than they seem.
        lower = sum(node.tag == "h1" for node in nodes) > 1
        page, slugs, above = path.name[:2], Counter(), []
        for node in nodes:
            if node.type == "heading":
                number, title = re.fullmatch(r"(?:(\d+) )?(.*)", words(node)).groups()
                slug = re.sub(r"[^\w -]", "", words(node).lower()).replace(" ", "-")
                slug += f"-{slugs[slug]}" * (slugs[slug] > 0)
                slugs[slug] += 1
                anchor = re.sub(r"^\d\d-", "", path.stem.lower()) + re.sub(r"^(?:\d+-)?", "-", slug) * bool(above)
                section = Section(page, title, anchor)
                names = [f"{path.name}#{slug}", f"{page}.{number}"] if above else [path.name]
                self.anchors |= dict.fromkeys(names, anchor)
                del above[int(node.tag[1]) - 1 + (lower and bool(above)):]
                if above:
                    above[-1].sections.append(section)
                above.append(section)
                continue
            above[-1].blocks.append(node)
            if node.type == "table" and words(rows(node)[0][0]) == "rule":
                self.rules |= {words(cells[0]).strip("[]") for cells in rows(node)[1:]}
        return above[0]

    # MARK: text

    def mention(self, page, match):
        """What a text says at a match of `MENTION`, as an element."""
        name = match["name"]
        if match["key"]:
            return element("bcp14", match["key"])
        if name in self.rules:
            return element("xref", name, target=name, format="none")
        if name:
            self.cited.add(name)
            return element("xref", target=name)
        return element("xref", target=self.anchors[match["other"] or f"{page}.{match['section']}"])

    def text(self, page, text):
        return MENTION.sub(lambda match: self.mention(page, match), escape(plain(text), quote=False))

    def link(self, page, node):
        address = node.attrs["href"]
        # The draft has numbers of its own for sections.
        text = "" if re.fullmatch(r"\d\d|(?:\d\d, )?section \d+", words(node)) else self.inline(page, node)
        if "<xref" in text:
            return text
        if address.startswith("https:"):
            return element("eref", text, target=address)
        if address.startswith("#"):
            address = next(path.name for path in PAGES if path.name.startswith(page)) + address
        if address in self.anchors:
            return element("xref", text, target=self.anchors[address])
        self.cited.add(REPOSITORY)
        return f"{text} {element('xref', target=REPOSITORY)}"

    def inline(self, page, node):
        """What is inside of a node, as text with elements."""
        parts = []
        for child in node.children:
            if child.type == "text":
                parts.append(self.text(page, child.content))
            elif child.type == "softbreak":
                parts.append("\n")
            elif child.type == "code_inline":
                parts.append(element("tt", escape(plain(child.content), quote=False)))
            elif child.type == "link":
                parts.append(self.link(page, child))
            elif child.type == "em" and len(words(child)) < 3:
                # A variable: text would show it as _n_.
                parts.append(self.inline(page, child))
            elif child.type in ("em", "strong"):
                parts.append(element(child.type, self.inline(page, child)))
            else:
                parts.append(self.inline(page, child))
        return "".join(parts)

    # MARK: blocks

    def block(self, page, node):
        if node.type == "paragraph":
            return element("t", self.inline(page, node.children[0]))
        if node.type in ("bullet_list", "ordered_list"):
            items = ["".join(self.block(page, block) for block in item.children) for item in node.children]
            return element("ul" if node.type == "bullet_list" else "ol",
                           "\n".join(element("li", item) for item in items))
        if node.type == "fence":
            code = plain(node.content)
            for line in code.splitlines():
                assert len(line) <= WIDTH, f"{page}: {len(line)} characters, more than {WIDTH}: {line}"
            code = escape(code, quote=False)
            return element("artwork", code) if node.info in ("", "text") else element("sourcecode", code, type=node.info)
        assert node.type == "table", f"{page}: {node.type}"
        return self.table(page, rows(node))

    def table(self, page, table):
        head, *body = table
        if words(head[0]) == "rule":
            return element("dl", "\n".join(self.rule(page, head, cells) for cells in body), newline="false")
        if len(head) == 2 and max(len(words(cells[1])) for cells in body) > 30:
            return element("dl", "\n".join(element("dt", self.inline(page, term)) + element("dd", self.inline(page, text))
                                           for term, text in body), newline="false")
        cells_of_head = element("tr", "".join(element("th", self.inline(page, cell)) for cell in head))
        lines = "\n".join(element("tr", "".join(element("td", self.inline(page, cell)) for cell in cells)) for cells in body)
        return element("table", element("thead", cells_of_head) + element("tbody", lines))

    def rule(self, page, head, cells):
        """A rule: its name, its statement, and what the other columns say of it."""
        name, statement, *others = cells
        text = self.inline(page, statement)
        for title, cell in zip(head[2:], others):
            if words(cell):
                text += f" {words(title).capitalize()}: {self.inline(page, cell)}."
        return element("dt", words(name).strip("[]"), anchor=words(name).strip("[]")) + element("dd", text)

    def section(self, section):
        title = capitalised(section.title)
        blocks = [self.block(section.page, block) for block in section.blocks]
        return element("section", "\n".join([element("name", self.text(section.page, title)), *blocks,
                                             *map(self.section, section.sections)]), anchor=section.anchor)

    # MARK: references

    def all_references(self):
        groups = [element("references", element("name", capitalised(title)) + "\n".join(map(self.reference, group.values())))
                  for title, group in self.references.items()]
        names = {name for group in self.references.values() for name in group}
        assert names == self.cited, f"not cited, or not listed: {names ^ self.cited}"
        return element("references", element("name", "References") + "\n".join(groups))

    def reference(self, cells):
        name, authors, title, series, date = cells
        front = element("title", escape(plain(words(title))))
        for author in words(authors).split(", "):
            person = re.fullmatch(r"((?:[A-Z][a-z]?\.[ -]?)+) ?(\S.*)", author)
            front += (element("author", "", initials=person[1].strip(), surname=person[2], fullname=author) if person
                      else element("author", element("organization", escape(author))))
        front += element("date", **dict(zip(("year", "month"), reversed(words(date).split()))))
        info = "".join(element("seriesInfo", "", name=part.rpartition(" ")[0], value=part.rpartition(" ")[2])
                       for part in words(series).split(", ") if part)
        link = next((node.attrs["href"] for node in title.walk() if node.type == "link"), None)
        return element("reference", element("front", front) + info, anchor=words(name), **({"target": link} if link else {}))


def document(pages):
    """The draft: the pages in the order of one, with what the IETF asks for around them."""
    top, conformance, limits = pages.top, pages.top["15"], pages.top["07"]
    abstract, boilerplate, *conformance.blocks = conformance.blocks
    abstract = pages.block("15", abstract).replace("<strong>Abstract.</strong> ", "")
    language = Section("15", "Requirements language", "requirements-language")
    language.blocks = [boilerplate]
    conventions = top["RE"].take("Conventions")
    conventions.sections.insert(0, language)
    security = conformance.take("Security considerations")
    status = conformance.take("Interoperability")
    status.title = "Implementation status"
    status.sections = [limits.take("What was tried")]
    iana = conformance.take("IANA considerations")
    iana.sections = [top["11"], conformance.take("Registry")]
    top["01"].title, conformance.title = "Introduction", "Conformance and versions"
    middle = [top["01"], conventions, *(top[page] for page in "02 03 09 04 05 06 07 10 12 13 14 15".split()),
              status, security, iana]
    body = element("middle", "\n".join(map(pages.section, middle)))
    references, appendix = pages.all_references(), pages.section(top["08"])
    author = element("author", element("organization", AUTHOR), fullname=AUTHOR)
    front = element("front", "\n".join([
        element("title", "The Arc Object Archive Format", abbrev="Arc Object Archives"),
        element("seriesInfo", name="Internet-Draft", value=NAME), author, element("date"),
        element("abstract", abstract)]))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + element(
        "rfc", "\n".join([front, body, element("back", references + appendix)]), version="3", docName=NAME,
        category="info", submissionType="independent", ipr="trust200902", sortRefs="true", symRefs="true",
        tocInclude="true", tocDepth="2")


if __name__ == "__main__":
    print(document(Pages()))
