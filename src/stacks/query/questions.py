"""A query with all that is known about it before any document is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stacks.query.blending import Blend
from stacks.query.filters import Condition
from stacks.query.lexical import Expression
from stacks.query.parsing import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.guidance import Expansion
    from stacks.query.aliases import Framework
    from stacks.query.declarations import Declarations
    from stacks.query.parsing import UserQuery

__all__ = ["Question", "make_expression", "make_terms", "quote_phrase", "write_word"]


def write_word(word: str) -> str:
    """Write a word as the FTS5 string that finds it."""
    return quote((word,))


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how.

    - `expansions` are frameworks that words of the query stand for, `bridged` are words of the
      corpus that it is asked with too.
    - `depth` is how many documents of each source are ranked; `enough` how many must be found
      before parts of names are not tried.
    - `language` is the one that was asked for, if any.
    - `write` makes an FTS5 string of a word: its other forms may be found by its beginning.
    - `by_words` and `by_meaning` say what is looked for; names are looked for in any case.
    - `declarations` are what pages are to declare, where the query says so.
    - `without` are parts of the engine that have no say.
    """

    query: UserQuery
    condition: Condition = field(default_factory=lambda: Condition(""))
    expansions: Mapping[str, Framework] = field(default_factory=dict)
    bridged: tuple[Expansion, ...] = ()
    depth: int = 100
    enough: int = 10
    by_words: bool = True
    by_meaning: bool = False
    by_names_alone: bool = False
    language: str = ""
    write: Callable[[str], str] = write_word
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
    """Write a phrase of the corpus's own as the FTS5 string that finds it."""
    return quote(tuple(phrase.split()))


def make_terms(question: Question) -> tuple[str, ...]:
    """Write what counts in a query as FTS5 strings, what must occur first.

    A compound term counts as a whole and by its words; the slug of a framework counts where
    frameworks are named.
    """
    terms = dict.fromkeys(quote(phrase) for phrase in question.query.phrases)
    for term in question.query.terms:
        terms[quote(term) if len(term) > 1 else question.write(term[0])] = None
        terms.update({question.write(word): None for word in term if len(word) > 1})
    for framework in question.expansions.values():
        terms[f"({{uri framework title}} : {quote((framework.slug,))})"] = None
    return tuple(terms)


def make_expression(question: Question) -> Expression:
    """Write a query as what must occur, what must not, and what counts."""
    query = question.query
    required = tuple(dict.fromkeys(quote(phrase) for phrase in query.phrases))
    excluded = tuple(quote(phrase) for phrase in query.excluded)
    return Expression(make_terms(question)[len(required) :], required, excluded)
