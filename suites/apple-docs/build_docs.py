"""Build the reference pages, in the JSON that DocC renders, from the compact ones in `sources`.

A source is a series of pages. `# Title` begins one; lines `key: value` follow, up to the first
empty line; then comes the abstract, a paragraph, and the text in Markdown. The same sources give
the same bytes.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
BUILT = HERE / "corpus" / "apple-docs" / "data" / "documentation"

NEVER = "100000"
"""The version at which the SDKs deprecate what they only mean to deprecate."""

_SCHEME = "doc://com.apple.documentation/documentation/"
_BETWEEN = re.compile(r",\s*(?![^()]*\))")
_INLINE = re.compile(
    r"(?P<code>`+)(?P<inside>.+?)(?P=code)|\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*"
)
_ITEM = re.compile(r"(?:- |\d+\. )")
_WORD = re.compile(r"@?\w+(?:\.\w+)*|\s+|[^\w\s@]+|@")
_NOT_SYMBOLS = {"module": "collection", "article": "article", "collection": "collectionGroup"}
_SYMBOL_KINDS = {"initializer": "init", "function": "func", "property": "property"}
_RELATIONS = {
    "inherits": ("inheritsFrom", "Inherits From"),
    "inherited_by": ("inheritedBy", "Inherited By"),
    "conforms": ("conformsTo", "Conforms To"),
}

Node = dict[str, Any]


@dataclass(frozen=True)
class Page:
    """One page as it was written."""

    title: str
    header: dict[str, str]
    text: str

    @property
    def path(self) -> str:
        """Where it stands: `Foundation/URLSession`."""
        return self.header["path"]

    @property
    def kind(self) -> str:
        """What it is about."""
        return self.header["kind"]

    def listed(self, key: str) -> list[str]:
        """The values of a key that has several; commas in parentheses are part of a name."""
        return [each for each in _BETWEEN.split(self.header.get(key, "")) if each]


def read_pages(text: str) -> Iterator[Page]:
    """Yield the pages of a source."""
    starts, is_code = [], False
    lines = text.split("\n")
    for number, line in enumerate(lines):
        is_code ^= line.startswith("```")
        if line.startswith("# ") and not is_code:
            starts.append(number)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        head, _, body = "\n".join(lines[start + 1 : end]).partition("\n\n")
        pairs = (line.partition(":") for line in head.split("\n"))
        header = {key.strip(): value.strip() for key, _, value in pairs}
        yield Page(lines[start][2:].strip(), header, body.strip())


def make_node(page: Page, titles: dict[str, str]) -> Node:
    """Make what DocC would have rendered."""
    abstract, _, body = page.text.partition("\n\n")
    node: Node = {
        "schemaVersion": {"major": 0, "minor": 3, "patch": 0},
        "kind": "article" if page.kind == "article" else "symbol",
        "identifier": {"url": _SCHEME + page.path, "interfaceLanguage": "swift"},
        "metadata": _metadata(page),
        "abstract": make_inline(abstract.replace("\n", " ")),
        "primaryContentSections": [*_declarations(page.header.get("declaration", ""), "swift")],
        "references": {},
    }
    content = list(make_blocks(body))
    if content:
        node["primaryContentSections"].append({"kind": "content", "content": content})
    if "deprecated" in page.header:
        node["deprecationSummary"] = list(make_blocks(page.header["deprecated"]))
    node["relationshipsSections"] = [
        {
            "type": kind,
            "title": title,
            "identifiers": [_identify(each) for each in page.listed(key)],
        }
        for key, (kind, title) in _RELATIONS.items()
        if key in page.header
    ]
    for key, section, title in (
        ("topics", "topicSections", "Topics"),
        ("see", "seeAlsoSections", "Related"),
    ):
        if page.listed(key):
            identifiers = [_identify(each) for each in page.listed(key)]
            node[section] = [{"title": title, "identifiers": identifiers}]
    node["references"] = _references(page, titles)
    if "objc" in page.header:
        node["variantOverrides"] = [_twin(page)]
    return node


def _metadata(page: Page) -> Node:
    module = page.path.split("/")[0]
    metadata: Node = {"title": page.title, "modules": [{"name": module}]}
    metadata["role"] = _NOT_SYMBOLS.get(page.kind, "symbol")
    if page.kind not in ("article", "collection"):
        metadata["symbolKind"] = _SYMBOL_KINDS.get(page.kind, page.kind)
    metadata["platforms"] = [_platform(each) for each in page.listed("platforms")]
    return metadata


def _platform(text: str) -> Node:
    name, introduced, *deprecated = text.split()
    platform: Node = {"name": name, "introducedAt": introduced}
    if deprecated and deprecated[-1].startswith(NEVER):
        platform["deprecated"] = True
    elif deprecated:
        platform["deprecatedAt"] = deprecated[-1]
    return platform


def _declarations(code: str, language: str) -> Iterator[Node]:
    if code:
        tokens = [{"kind": _token_kind(text), "text": text} for text in _WORD.findall(code)]
        declaration = {"tokens": tokens, "languages": [language], "platforms": []}
        yield {"kind": "declarations", "declarations": [declaration]}


def _token_kind(text: str) -> str:
    if text.startswith("@") and len(text) > 1:
        return "attribute"
    return "identifier" if text[0].isalnum() or text[0] == "_" else "text"


def _twin(page: Page) -> Node:
    """The differences that make the Objective-C page of a Swift one."""
    name, _, declaration = (part.strip() for part in page.header["objc"].partition("|"))
    patch: list[Node] = [
        {"op": "replace", "path": "/metadata/title", "value": name},
        {"op": "replace", "path": "/identifier/interfaceLanguage", "value": "occ"},
    ]
    patch += [
        {"op": "replace", "path": "/primaryContentSections/0", "value": section}
        for section in _declarations(declaration, "occ")
    ]
    return {"traits": [{"interfaceLanguage": "occ"}], "patch": patch}


def _identify(name: str) -> str:
    return _SCHEME + name


def _references(page: Page, titles: dict[str, str]) -> Node:
    named = [each for key in (*_RELATIONS, "topics", "see") for each in page.listed(key)]
    return {
        _identify(each): {
            "type": "topic",
            "identifier": _identify(each),
            "title": titles.get(each, each.rsplit("/", 1)[-1]),
            "url": f"/documentation/{each.lower()}",
        }
        for each in dict.fromkeys(named)
    }


def make_blocks(text: str) -> Iterator[Node]:
    """Make the blocks of a text: headings, paragraphs, lists, asides, listings."""
    for piece in _pieces(text):
        first = piece[0]
        if first.startswith("```"):
            yield {"type": "codeListing", "syntax": first[3:].strip() or None, "code": piece[1:-1]}
        elif first.startswith("##"):
            level, _, title = first.partition(" ")
            yield {
                "type": "heading",
                "level": len(level),
                "text": title,
                "anchor": title.replace(" ", "-"),
            }
        elif first.startswith(">"):
            yield _aside(" ".join(line.lstrip("> ") for line in piece))
        elif _ITEM.match(first):
            yield _list(piece)
        else:
            yield {"type": "paragraph", "inlineContent": make_inline(" ".join(piece))}


def _pieces(text: str) -> Iterator[list[str]]:
    """Cut a text at empty lines, but not inside a listing; a heading stands alone."""
    piece: list[str] = []
    is_code = False
    for line in [*text.split("\n"), ""]:
        ends = line.startswith("```") and is_code
        begins = (line.startswith(("```", "##")) and not is_code) or (
            not line.strip() and not is_code
        )
        if begins and piece:
            yield piece
            piece = []
        if line.strip() or is_code:
            piece.append(line)
        is_code ^= line.startswith("```")
        if ends or (line.startswith("##") and not is_code):
            yield piece
            piece = []


def _aside(text: str) -> Node:
    named = re.match(r"\*\*(\w+):\*\*\s*", text)
    name = named.group(1) if named else "Note"
    inner = text[named.end() :] if named else text
    paragraph = {"type": "paragraph", "inlineContent": make_inline(inner)}
    return {"type": "aside", "style": name.lower(), "name": name, "content": [paragraph]}


def _list(lines: Iterable[str]) -> Node:
    items: list[str] = []
    for line in lines:
        if _ITEM.match(line):
            items.append(_ITEM.sub("", line, count=1))
        else:
            items[-1] += " " + line.strip()
    kind = "orderedList" if next(iter(lines))[0].isdigit() else "unorderedList"
    made = [
        {"content": [{"type": "paragraph", "inlineContent": make_inline(each)}]} for each in items
    ]
    return {"type": kind, "items": made}


def make_inline(text: str) -> list[Node]:
    """Make the parts of a paragraph: plain, code, emphasis."""
    nodes: list[Node] = []
    at = 0
    for found in _INLINE.finditer(text):
        nodes += [{"type": "text", "text": text[at : found.start()]}] if found.start() > at else []
        if found["inside"]:
            nodes.append({"type": "codeVoice", "code": found["inside"]})
        else:
            kind = "strong" if found["strong"] else "emphasis"
            inner = [{"type": "text", "text": found["strong"] or found["em"]}]
            nodes.append({"type": kind, "inlineContent": inner})
        at = found.end()
    return nodes + ([{"type": "text", "text": text[at:]}] if at < len(text) else [])


def place_of(page: Page, folder: Path) -> Path:
    """Say where a page's file goes; a name with signs that a file cannot have gets others."""
    *folders, name = (re.sub(r"[^\w.()+,=@-]", "_", part) for part in page.path.lower().split("/"))
    return folder.joinpath(*folders, f"{name}.json")


def build(folder: Path = BUILT) -> int:
    """Write all pages below a folder, in place of what was there; return how many."""
    pages = [page for path in sorted(SOURCES.glob("*.md")) for page in read_pages(path.read_text())]
    titles = {page.path: page.title for page in pages}
    shutil.rmtree(folder, ignore_errors=True)
    for page in pages:
        path = place_of(page, folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        node = make_node(page, titles)
        path.write_text(json.dumps(node, ensure_ascii=False, separators=(",", ":")) + "\n")
    return len(pages)


if __name__ == "__main__":
    sys.stdout.write(f"{build()} pages in {BUILT.relative_to(HERE)}\n")
