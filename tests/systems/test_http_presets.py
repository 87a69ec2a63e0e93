"""The documented example of each preset, against a server that speaks as the real one does.

Typesense is real. The others are stand-ins that refuse what the real ones refuse: a missing key, a
limit that is not a number, no fields. OpenSearch and Elasticsearch: see tests/lucene_stand_in.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import pytest

from cranfield.systems.presets import PRESETS
from tests.cli.projects import cranfield
from tests.lucene_stand_in import LuceneIndex, StandIn
from tests.search_servers import TypesenseServer, typesense_server
from tests.systems.servers import Received, Reply, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.server

DOCS = Path(__file__).parents[2] / "docs" / "systems.md"
PAGES = [
    {"id": "d1", "title": "Dogs", "body": "dogs and cats"},
    {"id": "d2", "title": "Cats", "body": "cats alone"},
    {"id": "d3", "title": "Fish", "body": "neither"},
]
KEYS = {"ELASTIC_API_KEY": "e-key", "TYPESENSE_API_KEY": "t-key", "MEILI_API_KEY": "m-key"}
SUITE = (
    'id = "pets"\nclass = "canonical"\n'
    '[[query]]\nid = "cats"\ntext = "cats"\nexpect.ids = ["d2"]\n'
    '[[query]]\nid = "odd"\ntext = "fish: (and] \\"more"\nexpect.ids = ["d3"]\n'
)


def find(text: str, limit: int) -> list[tuple[float, dict[str, str]]]:
    """Rank pages by how often a word of the query is in them, twice for the title."""
    words = re.findall(r"\w+", text.lower())
    scored = [
        (
            float(
                sum(2 * (word in page["title"].lower()) + (word in page["body"]) for word in words)
            ),
            page,
        )
        for page in PAGES
    ]
    return sorted((each for each in scored if each[0]), key=lambda each: -each[0])[:limit]


LUCENE = StandIn({"docs": LuceneIndex(documents={page["id"]: page for page in PAGES})})


def lucene(request: Received) -> Reply:
    return LUCENE.reply(request)


def elastic(request: Received) -> Reply:
    if request.headers.get("authorization") != "ApiKey e-key":
        return Reply({"error": {"type": "security_exception"}, "status": 401}, 401)
    return lucene(request)


def meilisearch(request: Received) -> Reply:
    if request.headers.get("authorization") != "Bearer m-key":
        return Reply({"message": "The Authorization header is missing", "code": "x"}, 401)
    if not isinstance(request.json["limit"], int):
        return Reply({"code": "invalid_search_limit"}, 400)
    found = find(request.json["q"], request.json["limit"])
    hits = [{**page, "_rankingScore": score / 10} for score, page in found]
    return Reply({"hits": hits, "query": request.json["q"], "limit": request.json["limit"]})


def solr(request: Received) -> Reply:
    params = {name: values[0] for name, values in request.params.items()}
    if params.get("defType") != "edismax" and re.search(r"[:(\]\"]", params["q"]):
        return Reply({"error": {"msg": "Cannot parse"}}, 400)
    if params.get("wt") != "json" or params.get("qf") != "title^2 body":
        return Reply(b"<response/>")
    docs = [{**page, "score": score} for score, page in find(params["q"], int(params["rows"]))]
    return Reply({"responseHeader": {"status": 0}, "response": {"numFound": 1, "docs": docs}})


SERVERS: dict[str, tuple[str, Callable[[Received], Reply]]] = {
    "opensearch": ("/docs/_search", lucene),
    "elasticsearch": ("/docs/_search", elastic),
    "meilisearch": ("/indexes/docs/search", meilisearch),
    "solr": ("/solr/docs/select", solr),
}


def documented() -> dict[str, str]:
    """Return the example of each preset in the documentation."""
    text = DOCS.read_text()
    blocks = re.findall(r"^    \[systems\.(\w+)\].*\n((?:    \S.*\n)+)", text, re.M)
    return {
        name: f"[systems.{name}]\n" + re.sub("^    ", "", body, flags=re.M)
        for name, body in blocks
        if f'preset = "{name}"' in body
    }


def answer(name: str, request: Received) -> Reply:
    path, reply = SERVERS[name]
    return reply(request) if urlsplit(request.path).path == path else Reply({}, 404)


def test_every_preset_has_an_example_and_a_server_here() -> None:
    assert set(documented()) == set(PRESETS.names()) == {*SERVERS, "typesense"}


@pytest.mark.parametrize("name", sorted(SERVERS))
def test_the_documented_example_of_a_preset_works(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    with serving(lambda request: answer(name, request)) as server:
        config = re.sub(r"http://localhost:\d+", server.url.rstrip("/"), documented()[name])
        (tmp_path / "cranfield.toml").write_text(config)
        (tmp_path / "pets.toml").write_text(SUITE)
        shown = cranfield(tmp_path, "run", "pets.toml", "--system", name, "-f", "csv")
    assert shown.returncode == 0, shown.stderr
    rows = [line.split(",") for line in shown.stdout.splitlines()[1:]]
    assert [(row[6], row[7]) for row in rows] == [("ok", "1"), ("ok", "1")], shown.stdout


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("opensearch", []),
        ("solr", ["params.qf=title^2 body"]),
    ],
)
def test_init_knows_what_a_preset_brings(
    name: str, settings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    options: list[Any] = [word for each in settings for word in ("--set", each)]
    with serving(lambda request: answer(name, request)) as server:
        url = server.url.rstrip("/") + SERVERS[name][0]
        made = cranfield(
            tmp_path, "init", "--url", url, "--set", f"preset={name}", *options,
            "--query", "cats", "--expect", "d2",
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        assert "2 hits" in made.stdout
        assert cranfield(tmp_path, "run", "--gate").returncode == 0
    assert f'preset = "{name}"' in (tmp_path / "cranfield.toml").read_text()


@pytest.fixture(scope="module")
def typesense() -> Iterator[TypesenseServer]:
    """A real server with a collection `docs` of the pages."""
    fields = [{"name": name, "type": "string"} for name in ("title", "body")]
    with typesense_server() as server:
        headers = {"X-TYPESENSE-API-KEY": server.key}
        collections = f"{server.url}/collections"
        made = httpx.post(collections, json={"name": "docs", "fields": fields}, headers=headers)
        assert made.status_code == 201, made.text
        for page in PAGES:
            address = f"{collections}/docs/documents"
            assert httpx.post(address, json=page, headers=headers).status_code == 201
        yield server


@pytest.mark.process
def test_the_documented_example_of_typesense_works_on_a_real_server(
    typesense: TypesenseServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TYPESENSE_API_KEY", typesense.key)
    config = documented()["typesense"].replace("http://localhost:8108", typesense.url)
    (tmp_path / "cranfield.toml").write_text(config)
    (tmp_path / "pets.toml").write_text(SUITE)
    shown = cranfield(tmp_path, "run", "pets.toml", "--system", "typesense", "-f", "csv")
    assert shown.returncode == 0, shown.stderr
    rows = [line.split(",") for line in shown.stdout.splitlines()[1:]]
    # To Typesense a quotation mark begins a phrase, also one that is not closed.
    assert [(row[6], row[7]) for row in rows] == [("ok", "1"), ("empty", "")], shown.stdout


@pytest.mark.process
def test_init_sets_up_a_real_typesense(
    typesense: TypesenseServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TYPESENSE_API_KEY", typesense.key)
    url = f"{typesense.url}/collections/docs/documents/search"
    key = "headers.X-TYPESENSE-API-KEY=${TYPESENSE_API_KEY}"
    arguments = ("init", "--url", url, "--set", "preset=typesense", "--set", key, "--query", "cats")
    fields = ("--set", "params.query_by=title,body")
    made = cranfield(tmp_path, *arguments, *fields, "--expect", "d2")
    assert made.returncode == 0, made.stderr
    assert "2 hits" in made.stdout
    assert cranfield(tmp_path, "run", "--gate").returncode == 0
    lacking = cranfield(tmp_path, *arguments, "--set", "params.query_by=nowhere", "--to", "other")
    assert "answered 404 Not Found" in lacking.stderr
    assert "Could not find a field named `nowhere` in the schema" in lacking.stderr
    monkeypatch.setenv("TYPESENSE_API_KEY", "another-key")
    closed = cranfield(tmp_path, *arguments, *fields, "--to", "other")
    assert "answered 401 Unauthorized" in closed.stderr
    assert "another-key" not in closed.stderr


def test_a_request_that_the_server_refuses_is_reported_with_its_reason(tmp_path: Path) -> None:
    with serving(lucene) as server:
        config = documented()["opensearch"].replace("http://localhost:9200/docs", f"{server.url}/x")
        (tmp_path / "cranfield.toml").write_text(config)
        (tmp_path / "pets.toml").write_text(SUITE)
        shown = cranfield(tmp_path, "run", "pets.toml", "--system", "opensearch", "-f", "json")
    assert "answered 404 Not Found" in shown.stdout + shown.stderr


def test_init_says_what_a_preset_needs(tmp_path: Path) -> None:
    arguments = ("init", "--url", "http://localhost:8108/x", "--query", "cats", "--no-try")
    lacking = cranfield(tmp_path, *arguments, "--set", "preset=typesense")
    assert lacking.returncode == 2
    assert (
        'needs params.query_by; give it, such as params.query_by = "title,body"' in lacking.stderr
    )
    unknown = cranfield(tmp_path, *arguments, "--set", "preset=tpesense")
    assert "unknown preset 'tpesense': did you mean typesense" in unknown.stderr
    assert "{query} is missing" in cranfield(tmp_path, *arguments).stderr
