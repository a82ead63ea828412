#!/usr/bin/env python3
"""Prints the pages of the Spec as one Internet-Draft: RFCXML (RFC 7991), from which xml2rfc makes text and HTML.

    make.py > draft-arc-object-archive-00.xml

Needs the package `markdown-it-py`. These mentions on a page become references: a link to another page, `section 4` of
the same page, `05.4`, and names in brackets, of rules (`[B1]`) and of documents (`[RFC1950]`) that page 15 lists.
Lines of text are short, so tables of rules, long tables of two columns and bytes of examples become lists. The program
ends with an error if a draft cannot contain something, such as an unknown name or a line of code that is too long.
"""

import re
import sys
import textwrap
from collections import Counter
from html import escape
from itertools import zip_longest
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

NAME = "draft-arc-object-archive-00"
TITLE = "The Arc Object Archive Format"
AUTHOR = "The maintainers of Arc"

# The appendix is not a part of the format: it is the manual of a library.
SPEC = Path(__file__).resolve().parent.parent
PAGES = sorted([*SPEC.glob("[01]*.md"), SPEC / "README.md"])

# The document that the draft cites for files that are not pages.
REPOSITORY = "ARC"

# The text of a draft is ASCII. Its lines have 72 characters; the first 3 are a margin.
WIDTH = 69
ASCII = str.maketrans({"–": "-", "−": "-", "×": "*", "…": "...", "␠": "SP",
                       "⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")"})

# Words without a capital in titles.
SMALL = {"a", "an", "and", "as", "by", "for", "from", "in", "of", "or", "the", "to", "with"}

MENTION = re.compile(r"""
    (?P<key_word>\b(?:(?:MUST|SHALL|SHOULD)(?:\ NOT)?|(?:NOT\ )?RECOMMENDED|REQUIRED|MAY|OPTIONAL)\b)
    | \[(?P<name>[A-Z][A-Z0-9.-]*)\]
    | \b[Ss]ection\ (?P<here>\d+)\b
    | \b(?P<there>[01]\d\.\d+)\b""", re.VERBOSE)


def check(holds, message):
    if not holds:
        sys.exit(f"make.py: {message}")


def escaped(text):
    text = text.translate(ASCII)
    check(text.isascii(), f"no ASCII: {text}")
    return escape(text, quote=False)


def capitalised(title):
    """Returns a title in the form of RFCs. Names of files are unchanged."""
    return " ".join(word if (index and word in SMALL) or "." in word else word[0].upper() + word[1:]
                    for index, word in enumerate(title.split()))


def element(tag, *contents, **attributes):
    values = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{values}>" + "\n".join(contents) + f"</{tag}>"


def words(node):
    """Returns the text of a node without markup."""
    return node.content if node.type in ("text", "code_inline") else "".join(map(words, node.children))


def rows(table):
    """Returns the rows of a table, the head first. A row is a list of the contents of its cells."""
    return [[cell.children[0] for cell in row.children] for part in table.children for row in part.children]


def rule_name(cell):
    return words(cell).strip("[]")


class Names:
    """The names that pages may mention, and the documents that they mention."""

    def __init__(self):
        self.sections = {}   # anchors, by the addresses of links to them and by numbers such as `05.4`
        self.rules, self.documents = set(), set()

    def section(self, name, text=""):
        check(name in self.sections, f"no section is {name}")
        return element("xref", text, target=self.sections[name])

    def rule_or_document(self, name):
        if name in self.rules:
            return element("xref", name, target=name, format="none")
        self.documents.add(name)
        return element("xref", target=name)


class Section:
    """A heading of a page, with the blocks and sections after it."""

    def __init__(self, names, path, title, anchor):
        self.names, self.path, self.title = names, path, title
        self.attributes = {"anchor": anchor}
        self.blocks, self.sections = [], []

    def take(self, title):
        """Removes the section with a title from this section, and returns it."""
        found = next(section for section in self.sections if section.title == title)
        self.sections.remove(found)
        return found

    def xml(self):
        return element("section", element("name", self.text(capitalised(self.title))), *map(self.block, self.blocks),
                       *(section.xml() for section in self.sections), **self.attributes)

    # MARK: Text

    def text(self, text):
        return MENTION.sub(self.mention, escaped(text))

    def mention(self, match):
        if match["key_word"]:
            return element("bcp14", match["key_word"])
        if match["name"]:
            return self.names.rule_or_document(match["name"])
        return self.names.section(match["there"] or f"{self.path.name[:2]}.{match['here']}")

    def inline(self, node):
        """Returns the content of a node: text with elements."""
        is_prose = any(child.type == "text" and re.search(r"\w", child.content) for child in node.children)
        parts = []
        for child in node.children:
            match child.type:
                case "text":
                    parts.append(self.text(child.content))
                case "softbreak":
                    parts.append("\n")
                case "code_inline":
                    parts.append(self.code(child.content, is_prose))
                case "link":
                    parts.append(self.link(child))
                # In text, xml2rfc would write a variable as _n_.
                case "em" | "strong" if not re.fullmatch(r"\w{1,2}|\w\(.*\)", words(child)):
                    parts.append(element(child.type, self.inline(child)))
                case _:
                    parts.append(self.inline(child))
        return "".join(parts)

    def code(self, code, is_prose):
        """Returns code in a line. It is in quotes if it would otherwise look like the words around it."""
        quote = "'" if '"' in code else '"'
        marks = quote if is_prose and (len(code) == 1 or not re.search(r"\w", code)) else ""
        return marks + element("tt", escaped(code)) + marks

    def link(self, node):
        address, text = node.attrs["href"], words(node)
        if text in self.names.rules:
            return self.names.rule_or_document(text)
        if address.startswith("https:"):
            return element("eref", self.inline(node), target=address)
        if address.startswith("#"):
            address = self.path.name + address
        if address.partition("#")[0] not in (path.name for path in PAGES):
            return f"{self.inline(node)} {self.names.rule_or_document(REPOSITORY)}"
        # The numbers of pages and of their sections are not the numbers in the draft, which xml2rfc writes.
        is_number = re.fullmatch(r"\d\d|(?:\d\d, )?section \d+", text)
        return self.names.section(address, "" if is_number else self.inline(node))

    # MARK: Blocks

    def block(self, node):
        match node.type:
            case "paragraph":
                return element("t", self.inline(node.children[0]))
            case "bullet_list" | "ordered_list":
                items = (element("li", *map(self.block, item.children)) for item in node.children)
                return element("ul" if node.type == "bullet_list" else "ol", *items)
            case "fence":
                return lines(node.content.splitlines(), node.info)
            case "table":
                return self.table(*rows(node))
        sys.exit(f"make.py: a draft has no {node.type}, {self.path.name} has")

    def table(self, head, *body):
        titles = [words(cell) for cell in head]
        if titles == ["offset", "bytes", "meaning"]:
            return lines([line for cells in body for line in dumped(*map(words, cells))])
        if titles[0] == "rule":
            return element("dl", *(self.rule(titles, cells) for cells in body))
        if len(head) == 2 and any(len(words(term) + words(meaning)) > WIDTH for term, meaning in body):
            is_long = any(len(words(term)) > 20 for term, _ in body)
            return element("dl", *(element("dt", self.inline(term)) + element("dd", self.inline(meaning))
                                   for term, meaning in body), newline=str(is_long).lower())
        first, *others = (element("tr", *(element(tag, self.inline(cell)) for cell in cells))
                          for tag, cells in zip(["th", *["td"] * len(body)], [head, *body]))
        return element("table", element("thead", first), element("tbody", *others))

    def rule(self, titles, cells):
        """Returns the definition of a rule: its statement, and the content of the other columns."""
        name = rule_name(cells[0])
        labels = ["", *(f"{title.capitalize()}: " for title in titles[2:])]
        sentences = [label + self.inline(cell) for label, cell in zip(labels, cells[1:]) if words(cell)]
        statement = " ".join(sentence if sentence.endswith((".", ".)")) else f"{sentence}." for sentence in sentences)
        return element("dt", name, anchor=name) + element("dd", statement)


def lines(code, language=""):
    for line in code:
        check(len(line.translate(ASCII)) <= WIDTH, f"a line of more than {WIDTH} characters: {line}")
    text = escaped("\n".join(code))
    return element("artwork", text) if language in ("", "text") else element("sourcecode", text, type=language)


def dumped(offset, data, meaning):
    """Returns the lines for some bytes of an example: eight bytes in each, and their meaning on the right."""
    left = [data[index:index + 24] for index in range(0, len(data), 24)]
    right = textwrap.wrap(meaning.translate(ASCII), WIDTH - 31, break_on_hyphens=False)
    for index, (part, comment) in enumerate(zip_longest(left, right, fillvalue="")):
        yield f"{'' if index else offset:5}{part:25}{comment}".rstrip()


def slugs(titles):
    """Returns the anchors of the headings of a page, as GitHub writes them."""
    seen = Counter()
    for title in titles:
        slug = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        yield f"{slug}-{seen[slug]}" if seen[slug] else slug
        seen[slug] += 1


def read(path, names):
    """Reads a page as a section. Adds its anchors and rules to `names`."""
    nodes = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(path.read_text())).children
    # If a page has several headings of the first level, the first contains the others.
    is_deeper = sum(node.tag == "h1" for node in nodes) > 1
    slug_of_next = slugs(words(node) for node in nodes if node.type == "heading")
    page, above = re.sub(r"^\d+-", "", path.stem.lower()), []
    for node in nodes:
        if node.type == "heading":
            number, title = re.fullmatch(r"(?:(\d+) )?(.*)", words(node)).groups()
            slug = next(slug_of_next)
            if above:
                section = Section(names, path, title, re.sub(r"^(?:\d+-)?", f"{page}.", slug))
                mentions = [f"{path.name}#{slug}", f"{path.name[:2]}.{number}"]
                del above[int(node.tag[1]) - 1 + is_deeper:]
                above[-1].sections.append(section)
            else:
                section, mentions = Section(names, path, title, page), [path.name]
            names.sections |= dict.fromkeys(mentions, section.attributes["anchor"])
            above.append(section)
        else:
            above[-1].blocks.append(node)
            if node.type == "table" and words(rows(node)[0][0]) == "rule":
                names.rules |= {rule_name(cells[0]) for cells in rows(node)[1:]}
    return above[0]


def reference(name, authors, title, series, date):
    """Returns an entry of the lists of references, from a line of page 15."""
    front = element("title", escaped(words(title)))
    for author in words(authors).split(", "):
        person = re.fullmatch(r"((?:(?:[A-Z]-)?[A-Z]\. ?)+)(.+)", author)
        front += element("author", initials=person[1].strip(), surname=person[2]) if person else \
            element("author", element("organization", escaped(author)))
    front += element("date", **dict(zip(("year", "month"), reversed(words(date).split()))))
    links = [node.attrs["href"] for node in title.walk() if node.type == "link"]
    return element("reference", element("front", front), *(
        element("seriesInfo", name=part.rpartition(" ")[0], value=part.rpartition(" ")[2])
        for part in words(series).split(", ") if part), anchor=words(name), **({"target": links[0]} if links else {}))


def references(section, names):
    lists, listed = [], set()
    for group in section.sections:
        entries = rows(group.blocks[0])[1:]
        listed |= {words(entry[0]) for entry in entries}
        lists.append(element("references", element("name", capitalised(group.title)),
                             *(reference(*entry) for entry in entries)))
    check(listed == names.documents, f"cited or listed, but not both: {listed ^ names.documents}")
    return element("references", element("name", section.title), *lists)


def document():
    """Returns the pages in the order of a draft: introduction, format, implementations, security, IANA, examples."""
    names = Names()
    pages = {path.name[:2]: read(path, names) for path in PAGES}
    conformance, conventions = pages["15"], pages["RE"].take("Conventions")
    abstract, key_words, *conformance.blocks = conformance.blocks
    language = Section(names, conformance.path, "Requirements language", "requirements-language")
    language.blocks = [key_words]
    conventions.sections = [language]
    security, status, iana, cited = map(conformance.take, (
        "Security considerations", "Interoperability", "IANA considerations", "References"))
    iana.sections = [pages["11"], conformance.take("Registry")]
    # RFC 7942: the section is removed before publication.
    status.title, status.sections = "Implementation status", [pages["07"].take("What was tried")]
    status.attributes["removeInRFC"] = "true"
    pages["01"].title, conformance.title = "Introduction", "Conformance and versions"
    parts = [pages["01"], conventions, *(pages[number] for number in "02 03 09 04 05 06 07 10 12 13 14 16 15".split()),
             status, security, iana]
    middle, appendix = element("middle", *(part.xml() for part in parts)), pages["08"].xml()
    front = element(
        "front", element("title", TITLE), element("seriesInfo", name="Internet-Draft", value=NAME),
        element("author", element("organization", AUTHOR)), element("date"),
        element("abstract", conformance.block(abstract).replace("<strong>Abstract.</strong> ", "")))
    return element("rfc", front, middle, element("back", references(cited, names), appendix),
                   version="3", docName=NAME, category="info", submissionType="independent", ipr="trust200902",
                   tocDepth="2")


if __name__ == "__main__":
    print('<?xml version="1.0" encoding="UTF-8"?>', document(), sep="\n")
