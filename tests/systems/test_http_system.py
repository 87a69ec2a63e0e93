"""Servers asked over HTTP: what is sent, what is read, and every way to fail."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import SystemUnusableError
from cranfield.model import Status
from cranfield.relevance import read_expectation
from tests.systems.helpers import ask, opened, short
from tests.systems.servers import Received, Reply, free_port, serving

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.server

HARD = '50% of {query} & ${HOME}? a/b#c+d="é" 猫\n-- \0'


def answer_with(content: Any, code: int = 200, **headers: str) -> Any:
    return lambda _: Reply(content, code, headers)


def test_the_query_is_encoded_in_the_address(tmp_path: Path) -> None:
    with (
        serving(answer_with({"hits": ["a"]})) as server,
        opened("http", tmp_path, url=server.url + "/s/{id}?q={query}&n={k}&x=1") as system,
    ):
        system.check()
        assert [hit.id for hit in system.search(ask(HARD, name="q/1"), 7).hits] == ["a"]
    [received] = server.received
    assert received.method == "GET"
    assert received.path.startswith("/s/q%2F1?q=50%25%20of")
    assert received.params == {"q": [HARD], "n": ["7"], "x": ["1"]}


def test_parameters_are_filled_repeated_or_left_out(tmp_path: Path) -> None:
    params = {
        "q": "{query}",
        "n": "{k}",
        "lang": "{language}",
        "kind": "{filters.kinds}",
        "f": ["a", "{filters.none}", "b{k}"],
        "exact": True,
    }
    with (
        serving(answer_with(["a"])) as server,
        opened("http", tmp_path, url=server.url + "/?v=2", params=params) as system,
    ):
        system.search(ask(HARD), 5)
        system.search(ask("x", language="en", filters={"kinds": ["k1", "k2"]}), 5)
    plain, full = (received.params for received in server.received)
    common = {"v": ["2"], "n": ["5"], "f": ["a", "b5"], "exact": ["true"]}
    assert plain == {"q": [HARD], **common}
    assert full == {"q": ["x"], "lang": ["en"], "kind": ["k1", "k2"], **common}


def test_a_body_is_filled_and_posted_as_json(tmp_path: Path) -> None:
    body = {
        "query": {"match": {"text": "{query}"}},
        "size": "{k}",
        "note": "{k} of {query}",
        "filter": [{"term": {"year": "{filters.year}"}}],
    }
    with (
        serving(answer_with([])) as server,
        opened("http", tmp_path, url=server.url, body=body) as system,
    ):
        assert system.search(ask(HARD), 5).status is Status.EMPTY
        system.search(ask("x", filters={"year": 2020}), 5)
    plain, full = server.received
    assert (plain.method, plain.headers["content-type"]) == ("POST", "application/json")
    assert plain.json == {
        "query": {"match": {"text": HARD}},
        "size": 5,
        "note": f"5 of {HARD}",
    }
    assert full.json["filter"] == [{"term": {"year": 2020}}]


def test_a_method_and_headers_of_ones_own_are_kept(tmp_path: Path) -> None:
    settings = {
        "method": "PUT",
        "body": ["{query}"],
        "headers": {"Content-Type": "application/x-list", "X-Api-Key": "${KEY}", "x-plain": "y"},
    }
    with (
        serving(answer_with(["a"])) as server,
        opened("http", tmp_path, {"KEY": "hunter2"}, url=server.url, **settings) as system,
    ):
        system.search(ask(), 1)
    [received] = server.received
    assert (received.method, received.json) == ("PUT", ["cats"])
    assert received.headers["content-type"] == "application/x-list"
    assert (received.headers["x-api-key"], received.headers["x-plain"]) == ("hunter2", "y")


@pytest.mark.parametrize(
    ("preset", "settings", "answer", "sent"),
    [
        *(
            (
                preset,
                {},
                {
                    "took": 2,
                    "hits": {
                        "total": {"value": 1, "relation": "eq"},
                        "hits": [
                            {
                                "_index": "docs",
                                "_id": "d1",
                                "_score": 1.5,
                                "_source": {"title": "T", "body": "B"},
                            }
                        ],
                    },
                },
                {"size": 3, "query": {"multi_match": {"query": "cats", "lenient": True}}},
            )
            for preset in ("opensearch", "elasticsearch")
        ),
        (
            "typesense",
            {"params": {"query_by": "title,body"}},
            {
                "found": 1,
                "hits": [
                    {
                        "document": {"id": "d1", "title": "T", "body": "B"},
                        "highlights": [],
                        "text_match": 1.5,
                    }
                ],
            },
            {"q": ["cats"], "per_page": ["3"], "query_by": ["title,body"]},
        ),
        (
            "meilisearch",
            {},
            {
                "hits": [{"id": "d1", "title": "T", "body": "B", "_rankingScore": 1.5}],
                "estimatedTotalHits": 1,
            },
            {"q": "cats", "limit": 3, "showRankingScore": True},
        ),
        (
            "solr",
            {},
            {
                "responseHeader": {"status": 0},
                "response": {
                    "numFound": 1,
                    "docs": [{"id": "d1", "title": ["T"], "body": ["B"], "score": 1.5}],
                },
            },
            {
                "q": ["cats"],
                "rows": ["3"],
                "fl": ["*,score"],
                "defType": ["edismax"],
                "wt": ["json"],
            },
        ),
    ],
)
def test_a_preset_asks_and_reads_as_its_server_does(
    tmp_path: Path, preset: str, settings: dict[str, Any], answer: Any, sent: Any
) -> None:
    with (
        serving(answer_with(answer)) as server,
        opened("http", tmp_path, url=server.url, preset=preset, **settings) as system,
    ):
        [hit] = system.search(ask(), 3).hits
    assert (hit.id, hit.score, hit.text) == ("d1", 1.5, "B")
    assert "title" in hit.fields
    [received] = server.received
    assert sent == (received.json if received.method == "POST" else received.params)


def test_what_is_written_goes_before_the_preset(tmp_path: Path) -> None:
    with (
        serving(
            answer_with({"hits": {"hits": [{"_id": "x", "_source": {"key": "k1"}}]}})
        ) as server,
        opened(
            "http",
            tmp_path,
            url=server.url,
            preset="opensearch",
            id="_source.key",
            body={"query": {"match": {"title": "{query}"}}, "explain": True},
        ) as system,
    ):
        assert system.search(ask(), 3).hits[0].id == "k1"
    assert server.received[0].json == {
        "size": 3,
        "query": {"match": {"title": "cats"}},
        "explain": True,
    }


def test_a_pattern_goes_before_the_paths_of_a_preset(tmp_path: Path) -> None:
    with (
        serving(answer_with(b"no JSON: doc1 doc2")) as server,
        opened("http", tmp_path, url=server.url, preset="solr", pattern=r"doc\d") as system,
    ):
        assert [hit.id for hit in system.search(ask(), 3).hits] == ["doc1", "doc2"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "missing required field `url`"),
        ({"url": "http://x/"}, "nothing has {query}; put it into url, params or body"),
        ({"url": "http://x/{{query}}"}, "nothing has {query}"),
        ({"url": "localhost:9200/{query}"}, "url needs a scheme and a host, such as http://"),
        ({"url": "ftp://x/{query}"}, "url needs a scheme and a host"),
        ({"url": "http:///{query}"}, "url needs a scheme and a host"),
        ({"url": "http://x:port/{query}"}, "url cannot be read: Port could not be cast"),
        ({"url": "http://me:hunter2@x/{query}"}, "url holds a user name; give it as a header"),
        ({"url": "http://x/{query}/{filters.a}"}, "url: not every query has {filters.a}; put it"),
        ({"url": "http://x/{querry}"}, "url: nothing fills {querry}"),
        ({"url": "http://x/{query}", "params": {"a": {"b": 1}}}, "params.a is a table"),
        ({"url": "http://x/{query}", "method": "get"}, "method = 'get'; there are GET, POST, PUT"),
        ({"url": "http://x/{query}", "retries": -1}, "retries must be 0 or more, not -1"),
        ({"url": "http://x/{query}", "rate": 0}, "rate must be more than 0 requests a second"),
        ({"url": "http://x/", "preset": "sorl"}, "unknown preset 'sorl': did you mean solr?"),
        ({"url": "http://x/", "preset": "typesense"}, "typesense needs params.query_by; give it"),
        ({"url": "${BASE}/{query}"}, "url needs the environment variable BASE, which is not set"),
        (
            {"url": "http://x/{query}", "headers": {"x-a": "${BAD}"}},
            "headers.x-a has characters that no header can have; does it end in a newline?",
        ),
    ],
)
def test_a_mistake_in_the_settings_is_explained(
    tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    with (
        pytest.raises(SystemUnusableError) as refused,
        opened("http", tmp_path, {"BAD": "hunter2\n"}, **settings),
    ):
        pass
    assert message in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("headers", "authorization"),
        ("headers", "Authorization"),
        ("headers", "Proxy-Authorization"),
        ("headers", "cookie"),
        ("headers", "x-api-key"),
        ("headers", "api-key"),
        ("headers", "X-TYPESENSE-API-KEY"),
        ("headers", "x-auth-token"),
        ("params", "api_key"),
        ("params", "access_token"),
        ("params", "x-typesense-api-key"),
    ],
)
def test_a_secret_that_is_written_down_is_refused_and_not_repeated(
    tmp_path: Path, where: str, name: str
) -> None:
    settings = {"url": "http://localhost/{query}", where: {name: "hunter2"}}
    with pytest.raises(SystemUnusableError) as refused, opened("http", tmp_path, **settings):
        pass
    assert f'write {where}.{name} = "${{NAME}}"' in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_a_server_that_repeats_a_secret_does_not_give_it_away(tmp_path: Path) -> None:
    def complain(received: Received) -> Reply:
        return Reply(f"bad {received.headers['authorization']} {received.path}".encode(), 401)

    with (
        serving(complain) as server,
        opened(
            "http",
            tmp_path,
            {"TOKEN": "hunter2 hunter2", "ADDRESS": server.url},
            url="${ADDRESS}/",
            params={"q": "{query}", "api_key": "${TOKEN}"},
            headers={"authorization": "Bearer ${TOKEN}"},
        ) as system,
    ):
        response = system.search(ask(), 1)
    assert server.received[0].params["api_key"] == ["hunter2 hunter2"]
    assert (response.status, response.message) == (Status.ERROR, "answered 401 Unauthorized")
    assert response.raw == "bad Bearer ${TOKEN} /?q=cats&api_key=${TOKEN}"


@pytest.mark.parametrize(
    ("code", "body", "headers", "status", "message"),
    [
        (400, b"parse error", {}, Status.ERROR, "answered 400 Bad Request"),
        (404, b"", {}, Status.ERROR, "answered 404 Not Found"),
        (500, b"x" * 100_000, {}, Status.ERROR, "answered 500 Internal Server Error"),
        (599, b"?", {}, Status.ERROR, "answered 599"),
        (204, b"", {}, Status.UNPARSEABLE, "this is not JSON"),
        (200, b"<html>", {}, Status.UNPARSEABLE, "this is not JSON"),
        (200, b'["\xff"]', {}, Status.UNPARSEABLE, "this is not JSON"),
        (200, b'{"error":"x"}', {}, Status.UNPARSEABLE, "the JSON has no list of hits"),
        (200, b"[]", {"content-encoding": "gzip"}, Status.ERROR, "it is not gzip as it says"),
        (
            301,
            b"",
            {"location": "https://elsewhere.example/s?q=cats"},
            Status.ERROR,
            "answered 301 Moved Permanently, which leads to https://elsewhere.example/s; redirects",
        ),
    ],
    ids=short,
)
def test_an_answer_without_hits_is_recorded_as_what_it_was(
    tmp_path: Path, code: int, body: bytes, headers: dict[str, str], status: Status, message: str
) -> None:
    with (
        serving(lambda _: Reply(body, code, headers)) as server,
        opened("http", tmp_path, url=server.url + "/{query}") as system,
    ):
        response = system.search(ask(), 1)
    assert response.status is status
    assert message in response.message
    if not headers:
        assert response.raw.encode(errors="replace")[:10] == body.replace(b"\xff", b"\\xff")[:10]
    assert len(response.raw) <= 4000
    assert len(server.received) == 1


def test_packed_answers_are_unpacked(tmp_path: Path) -> None:
    body = gzip.compress(b'["a"]')
    with (
        serving(lambda _: Reply(body, headers={"content-encoding": "gzip"})) as server,
        opened("http", tmp_path, url=server.url + "/{query}") as system,
    ):
        assert system.search(ask(), 1).hits[0].id == "a"


def test_nobody_there_is_found_by_the_check_and_an_error_of_a_query(tmp_path: Path) -> None:
    with opened("http", tmp_path, url=f"http://127.0.0.1:{free_port()}/{{query}}") as system:
        with pytest.raises(SystemUnusableError, match="start the server, or fix url"):
            system.check()
        response = system.search(ask(), 1)
    assert response.status is Status.ERROR
    assert "no answer from 127.0.0.1:" in response.message


def test_a_host_that_does_not_exist_is_found_by_the_check(tmp_path: Path) -> None:
    with opened("http", tmp_path, url="http://no-such-host.invalid/{query}") as system:
        with pytest.raises(SystemUnusableError, match=r"connect to no-such-host\.invalid:80"):
            system.check()
        assert system.search(ask(), 1).status is Status.ERROR


def test_certificates_that_are_none_are_found_by_the_check(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    for name in ("ca.pem", "gone.pem"):
        with (
            serving(answer_with([])) as server,
            opened(
                "http", tmp_path, url=f"https{server.url[4:]}/{{query}}", ca_file=name
            ) as system,
        ):
            with pytest.raises(SystemUnusableError, match=f"certificates in .*{name}"):
                system.check()
            assert system.search(ask(), 1).status is Status.ERROR


@pytest.mark.parametrize("text", ["half a sign \ud800", "x" * 100_000], ids=short)
def test_a_query_that_no_address_can_hold_is_an_error(tmp_path: Path, text: str) -> None:
    with (
        serving(answer_with(["a"])) as server,
        opened("http", tmp_path, url=server.url + "/?q={query}") as system,
    ):
        assert system.search(ask(text), 1).status is Status.ERROR
        assert system.search(ask("x" * 10_000), 1).status is Status.OK


def test_a_field_that_is_true_is_the_route_that_a_query_expects(tmp_path: Path) -> None:
    """As the portal of the golden sets answers: practice_bridge is true, and nothing is listed."""
    query = ask("how do I practise kriya", expect={"route": "practice_bridge"})
    with (
        serving(answer_with({"results": [], "practice_bridge": True})) as server,
        opened("http", tmp_path, url=server.url + "/?q={query}", route="practice_bridge") as system,
    ):
        response = system.search(query, 3)
    assert response.route == "practice_bridge"
    assert read_expectation(query).grade(response).checks == {"route": 1.0}
