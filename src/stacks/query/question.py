"""What is asked: the options of a search, and a query with all that is known before it is run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import QueryError
from stacks.query.filters import Condition, Filters
from stacks.query.fusion import Blend, Fusion
from stacks.query.lexical import Expression
from stacks.query.query_parser import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from stacks.guidance import Expansion
    from stacks.query.declaration_queries import Declarations
    from stacks.query.query_parser import ParsedQuery
    from stacks.storage import Database

__all__ = [
    "MODES",
    "PARTS",
    "Aliases",
    "Framework",
    "Question",
    "SearchOptions",
    "make_expression",
    "make_terms",
    "quote_phrase",
    "write_expansion",
]

MODES = ("smart", "fts5", "semantic", "both", "plain")
"""What documents are found by.

- `fts5` is words and names, `semantic` meaning and names, `both` all three;
- `smart` is `both` if an index has vectors, else `fts5`;
- `plain` is BM25F over the words and nothing else.
"""

PARTS: Mapping[str, str] = {
    "names": "titles do not count, and no name is looked for",
    "components": "parts of identifiers are not found",
    "aliases": "short forms of frameworks are words like any other",
    "age": "deprecated and Objective-C pages count like current ones",
    "declarations": "what a query says of declarations is words like any other",
    "authority": "all sources weigh the same",
    "meaning": "vectors are not looked at",
    "routing": "every query is searched for, in every source",
    "vocabulary": "people's words are not taken for the corpus's words, nor synonyms looked for",
}
"""Parts of the engine that a search can leave out, to see what each earns; and what changes."""

_PARTS_OF_MODE: Mapping[str, frozenset[str]] = {
    "plain": frozenset({"routing"}),
    "fts5": frozenset(PARTS) - {"meaning"},
}
"""The parts that a mode uses, if not all."""


_LONGEST_ALIAS = 3
"""How many words a short form has at most."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search.

    `reranker` is a model that scores the first hits again, by reading them; `without` are parts of
    the engine to leave out (`PARTS`).
    """

    limit: int = 10
    filters: Filters = field(default_factory=Filters)
    fusion: Fusion = field(default_factory=Fusion)
    mode: str = "smart"
    reranker: str = ""
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise QueryError(f"a search needs a limit of at least 1, not {self.limit}")
        if self.mode not in MODES:
            raise QueryError(f"there is no mode {self.mode!r}; modes are {', '.join(MODES)}")
        for name in self.without:
            if name not in PARTS:
                raise QueryError(
                    f"a search cannot do without {name!r}; it can do without {', '.join(PARTS)}"
                )
        self._refuse_ignored()

    def _refuse_ignored(self) -> None:
        """Refuse settings that the mode does not look at."""
        used = _PARTS_OF_MODE.get(self.mode, frozenset(PARTS))
        for name in sorted(self.without - used):
            raise QueryError(f"mode {self.mode} does without {name} anyway; leave it out")
        given = [f"weight {source}={weight:g}" for source, weight in self.fusion.weights.items()]
        given += [] if self.fusion.k is None else [f"rrf_k {self.fusion.k:g}"]
        if self.mode == "plain" and given:
            raise QueryError(
                f"mode plain fuses nothing, so {' and '.join(given)} would have no effect; leave "
                "it out, or choose another mode"
            )


@dataclass(frozen=True, slots=True)
class Question:
    """A query with how it is to be run.

    - `expansions` are frameworks that words of the query stand for; `bridged` are words of the
      corpus that it is run with as well.
    - `depth` is how many documents of each source are ranked; `enough` is how many must be found
      by whole words, so parts of names are not tried.
    - `language` is the language that was asked for, if any.
    - `write` returns the FTS5 string of a word; it may find other forms of the word by its prefix.
    - `find_framework` returns the slug of a framework by its name or a short form.
    - `by_words` and `by_meaning` say what is looked for; names are looked for in any case.
    - `declarations` says what pages are to declare, if the query describes a declaration.
    - `without` are parts of the engine that are left out.
    """

    query: ParsedQuery
    condition: Condition = field(default_factory=lambda: Condition(""))
    expansions: Mapping[str, Framework] = field(default_factory=dict)
    bridged: tuple[Expansion, ...] = ()
    depth: int = 100
    enough: int = 10
    by_words: bool = True
    by_meaning: bool = False
    by_names_alone: bool = False
    language: str = ""
    write: Callable[[str], str] = lambda word: quote((word,))
    find_framework: Callable[[str], str] = lambda _: ""
    blend: Blend = field(default_factory=Blend)
    declarations: Declarations | None = None
    without: frozenset[str] = frozenset()

    @property
    def is_prose(self) -> bool:
        """Whether something is asked for in words: several of them, and no identifier."""
        return not self.query.identifier and len(self.query.words) > 1

    @property
    def typed(self) -> str:
        """The query as it was typed, without spaces around it."""
        return self.query.text.strip()


def quote_phrase(phrase: str) -> str:
    """Return the FTS5 string that finds a phrase of the vocabulary."""
    return quote(tuple(phrase.split()))


def write_expansion(expansion: Expansion) -> str:
    """Return the FTS5 expression that finds an expansion, without what it counts instead of."""
    phrase = quote_phrase(expansion.phrase)
    return f"{phrase} NOT {quote_phrase(expansion.because)}" if expansion.instead else phrase


def make_terms(question: Question) -> tuple[str, ...]:
    """Return all that adds to a score as FTS5 strings, required ones first.

    A compound term counts as a whole and by its words; the slug of a framework counts in the
    columns that name frameworks.
    """
    terms = dict.fromkeys(quote(phrase) for phrase in question.query.phrases)
    for term in question.query.terms:
        terms[quote(term) if len(term) > 1 else question.write(term[0])] = None
        terms.update({question.write(word): None for word in term if len(word) > 1})
    for framework in question.expansions.values():
        terms[f"({{uri framework title}} : {quote((framework.slug,))})"] = None
    return tuple(terms)


def make_expression(question: Question) -> Expression:
    """Return a query as what must occur, what must not, and what adds to the score."""
    query = question.query
    required = tuple(dict.fromkeys(quote(phrase) for phrase in query.phrases))
    excluded = tuple(quote(phrase) for phrase in query.excluded)
    return Expression(make_terms(question)[len(required) :], required, excluded)


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
