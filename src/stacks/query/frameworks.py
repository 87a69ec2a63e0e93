"""The frameworks of an index: their names, and the short forms that stand for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stacks.storage import Database

__all__ = ["Aliases", "Framework"]

_LONGEST_ALIAS = 3
"""How many words a short form has at most."""


class Framework(NamedTuple):
    """A framework under its slug, its import name and its written name."""

    slug: str
    import_name: str
    display_name: str
    synonyms: tuple[str, ...]


class Aliases:
    """Finds the framework that a name or a short form stands for."""

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
        """Return the slug of a framework by any of its names; an unknown name stays as it is."""
        folded = " ".join(name.casefold().split())
        if not folded:
            return ""
        return self._by_name.get(folded) or self._by_synonym.get(folded) or folded

    def find_slug(self, name: str) -> str:
        """Return the slug of a framework by any of its names; empty if there is none."""
        slug = self.resolve(name)
        return slug if slug in self.frameworks else ""

    def find_full_name(self, name: str) -> str:
        """Return the slug of a framework by a name of its own, no short form; empty if none."""
        return self._by_name.get(" ".join(name.casefold().split()), "")

    def expand(self, words: tuple[str, ...]) -> dict[str, Framework]:
        """Find the short forms among the words of a query, and the frameworks they stand for."""
        folded = [word.casefold() for word in words]
        found: dict[str, Framework] = {}
        for length in range(1, _LONGEST_ALIAS + 1):
            for start in range(len(folded) - length + 1):
                name = " ".join(folded[start : start + length])
                slug = self._by_synonym.get(name)
                if slug and slug not in folded:
                    found[name] = self.frameworks[slug]
        return found
