"""Corpora of Markdown: Swift Evolution, the Swift book, Swift.org and any other folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from stacks.errors import SourceError
from stacks.model import Document, Page
from stacks.sources.folders import count_files, read_files
from stacks.sources.front_matter import FrontMatter, split_front_matter
from stacks.sources.markdown_cleaner import IncludedParts, clean_markdown, is_part
from stacks.sources.markdown_json import GuideBooks, find_json_pages, read_json_page
from stacks.sources.markdown_profiles import (
    MARKDOWN_PROFILES,
    MARKDOWN_SUFFIXES,
    MarkdownProfile,
    find_summary,
    read_proposal,
)
from stacks.sources.paths import (
    decode_text,
    get_corpus_name,
    is_binary,
    make_slug,
    quote_segment,
    spell_out,
)
from stacks.sources.source import SOURCES, PageError, Source, SourceKind, attempt
from stacks.text import find_snippets, find_title, first_paragraph, plain, split_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stacks.sources.markdown_profiles import SwiftProposal

__all__ = ["MarkdownSource"]

_RENAMED = re.compile(r"\s*This (?:document|proposal|page) (?:was|has been) (?:renamed|moved)")
_DEPRECATION = re.compile(r"^[ \t]*@DeprecationSummary\b", re.MULTILINE)
_NAVIGATION = re.compile(
    r"^[ \t]*(?:\[(?:Next|Previous)\]\([^()\n]{0,300}\)[ \t]*)+$"
    r"|^[ \t]*Copyright .{0,200}All Rights Reserved.*$",
    re.MULTILINE,
)
"""The links between the chapters of an archived guide, and its footer."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 5
_FACTS = {
    "date": ("date",),
    "authors": ("author", "authors"),
    "category": ("category", "categories"),
    "tags": ("tags", "keywords"),
    "status": ("status",),
    "version": ("version",),
}
"""The facts that are kept with a page, and the fields of front matter they come from."""


class MarkdownSource(Source):
    """A folder or an archive of Markdown files, read as one corpus."""

    def __init__(self, location: str, profile: MarkdownProfile) -> None:
        self.location = location
        self.profile = profile
        self.folder = get_corpus_name(location)
        # Publishers' pages have addresses of their own; others are named after their folder.
        self.corpus = "" if profile.module else self.folder

    def pages(self) -> Iterator[Page | PageError]:
        """Yield every Markdown file that is a document; two never have the same address."""
        owners: dict[str, str] = {}
        is_any = False
        for page in self._read_whole_pages():
            is_any = True
            if isinstance(page, PageError):
                yield page
            elif self.profile.is_document(page.key):
                yield attempt(page.key, partial(self._check_address, page, owners))
        for page in find_json_pages(self.location) if self._has_json() else ():
            is_any = True
            yield page
        if not is_any:
            raise SourceError(
                f"{self.location} holds no Markdown: no file ends in {', '.join(MARKDOWN_SUFFIXES)}"
            )

    def _has_json(self) -> bool:
        """Whether JSON is looked at: a publisher's pages may come from a crawler."""
        is_single = self.location.lower().endswith(MARKDOWN_SUFFIXES)
        return bool(self.profile.module) and not is_single

    def _check_address(self, page: Page, owners: dict[str, str]) -> Page | PageError:
        """Refuse a page whose address another one has."""
        address = self.profile.address(page)
        owner = owners.setdefault(address, page.key)
        same = f"{page.key} has the same address as {owner} ({address}); rename one of them"
        return page if owner == page.key else PageError(same)

    def _read_whole_pages(self) -> Iterator[Page | PageError]:
        """Read the files; those of a site with their parts inserted."""
        if self.profile.is_archive:
            yield from self._read_chapters()
            return
        if not self.profile.is_template:
            yield from read_files(self.location, suffixes=MARKDOWN_SUFFIXES)
            return
        parts = IncludedParts()
        for page in read_files(self.location, suffixes=MARKDOWN_SUFFIXES):
            if isinstance(page, Page) and is_part(page.key):
                failed = attempt(page.key, partial(parts.add, page))
                yield from [failed] if failed else []
        for page in read_files(self.location, suffixes=MARKDOWN_SUFFIXES):
            if isinstance(page, PageError):
                yield page
            elif not is_part(page.key):
                yield attempt(page.key, partial(parts.fill, page))
        yield from parts.list_unused()

    def _read_chapters(self) -> Iterator[Page | PageError]:
        """Read the chapters of guides, each with the title of its guide."""
        books = GuideBooks(self.location) if self._has_json() else None
        for page in read_files(self.location, suffixes=MARKDOWN_SUFFIXES):
            if books is None or isinstance(page, PageError):
                yield page
            else:
                yield attempt(page.key, partial(books.fill, page))

    def count(self) -> int | None:
        """Count the Markdown files of a folder."""
        return count_files(self.location, suffixes=MARKDOWN_SUFFIXES)

    def read(self, page: Page) -> Iterable[Document]:
        """Make the document of a page; one that only redirects has none."""
        if page.key.lower().endswith(".json"):
            return [read_json_page(page, self.profile)]
        if is_binary(page.data):
            raise PageError("is not text: it holds NUL bytes")
        text = decode_text(page.data)
        if not text.strip():
            raise PageError("is empty")
        front = split_front_matter(text)
        if front.get("redirect_to") or front.get("published") == "false":
            return []
        if _RENAMED.match(front.body) and len(front.body) < 1000:
            return []
        return [self._make_document(page, front)]

    def _make_document(self, page: Page, front: FrontMatter) -> Document:
        """Make a document of the fields and the text of a page."""
        proposal = read_proposal(front.body)
        body = proposal.body if proposal else front.body
        is_template = self.profile.is_template or bool(front.get("layout"))
        content = clean_markdown(body, is_template=is_template)
        if self.profile.is_archive:
            content = _NAVIGATION.sub("", content)
        if not _says_something(content, is_template=self.profile.is_template):
            raise PageError("has no text except its template")
        names = self._name_page(page.key, front, content, proposal)
        module = front.get("module", "book") or self.profile.module or self.folder
        own_framework = self.profile.name if self.profile.module else self.folder
        summary = find_summary(content) if proposal else first_paragraph(content)
        return Document(
            uri=self._make_uri(page),
            title=names.title,
            content=_head(names, content, proposal),
            framework=make_slug(front.get("framework") or own_framework),
            module=module,
            language=front.get("language").lower() or self.profile.language,
            kind=front.get("kind").lower() or ("proposal" if proposal else "article"),
            summary=front.get("description", "summary", "abstract") or summary,
            names=names.others,
            swift_version=proposal.swift_version if proposal else "",
            is_deprecated=_is_deprecated(front, proposal),
            snippets=find_snippets(content),
            facts=_find_facts(front, proposal),
        )

    def _make_uri(self, page: Page) -> str:
        """Join scheme and address, with the name of a folder that is not a publisher's."""
        address = self.profile.address(page)
        if not self.profile.module:
            address = f"{quote_segment(self.folder)}/{address}"
        return f"{self.profile.name}://{address}"

    def _name_page(
        self, key: str, front: FrontMatter, content: str, proposal: SwiftProposal | None
    ) -> _Names:
        """Find the title and the other names of a page."""
        stated = front.get("title") or find_title(content)
        title = stated or _title_from_path(key, self.folder)
        aliases = front.fields.get("aliases", ())
        if proposal is None:
            return _Names(title, title, aliases)
        is_numbered = title.startswith(proposal.number)
        numbered = title if is_numbered else f"{proposal.number}: {title}"
        return _Names(numbered, title, (proposal.number, title, *proposal.flags, *aliases))


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of a page: our title, the stated title, and others."""

    title: str
    stated: str
    others: tuple[str, ...]


def _title_from_path(key: str, corpus: str) -> str:
    """Make a title of a file's name, or of its folder's if the file is an index."""
    *folders, name = key.split("/")
    stem = name.rpartition(".")[0].strip("_") or name
    if stem.lower() in {"index", "readme"}:
        stem = folders[-1] if folders else corpus
    return spell_out(stem)


def _head(names: _Names, content: str, proposal: SwiftProposal | None) -> str:
    """Put the title, and the header of a proposal, before the text."""
    text = _without_heading(content, names.stated)
    header = proposal.write_header() if proposal else ""
    return "\n\n".join(part for part in (f"# {names.title}", header, text.strip("\n")) if part)


def _without_heading(content: str, title: str) -> str:
    """Remove the first heading of a page if it repeats the title."""
    first = next(split_blocks(content), None)
    if first is None or first.kind != "heading" or plain(first.text) != title:
        return content
    heading, _, rest = content.lstrip("\n").partition("\n")
    if heading.lstrip().startswith("#"):
        return rest
    return rest.partition("\n")[2]  # the line that underlines the heading


def _says_something(content: str, *, is_template: bool) -> bool:
    """Return whether a page has text; a template without data leaves only a few words."""
    if not is_template:
        return bool(content.strip())
    words = 0
    for block in split_blocks(content):
        words += len(_WORD.findall(block.text)) if block.kind != "heading" else 0
        if words >= _FEWEST_WORDS:
            return True
    return False


def _is_deprecated(front: FrontMatter, proposal: SwiftProposal | None) -> bool:
    """Return whether a page declares itself, or its subject, deprecated."""
    if proposal is not None and proposal.is_obsolete:
        return True
    is_declared = front.get("deprecated").lower() not in {"", "false", "no"}
    is_status = front.get("status").lower() in {"deprecated", "withdrawn", "obsolete"}
    return is_declared or is_status or bool(_DEPRECATION.search(front.body))


def _find_facts(front: FrontMatter, proposal: SwiftProposal | None) -> dict[str, str]:
    """Collect the facts of a page; a proposal's header overrides front matter."""
    facts = {name: front.get(*fields) for name, fields in _FACTS.items()}
    facts |= dict(proposal.facts) if proposal else {}
    return {name: value for name, value in facts.items() if value}


def _register(profile: MarkdownProfile) -> None:
    """Register a profile as a source."""
    SOURCES.register(
        profile.name,
        SourceKind(
            name=profile.name,
            description=profile.description,
            example=f"{profile.name}=corpora/{profile.name}",
            open=partial(MarkdownSource, profile=profile),
            database="search",
            weight=profile.weight,
            prefers_symbols=profile.prefers_symbols,
            is_archive=profile.is_archive,
        ),
    )


for _profile in MARKDOWN_PROFILES:
    _register(_profile)
