"""The documented example of each preset, against a server that speaks as the real one does.

The servers refuse what the real ones refuse: a missing key, a limit that is no number, no fields.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from tests.cli.projects import cranfield
from tests.systems.servers import Received, Reply, serving

from cranfield.systems.http.presets import PRESETS

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.server

DOCS = Path(__file__).parents[3] / "docs" / "systems.md"
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


def lucene(request: Received) -> Reply:
    if request.method != "POST" or not isinstance(request.json.get("size"), int):
        return Reply({"error": {"type": "parsing_exception"}, "status": 400}, 400)
    text = request.json["query"]["multi_match"]["query"]
    hits = [
        {"_index": "docs", "_id": page["id"], "_score": score, "_source": page}
        for score, page in find(text, request.json["size"])
    ]
    return Reply({"took": 1, "timed_out": False, "hits": {"total": {"value": 1}, "hits": hits}})


def elastic(request: Received) -> Reply:
    if request.headers.get("authorization") != "ApiKey e-key":
        return Reply({"error": {"type": "security_exception"}, "status": 401}, 401)
    return lucene(request)


def typesense(request: Received) -> Reply:
    if request.headers.get("x-typesense-api-key") != "t-key":
        return Reply({"message": "Forbidden - a valid `x-typesense-api-key` header"}, 401)
    if "query_by" not in request.params:
        return Reply({"message": "Parameter `query_by` is required."}, 400)
    hits = [
        {"document": page, "highlights": [], "text_match": int(score)}
        for score, page in find(request.params["q"][0], int(request.params["per_page"][0]))
    ]
    return Reply({"found": len(hits), "hits": hits, "page": 1})


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
    "typesense": ("/collections/docs/documents/search", typesense),
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
    assert set(documented()) == set(PRESETS.names()) == set(SERVERS)


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
        (
            "typesense",
            ["params.query_by=title,body", "headers.X-TYPESENSE-API-KEY=${TYPESENSE_API_KEY}"],
        ),
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
