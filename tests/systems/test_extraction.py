"""From what was received to hits: usual names, paths, patterns, and what is refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.model import Hit, Response, Status
from cranfield.systems import Extraction, ReadingSettings
from tests.systems.helpers import short

AN_ID = "an id is a text or a whole number"


def read(document: Any, limit: int = 10, **settings: Any) -> Response:
    return Extraction(ReadingSettings(**settings)).from_document(document, limit)


@pytest.mark.parametrize(
    "document",
    [
        ["a", "b"],
        [{"id": "a"}, {"id": "b"}],
        {"hits": ["a", "b"]},
        {"results": [{"url": "a"}, {"path": "b"}]},
        {"took": 3, "items": [{"_id": "a"}, {"file": "b"}]},
        {"result": [{"uri": "a"}, {"hash": "b"}]},
        {"hits": None, "data": [{"docid": "a"}, {"document_id": "b"}]},
    ],
)
def test_the_usual_shapes_need_no_settings(document: Any) -> None:
    assert [hit.id for hit in read(document).hits] == ["a", "b"]


def test_everything_a_hit_says_is_kept_but_its_text_only_once() -> None:
    long = "word " * 50
    [hit] = read([{"id": "a", "score": 3, "text": long, "kind": "class", "hash": "x"}]).hits
    assert hit == Hit("a", 3.0, long, {"id": "a", "score": 3, "kind": "class", "hash": "x"})


def test_a_field_that_equals_the_text_is_still_a_field() -> None:
    [hit] = read([{"id": "a", "text": "x", "title": "x", "n": 5}]).hits
    assert hit.fields == {"id": "a", "title": "x", "n": 5}


@pytest.mark.parametrize(
    ("given", "text"), [(5, ""), (None, ""), (["a", 1, "b"], "a\nb"), ({"x": 1}, "")]
)
def test_a_text_that_is_none_does_no_harm(given: Any, text: str) -> None:
    assert read([{"id": "a", "text": given}]).hits[0].text == text


def test_paths_lead_inside_hits_and_to_the_route() -> None:
    document = {
        "answer": {"list": [{"doc": {"key": 7, "body": "B", "lang": "en"}, "s": 0.5}]},
        "meta": {"to": "code", "why": ["typo", "short"]},
    }
    response = read(
        document,
        hits="answer.list",
        id="doc.key",
        score="s",
        text="doc.body",
        fields="doc",
        route="meta.to",
        flags="meta.why",
    )
    assert response.hits == (Hit("7", 0.5, "B", {"key": 7, "lang": "en"}),)
    assert (response.route, response.flags) == ("code", ("typo", "short"))


def test_text_is_looked_for_in_the_fields_too() -> None:
    document = [{"_id": "a", "_source": {"content": "C", "title": "T"}}]
    assert read(document, fields="_source").hits == (Hit("a", None, "C", {"title": "T"}),)


@pytest.mark.parametrize(
    ("path", "document", "ids"),
    [
        ("hits[*].id", {"hits": [{"id": "a"}, {"id": "b"}]}, ["a", "b"]),
        ("groups[*].hits", {"groups": [{"hits": ["a"]}, {"hits": ["b", "a"]}]}, ["a", "b"]),
        ("hits", {"hits": [1, 2]}, ["1", "2"]),
        ("$", ["a"], ["a"]),
        ("hits", {"hits": None}, []),
        ("hits[*]", {"hits": []}, []),
        ("hits", {"hits": []}, []),
    ],
)
def test_the_path_of_the_hits_may_go_through_lists(path: str, document: Any, ids: Any) -> None:
    response = read(document, hits=path)
    assert response.status is (Status.OK if ids else Status.EMPTY)
    assert [hit.id for hit in response.hits] == ids


@pytest.mark.parametrize(
    ("path", "document", "message"),
    [
        ("", {"error": "no index"}, "the JSON has no list of hits: it has error; none is a list"),
        (
            "",
            {"took": 3, "data": {"found": []}},
            (
                "the JSON has no list of hits: it has took, data.found; if its hits are there, "
                'set hits = "data.found"'
            ),
        ),
        ("", "text", "the JSON has no list of hits: it is a text"),
        ("", None, "the JSON has no list of hits: it is null"),
        ("hits", {"error": "no index"}, "the path hits leads nowhere"),
        ("hits[*]", {"error": "no index"}, "the path hits[*] leads nowhere"),
        ("hits", {"hits": {"hits": []}}, "the path hits leads to no list"),
        ("hits", {"hits": 3}, "the path hits leads to no list"),
        (
            "",
            [{"id": "a"}, {"score": 1.5, "title": "b", "document": {"sku": 7, "page_url": "/b"}}],
            (
                "hit 2 has no id: it has score, title, document.sku, document.page_url; set id to "
                'the path of the id, such as id = "document.page_url"'
            ),
        ),
        ("", [{"id": ""}], f"hit 1 has no id: id is empty; {AN_ID}"),
        ("", [{"id": True}], f"hit 1 has no id: id is true; {AN_ID}"),
        ("", [{"id": None, "title": "a"}], f"hit 1 has no id: id is null; {AN_ID}"),
        ("", [{"id": 0.0, "title": "a"}], f"hit 1 has no id: id is 0.0, a float; {AN_ID}"),
        ("", [{"id": {"a": 1}}], f"hit 1 has no id: id is an object; {AN_ID}"),
        ("", [{}], "hit 1 has no id: it has no fields; none is an id"),
        ("", [True], "hit 1 has no id: it is true or false, not a dict with fields"),
        (
            "",
            [["a"]],
            'hit 1 has no id: it is a list; if its first element is the id, set id = "[0]"',
        ),
        ("", [None], "hit 1 has no id: it is null, not a dict with fields"),
    ],
)
def test_what_holds_no_hits_is_unparseable_and_kept(path: str, document: Any, message: str) -> None:
    response = read(document, hits=path)
    assert (response.status, response.message) == (Status.UNPARSEABLE, message)
    assert response.raw == msgspec.json.encode(document).decode()


def test_a_path_that_finds_something_else_than_an_id_is_named() -> None:
    message = read([{"document": {"id": [1]}}], id="document.id").message
    assert message == f"hit 1 has no id: document.id is a list; {AN_ID}"


def test_hits_that_repeat_an_id_are_counted() -> None:
    response = read(["a", "b", "a", "a"])
    assert ([hit.id for hit in response.hits], response.repeated) == (["a", "b"], 2)


def test_a_path_that_finds_no_id_is_named() -> None:
    message = read([{"name": "a"}], id="document.id").message
    assert message == (
        "hit 1 has no id at document.id: it has name; set id to the path of the id, such as "
        'id = "name"'
    )


@pytest.mark.parametrize(
    ("score", "number"),
    [(1, 1.0), (-0.5, -0.5), (True, None), ("3", None), (None, None), (10**400, None)],
)
def test_a_score_is_a_number_or_none(score: Any, number: float | None) -> None:
    assert read([{"id": "a", "score": score}]).hits[0].score == number


def test_the_first_of_each_id_is_kept_up_to_the_limit() -> None:
    given = [{"id": name, "score": n} for n, name in enumerate("abacabadabacaba")]
    hits = read(given, limit=3).hits
    assert [(hit.id, hit.score) for hit in hits] == [("a", 0.0), ("b", 1.0), ("c", 3.0)]


@pytest.mark.parametrize(
    "output",
    [b"", b"{", b"\xff", b'["\\ud800"]', b"[" * 100_000, b"1e999", b"NaN", b"[1] [2]"],
    ids=short,
)
def test_what_is_not_json_is_unparseable(output: bytes) -> None:
    response = Extraction(ReadingSettings()).from_bytes(output, 10)
    assert response.status is Status.UNPARSEABLE
    assert response.message.startswith("this is not JSON: ")
    assert len(response.raw) <= 16_000


@pytest.mark.corpus
def test_a_pattern_that_takes_forever_is_stopped() -> None:
    response = Extraction(ReadingSettings(pattern="(?:a|aa)+$")).from_bytes(b"a" * 60 + b"b", 10)
    assert response.status is Status.UNPARSEABLE
    assert response.message == "the pattern took more than 2 s on the output"


def test_a_group_that_took_no_part_is_no_id() -> None:
    reading = Extraction(ReadingSettings(pattern=r"(?<id>\d+)?x"))
    assert [hit.id for hit in reading.from_bytes(b"1x x 2x", 10).hits] == ["1", "2"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["id", "hits", "text"]), inner),
    max_leaves=20,
)


@given(json_values, st.sampled_from(["", "hits", "hits[*]", "$", "hits[0].id"]))
def test_no_document_breaks_the_reading(document: Any, path: str) -> None:
    response = read(document, hits=path)
    assert response.status in (Status.OK, Status.EMPTY, Status.UNPARSEABLE)
    assert len({hit.id for hit in response.hits}) == len(response.hits)


@pytest.mark.parametrize(
    ("document", "settings", "route"),
    [
        ({"hits": [], "practice_bridge": True}, {}, "practice_bridge"),
        ({"hits": [], "practice_bridge": True}, {"route": "practice_bridge"}, "practice_bridge"),
        (
            {"hits": [], "m": {"practice_bridge": True}},
            {"route": "m.practice_bridge"},
            "practice_bridge",
        ),
        ({"hits": ["a"], "practice_bridge": False}, {"route": "practice_bridge"}, ""),
        ({"hits": ["a"], "practice_bridge": False, "route": "search"}, {}, "search"),
        ({"hits": ["a"], "route": None, "routing": "code"}, {}, "code"),
        ({"hits": ["a"], "route": {"from": "a"}}, {}, ""),
        ({"practice_bridge": True}, {}, "practice_bridge"),
        ({"practice_bridge": True}, {"hits": "results"}, "practice_bridge"),
    ],
    ids=short,
)
def test_a_field_that_is_true_is_the_route_of_its_name(
    document: Any, settings: dict[str, Any], route: str
) -> None:
    """The portal of the golden sets answers `practice_bridge: true`."""
    response = read(document, **settings)
    assert not response.status.is_failure
    assert response.route == route


def test_a_path_to_no_route_and_an_answer_without_hits_are_unparseable() -> None:
    response = read({"hits": ["a"], "route": {"to": "code"}}, route="route")
    assert response.status is Status.UNPARSEABLE
    assert (
        "the path route leads to no route; name a text, or a field that is true" in response.message
    )
    assert read({"route": "search"}).status is Status.UNPARSEABLE


@pytest.mark.parametrize(
    ("document", "settings", "flags"),
    [
        ({"flags": ["crisis"], "retrieval_intent": "console"}, {}, ("crisis", "console")),
        ({"flags": {"crisis": True, "typo": False}}, {}, ("crisis",)),
        ({"crisis": True}, {"flags": "crisis"}, ("crisis",)),
        ({"crisis": False}, {"flags": "crisis"}, ()),
        ({"flags": None}, {}, ()),
    ],
    ids=short,
)
def test_flags_are_a_list_a_text_or_what_is_true(
    document: Any, settings: dict[str, Any], flags: tuple[str, ...]
) -> None:
    assert read({"hits": ["a"], **document}, **settings).flags == flags
