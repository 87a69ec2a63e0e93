"""The frameworks of an index: their names and short forms, and what their pages add to others.

A member of a framework seldom says what the framework is for: `copy2` does not speak of high-level
operations on files, the page of `shutil` does. So a question in words that finds the page of a
framework is a little more likely to be answered by what lies below it, by words and by meaning.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from stacks.query.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from stacks.query.database import Database

__all__ = ["Aliases", "Framework", "add_framework_scores", "find_roots"]

_LONGEST_ALIAS = 3
"""How many words a short form has at most."""

_ROOTS = """
SELECT m.id, root.id FROM json_each(?) AS wanted
JOIN docs_metadata AS m ON m.id = wanted.value
JOIN docs_metadata AS root ON root.uri = m.source || '://' || m.framework AND root.id <> m.id
"""


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


def find_roots(database: Database, numbers: Iterable[int]) -> dict[int, int]:
    """Find the page of the framework that each document lies in, if there is one."""
    return dict(database.rows(_ROOTS, (json.dumps(list(numbers)),)))


def add_framework_scores(scores: Mapping[int, float], roots: Mapping[int, int]) -> dict[int, float]:
    """Return what the page of its framework adds to each document, if that is found as well."""
    share = WEIGHTS["framework"].value
    return {number: share * scores[root] for number, root in roots.items() if root in scores}
