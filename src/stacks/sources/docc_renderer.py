"""DocC render nodes as Markdown: prose, lists, tables, asides and code.

The nodes are plain decoded JSON. An unknown node is rendered as the text of its contents, so
that pages of a newer DocC lose formatting but no words; so is what is nested deeper than any
page that a person wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from stacks.model import Snippet
from stacks.sources.crawled import (
    Node,
    find_texts,
    list_nodes,
    list_texts,
    read_node,
    read_text,
)
from stacks.text import resolve_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["find_listings", "name_language", "render_block_nodes", "render_inline_nodes"]

_NO_LANGUAGES = ("data", "other")

_WRAPPED = {"emphasis": "*{}*", "strong": "**{}**", "strikethrough": "~~{}~~"}

_DEEPEST = 50
_LOWEST_HEADING = 6
_MOST_DIGITS = 9


class _Place(NamedTuple):
    """What a node is rendered with: the references of its page, and its depth."""

    references: Mapping[str, object]
    depth: int = 0

    @property
    def inside(self) -> _Place:
        return self._replace(depth=self.depth + 1)


def render_inline_nodes(nodes: object, references: Mapping[str, object]) -> str:
    """Render inline nodes as one line of Markdown."""
    return _render_inline(nodes, _Place(references))


def render_block_nodes(nodes: object, references: Mapping[str, object]) -> str:
    """Render block nodes as Markdown paragraphs."""
    return _render_blocks(nodes, _Place(references))


def _render_inline(nodes: object, place: _Place) -> str:
    if place.depth > _DEEPEST:
        return " ".join(find_texts(nodes))
    return "".join(_inline(node, place.inside) for node in list_nodes(nodes))


def _inline(node: Node, place: _Place) -> str:
    kind = node.get("type")
    if kind == "codeVoice":
        return f"`{read_text(node.get('code'))}`"
    if kind == "reference":
        return _link(node, place)
    if kind == "image":
        return ""
    text = node.get("text")
    if isinstance(text, str):
        return text
    return _WRAPPED.get(str(kind), "{}").format(_render_inline(node.get("inlineContent"), place))


def _link(node: Node, place: _Place) -> str:
    identifier = read_text(node.get("identifier"))
    target = read_node(place.references.get(identifier))
    title = read_text(node.get("overridingTitle")) or read_text(target.get("title"))
    return title or identifier.rsplit("/", 1)[-1]


def _render_blocks(nodes: object, place: _Place) -> str:
    if place.depth > _DEEPEST:
        return "\n\n".join(find_texts(nodes))
    rendered = (_block(node, place.inside) for node in list_nodes(nodes))
    return "\n\n".join(text for text in rendered if text)


def _block(node: Node, place: _Place) -> str:
    render = _BLOCKS.get(read_text(node.get("type")))
    if render is not None:
        return render(node, place)
    inner = _render_blocks(node.get("content") or node.get("items"), place)
    return inner or _render_inline(node.get("inlineContent"), place)


def _heading(node: Node, _: _Place) -> str:
    level = min(_read_number(node.get("level"), 2), _LOWEST_HEADING)
    return f"{'#' * level} {read_text(node.get('text'))}"


def _listing(node: Node, _: _Place) -> str:
    code = "\n".join(list_texts(node.get("code")))
    return f"```{read_text(node.get('syntax'))}\n{code}\n```"


def _aside(node: Node, place: _Place) -> str:
    name = read_text(node.get("name")) or (read_text(node.get("style")) or "note").capitalize()
    return f"> **{name}:** {_render_blocks(node.get('content'), place)}".replace("\n", "\n> ")


def _unordered(node: Node, place: _Place) -> str:
    return "\n".join(f"- {_item(item, place)}" for item in list_nodes(node.get("items")))


def _ordered(node: Node, place: _Place) -> str:
    items = enumerate(list_nodes(node.get("items")), _read_number(node.get("start"), 1))
    return "\n".join(f"{number}. {_item(item, place)}" for number, item in items)


def _terms(node: Node, place: _Place) -> str:
    lines = []
    for item in list_nodes(node.get("items")):
        term = _render_inline(read_node(item.get("term")).get("inlineContent"), place)
        lines.append(f"- **{term}:** {_item(read_node(item.get('definition')), place)}")
    return "\n".join(lines)


def _item(item: Node, place: _Place) -> str:
    return _render_blocks(item.get("content"), place).replace("\n", "\n  ")


def _table(node: Node, place: _Place) -> str:
    written = node.get("rows")
    rows = [row for row in written if isinstance(row, list)] if isinstance(written, list) else []
    lines = []
    for row in rows:
        cells = (_render_blocks(cell, place).replace("\n", " ") for cell in row)
        lines.append(f"| {' | '.join(cells)} |")
    if lines and node.get("header") in ("row", "both"):
        lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines)


def _read_number(value: object, default: int) -> int:
    """Return a count from 1 on, also if it is written as text."""
    text = read_text(value)
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return max(int(text), 1) if is_number else default


_BLOCKS: dict[str, Callable[[Node, _Place], str]] = {
    "heading": _heading,
    "paragraph": lambda node, place: _render_inline(node.get("inlineContent"), place).strip(),
    "codeListing": _listing,
    "aside": _aside,
    "unorderedList": _unordered,
    "orderedList": _ordered,
    "termList": _terms,
    "table": _table,
}


def name_language(stated: object) -> str:
    """Return the name of a language that a page states; empty if it is none."""
    language = resolve_language(read_text(stated))
    return "" if language in _NO_LANGUAGES else language


def find_listings(nodes: Iterable[object]) -> Iterable[Snippet]:
    """Yield the code listings of blocks, at any depth in lists and asides."""
    waiting = list(nodes)[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node))
        elif isinstance(node, dict):
            if node.get("type") == "codeListing":
                code = "\n".join(list_texts(node.get("code")))
                yield Snippet(code, name_language(node.get("syntax")))
            else:
                waiting.extend(
                    value for value in reversed(node.values()) if isinstance(value, list | dict)
                )
