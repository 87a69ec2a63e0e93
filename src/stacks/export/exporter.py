"""The way of an index to a server: what every engine needs of it, and the registry of engines."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield_shared.registry import Registry
from stacks.errors import SaveError
from stacks.export.exported_documents import read_documents
from stacks.query import WEIGHTS, get_ranking
from stacks.storage import open_databases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from stacks.export.exported_documents import ExportedDocument
    from stacks.storage import Database

__all__ = ["EXPORTERS", "ExportPlan", "ExportSummary", "Exporter", "export_index"]

_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What an engine is told of an index.

    - `name` is that of the collection, the index or the table.
    - `weights` are those of the text columns that count, the highest first.
    - `embedder` made the vectors, which have `dimension` numbers; empty and 0 if there are none.
    - `meaning_share` and `blend_k` say how ranks by words and by meaning are blended.
    """

    name: str
    weights: Mapping[str, float]
    embedder: str
    dimension: int
    meaning_share: float
    blend_k: float


@dataclass(frozen=True, slots=True)
class Exporter:
    """An engine: `write` gets the plan, the documents and a new folder, and fills the folder.

    `steps` are the commands that load what was written, for a given plan.
    """

    name: str
    summary: str
    write: Callable[[ExportPlan, Iterable[ExportedDocument], Path], None]
    steps: Callable[[ExportPlan], Sequence[str]]


EXPORTERS: Registry[Exporter] = Registry(
    "engine", Exporter, group="stacks.exporters", error=SaveError
)
"""Every engine by name; plug-ins offer theirs as entry points in `stacks.exporters`."""

for _engine in ("opensearch", "postgres", "typesense"):
    EXPORTERS.register_reference(
        _engine, f"stacks.export.{_engine}_export:{_engine.upper()}_EXPORTER"
    )


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What was written: how many documents and vectors, and how they are loaded."""

    documents: int
    vectors: int
    plan: ExportPlan
    steps: tuple[str, ...]


class _Counted:
    """Documents that are counted as they pass."""

    def __init__(self, documents: Iterable[ExportedDocument]) -> None:
        self._documents = documents
        self.documents = self.vectors = 0

    def __iter__(self) -> Iterator[ExportedDocument]:
        for document in self._documents:
            self.documents += 1
            self.vectors += len(document.vectors)
            yield document


def export_index(index: Path, engine: str, folder: Path, name: str) -> ExportSummary:
    """Write an index for an engine into a new folder, whole or not at all."""
    exporter = EXPORTERS.get(engine)
    if not _NAME.fullmatch(name):
        raise SaveError(
            f"{name!r} cannot name a collection everywhere; begin with a letter, and use small "
            "letters, digits and _"
        )
    if folder.exists():
        raise SaveError(f"{folder} is there already; choose another folder with --out")
    databases = open_databases(index)
    try:
        plan = _make_plan(databases, name)
        counted = _Counted(read_documents(databases))
        _write_whole(folder, lambda partial: exporter.write(plan, counted, partial))
    finally:
        for database in databases:
            database.close()
    return ExportSummary(counted.documents, counted.vectors, plan, tuple(exporter.steps(plan)))


def _make_plan(databases: Sequence[Database], name: str) -> ExportPlan:
    """Describe an index by the ranking of most of its documents, and its model."""
    count = "SELECT source, count(*) FROM docs_metadata GROUP BY source"
    counts: Counter[str] = Counter()
    for database in databases:
        rankings = {each.name: each.ranking for each in database.sources.values()}
        for source, documents in database.rows(count):
            counts[rankings[source]] += documents
    ranking = get_ranking(counts.most_common(1)[0][0] if counts else "documentation")
    models = {each.facts["embedder_identity"]: each.embedder for each in databases if each.embedder}
    if len(models) > 1:
        raise SaveError(
            f"the files of the index were embedded by {' and '.join(models.values())}, whose "
            "vectors cannot be compared; export one file, or save all with one --embedder"
        )
    dimension = max((int(json.loads(identity)[2]) for identity in models), default=0)
    weights = {name: weight for name, weight in ranking.weights.items() if weight}
    return ExportPlan(
        name=name,
        weights=dict(sorted(weights.items(), key=lambda pair: -pair[1])),
        embedder=next(iter(models.values()), ""),
        dimension=dimension,
        meaning_share=ranking.meaning_share,
        blend_k=WEIGHTS["rrf_k"].value,
    )


def _write_whole(folder: Path, write: Callable[[Path], None]) -> None:
    """Write into a folder beside the place, and put it there when it is complete."""
    partial = folder.with_name(f".{folder.name}.partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        write(partial)
        partial.rename(folder)
    except OSError as problem:
        raise SaveError(f"{folder} could not be written: {problem.strerror or problem}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
