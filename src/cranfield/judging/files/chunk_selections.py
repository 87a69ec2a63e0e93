"""Scored chunks: which were judged, and which a run selected."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - read at run time by dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.judgments import query_key
from cranfield.relevance import hash_content
from cranfield.runs.lookup import latest_runs

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cranfield.judging.files.judgment_records import GradedDocument, JudgmentRecords
    from cranfield.model import Hit
    from cranfield.runs.records import RunHeader
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

__all__ = [
    "JudgedChunk",
    "RunSelection",
    "SelectedHit",
    "find_selections",
    "make_chunks",
]


@dataclass(frozen=True, slots=True)
class JudgedChunk:
    """A chunk in the order of files and lines, which `id` counts.

    A document that is not part of a file is a chunk of its own file.
    """

    id: str
    hash: str
    documents: tuple[str, ...]
    kind: str
    name: str
    parent: str | None
    file: str
    file_size: int
    line: int
    text: str
    breadcrumb: str


def make_chunks(graded: Sequence[GradedDocument], records: JudgmentRecords) -> list[JudgedChunk]:
    """Make a chunk of everything that was judged, with what stored runs say about it."""
    documents: dict[str, dict[str, None]] = {}
    for row in graded:
        documents.setdefault(row.item, {})[row.document] = None
    places = {
        item: _Place.of(next(iter(ids)), records.hits.get(item)) for item, ids in documents.items()
    }
    ordered = sorted(places, key=lambda item: places[item].order)
    numbers = {places[item].document: str(at) for at, item in enumerate(ordered, start=1)}
    return [
        _chunk((str(at), item, tuple(documents[item])), places[item], _text(item, records), numbers)
        for at, item in enumerate(ordered, start=1)
    ]


def _text(item: str, records: JudgmentRecords) -> str:
    hit = records.hits.get(item)
    return records.texts.get(item) or (hit.text if hit else "")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a chunk is: its file, line, and the names around it."""

    document: str
    file: str
    line: int
    parents: str
    fields: Mapping[str, Any]

    @classmethod
    def of(cls, document: str, hit: Hit | None) -> _Place:
        fields = hit.fields if hit else {}
        file, lines = fields.get("file"), str(fields.get("lines") or "")
        if not isinstance(file, str):
            return cls(document, document, 1, "", {})
        first = lines.partition("-")[0]
        line = int(first) if first.isdecimal() else 1
        return cls(document, file, line, str(fields.get("parents") or ""), fields)

    @property
    def order(self) -> tuple[str, int, int, str]:
        return self.file, self.line, len(self.parents.split()), self.document

    @property
    def name(self) -> str:
        title = str(self.fields.get("title") or "")
        return str(self.fields.get("name") or "") or title.rpartition(".")[2] or self.document


def _chunk(
    known: tuple[str, str, tuple[str, ...]], place: _Place, text: str, numbers: Mapping[str, str]
) -> JudgedChunk:
    size = place.fields.get("size")
    return JudgedChunk(
        *known,
        kind=str(place.fields.get("kind") or "document"),
        name=place.name,
        parent=numbers.get(place.document.rpartition("/")[0]) if place.parents else None,
        file=place.file,
        file_size=size if isinstance(size, int) else 0,
        line=place.line,
        text=text,
        breadcrumb=place.parents,
    )


@dataclass(frozen=True, slots=True)
class SelectedHit:
    """A hit by its content and its id; `relevance` is its score as a share of the highest.

    None if it has no score, or if scores below 0 leave no share.
    """

    content: str
    document: str
    relevance: float | None


@dataclass(frozen=True, slots=True)
class RunSelection:
    """The hits of a run, by the key of the query, as its first repetition found them."""

    id: str
    name: str
    comments: str
    started: str
    finished: str
    hits: Mapping[str, tuple[SelectedHit, ...]]


def find_selections(
    store: Store, names: Sequence[str], queries: Collection[str]
) -> tuple[RunSelection, ...]:
    """Return what runs selected for these keys of queries; a system stands for its latest runs."""
    runs = {run.header.id: run for name in names for run in latest_runs(store, name)}
    taken = [run.header.name for run in runs.values()]
    return tuple(
        _select(run, queries, is_unique=taken.count(run.header.name) == 1) for run in runs.values()
    )


def _select(run: Run, queries: Collection[str], *, is_unique: bool) -> RunSelection:
    header = run.header
    keys = [query_key(query) for query in header.suite.queries]
    if not set(keys) & set(queries):
        raise CranfieldError(
            f"run {header.id} asks none of the queries that are exported; name a run of the suite "
            "that was judged"
        )
    return RunSelection(
        header.id,
        header.name if is_unique else f"{header.name} ({header.id})",
        _describe(header),
        header.started,
        header.finished,
        {
            keys[answer.place]: _share(answer.response.hits)
            for answer in run.store.answers(header.id)
            if answer.repeat == 0 and keys[answer.place] in queries
        },
    )


def _describe(header: RunHeader) -> str:
    commit = header.surroundings.get("commit", "")
    return f"{header.system}, {header.limit} hits{f', commit {commit[:12]}' if commit else ''}"


def _share(hits: Sequence[Hit]) -> tuple[SelectedHit, ...]:
    scores = [hit.score for hit in hits if hit.score is not None]
    highest = max(scores, default=0.0)
    has_shares = highest > 0.0 and min(scores, default=0.0) >= 0.0
    return tuple(
        SelectedHit(
            hash_content(hit),
            hit.id,
            hit.score / highest if has_shares and hit.score is not None else None,
        )
        for hit in hits
    )
