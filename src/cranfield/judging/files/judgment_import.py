"""Judgments from files into the store: all of them or none, each of a known query."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.formats import count_of, count_queries
from cranfield.judging.files.judgment_records import choose_format
from cranfield.judgments import Judgment, JudgmentSource, JudgmentState, JudgmentStore, query_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from cranfield.judging.files.judgment_records import FileEntry, JudgmentFile
    from cranfield.model import Query, Suite
    from cranfield.runs.store import Store

__all__ = [
    "ConflictRule",
    "ImportOptions",
    "ImportedJudgments",
    "JudgmentConflict",
    "KnownQueries",
    "KnownQuery",
    "find_known_queries",
    "import_judgments",
    "read_conflict_rule",
    "read_source",
]

_MOST_SHOWN = 5
_COMPARED = tuple(each.name for each in fields(Judgment) if each.name != "number")


class ConflictRule(StrEnum):
    """What becomes of a grade that contradicts the one that the same rater gave in the store."""

    REFUSE = "refuse"
    KEEP = "keep"
    """The grade in the store stays, and that of the file is left out."""

    REPLACE = "replace"
    """The grade of the file is given now; the earlier one stays in the history."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How a file is read: its format, whose judgments they are, and what may be left out.

    `rater` and `source` are those of judgments that name none. With `skip_unknown`, judgments of
    queries that nothing knows are left out instead of refused.
    """

    format_name: str = ""
    rater: str = ""
    source: JudgmentSource | None = None
    conflicts: ConflictRule = ConflictRule.REFUSE
    skip_unknown: bool = False


class JudgmentConflict(NamedTuple):
    """A judgment of a file, and what the same rater says of the same in the store."""

    in_file: Judgment
    in_store: Judgment

    def __str__(self) -> str:
        said = " and ".join(
            f"{each.state if each.grade is None else each.grade} {place}"
            for each, place in ((self.in_file, "in the file"), (self.in_store, "in the store"))
        )
        asked = self.in_file.query_id or self.in_store.query_id or self.in_file.query
        return f"{self.in_file.rater} on {self.in_file.document!r} for query {asked!r}: {said}"


class ImportedJudgments(NamedTuple):
    """What an import did: judgments added, and those left out with the reason.

    `duplicates` were in the store, or twice in the file; `unknown` counts the judgments of each
    query that nothing knows.
    """

    format_name: str
    added: tuple[Judgment, ...]
    duplicates: int
    conflicts: tuple[JudgmentConflict, ...]
    unknown: dict[str, int]
    preferences: int
    notes: tuple[str, ...]


def read_conflict_rule(name: str) -> ConflictRule:
    """Read `refuse`, `keep` or `replace`."""
    if name not in list(ConflictRule):
        raise UnknownNameError("rule for conflicts", name, list(ConflictRule))
    return ConflictRule(name)


def read_source(name: str | None) -> JudgmentSource | None:
    """Read `people`, `model` or `clicks`; None if nothing is said."""
    if name is None:
        return None
    if name not in list(JudgmentSource):
        raise UnknownNameError("source of judgments", name, list(JudgmentSource))
    return JudgmentSource(name)


def import_judgments(
    path: Path, store: Store, known: KnownQueries, options: ImportOptions | None = None
) -> ImportedJudgments:
    """Add the judgments of a file to a store, all of them or none."""
    options = options or ImportOptions()
    if not path.exists():
        raise InputError("does not exist; check the path", file=str(path))
    chosen = choose_format(path, options.format_name, to_write=False)
    file = chosen.read(path)
    entries, unknown = _resolve(file, known)
    if unknown and not options.skip_unknown:
        raise InputError(_unknown_message(unknown), file=str(path))
    judged = JudgmentStore(store)
    merged = _Merging(judged.judgments())
    for entry in _name(entries, path, options):
        merged.take(entry, path, options.conflicts)
    if merged.conflicts and options.conflicts is ConflictRule.REFUSE:
        raise InputError(_conflict_message(merged.conflicts), file=str(path))
    preferences = [each for each in file.preferences if each not in _stored_preferences(judged)]
    queries = [entry.query for entry in entries if entry.query is not None]
    if merged.added or preferences:
        judged.add(merged.added, [*queries, *file.queries], file.texts, preferences)
    return ImportedJudgments(
        format_name=chosen.name,
        added=tuple(merged.added),
        duplicates=merged.duplicates,
        conflicts=tuple(merged.conflicts),
        unknown=unknown,
        preferences=len(preferences),
        notes=file.notes,
    )


def _stored_preferences(judged: JudgmentStore) -> list[object]:
    return [replace(each, number=None) for each in judged.preferences()]


def _resolve(file: JudgmentFile, known: KnownQueries) -> tuple[list[FileEntry], dict[str, int]]:
    """Find what was asked in each entry; count the judgments of queries that nothing knows."""
    found, unknown = [], dict[str, int]()
    for entry in file.entries:
        query, judgment = entry.query, entry.judgment
        if query is None:
            known_query = known.find(judgment.query_id, judgment.query)
            if known_query is None:
                name = judgment.query_id or judgment.query
                unknown[name] = unknown.get(name, 0) + 1
                continue
            query = known_query.query
            judgment = replace(judgment, suite=judgment.suite or known_query.suite)
        found.append(
            replace(entry, query=query, judgment=replace(judgment, query=query_key(query)))
        )
    return found, unknown


def _name(entries: Sequence[FileEntry], path: Path, options: ImportOptions) -> list[FileEntry]:
    """Give raters and a source to judgments that name none; refuse those that nothing needs."""
    unnamed = [entry for entry in entries if not entry.judgment.rater]
    if unnamed and not options.rater.strip():
        judgments = count_of(len(unnamed), "judgment names", "judgments name")
        raise InputError(
            f"{judgments} no rater; give one with --rater NAME",
            file=str(path),
            line=unnamed[0].line,
        )
    if entries and options.rater and not unnamed:
        raise InputError("names the rater of every judgment; leave --rater out", file=str(path))
    if entries and options.source and all(entry.names_source for entry in entries):
        raise InputError("says whose judgments they are; leave --source out", file=str(path))
    return [
        replace(
            entry,
            judgment=replace(
                entry.judgment,
                rater=entry.judgment.rater or options.rater.strip(),
                source=entry.judgment.source
                if entry.names_source or options.source is None
                else options.source,
            ),
        )
        for entry in entries
    ]


class _Merging:
    """What is added to a store, entry by entry."""

    def __init__(self, stored: Sequence[Judgment]) -> None:
        self.added: list[Judgment] = []
        self.conflicts: list[JudgmentConflict] = []
        self.duplicates = 0
        self._seen = {_signature(each) for each in stored}
        self._stored: dict[tuple[object, ...], Judgment] = {}
        self._read: dict[tuple[object, ...], FileEntry] = {}
        for each in stored:
            for place in _places(each):
                self._stored[place] = each

    def take(self, entry: FileEntry, path: Path, rule: ConflictRule) -> None:
        judgment = entry.judgment
        place = _places(judgment)[0]
        self._refuse_contradiction(entry, path)
        self._read[place] = entry
        stands = self._stored.get(place)
        if _signature(judgment) in self._seen or _says_the_same(judgment, stands):
            self.duplicates += 1
            return
        if stands is not None and not _is_later(judgment.given, stands.given):
            self.conflicts.append(JudgmentConflict(judgment, stands))
            if rule is not ConflictRule.REPLACE:
                return
            judgment = replace(judgment, content=judgment.content or stands.content, given="")
        self._seen.add(_signature(judgment))
        self.added.append(judgment)

    def _refuse_contradiction(self, entry: FileEntry, path: Path) -> None:
        """Refuse two grades of one rater for the same, if no time says which is the later one."""
        earlier = self._read.get(_places(entry.judgment)[0])
        if earlier is None or entry.judgment.given:
            return
        if (earlier.judgment.grade, earlier.judgment.state) != (
            entry.judgment.grade,
            entry.judgment.state,
        ):
            raise InputError(
                f"{entry.judgment.rater} grades {entry.judgment.document!r} twice for the query "
                f"{entry.judgment.query_id!r}, {earlier.judgment.grade} and "
                f"{entry.judgment.grade}; keep one",
                file=str(path),
                line=entry.line,
            )


def _places(judgment: Judgment) -> list[tuple[object, ...]]:
    """Return what a judgment is looked up by: its content, or its document whatever the content."""
    adjudicates = judgment.state is JudgmentState.ADJUDICATED
    who = (judgment.source, judgment.rater, adjudicates, judgment.query)
    by_document = (*who, "document", judgment.document)
    return [(*who, "content", judgment.content), by_document] if judgment.content else [by_document]


def _says_the_same(judgment: Judgment, stands: Judgment | None) -> bool:
    """Return whether a judgment without a time, or of the same time, repeats what stands."""
    if stands is None or judgment.given not in ("", stands.given):
        return False
    return (judgment.grade, judgment.state) == (stands.grade, stands.state)


def _is_later(time: str, other: str) -> bool:
    try:
        return datetime.fromisoformat(time) > datetime.fromisoformat(other)
    except (ValueError, TypeError):  # no time, or only one of them has a time zone
        return bool(time) and time > other


def _signature(judgment: Judgment) -> tuple[object, ...]:
    return tuple(getattr(judgment, name) for name in _COMPARED)


def _unknown_message(unknown: dict[str, int]) -> str:
    some = ", ".join(repr(name) for name in list(unknown)[:_MOST_SHOWN])
    more = " …" if len(unknown) > _MOST_SHOWN else ""
    judgments = count_of(sum(unknown.values()), "judgment is", "judgments are")
    return (
        f"{judgments} of {count_queries(len(unknown))} that nothing knows "
        f"({some}{more}), and nothing was imported; name their suite with --suite FILE, or give "
        "--skip-unknown to leave them out"
    )


def _conflict_message(conflicts: Sequence[JudgmentConflict]) -> str:
    some = "".join(f"\n  {each}" for each in conflicts[:_MOST_SHOWN])
    more = f"\n  … and {len(conflicts) - _MOST_SHOWN} more" if len(conflicts) > _MOST_SHOWN else ""
    judgments = count_of(len(conflicts), "judgment contradicts", "judgments contradict")
    return (
        f"{judgments} what the same rater said in the store, and "
        f"nothing was imported; choose with --conflicts keep or --conflicts replace:{some}{more}"
    )


class KnownQuery(NamedTuple):
    """A query, and the suite that has it."""

    query: Query
    suite: str


class KnownQueries:
    """Queries by id, by key and by text."""

    def __init__(self, queries: Iterable[tuple[str, KnownQuery]]) -> None:
        self._by_key: dict[str, KnownQuery] = {}
        self._by_id: dict[str, dict[str, KnownQuery]] = {}
        self._by_text: dict[str, dict[str, KnownQuery]] = {}
        for name, known in queries:
            key = query_key(known.query)
            first = self._by_key.setdefault(key, known)
            self._by_id.setdefault(name, {}).setdefault(key, first)
            self._by_text.setdefault(fold(known.query.text), {}).setdefault(key, first)

    def find(self, name: str, key: str = "") -> KnownQuery | None:
        """Return the query of a key or an id; an id of two queries is an error."""
        if key in self._by_key:
            return self._by_key[key]
        found = list(self._by_id.get(name, {}).values()) if name else []
        if len(found) > 1:
            suites = " and ".join(sorted({each.suite for each in found}))
            raise CranfieldError(
                f"{len(found)} queries have the id {name!r} (in {suites}); say which suite is "
                "meant with --suite FILE"
            )
        return found[0] if found else None

    def find_text(self, text: str) -> KnownQuery | None:
        """Return the one query that asks this, whatever its case and white space."""
        found = list(self._by_text.get(fold(text), {}).values())
        return found[0] if len(found) == 1 else None


def fold(text: str) -> str:
    """Return a text without differences of case and white space."""
    return " ".join(text.casefold().split())


def find_known_queries(store: Store, suites: Sequence[Suite] = ()) -> KnownQueries:
    """Return the queries of suites; without any, those of stored runs and judgments."""
    if suites:
        return KnownQueries(_of_suites(suites))
    stored = {header.suite.id: header.suite for header in store.headers()}
    return KnownQueries([*_of_suites(stored.values()), *_of_judgments(store)])


def _of_suites(suites: Iterable[Suite]) -> Iterable[tuple[str, KnownQuery]]:
    for suite in suites:
        for query in suite.queries:
            yield query.id, KnownQuery(query, suite.id)


def _of_judgments(store: Store) -> Iterable[tuple[str, KnownQuery]]:
    judged = JudgmentStore(store)
    queries = judged.queries()
    for each in judged.judgments():
        yield each.query_id, KnownQuery(queries[each.query], each.suite)
