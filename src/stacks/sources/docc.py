"""DocC render JSON: the format of Apple's documentation and of every `docc` archive.

One JSON file describes one page in one language. A page that also exists in Objective-C has the
differences as patches (`variantOverrides`), which make a second document of it. A file may instead
be a page as a crawler publishes it (`stacks.sources.crawled`); a folder may hold both.

DocC writes them as JSON patches: `replace`, `add` and `remove` at a pointer such as
`/metadata/title`.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from stacks.model import PLATFORMS, SYMBOL_KINDS, Document, Page, Snippet
from stacks.sources.crawled import (
    Node,
    decode_page,
    is_crawled_page,
    list_nodes,
    list_texts,
    read_crawled_page,
    read_node,
    read_text,
)
from stacks.sources.docc_renderer import (
    find_listings,
    name_language,
    render_block_nodes,
    render_inline_nodes,
)
from stacks.sources.folders import count_files, read_files
from stacks.sources.source import PageError, Source, SourceKind, register_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = [
    "DocCSource",
    "apply_patch",
    "make_docc_uri",
]

_OUR_KINDS = {
    "case": "enumelt econst",
    "class": "cl intf",
    "enum": "namespace",
    "function": "func",
    "initializer": "init structinit",
    "method": "instm clm intfm",
    "operator": "op",
    "property": "var data instp clp structp",
    "protocol": "pr intfp",
    "struct": "tag dict",
    "subscript": "instsub",
    "typealias": "tdef",
}
_KINDS = {theirs: ours for ours, names in _OUR_KINDS.items() for theirs in names.split()}
"""DocC's names of symbol kinds, if they differ from ours; older archives have short ones."""

_ROLES = {
    "collection": "module",
    "collectionGroup": "collection",
    "sampleCode": "sample",
    "article": "article",
    "overview": "article",
}
"""The kind of a page that is not about one symbol."""

_NOT_A_PATH = re.compile(r"^(?:doc|https?)://[^/]*/(?:documentation/)?|^/?(?:documentation/)?")
_SPACE = re.compile(r"[\s\x00-\x20]")
_DISAMBIGUATION = re.compile(r"-[0-9a-z]{4,6}$")


_MOST_DIGITS = 9


class DocCSource(Source):
    """A DocC archive: the `data` folder of one, or a tar of it."""

    def __init__(self, location: str, scheme: str) -> None:
        self.location = location
        self.scheme = scheme

    def pages(self) -> Iterator[Page | PageError]:
        """Yield every JSON file."""
        return read_files(self.location, suffixes={".json"})

    def count(self) -> int | None:
        """Count the JSON files of a folder."""
        return count_files(self.location, suffixes={".json"})

    def read(self, page: Page) -> Iterable[Document]:
        """Make a document of a page, and one for each further language it has."""
        node = decode_page(page)
        if is_crawled_page(node) and "identifier" not in node:
            return [read_crawled_page(node, partial(make_docc_uri, scheme=self.scheme))]
        if not isinstance(node, dict) or "identifier" not in node:
            if _is_about_the_archive(page.key):
                return []
            raise PageError("has no identifier; a DocC page has one")
        documents = [_PageReader(node, self.scheme).document("")]
        for override in list_nodes(node.get("variantOverrides")):
            language = _language(next(iter(list_nodes(override.get("traits"))), {}))
            if language and language != documents[0].language:
                twin = apply_patch(node, list_nodes(override.get("patch")))
                documents.append(_PageReader(twin, self.scheme).document(language))
        return documents


def _is_about_the_archive(key: str) -> bool:
    """Return whether a file is one of an archive's navigation and theme files."""
    return key.rsplit("/", 1)[-1] in {"metadata.json", "index.json", "theme-settings.json"} or (
        "/data/" not in f"/{key}"
    )


def make_docc_uri(identifier: str, scheme: str) -> str:
    """Turn DocC's identifier or path into a URI: `doc://…/documentation/SwiftUI/View`.

    DocC paths are unique regardless of case, so lower case loses nothing.
    """
    path = _NOT_A_PATH.sub("", identifier, count=1).rstrip("/").lower()
    return f"{scheme}://{_SPACE.sub(lambda match: quote(match.group()), path)}"


class _PageReader:
    """Reads the fields of a document from one page."""

    def __init__(self, node: Node, scheme: str) -> None:
        self.node = node
        self.scheme = scheme
        self.metadata = read_node(node.get("metadata"))
        self.references: Mapping[str, object] = read_node(node.get("references"))
        self.sections = list_nodes(node.get("primaryContentSections"))
        self.identifier = read_text(read_node(node.get("identifier")).get("url"))
        if not self.identifier:
            raise PageError("has no identifier.url; a DocC page has one")

    def document(self, twin_language: str) -> Document:
        """Make the document; `twin_language` is set for a page's second language."""
        uri = make_docc_uri(self.identifier, self.scheme)
        declaration, attributes = self.declaration()
        title = read_text(self.metadata.get("title"))
        summary = render_inline_nodes(self.node.get("abstract"), self.references).strip()
        kind = self.kind()
        return Document(
            uri=f"{uri}?language={twin_language}" if twin_language else uri,
            title=title,
            content=self.content(),
            framework=uri.split("://", 1)[1].split("/", 1)[0],
            module=self.module(),
            language=twin_language or _language(read_node(self.node.get("identifier"))) or "swift",
            kind=kind,
            summary=summary,
            declaration=declaration,
            names=self.names(title, kind),
            availability=self.availability(),
            is_deprecated=self.is_deprecated(),
            attributes=attributes,
            conformances=tuple(self.titles(self.related("conformsTo"))),
            snippets=tuple(self.snippets()),
            parents=self.related_uris("inheritsFrom"),
            children=self.related_uris("inheritedBy"),
            facts=self.facts(),
        )

    def kind(self) -> str:
        kind = read_text(self.metadata.get("symbolKind")).lower()
        kind = _KINDS.get(kind, kind)
        if kind in SYMBOL_KINDS or kind == "module":
            return kind
        return _ROLES.get(read_text(self.metadata.get("role")), "article")

    def module(self) -> str:
        modules = list_nodes(self.metadata.get("modules"))
        return read_text(modules[0].get("name")) if modules else ""

    def names(self, title: str, kind: str) -> tuple[str, ...]:
        """The path of the page within its module: `Hashable.hash(into:)`, and its last part."""
        if kind not in SYMBOL_KINDS:
            return ()
        path = _NOT_A_PATH.sub("", self.identifier).split("/")[1:]
        path = [_DISAMBIGUATION.sub("", part) for part in path]
        qualified = ".".join(path)
        names = dict.fromkeys((qualified, *path[-1:], title.rsplit(".", 1)[-1]))
        return tuple(name for name in names if name and name != title)

    def declaration(self) -> tuple[str, tuple[str, ...]]:
        """The first declaration as code, and the attributes in it."""
        for section in self.sections:
            for declaration in list_nodes(section.get("declarations")):
                tokens = list_nodes(declaration.get("tokens"))
                code = "".join(read_text(token.get("text")) for token in tokens)
                attributes = dict.fromkeys(
                    read_text(token.get("text")).strip()
                    for token in tokens
                    if token.get("kind") == "attribute"
                )
                return code, tuple(name for name in attributes if name.startswith("@"))
        return "", ()

    def availability(self) -> dict[str, str]:
        found = {}
        for platform in list_nodes(self.metadata.get("platforms")):
            name = read_text(platform.get("name")).lower()
            version = read_text(platform.get("introducedAt"))
            if name in PLATFORMS and version and not platform.get("unavailable"):
                found[name] = version
        return found

    def is_deprecated(self) -> bool:
        platforms = list_nodes(self.metadata.get("platforms"))
        return bool(self.node.get("deprecationSummary")) or any(
            platform.get("deprecated") or platform.get("deprecatedAt") for platform in platforms
        )

    def related(self, relation: str) -> list[str]:
        identifiers: list[str] = []
        for section in list_nodes(self.node.get("relationshipsSections")):
            if section.get("type") == relation:
                identifiers += list_texts(section.get("identifiers"))
        return identifiers

    def related_uris(self, relation: str) -> tuple[str, ...]:
        identifiers = (self.target(identifier) for identifier in self.related(relation))
        return tuple(dict.fromkeys(make_docc_uri(each, self.scheme) for each in identifiers))

    def target(self, identifier: str) -> str:
        """The path of an identifier; a class of another archive has a link instead."""
        return read_text(read_node(self.references.get(identifier)).get("url")) or identifier

    def titles(self, identifiers: Iterable[str]) -> Iterator[str]:
        for identifier in identifiers:
            title = read_text(read_node(self.references.get(identifier)).get("title"))
            yield title or identifier.rsplit("/", 1)[-1]

    def snippets(self) -> Iterable[Snippet]:
        return find_listings(section.get("content") for section in self.sections)

    def facts(self) -> dict[str, str]:
        """The symbol's identifier for the compiler, and its role heading."""
        wanted = {"external_id": "externalID", "role_heading": "roleHeading"}
        facts = {ours: read_text(self.metadata.get(theirs)) for ours, theirs in wanted.items()}
        return {name: value for name, value in facts.items() if value}

    def content(self) -> str:
        """The body of the page as Markdown, in the order of the site."""
        deprecation = render_block_nodes(self.node.get("deprecationSummary"), self.references)
        parts = [
            f"> **Deprecated:** {deprecation}" if deprecation else "",
            *(self.section(section) for section in self.sections),
            *self.lists("relationshipsSections"),
            *self.lists("topicSections"),
            *self.lists("seeAlsoSections"),
        ]
        return "\n\n".join(part for part in parts if part)

    def section(self, section: Node) -> str:
        if section.get("kind") == "parameters":
            lines = map(self.parameter, list_nodes(section.get("parameters")))
            return "## Parameters\n\n" + "\n".join(lines)
        return render_block_nodes(section.get("content"), self.references)

    def parameter(self, parameter: Node) -> str:
        content = render_block_nodes(parameter.get("content"), self.references)
        return f"- `{read_text(parameter.get('name'))}`: {content}"

    def lists(self, name: str) -> Iterator[str]:
        for section in list_nodes(self.node.get(name)):
            titles = self.titles(list_texts(section.get("identifiers")))
            lines = "\n".join(f"- {title}" for title in titles)
            yield f"## {read_text(section.get('title'))}\n\n{lines}"


def _language(trait: Node) -> str:
    return name_language(trait.get("interfaceLanguage"))


for _name, _description, _example in (
    (
        "apple-docs",
        "Apple's framework reference, as DocC render JSON or as pages of a crawler",
        "~/docs/apple.tar.gz",
    ),
    (
        "docc",
        "any other DocC archive, such as your own package's",
        ".build/plugins/MyPackage.doccarchive",
    ),
):
    register_source(
        SourceKind(
            name=_name,
            description=_description,
            example=f"{_name}={_example}",
            open=partial(DocCSource, scheme=_name),
            weight=3.0,
            prefers_symbols=True,
        )
    )


def apply_patch(node: dict[str, Any], patch: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the page with the patch applied; a change at an unknown pointer is skipped."""
    # What was decoded can be encoded and decoded again at any depth; `deepcopy` ends before.
    result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(node))
    for change in patch:
        keys = [
            key.replace("~1", "/").replace("~0", "~")
            for key in str(change.get("path", "")).split("/")[1:]
        ]
        if keys:
            _apply(result, keys, change)
    return result


def _apply(node: Any, keys: list[str], change: dict[str, Any]) -> None:
    holder = node
    for key in keys[:-1]:
        holder = _child(holder, key)
    last = keys[-1]
    if isinstance(holder, dict):
        if change.get("op") == "remove":
            holder.pop(last, None)
        else:
            holder[last] = change.get("value")
    elif isinstance(holder, list):
        _apply_to_list(holder, last, change)


def _child(holder: Any, key: str) -> Any:
    if isinstance(holder, dict):
        return holder.get(key)
    if isinstance(holder, list) and 0 <= (position := _read_position(key)) < len(holder):
        return holder[position]
    return None


def _read_position(key: str) -> int:
    """Return the position that a key states in a list, -1 if it states none."""
    is_number = key.isascii() and key.isdigit() and len(key) <= _MOST_DIGITS
    return int(key) if is_number else -1


def _apply_to_list(holder: list[Any], key: str, change: dict[str, Any]) -> None:
    position = len(holder) if key == "-" else _read_position(key)
    operation = change.get("op")
    if operation == "add" and 0 <= position <= len(holder):
        holder.insert(position, change.get("value"))
    elif 0 <= position < len(holder):
        if operation == "remove":
            del holder[position]
        else:
            holder[position] = change.get("value")
