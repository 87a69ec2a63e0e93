"""Checks of a suite's queries: balance, duplicates, slow patterns, and what stored runs show."""

from __future__ import annotations

from collections import Counter
from math import isfinite
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, ExpectationError, PatternTimeoutError
from cranfield.formats import count_queries
from cranfield.relevance import TimedPattern, read_expectation, without_system
from cranfield.suites.requirements import patterns_in
from cranfield.suites.similar_names import KnownTexts, fold_text
from cranfield.suites.suite_source import hash_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cranfield.model import Query, Suite
    from cranfield.suites.suite_source import Finding, SuiteSource

__all__ = [
    "always_passed",
    "deprecated_queries",
    "impossible_queries",
    "near_duplicates",
    "never_passed",
    "repeated_texts",
    "slow_patterns",
    "unbalanced_categories",
]

_OFF_BY = 0.25  # of a declared share
_SUM_TOLERANCE = 0.005
_FEWEST_RUNS = 3
_FEWEST_SYSTEMS = 2
_SHOWN = 5
_MOST_SEARCHED = 50


def unbalanced_categories(
    source: SuiteSource, proportions: Mapping[str, float]
) -> Iterator[Finding]:
    """Find categories that have more or fewer queries than the suite declares.

    A category may be off by a quarter of its share, and always by one query. Shares sum to 1. A
    suite without proportions is not checked.
    """
    if not proportions:
        return
    wrong = [name for name, share in proportions.items() if not _is_share(share)]
    for name in wrong:
        yield source.error(
            f"proportions: {name} has the share {proportions[name]!r}; write a number from 0 to 1"
        )
    if wrong:
        return
    total = sum(proportions.values())
    if abs(total - 1) > _SUM_TOLERANCE:
        yield source.error(f"proportions: the shares sum to {total:g}; they have to sum to 1")
        return
    asked = source.suite.asked
    counts = Counter(query.category for query in asked)
    for name, share in proportions.items():
        expected = share * len(asked)
        if abs(counts[name] - expected) > max(1.0, _OFF_BY * expected):
            verb = "too few" if counts[name] < expected else "too many"
            yield source.warning(
                f"category {name!r} has {counts[name]} of {len(asked)} queries, {verb}: its share "
                f"of {share:g} would be {expected:.0f}"
            )
    for name in (name for name in counts if name not in proportions):
        of = f"of the category {name!r}, for which" if name else "without a category, for which"
        yield source.warning(
            f"{count_queries(counts[name])} {of} no share is declared; add it to the proportions"
        )


def near_duplicates(source: SuiteSource) -> Iterator[Finding]:
    """Find queries with nearly the same words as another.

    Only queries of one language with the same filters can be duplicates. Equal texts are found by
    `repeated_texts`.
    """
    known: dict[tuple[str, str], KnownTexts] = {}
    texts = {query.id: " ".join(query.text.split()) for query in source.suite.queries}
    for place, query in enumerate(source.suite.queries):
        if query.deprecated or not texts[query.id]:
            continue
        group = known.setdefault((query.language, repr(query.filters)), KnownTexts())
        folded = fold_text(query.text, query.language)
        earlier = group.find(folded)
        if earlier is None:
            group.add(query.id, folded)
        elif texts[earlier] != texts[query.id]:
            yield source.note(
                f"query {query.id!r} asks nearly the same as {earlier!r} ({texts[earlier]!r}): "
                "what both ask counts twice",
                place,
            )


def slow_patterns(source: SuiteSource) -> Iterator[Finding]:
    """Find patterns that reach the time limit on a text of the suite.

    Each pattern is tried on the text of its own query and on the longest texts and ids of the
    suite. A second search confirms the first: a machine may stall for a moment.
    """
    longest = _longest_texts(source.suite)
    known: dict[str, str] = {}
    for place, query in enumerate(source.suite.queries):
        if query.deprecated:
            continue
        for rule, value in query.expect.items():
            for pattern in patterns_in(rule, value):
                if pattern not in known:
                    known[pattern] = _search_slowly(pattern, longest)
                problem = known[pattern] or _search_slowly(pattern, [query.text])
                if problem:
                    yield source.error(f"query {query.id!r}: {rule}: {problem}", place)


def _longest_texts(suite: Suite) -> list[str]:
    ids = (str(each) for query in suite.asked for each in _names_in(query.expect.get("ids")))
    texts = {*(query.text for query in suite.asked), *ids}
    return sorted(texts, key=lambda text: (-len(text), text))[:_MOST_SEARCHED]


def _names_in(ids: object) -> list[object]:
    """Return the ids of an expectation as they are written; a table has them as keys."""
    listed = list(ids) if isinstance(ids, list | dict) else [ids]
    return [each.get("id") if isinstance(each, dict) else each for each in listed if each]


def _search_slowly(pattern: str, texts: Sequence[str]) -> str:
    """Return what is wrong with a pattern that times out on one of the texts, or nothing."""
    try:
        compiled = TimedPattern(pattern)
    except ExpectationError:
        return ""  # reported with the other expectations that cannot be read
    for text in texts:
        try:
            compiled.is_in(text)
        except PatternTimeoutError:
            try:
                compiled.is_in(text)
            except PatternTimeoutError as problem:
                return str(problem)
    return ""


def repeated_texts(source: SuiteSource) -> Iterator[Finding]:
    """Find texts that occur twice; two expectations of one query cannot both hold."""
    first: dict[tuple[str, str, str], Query] = {}
    for place, query in enumerate(source.suite.queries):
        if query.deprecated or not query.text.strip():
            continue
        key = (" ".join(query.text.split()), query.language, repr(query.filters))
        earlier = first.setdefault(key, query)
        if earlier is query:
            continue
        if earlier.expect == query.expect:
            yield source.note(f"query {query.id!r} asks the same as {earlier.id!r}", place)
        else:
            yield source.warning(
                f"query {query.id!r} asks the same as {earlier.id!r} and expects something else; "
                "put both expectations into one query, or say what tells the two apart",
                place,
            )


def impossible_queries(source: SuiteSource) -> Iterator[Finding]:
    """Find queries that no answer can satisfy, because all their targets are graded as wrong."""
    for place, query in enumerate(source.suite.queries):
        if query.deprecated:
            continue
        try:
            targets = read_expectation(without_system(query)).targets
        except CranfieldError:
            continue  # already reported as an error
        if targets and all(target.grade <= 0 for target in targets):
            yield source.warning(
                f"query {query.id!r} names only what is wrong, so no answer can be right; "
                "grade what is right with 1 or more",
                place,
            )


def deprecated_queries(source: SuiteSource) -> Iterator[Finding]:
    """List the deprecated queries, which are never run."""
    for place, query in enumerate(source.suite.queries):
        if query.deprecated:
            yield source.note(f"query {query.id!r} is deprecated and never run", place)


def always_passed(
    source: SuiteSource, passes: Mapping[str, Sequence[bool]], *, systems: int
) -> Iterator[Finding]:
    """Find the queries that every stored run got fully right: they distinguish no builds.

    `passes` has one entry a run for each query, by its hash; `systems` is how many different
    systems these runs were of. Nothing is reported before 3 runs of 2 systems.
    """
    easy = [
        query_id for _, query_id, passed in _seen_enough(source, passes, systems) if all(passed)
    ]
    if easy:
        total = len(source.suite.asked)
        shown = ", ".join(easy[:_SHOWN]) + (" …" if len(easy) > _SHOWN else "")
        yield source.note(
            f"{len(easy)} of {count_queries(total)} are right in every stored run of {systems} "
            f"systems and distinguish no builds: {shown}; keep them as guards, and add harder ones"
        )


def never_passed(
    source: SuiteSource, passes: Mapping[str, Sequence[bool]], *, systems: int
) -> Iterator[Finding]:
    """Find the queries that no stored run got right: what they expect may be wrong.

    The arguments are those of `always_passed`.
    """
    for place, query_id, passed in _seen_enough(source, passes, systems):
        if not any(passed):
            yield source.warning(
                f"query {query_id!r} is right in none of {len(passed)} stored runs of {systems} "
                "systems; see whether what it expects exists",
                place,
            )


def _seen_enough(
    source: SuiteSource, passes: Mapping[str, Sequence[bool]], systems: int
) -> Iterator[tuple[int, str, Sequence[bool]]]:
    """Yield position, id and outcomes of the queries that enough runs had in their present form."""
    if systems < _FEWEST_SYSTEMS:
        return
    for place, query in enumerate(source.suite.queries):
        passed = () if query.deprecated else passes.get(hash_query(query), ())
        if len(passed) >= _FEWEST_RUNS:
            yield place, query.id, passed


def _is_share(share: object) -> bool:
    if not isinstance(share, int | float) or isinstance(share, bool):
        return False
    return isfinite(share) and 0 <= share <= 1
