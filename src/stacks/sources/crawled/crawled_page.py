"""Pages as a documentation crawler publishes them: one JSON object with the fields of a page.

Its fields are `title`, `url`, `kind`, `language`, `module`, `abstract`, `declaration` (`code`,
`language`), `platforms`, `conformsTo`, `inheritsFrom`, `inheritedBy`, `codeExamples`, `overview`,
`sections`, `rawMarkdown`, `contentHash`, `crawledAt` and `source`. Only a title, an address and
some text are needed: a field that is missing, or of another shape, costs that field alone.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Any

import msgspec

from stacks.model import SYMBOL_KINDS, Document, Page, Snippet
from stacks.sources.crawled.page_body import PageBody, read_body, read_platforms, strip_site_name
from stacks.sources.json_shapes import Node, list_nodes, list_texts, read_node, read_text
from stacks.sources.source import PageError
from stacks.text import find_snippets, first_paragraph, parse_declaration, resolve_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["decode_page", "is_crawled_page", "read_crawled_page"]

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
