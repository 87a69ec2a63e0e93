"""Suggested queries: those that people ask and no suite has yet, for review by hand.

Nothing is added to a suite. The written file has no expectations, no id and no class, and cannot
be loaded before a person has looked at every query.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import CranfieldError, InputError
from cranfield.suggest.personal_data import find_personal
from cranfield.suggest.query_logs import read_log
from cranfield.suites import KnownTexts, fold_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cranfield.model import Query
    from cranfield.suggest.query_logs import LogEntry
    from cranfield.suites import FoldedText

__all__ = [
    "Suggestion",
    "Suggestions",
    "describe_suggestions",
    "guess_class",
    "render_suggestions",
    "suggest_queries",
]

_LONGEST_CATEGORY = 40
_MOST_COMPARED = 20_000  # texts, the most frequent ones

_ACRONYM = re.compile(r"[A-Z][A-Z0-9]{1,6}")
_FILE = re.compile(
    r"\S*[/\\]\S*|\S+\.(?:csv|docx?|jpe?g|json|key|md|mp[34]|numbers|pages|pdf|png|pptx?|txt|"
    r"xlsx?|ya?ml|zip)",
    re.I,
)
_NAME = re.compile(r"[@#_]?[^\W\d]\w*(?:(?:\.|::)\w+)*(?:\([\w:, ]*\))?")
_MARK_OF_NAME = re.compile(r".[A-Z]|\w\.\w|[_(@#]|::|\d")
_QUESTION_WORD = re.compile(
    r"(?:how|what|why|when|where|who|which|can|does|is|are|should|"
    r"c[oó]mo|qu[eé]|por qu[eé]|cu[aá]ndo|d[oó]nde|qui[eé]n|"
    r"wie|was|warum|wann|wo|wer|comment|pourquoi|quand|क्या|क्यों|कैसे|कब|कहाँ|कौन)\s",
    re.I,
)
_FEWEST_WORDS_OF_PROSE = 4


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A query that might be added.

    `helpful` is the share of answers that helped, None if the log does not say. `score` is how many
    answers did not help: count × (1 − helpful). `guessed` says that the category is a class guessed
    from the text.
    """

    text: str
    category: str
    guessed: bool
    count: int
    helpful: float | None
    score: float


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The suggestions of a log, and counts of everything else in it.

    `different` counts distinct texts, `known` those of them that a suite already has, `personal`
    those that were dropped, by reason.
    """

    queries: tuple[Suggestion, ...]
    lines: int
    unreadable: int
    different: int
    known: int
    personal: dict[str, int]


@dataclass(slots=True)
class _Tally:
    """What the log says about one text so far."""

    text: str
    count: int = 0
    rated: int = 0
    helpful: float = 0.0
    category: str = ""

    def add(self, entry: LogEntry) -> None:
        self.count += entry.times
        if entry.helpful is not None:
            self.rated += entry.times
            self.helpful += entry.helpful
        self.category = self.category or entry.category

    @property
    def share(self) -> float | None:
        return self.helpful / self.rated if self.rated else None

    def score(self, usual: float) -> float:
        share = usual if self.share is None else self.share
        return self.count * (1.0 - share)

    def join(self, other: _Tally) -> None:
        self.count += other.count
        self.rated += other.rated
        self.helpful += other.helpful
        self.category = self.category or other.category


class _Log(NamedTuple):
    """A log added up."""

    texts: list[_Tally]
    lines: int
    unreadable: int


def suggest_queries(
    path: Path,
    known: Iterable[Query],
    limit: int = 30,
    columns: Mapping[str, str] | None = None,
) -> Suggestions:
    """Suggest queries of a log that are not known yet, those that fail most often first.

    `columns` names the columns of the log whose names do not say what they are.

    A text without feedback is assumed to help as often as the others do. The categories take
    turns, so a rare kind of query is not crowded out by a frequent one.
    """
    if limit < 1:
        raise CranfieldError(f"the limit is {limit}; suggest at least one query")
    log = _tally(path, columns or {})
    reasons = [find_personal(each.text) for each in log.texts]
    kept = [each for each, reason in zip(log.texts, reasons, strict=True) if reason is None]
    personal = Counter(reason for reason in reasons if reason is not None)
    asked = KnownTexts()
    for query in known:
        # The log does not say which language a query is in.
        for language in {query.language, ""}:
            asked.add(query.id, fold_text(query.text, language))
    merged = _merge(kept)
    new = [(folded, each) for folded, each in merged if asked.find(folded) is None]
    return Suggestions(
        tuple(_choose(new, limit)),
        log.lines,
        log.unreadable,
        len(merged),
        len(merged) - len(new),
        dict(sorted(personal.items())),
    )


def _tally(path: Path, columns: Mapping[str, str]) -> _Log:
    """Add up the lines of a log by their texts."""
    texts: dict[str, _Tally] = {}
    lines = unreadable = 0
    for entry in read_log(path, columns):
        lines += 1
        if entry is None:
            unreadable += 1
            continue
        found = texts.get(entry.text)
        if found is None:
            found = texts[entry.text] = _Tally(entry.text)
        found.add(entry)
    if not texts:
        raise InputError(
            f"has no line that could be read, of {lines}; a line is "
            '{"query": "…", "count": 12, "helpful": 3}, or CSV with such a first line',
            file=str(path),
        )
    return _Log(list(texts.values()), lines, unreadable)


def _merge(texts: Sequence[_Tally]) -> list[tuple[FoldedText, _Tally]]:
    """Add up similar texts, under the most frequent spelling.

    Texts of the same words are merged always; keywords in another order and similar long texts
    only among the most frequent ones.
    """
    ordered = sorted(texts, key=lambda each: (-each.count, each.text))
    merged: dict[tuple[str, ...], tuple[FoldedText, _Tally]] = {}
    for each in ordered:
        folded = fold_text(each.text)
        earlier = merged.get(folded.words)
        if earlier is None:
            merged[folded.words] = (folded, replace(each))
            continue
        earlier[1].join(each)
        if folded.in_any_order:
            merged[folded.words] = (folded, earlier[1])
    ranked = sorted(merged.values(), key=lambda pair: -pair[1].count)
    return _merge_similar(ranked[:_MOST_COMPARED]) + ranked[_MOST_COMPARED:]


def _merge_similar(ranked: Sequence[tuple[FoldedText, _Tally]]) -> list[tuple[FoldedText, _Tally]]:
    known = KnownTexts()
    merged: dict[str, tuple[FoldedText, _Tally]] = {}
    for folded, each in ranked:
        earlier = known.find(folded)
        if earlier is None:
            known.add(each.text, folded)
            merged[each.text] = (folded, replace(each))
        else:
            merged[earlier][1].join(each)
    return list(merged.values())


def _choose(texts: Sequence[tuple[FoldedText, _Tally]], limit: int) -> Iterator[Suggestion]:
    """Take from each category in turn, the category that fails most first."""
    rated = sum(each.rated for _, each in texts)
    usual = sum(each.helpful for _, each in texts) / rated if rated else 0.0
    scored = [(each.score(usual), folded, each) for folded, each in texts]
    scored.sort(key=lambda found: (-found[0], -found[2].count, found[2].text))
    categories: dict[str, list[tuple[FoldedText, Suggestion]]] = {}
    # A text that fails less often than so many others need not be considered.
    for score, folded, each in scored[: max(_MOST_COMPARED, limit)]:
        suggestion = _suggestion(each, score)
        categories.setdefault(suggestion.category, []).append((folded, suggestion))
    chosen = KnownTexts()
    taken = 0
    for turn in zip_longest(*categories.values()):
        for folded, suggestion in filter(None, turn):
            if taken < limit and chosen.find(folded) is None:
                chosen.add(suggestion.text, folded)
                taken += 1
                yield suggestion
        if taken >= limit:
            return


def _suggestion(each: _Tally, score: float) -> Suggestion:
    given = each.category[:_LONGEST_CATEGORY] if not find_personal(each.category) else ""
    return Suggestion(
        text=each.text,
        category=given or guess_class(each.text),
        guessed=not given,
        count=each.count,
        helpful=each.share,
        score=score,
    )


def guess_class(text: str) -> str:
    """Guess the class of a query from its text; canonical if nothing fits."""
    return next((name for name, fits in _CLASS_GUESSES if fits(text)), "canonical")


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and _MARK_OF_NAME.search(text) is not None


def _is_question(text: str) -> bool:
    is_long = len(text.split()) >= _FEWEST_WORDS_OF_PROSE
    return is_long or text.endswith(("?", "？", "؟")) or _QUESTION_WORD.match(text) is not None


_CLASS_GUESSES: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("acronym", lambda text: _ACRONYM.fullmatch(text) is not None),
    ("files", lambda text: _FILE.fullmatch(text) is not None),
    ("canonical", _is_name),
    ("prose", _is_question),
)


def render_suggestions(found: Suggestions) -> str:
    """Render the suggestions as tables to be completed; not a suite until that is done."""
    head = (
        "# Suggested queries, for review: none is part of a suite yet.\n"
        "# Keep the good ones, say what each expects, give it an id of its own, and move it into\n"
        "# the suite of its class. This file has no id and no class, and cannot be run.\n"
    )
    summary = "".join(f"# {line}\n" for line in describe_suggestions(found))
    tables = (_table(place, each) for place, each in enumerate(found.queries, start=1))
    return head + summary + "".join(tables)


def describe_suggestions(found: Suggestions) -> list[str]:
    """Describe in a few lines how the log was used."""
    counts = (
        f"{found.lines} lines, {found.unreadable} of them not readable; {found.different} "
        f"different queries, {found.known} of them asked already; {len(found.queries)} suggested"
    )
    lines = [counts if found.lines else "the log has no line: nothing to suggest"]
    if found.personal:
        reasons = ", ".join(f"{count} with {what}" for what, count in found.personal.items())
        lines.append(f"dropped as personal: {reasons}")
    return lines


def _table(place: int, each: Suggestion) -> str:
    notes = f"asked {each.count} times"
    if each.count == 1:
        notes = "asked once"
    if each.helpful is not None:
        notes += f", {each.helpful:.0%} helpful"
    if each.guessed:
        notes += f"; {each.category} is guessed from its form"
    return (
        f'\n[[query]]\nid = "new-{place:03}"\ntext = {_quote(each.text)}\n'
        f"category = {_quote(each.category)}\nnotes = {_quote(notes)}\n"
        "# expect.… = …\n"
    )


def _quote(text: str) -> str:
    """Render a basic TOML string, which is a JSON string except for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
