"""DocC render nodes as Markdown: prose, lists, tables, asides and code.

The nodes are plain decoded JSON. An unknown node is rendered as the text of its contents, so
that pages of a newer DocC lose formatting but no words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stacks.model import Snippet
from stacks.text import resolve_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["find_listings", "name_language", "render_block_nodes", "render_inline_nodes"]

_NO_LANGUAGES = ("data", "other")

_WRAPPED = {"emphasis": "*{}*", "strong": "**{}**", "strikethrough": "~~{}~~"}

Node = dict[str, Any]


def render_inline_nodes(nodes: Iterable[Node] | None, references: Mapping[str, Node]) -> str:
    """Render inline nodes as one line of Markdown."""
    return "".join(_inline(node, references) for node in nodes or () if isinstance(node, dict))


def _inline(node: Node, references: Mapping[str, Node]) -> str:
    kind = node.get("type")
    if kind == "codeVoice":
        return f"`{node.get('code', '')}`"
    if kind == "reference":
        return _link(node, references)
    if kind == "image":
        return ""
    text = node.get("text")
    if isinstance(text, str):
        return text
    return _WRAPPED.get(str(kind), "{}").format(
        render_inline_nodes(node.get("inlineContent"), references)
    )


def _link(node: Node, references: Mapping[str, Node]) -> str:
    identifier = str(node.get("identifier", ""))
    target = references.get(identifier, {})
    title = node.get("overridingTitle") or target.get("title")
    return str(title) if title else identifier.rsplit("/", 1)[-1]


def render_block_nodes(nodes: Iterable[Node] | None, references: Mapping[str, Node]) -> str:
    """Render block nodes as Markdown paragraphs."""
    rendered = (_block(node, references) for node in nodes or () if isinstance(node, dict))
    return "\n\n".join(text for text in rendered if text)


def _block(node: Node, references: Mapping[str, Node]) -> str:
    render = _BLOCKS.get(str(node.get("type")))
    if render is not None:
        return render(node, references)
    inner = render_block_nodes(node.get("content") or node.get("items"), references)
    return inner or render_inline_nodes(node.get("inlineContent"), references)


def _listing(node: Node, _: Mapping[str, Node]) -> str:
    code = "\n".join(map(str, node.get("code") or ()))
    return f"```{node.get('syntax') or ''}\n{code}\n```"


def _aside(node: Node, references: Mapping[str, Node]) -> str:
    name = node.get("name") or str(node.get("style", "note")).capitalize()
    return f"> **{name}:** {render_block_nodes(node.get('content'), references)}".replace(
        "\n", "\n> "
    )


def _ordered(node: Node, references: Mapping[str, Node]) -> str:
    start = int(node.get("start") or 1)
    items = enumerate(node.get("items") or (), start)
    return "\n".join(f"{number}. {_item(item, references)}" for number, item in items)


def _terms(node: Node, references: Mapping[str, Node]) -> str:
    lines = []
    for item in node.get("items") or ():
        term = render_inline_nodes((item.get("term") or {}).get("inlineContent"), references)
        lines.append(f"- **{term}:** {_item(item.get('definition') or {}, references)}")
    return "\n".join(lines)


def _item(item: Node, references: Mapping[str, Node]) -> str:
    return render_block_nodes(item.get("content"), references).replace("\n", "\n  ")


def _table(node: Node, references: Mapping[str, Node]) -> str:
    lines = []
    for row in node.get("rows") or ():
        cells = (render_block_nodes(cell, references).replace("\n", " ") for cell in row)
        lines.append(f"| {' | '.join(cells)} |")
    if lines and node.get("header") in {"row", "both"}:
        lines.insert(1, "|" + "---|" * len(node["rows"][0]))
    return "\n".join(lines)


_BLOCKS: dict[str, Callable[[Node, Mapping[str, Node]], str]] = {
    "heading": lambda node, _: f"{'#' * int(node.get('level') or 2)} {node.get('text', '')}",
    "paragraph": lambda node, references: render_inline_nodes(
        node.get("inlineContent"), references
    ).strip(),
    "codeListing": _listing,
    "aside": _aside,
    "unorderedList": lambda node, references: "\n".join(
        f"- {_item(item, references)}" for item in node.get("items") or ()
    ),
    "orderedList": _ordered,
    "termList": _terms,
    "table": _table,
}


def name_language(stated: object) -> str:
    """Return the name of a language that a page states; empty if it is none."""
    language = resolve_language(str(stated or ""))
    return "" if language in _NO_LANGUAGES else language


def find_listings(nodes: Iterable[Any]) -> Iterable[Snippet]:
    """Yield the code listings of blocks, at any depth in lists and asides."""
    waiting = list(nodes)[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node))
        elif isinstance(node, dict):
            if node.get("type") == "codeListing":
                code = "\n".join(map(str, node.get("code") or ()))
                yield Snippet(code, name_language(node.get("syntax")))
            else:
                waiting.extend(
                    value for value in reversed(node.values()) if isinstance(value, list | dict)
                )
