"""The way of an index to a search server: what every engine needs of it, and who asks it."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from cranfield_shared.registry import Registry
from cranfield_shared.settings_files import render_key, render_value
from stacks.errors import SaveError
from stacks.model import PLATFORMS
from stacks.query import WEIGHTS, get_ranking
from stacks.storage import explaining_damage, open_databases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from stacks.storage import Database

__all__ = [
    "EXPORTERS",
    "FILTER_FIELDS",
    "LIST_FIELDS",
    "NUMBER_FIELDS",
    "ExportPlan",
    "ExportSummary",
    "ExportedDocument",
    "Exporter",
    "export_index",
    "read_documents",
    "write_json",
    "write_parts",
    "write_system",
]

_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")


FILTER_FIELDS = ("source", "framework", "language", "kind")
"""Texts that a query filters by, whole."""
LIST_FIELDS = ("attributes", "conformances", "names")
NUMBER_FIELDS = ("prominence", *(f"min_{platform}" for platform in PLATFORMS))
_DOCUMENTS_AT_ONCE = 512
_COLUMNS = (
    "id", "uri", *FILTER_FIELDS, "title", "summary", "content", "symbols", "symbol_components",
    "declaration", "attributes", "conformances", "deprecated", *NUMBER_FIELDS,
)  # fmt: skip
_DOCUMENTS = f"""
SELECT m.id, m.uri, m.source, m.framework, m.language, m.kind, s.title, s.abstract, s.overview,
    s.symbols, s.symbol_components, s.declaration, s.attributes, s.conformances, m.is_deprecated,
    {", ".join(f"m.{name}" for name in NUMBER_FIELDS)}
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
WHERE m.id > ? ORDER BY m.id LIMIT ?
"""  # noqa: S608 - names of columns
_NAMES = "SELECT doc_id, name FROM doc_names WHERE doc_id BETWEEN ? AND ? ORDER BY doc_id, name"
_VECTORS = """
SELECT doc_id, scale, vector FROM vectors WHERE doc_id BETWEEN ? AND ? ORDER BY doc_id, piece
"""
_LARGEST_PART = 10_000_000
"""In bytes. Servers take a hundred million at most by default, and answer sooner to less."""


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
    EXPORTERS.register_reference(_engine, f"stacks.exporters.{_engine}:{_engine.upper()}_EXPORTER")


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


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """A document: its fields by name, and a vector of each piece of its text.

    The fields are the text columns of the index, and those that hits have. `symbols` and
    `symbol_components` are words; `names` are those that the page is looked up by. A version such
    as `min_ios` is a number, 17.4.1 being 170401, or None.
    """

    fields: dict[str, Any]
    vectors: NDArray[np.float32]


def read_documents(databases: Sequence[Database]) -> Iterator[ExportedDocument]:
    """Yield the documents of all files of an index, ordered by id."""
    with explaining_damage(databases):
        for database in databases:
            last = 0
            while rows := database.rows(_DOCUMENTS, (last, _DOCUMENTS_AT_ONCE)):
                first, last = rows[0][0], rows[-1][0]
                names = _group(database.rows(_NAMES, (first, last)))
                vectors = _group(database.rows(_VECTORS, (first, last)))
                for row in rows:
                    yield _make(row, names.get(row[0], []), vectors.get(row[0], []))


def _group(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    return {key: [row[1:] for row in some] for key, some in groupby(rows, lambda row: row[0])}


def _make(
    row: tuple[Any, ...], names: list[tuple[Any, ...]], vectors: list[tuple[Any, ...]]
) -> ExportedDocument:
    known = dict(zip(_COLUMNS, row, strict=True))
    del known["id"]
    lists = {name: _split(known[name]) for name in ("attributes", "conformances")}
    fields = {
        **known,
        **lists,
        "deprecated": bool(known["deprecated"]),
        "names": [name for (name,) in names],
    }
    numbers = [
        np.frombuffer(vector, dtype=np.int8).astype(np.float32) * np.float32(scale)
        for scale, vector in vectors
    ]
    return ExportedDocument(fields, np.array(numbers, dtype=np.float32))


def _split(text: str) -> list[str]:
    return text.split(", ") if text else []


def write_parts(folder: Path, ending: str, entries: Iterable[Sequence[Mapping[str, Any]]]) -> None:
    """Write entries, of one or more lines each, as `documents-0001` and so on."""
    part = size = 0
    lines: list[bytes] = []

    def flush() -> None:
        (folder / f"documents-{part:04}.{ending}").write_bytes(b"".join(lines))

    for entry in entries:
        added = b"".join(msgspec.json.encode(line) + b"\n" for line in entry)
        if not part or size + len(added) > _LARGEST_PART:
            if part:
                flush()
            part, size, lines = part + 1, 0, []
        lines.append(added)
        size += len(added)
    if part:
        flush()


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file that people can read."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_system(folder: Path, settings: Mapping[str, Any], remarks: Iterable[str] = ()) -> None:
    """Write a `cranfield.toml` with the system that asks the server; remarks are comments."""
    lines = [f"# {remark}" for remark in remarks]
    lines += ["[systems.exported]"]
    lines += [f"{render_key(name)} = {render_value(value)}" for name, value in settings.items()]
    (folder / "cranfield.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
