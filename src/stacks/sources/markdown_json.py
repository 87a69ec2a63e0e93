"""JSON among the Markdown of a publisher: pages of a crawler, and the contents of guides.

A guide is a folder with a `book.json` (its title and a tree of chapters) and the chapters as
Markdown, mostly in `Articles`. The table of contents becomes a document, and chapters that do not
name their guide get its title.
"""

from __future__ import annotations

import json
import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from stacks.model import Document, Page
from stacks.sources.crawled import (
    Node,
    decode_page,
    is_crawled_page,
    list_nodes,
    read_crawled_page,
    read_text,
)
from stacks.sources.folders import read_files
from stacks.sources.front_matter import split_front_matter
from stacks.sources.paths import decode_text, make_slug, quote_path
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stacks.sources.markdown_profiles import MarkdownProfile

__all__ = ["GuideBooks", "find_json_pages", "read_json_page"]

_BOOK = "book.json"
_DEEPEST = 20


def find_json_pages(location: str) -> Iterator[Page | PageError]:
    """Yield the JSON files that are documents; others are data of the site."""
    for page in read_files(location, suffixes={".json"}):
        if isinstance(page, PageError):
            yield page
            continue
        try:
            node = decode_page(page)
        except PageError as problem:
            yield PageError(f"{page.key} {problem}")
            continue
        if is_crawled_page(node) or _is_book(page.key, node):
            yield page


def read_json_page(page: Page, profile: MarkdownProfile) -> Document:
    """Make the document of a crawled page or of a guide's table of contents."""
    node = decode_page(page)
    if _is_book(page.key, node):
        return _make_contents(page.key, node, profile)
    document = read_crawled_page(node, profile.make_page_uri, profile.language)
    framework = make_slug(profile.name)
    return replace(document, framework=framework, module=document.module or profile.module)


def _is_book(key: str, node: object) -> bool:
    is_named = posixpath.basename(key) == _BOOK and isinstance(node, dict)
    return is_named and isinstance(node, dict) and isinstance(node.get("title"), str)


def _make_contents(key: str, book: Node, profile: MarkdownProfile) -> Document:
    """Make the document of a guide: its title and the titles of its chapters."""
    title = read_text(book.get("title"))
    chapters = "\n".join(_list_chapters(book))
    facts = {name: read_text(book.get(name)) for name in ("type", "technology", "uid", "version")}
    return Document(
        uri=f"{profile.name}://{quote_path(posixpath.dirname(key) or make_slug(title))}",
        title=title,
        content=f"# {title}\n\n{chapters}" if chapters else f"# {title}",
        framework=make_slug(profile.name),
        module=title,
        language=profile.language,
        kind="collection",
        facts={name: value for name, value in facts.items() if value},
    )


def _list_chapters(book: Node, depth: int = 0) -> Iterator[str]:
    """Yield the titles of chapters and sections as a nested list."""
    for section in list_nodes(book.get("sections")):
        yield f"{'  ' * depth}- {read_text(section.get('title'))}"
        if depth < _DEEPEST:
            yield from _list_chapters(section, depth + 1)


class GuideBooks:
    """The titles of guides by their folders."""

    def __init__(self, location: str) -> None:
        self._titles: dict[str, str] = {}
        for page in read_files(location, suffixes={_BOOK}):
            if isinstance(page, Page):
                self._add(page)

    def _add(self, page: Page) -> None:
        try:
            node = decode_page(page)
        except PageError:
            return  # reported when its page is read
        if _is_book(page.key, node):
            self._titles[posixpath.dirname(page.key)] = read_text(node.get("title"))

    def fill(self, page: Page) -> Page:
        """Add the title of its guide to a chapter that does not state it.

        The chapter's bytes then change with the title, and it is read again.
        """
        title = self._find_title(page.key)
        if not title:
            return page
        text = decode_text(page.data)
        front = split_front_matter(text)
        if front.get("book"):
            return page
        fields = {name: ", ".join(values) for name, values in front.fields.items()}
        lines = [
            f"{name}: {json.dumps(value)}" for name, value in {**fields, "book": title}.items()
        ]
        return Page(page.key, "\n".join(("---", *lines, "---", front.body)).encode())

    def _find_title(self, key: str) -> str:
        folder = posixpath.dirname(key)
        while folder not in self._titles and folder:
            folder = posixpath.dirname(folder)
        return self._titles.get(folder, "")
