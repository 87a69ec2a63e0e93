"""`stacks export`: what the files for each engine hold, and what is refused."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.stacks.conftest import Given

from stacks.errors import SaveError, StacksError
from stacks.export import EXPORTERS, export_index, read_documents
from stacks.index import Request, SaveOptions, save
from stacks.model import Document, Symbol
from stacks.query import RANKINGS
from stacks.query.rankings import COLUMN_WEIGHTS
from stacks.schema import TEXT_COLUMNS
from stacks.sources import SourceKind
from stacks.storage import open_databases

if TYPE_CHECKING:
    from pathlib import Path

ODD = 'Odd\ttitle "quoted" \\ with\nlines'
PAGES = (
    Document(
        "docs://shapes/red-circle",
        "RedCircle",
        "A shape that is red and round.",
        framework="shapes",
        language="swift",
        kind="class",
        summary="A red shape.",
        attributes=("@MainActor", '@available("x")'),
        availability={"ios": "17.4.1"},
        symbols=(Symbol("RedCircle", "class", "class RedCircle"),),
    ),
    Document("docs://odd", ODD, "Zero\0byte, back\\slash,\ttab.\r\nEnd."),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    kind = SourceKind("docs", "given", "docs=x", lambda _: Given(PAGES))
    save([Request(kind, "given")], folder / "index", SaveOptions(embedder="wordllama"))
    return folder / "index"


def test_a_document_has_its_text_and_all_that_was_derived_of_it(index: Path) -> None:
    [database] = open_databases(index)
    first, second = read_documents([database])
    database.close()
    assert first.fields.keys() >= set(TEXT_COLUMNS)
    assert first.fields["symbols"] == "RedCircle"
    assert first.fields["symbol_components"].split() == ["Red", "Circle"]
    assert first.fields["attributes"] == ["@MainActor", '@available("x")']
    assert (first.fields["min_ios"], first.fields["min_macos"]) == (170401, None)
    assert first.fields["deprecated"] is False
    assert "redcircle" in first.fields["names"]
    assert first.vectors.shape == (2, 256)  # its name, and its text under its name
    assert np.linalg.norm(first.vectors, axis=1) == pytest.approx(1.0, abs=0.01)
    assert second.fields["title"] == ODD


@pytest.mark.parametrize("engine", EXPORTERS.names())
def test_the_same_index_gives_the_same_bytes(engine: str, index: Path, tmp_path: Path) -> None:
    made = export_index(index, engine, tmp_path / "a", "docs")
    export_index(index, engine, tmp_path / "b", "docs")
    assert (made.documents, made.plan.dimension) == (2, 256)
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert "cranfield.toml" in files
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def read_system(folder: Path) -> dict[str, Any]:
    [system] = tomllib.loads((folder / "cranfield.toml").read_text())["systems"].values()
    return dict(system)


def test_the_query_of_opensearch_has_every_column_with_its_weight(
    index: Path, tmp_path: Path
) -> None:
    export_index(index, "opensearch", tmp_path / "out", "docs")
    body = read_system(tmp_path / "out")["body"]
    assert body == json.loads((tmp_path / "out" / "query.json").read_text())
    [matched] = body["query"]["bool"]["must"]
    fields = [each.partition("^") for each in matched["multi_match"]["fields"]]
    weights = {name.removesuffix(".words"): float(weight) for name, _, weight in fields}
    assert weights == COLUMN_WEIGHTS


def test_the_weights_of_typesense_have_the_same_ratios(index: Path, tmp_path: Path) -> None:
    export_index(index, "typesense", tmp_path / "out", "docs")
    params = read_system(tmp_path / "out")["params"]
    names = params["query_by"].split(",")
    weights = dict(zip(names, map(int, params["query_by_weights"].split(",")), strict=True))
    ratios = {name: weight / weights["content"] for name, weight in weights.items()}
    assert ratios == COLUMN_WEIGHTS


def test_the_tsvectors_of_postgres_tell_all_weights_apart(index: Path, tmp_path: Path) -> None:
    """Four weights fit one tsvector: 10, 5, 3 and 2 in the first, 1.5 and 1 in the second."""
    export_index(index, "postgres", tmp_path / "out", "docs")
    sql = (tmp_path / "out" / "query.sql").read_text()
    assert read_system(tmp_path / "out")["sql"] == sql
    assert "ts_rank('{0.2, 0.3, 0.5, 1}', d.words_1, asked.term, 1)" in sql
    assert "ts_rank('{0, 0, 0.1, 0.15}', d.words_2, asked.term, 1)" in sql
    assert read_system(tmp_path / "out")["embedder"] == "wordllama"


def test_an_index_without_vectors_is_searched_by_words_alone(tmp_path: Path) -> None:
    kind = SourceKind("docs", "given", "docs=x", lambda _: Given(PAGES))
    save([Request(kind, "given")], tmp_path / "index", SaveOptions(embedder="none"))
    for engine in EXPORTERS.names():
        made = export_index(tmp_path / "index", engine, tmp_path / engine, "docs")
        assert (made.vectors, made.plan.embedder) == (0, "")
    assert "embedder" not in read_system(tmp_path / "postgres")
    assert "vector" not in (tmp_path / "postgres" / "load.sql").read_text().replace("tsvector", "")
    assert "pieces" not in json.loads((tmp_path / "opensearch" / "mapping.json").read_text())


def test_the_weights_are_those_of_the_ranking_of_most_documents(tmp_path: Path) -> None:
    kind = SourceKind("docs", "given", "docs=x", lambda _: Given(PAGES), ranking="passages")
    save([Request(kind, "given")], tmp_path / "index", SaveOptions(embedder="none"))
    made = export_index(tmp_path / "index", "typesense", tmp_path / "out", "docs")
    counting = {name: value for name, value in RANKINGS.get("passages").weights.items() if value}
    assert made.plan.weights == counting


@pytest.mark.parametrize(
    ("engine", "name", "message"),
    [
        ("postgre", "docs", "unknown engine 'postgre': did you mean postgres"),
        ("postgres", "Docs; DROP", "begin with a letter, and use small letters, digits and _"),
    ],
)
def test_what_cannot_be_exported_is_refused(
    engine: str, name: str, message: str, index: Path, tmp_path: Path
) -> None:
    with pytest.raises(StacksError) as refused:
        export_index(index, engine, tmp_path / "out", name)
    assert message in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_as_it_is(index: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(SaveError, match="is there already; choose another folder with --out"):
        export_index(index, "postgres", tmp_path, "docs")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
