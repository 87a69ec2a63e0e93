"""What files of judgments hold: judgments, and what they are about."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - read at run time by dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import CranfieldError
from cranfield.judgments import JudgedItem, JudgmentState, settle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.judging.files.run_selections import RunSelection
    from cranfield.judgments import JudgedBy, Judgment, Preference
    from cranfield.model import Hit, Query

__all__ = ["FileEntry", "GradedDocument", "JudgmentFile", "JudgmentRecords", "graded_documents"]

_SAYING = (JudgmentState.GRADED, JudgmentState.ADJUDICATED, JudgmentState.UNRATEABLE)


@dataclass(frozen=True, slots=True)
class JudgmentRecords:
    """Judgments to be written, in the order they were given, with all that is known about them.

    `queries` are by key, `texts` by content, `hits` by content as stored runs found them. `by` is
    whose judgments a format takes that holds one grade for a document. `runs` are kept by formats
    that hold runs. `codebase`,
    `notes` and `started`, when judging began, describe the whole.
    """

    judgments: tuple[Judgment, ...]
    queries: Mapping[str, Query]
    by: JudgedBy
    texts: Mapping[str, str] = field(default_factory=dict)
    preferences: tuple[Preference, ...] = ()
    hits: Mapping[str, Hit] = field(default_factory=dict)
    runs: tuple[RunSelection, ...] = ()
    codebase: str = ""
    started: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A judgment that was read from a file, and its line.

    `query` is what was asked, None if the file has only its id. A judgment that names no rater has
    an empty one; `names_source` if the file says whether a person, a model or clicks judged.
    """

    judgment: Judgment
    query: Query | None = None
    line: int | None = None
    names_source: bool = False


@dataclass(frozen=True, slots=True)
class JudgmentFile:
    """What a file holds; `notes` say what of it has no place in a store of judgments."""

    entries: tuple[FileEntry, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    preferences: tuple[Preference, ...] = ()
    queries: tuple[Query, ...] = ()
    notes: tuple[str, ...] = ()


class GradedDocument(NamedTuple):
    """The grade of a document that stands, for formats that hold one; `query` is a key."""

    query: str
    query_id: str
    document: str
    grade: int
    content: str
    given: str

    @property
    def item(self) -> str:
        """What was judged."""
        return self.content or f"id:{self.document}"


def graded_documents(records: JudgmentRecords) -> list[GradedDocument]:
    """Return the grade of every document for every query, in the order they were first judged.

    A document that was judged with several contents has the grade of the last one.
    """
    by = records.by
    chosen = [
        each
        for each in records.judgments
        if each.source is by.source and (not by.rater or each.rater == by.rater)
    ]
    settled = settle(chosen, by.source, by.rater)
    last: dict[tuple[str, str], Judgment] = {}
    times: dict[JudgedItem, str] = {}
    for each in chosen:
        item = JudgedItem(each.query, each.item)
        if item in settled and each.state in _SAYING:
            last[each.query, each.document] = each
            times[item] = each.given
    names = _query_ids(last.values())
    return [
        GradedDocument(key, names[key], document, settled[item].grade, each.content, times[item])
        for (key, document), each in last.items()
        for item in [JudgedItem(key, each.item)]
    ]


def _query_ids(judgments: Iterable[Judgment]) -> dict[str, str]:
    """Return the id of each query, its key if it has none; two queries cannot share one."""
    names: dict[str, str] = {}
    suites: dict[str, str] = {}
    for each in judgments:
        names[each.query] = each.query_id or names.get(each.query, "") or each.query
        suites[each.query] = each.suite
    owners: dict[str, str] = {}
    for key, name in names.items():
        other = owners.setdefault(name, key)
        if other != key:
            raise CranfieldError(
                f"two queries have the id {name!r}, in the suites {suites[other]!r} and "
                f"{suites[key]!r}, and this format knows queries by their ids; export one suite "
                "(--suite NAME), or to .csv or .jsonl"
            )
    return names
