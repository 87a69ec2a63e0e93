"""Short forms and everyday names, as an index's table of frameworks knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stacks.query.database import Database

__all__ = ["Aliases", "Framework"]

LONGEST_ALIAS = 3
"""In words."""


class Framework(NamedTuple):
    """A framework under its slug, its import name and its written name."""

    slug: str
    import_name: str
    display_name: str
    synonyms: tuple[str, ...]


class Aliases:
    """Finds the framework that a person means."""

    def __init__(self, databases: Iterable[Database]) -> None:
        self.frameworks: dict[str, Framework] = {}
        self._by_name: dict[str, str] = {}
        self._by_synonym: dict[str, str] = {}
        for database in databases:
            for slug, import_name, display, synonyms in database.rows(
                "SELECT framework, import_name, display_name, synonyms FROM framework_aliases"
            ):
                known = tuple(each for each in synonyms.split(", ") if each)
                self.frameworks[slug] = Framework(slug, import_name, display, known)
                for name in (slug, import_name, display):
                    self._by_name.setdefault(name.casefold(), slug)
                for name in known:
                    self._by_synonym.setdefault(name.casefold(), slug)

    def resolve(self, name: str) -> str:
        """Turn any name of a framework into its slug; a name nobody knows stays as it is."""
        folded = " ".join(name.casefold().split())
        if not folded:
            return ""
        return self._by_name.get(folded) or self._by_synonym.get(folded) or folded

    def find_slug(self, name: str) -> str:
        """Return the slug of a framework by any of its names; nothing where it is none."""
        slug = self.resolve(name)
        return slug if slug in self.frameworks else ""

    def expand(self, words: tuple[str, ...]) -> dict[str, Framework]:
        """Find the short forms among the words of a query, and what they stand for."""
        folded = [word.casefold() for word in words]
        found: dict[str, Framework] = {}
        for length in range(1, LONGEST_ALIAS + 1):
            for start in range(len(folded) - length + 1):
                name = " ".join(folded[start : start + length])
                slug = self._by_synonym.get(name)
                if slug and slug not in folded:
                    found[name] = self.frameworks[slug]
        return found
