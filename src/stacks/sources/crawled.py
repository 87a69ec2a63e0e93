"""Pages as a documentation crawler publishes them: one JSON object with the fields of a page.

Its fields are `title`, `url`, `kind`, `language`, `module`, `abstract`, `declaration` (`code`,
`language`), `platforms`, `conformsTo`, `inheritsFrom`, `inheritedBy`, `codeExamples`, `overview`,
`sections`, `rawMarkdown`, `contentHash`, `crawledAt` and `source`. Only a title, an address and
some text are needed: a field that is missing, or of another shape, costs that field alone.

A crawler writes the whole page: front matter, breadcrumbs, the title (once or twice), the word for
its kind, the platforms, the summary and the declaration, then the text. Only the text is the body.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from stacks.model import PLATFORMS, SYMBOL_KINDS, Document, Page, Snippet
from stacks.sources.front_matter import split_front_matter
from stacks.sources.source import PageError
from stacks.text import (
    change_prose,
    find_snippets,
    first_paragraph,
    name_doc_link,
    parse_declaration,
    resolve_language,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "Node",
    "PageBody",
    "decode_page",
    "find_texts",
    "is_crawled_page",
    "list_nodes",
    "list_texts",
    "read_body",
    "read_crawled_page",
    "read_node",
    "read_platforms",
    "read_text",
    "strip_site_name",
]

_TEXTS = ("rawMarkdown", "overview", "abstract", "sections", "declaration", "contentHash")
_OUR_KINDS = {
    "associatedtype": "associated type",
    "case": "enumeration case, enum case",
    "class": "classes",
    "collection": "api collection, collection group",
    "enum": "enumeration",
    "function": "func, global function",
    "initializer": "init",
    "method": "instance method, type method, class method",
    "module": "framework, technology",
    "property": "instance property, type property, global variable, variable, var, constant",
    "sample": "sample code",
    "struct": "structure",
    "subscript": "instance subscript, type subscript",
    "typealias": "type alias",
}
_KINDS = {theirs: ours for ours, names in _OUR_KINDS.items() for theirs in names.split(", ")}
_PAGE_KINDS = ("module", "article", "collection", "sample")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ATTRIBUTE = re.compile(r"(?<![\w.@])@[A-Za-z]\w{0,80}")
_ADDRESS = re.compile(r"https?://[^/]+/(?:documentation/)?([^?#]*)")
_DISAMBIGUATION = re.compile(r"-[0-9a-z]{4,6}$")
_DEPRECATED = re.compile(r"\s*>\s*\*\*Deprecated\b|\*\*Deprecated\*\*")
_FACTS = {"url": "url", "crawled_at": "crawledAt", "hash": "contentHash", "crawler": "source"}


_SITE = re.compile(r"\s+\|\s+(?:[^|]{0,60}\bDocumentation|(?:www\.)?[\w-]{1,60}\.(?:com|org|net))$")
_HEADING = re.compile(r"([A-Z][A-Za-z ]{0,40})?#{1,2} (.{1,500})$")
_ROLE = re.compile(r"\*\*([A-Z][A-Za-z ]{0,40})\*\*$")
_NAMES = "|".join((*PLATFORMS.values(), "iPadOS", "Mac Catalyst"))
_PLATFORM = re.compile(rf"({_NAMES})(?:\s+v?(\d{{1,4}}(?:\.\d{{1,4}}){{0,3}}))?")
_PLATFORM_LINE = re.compile(
    rf"(?:(?:{_NAMES})(?:\s*[\d.]{{1,12}}\+?)?(?:\s*[–-]\s*[\d.]{{1,12}})?"
    r"(?:Deprecated|Beta)?[,\s]{0,5})+"
)
_DECLARATION = re.compile(r"#{2,3} (?:\[)?Declaration\b")
_DOC_LINK = re.compile(r"\[doc:(//[^\[\]\s]{1,500})\]")
_LINKED_HEADING = re.compile(r"^(#{1,6}) \[([^\[\]\n]{1,300})\]\([^()\n]{0,500}\)$", re.MULTILINE)
_JOINED_LINKS = re.compile(r"(?<=\))(?=\[)")
_HASH = re.compile(r"-(?=[a-z]{0,5}[0-9])[0-9a-z]{4,6}$")
_HEAD_LINES = 100


def decode_page(page: Page) -> Any:
    """Decode the JSON of a page, or raise `PageError`."""
    try:
        return msgspec.json.decode(page.data.removeprefix(codecs.BOM_UTF8))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise PageError(f"is not JSON: {problem}") from problem


def is_crawled_page(node: object) -> bool:
    """Return whether decoded JSON is a page of a crawler."""
    fields = read_node(node)
    is_named = isinstance(fields.get("title"), str) and isinstance(fields.get("url"), str)
    return is_named and any(name in fields for name in _TEXTS)


def read_crawled_page(
    node: Node, make_uri: Callable[[str], str], language: str = "swift"
) -> Document:
    """Make the document of a page; `make_uri` turns its address into a URI.

    `language` is that of a page that states none.
    """
    url = read_text(node.get("url"))
    if not _ADDRESS.match(url):
        raise PageError(f"has the url {url[:80]!r}; a page has an http or https address")
    return _CrawledPage(node, url, language).make_document(make_uri(url))


class _CrawledPage:
    """Reads the fields of a document from one page."""

    def __init__(self, node: Node, url: str, language: str) -> None:
        self.node = node
        self.url = url
        self.title = strip_site_name(read_text(node.get("title")))
        self.summary = " ".join(read_text(node.get("abstract")).split())
        stated = read_node(node.get("declaration"))
        self.declaration = read_text(stated.get("code")) or read_text(node.get("declaration"))
        named = read_text(node.get("language")) or read_text(stated.get("language"))
        self.language = resolve_language(named) if named else language
        self.body = self.read_body()
        self.declaration = self.declaration or self.body.declaration

    def make_document(self, uri: str) -> Document:
        kind = self.kind()
        content = self.body.text
        return Document(
            uri=uri,
            title=self.title,
            content=content,
            framework=uri.split("://", 1)[1].split("/", 1)[0],
            module=read_text(self.node.get("module")),
            language=self.language,
            kind=kind,
            summary=self.summary or first_paragraph(content),
            declaration=self.declaration,
            names=self.names(kind),
            availability=self.availability(),
            is_deprecated=self.is_deprecated(),
            attributes=tuple(dict.fromkeys(_ATTRIBUTE.findall(self.declaration))),
            conformances=tuple(list_texts(self.node.get("conformsTo"))),
            snippets=tuple(self.snippets()) or find_snippets(content),
            parents=tuple(list_texts(self.node.get("inheritsFrom"))),
            children=tuple(list_texts(self.node.get("inheritedBy"))),
            facts=self.facts(),
        )

    def read_body(self) -> PageBody:
        """The text of the page: its Markdown, or else its overview and sections."""
        written = (self.title, self.summary, self.declaration)
        known = frozenset(" ".join(text.split()) for text in written)
        markdown = read_text(self.node.get("rawMarkdown"))
        if not markdown.strip():
            sections = map(_render_section, list_nodes(self.node.get("sections")))
            parts = (read_text(self.node.get("overview")), *sections)
            markdown = "\n\n".join(part for part in parts if part)
        return read_body(markdown, self.title, known)

    def kind(self) -> str:
        """The kind that the page states, else that of its declaration, else an article."""
        for stated in (read_text(self.node.get("kind")), self.body.role):
            words = " ".join(_CAMEL.sub(" ", stated).replace("-", " ").lower().split())
            kind = _KINDS.get(words, words)
            if kind in SYMBOL_KINDS or kind in _PAGE_KINDS:
                return kind
        declared = parse_declaration(self.declaration, self.language) if self.declaration else ()
        return next((symbol.kind for symbol in declared), "article")

    def names(self, kind: str) -> tuple[str, ...]:
        """The path of the page in its module, and its last part."""
        if kind not in SYMBOL_KINDS:
            return ()
        match = _ADDRESS.match(self.url)
        path = match.group(1).strip("/").split("/")[1:] if match else []
        path = [_DISAMBIGUATION.sub("", part) for part in path]
        names = dict.fromkeys((".".join(path), *path[-1:], self.title.rsplit(".", 1)[-1]))
        return tuple(name for name in names if name and name != self.title)

    def availability(self) -> dict[str, str]:
        """The first versions that its platforms state, as text or as objects."""
        stated = self.node.get("platforms")
        found = read_platforms(self.body.platforms)
        for text in list_texts(stated):
            found |= read_platforms(text)
        for platform in list_nodes(stated):
            version = read_text(platform.get("introducedAt") or platform.get("version"))
            found |= read_platforms(f"{read_text(platform.get('name'))} {version}")
        return found

    def is_deprecated(self) -> bool:
        is_stated = self.node.get("deprecated") is True or self.node.get("isDeprecated") is True
        is_marked = "Deprecated" in self.body.platforms or _DEPRECATED.match(self.body.text)
        platforms = list_nodes(self.node.get("platforms"))
        return bool(is_stated or is_marked) or any(
            platform.get("deprecated") or platform.get("deprecatedAt") for platform in platforms
        )

    def snippets(self) -> Iterator[Snippet]:
        for example in list_nodes(self.node.get("codeExamples")):
            code, language = read_text(example.get("code")), read_text(example.get("language"))
            if code.strip():
                yield Snippet(code, resolve_language(language) if language else "")

    def facts(self) -> dict[str, str]:
        facts = {ours: read_text(self.node.get(theirs)) for ours, theirs in _FACTS.items()}
        return {name: value for name, value in facts.items() if value}


def _render_section(section: Node) -> str:
    """Write a section as Markdown: its heading, its text, and a list of its items."""
    items = "\n".join(
        f"- **{read_text(item.get('name'))}**: {read_text(item.get('description'))}".rstrip(": ")
        for item in list_nodes(section.get("items"))
    )
    parts = (f"## {read_text(section.get('title'))}", read_text(section.get("content")), items)
    return "\n\n".join(part for part in parts if part.strip("# "))


class PageBody(NamedTuple):
    """The text of a page, and what stood before it: the word for its kind, platforms, code."""

    text: str
    role: str = ""
    platforms: str = ""
    declaration: str = ""


class _Block(NamedTuple):
    """A line of the page, or a piece of fenced code, and the number of its first line."""

    line: int
    text: str
    is_code: bool = False


def strip_site_name(title: str) -> str:
    """Remove the name of the site from the title of a web page: `View | Documentation`."""
    return _SITE.sub("", title.strip())


def read_body(markdown: str, title: str, known: frozenset[str]) -> PageBody:
    """Split a page; `known` are texts that are stored separately and need not be said again."""
    lines = split_front_matter(markdown).body.split("\n")
    role, start = _find_title(lines, title)
    platforms = declaration = ""
    end = len(lines)
    for block in _list_blocks(lines, start):
        if match := _ROLE.fullmatch(block.text):
            role = role or match.group(1)
        elif _PLATFORM_LINE.fullmatch(block.text):
            platforms = platforms or block.text
        elif block.is_code and platforms and not declaration:
            declaration = block.text
        elif not (_DECLARATION.match(block.text) or _flatten(block.text) in known):
            end = block.line
            break
    return PageBody(_clean("\n".join(lines[end:])), role, platforms, declaration)


def _find_title(lines: list[str], title: str) -> tuple[str, int]:
    """Find the line after the last heading that is the title, and the role written before it."""
    role, start = "", 0
    for position, line in enumerate(lines[:_HEAD_LINES]):
        match = _HEADING.match(line.strip()) if len(line) < 1000 else None
        if match and strip_site_name(match.group(2)) == title:
            role, start = (match.group(1) or "").strip(), position + 1
    return role, start


def _list_blocks(lines: list[str], start: int) -> Iterator[_Block]:
    """Yield the lines that are not blank; fenced code is one block."""
    position = start
    while position < len(lines):
        line = lines[position]
        if line.startswith("```"):
            rest = enumerate(lines[position + 1 :], position + 1)
            end = next((number for number, each in rest if each.startswith("```")), position)
            yield _Block(position, "\n".join(lines[position + 1 : end]), is_code=True)
            position = end
        elif line.strip():
            yield _Block(position, line.strip())
        position += 1


def _flatten(text: str) -> str:
    return " ".join(text.split())


def _clean(text: str) -> str:
    """Write links to other pages as their names."""
    text = change_prose(text, lambda prose: _DOC_LINK.sub(_name_link, prose))
    text = _LINKED_HEADING.sub(r"\1 \2", text)
    return _JOINED_LINKS.sub(" ", text).strip("\n")


def _name_link(match: re.Match[str]) -> str:
    name = _HASH.sub("", match.group(1).rpartition("/")[2])
    return name_doc_link(name) if "-" in name and "(" not in name else f"`{name}`"


def read_platforms(text: str) -> dict[str, str]:
    """Read the first versions from a text such as `iOS 18.0+ macOS 15.0+`."""
    found = ((name.lower(), version) for name, version in _PLATFORM.findall(text))
    return {name: version for name, version in found if version and name in PLATFORMS}


Node = dict[str, Any]


def read_node(value: object) -> Node:
    """Return an object, empty if it is something else."""
    return value if isinstance(value, dict) else {}


def list_nodes(value: object) -> list[Node]:
    """List the objects of an array."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def read_text(value: object) -> str:
    """Return a text or a number as text, empty if it is something else."""
    is_text = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value) if is_text else ""


def list_texts(value: object) -> list[str]:
    """List the texts of an array."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def find_texts(value: object) -> list[str]:
    """List the words anywhere inside a node, in the order of the page, however deep it is."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node))
        elif isinstance(node, dict):
            waiting.extend(
                each for each in reversed(node.values()) if isinstance(each, dict | list)
            )
            found.extend(list_texts([node.get("text"), node.get("code")]))
            found.extend(list_texts(node.get("code")))
    return found
