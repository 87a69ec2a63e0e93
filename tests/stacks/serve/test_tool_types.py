"""Arguments: what a tool takes, and what it says of what it does not take."""

from __future__ import annotations

import math

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.errors import QueryError
from stacks.serve import TOOLS
from stacks.serve.tool_types import (
    FLAG,
    NUMBER,
    TEXT,
    TEXTS,
    ToolParameter,
    check_arguments,
    read_texts,
)

PARAMETERS = (
    ToolParameter("query", TEXT, "What to look for."),
    ToolParameter("kind", TEXTS, "Only these.", ()),
    ToolParameter("way", TEXT, "Which way.", "up", choices=("up", "down")),
    ToolParameter("limit", NUMBER, "How many.", 10, minimum=1, maximum=100),
    ToolParameter("deep", FLAG, "Whether deep.", default=False),
)


def test_what_is_not_given_has_its_default() -> None:
    assert check_arguments(PARAMETERS, {"query": "x"}) == {
        "query": "x",
        "kind": (),
        "way": "up",
        "limit": 10,
        "deep": False,
    }


def test_null_is_not_given() -> None:
    checked = check_arguments(PARAMETERS, {"query": "x", "limit": None, "kind": None})
    assert (checked["limit"], checked["kind"]) == (10, ())


@pytest.mark.parametrize(
    ("name", "value", "taken"),
    [
        ("kind", "class", ("class",)),
        ("kind", ["class", "enum"], ("class", "enum")),
        ("kind", "", ()),
        ("limit", 5.0, 5),
        ("limit", 1, 1),
        ("limit", 100, 100),
        ("query", "", ""),
        ("query", "half \ud800 a sign", "half ? a sign"),
        ("query", "a\0b", "a\0b"),
    ],
)
def test_a_value_becomes_what_the_tool_wants(name: str, value: object, taken: object) -> None:
    assert check_arguments(PARAMETERS, {"query": "x", name: value})[name] == taken


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "query is missing: What to look for."),
        ({"query": None}, "query is missing"),
        ({"query": 5}, "query takes text; got 5"),
        ({"query": ["x"]}, "query takes text"),
        ({"query": "x", "kind": [1]}, "kind takes text or a list of texts"),
        ({"query": "x", "kind": {"a": 1}}, "kind takes text or a list of texts"),
        ({"query": "x", "limit": "5"}, "limit takes a whole number; got '5'"),
        ({"query": "x", "limit": True}, "limit takes a whole number; got True"),
        ({"query": "x", "limit": 1.5}, "limit takes a whole number"),
        ({"query": "x", "limit": math.nan}, "limit takes a whole number"),
        ({"query": "x", "limit": math.inf}, "limit takes a whole number"),
        ({"query": "x", "limit": 0}, "limit is at least 1; got 0"),
        ({"query": "x", "limit": 10**40}, "limit is at most 100"),
        ({"query": "x", "deep": "yes"}, "deep takes true or false; got 'yes'"),
        ({"query": "x", "deep": 1}, "deep takes true or false"),
        ({"query": "x", "way": "dawn"}, "way cannot be 'dawn'; did you mean down?"),
        ({"query": "x", "limt": 5}, "there is no argument 'limt'; did you mean limit?"),
        ({"query": "x", "z" * 9999: 5}, "arguments are query, kind, way, limit, deep"),
    ],
)
def test_a_wrong_argument_is_named_with_what_would_be_right(
    given: dict[str, object], message: str
) -> None:
    with pytest.raises(QueryError) as caught:
        check_arguments(PARAMETERS, given)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


def test_texts_of_a_url_become_values() -> None:
    texts = {"query": ["5"], "kind": ["class", "enum"], "limit": ["7"], "deep": ["True"]}
    assert read_texts(PARAMETERS, texts) == {
        "query": "5",
        "kind": ["class", "enum"],
        "limit": 7,
        "deep": True,
    }


@pytest.mark.parametrize(("text", "value"), [("", True), ("0", False), ("No", False), ("1", True)])
def test_a_flag_can_be_written_in_many_ways(text: str, value: bool) -> None:
    assert read_texts(PARAMETERS, {"deep": [text]}) == {"deep": value}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"limit": ["five"]}, "limit takes a whole number; got 'five'"),
        ({"limit": [""]}, "limit takes a whole number"),
        ({"limit": ["٣"]}, "limit takes a whole number"),
        ({"limit": ["9" * 5000]}, "limit takes a whole number"),
        ({"limit": ["1", "2"]}, "limit is given 2 times; give it once"),
        ({"deep": ["maybe"]}, "deep takes true or false; got 'maybe'"),
        ({"limits": ["1"]}, "there is no argument 'limits'; did you mean limit?"),
    ],
)
def test_a_text_that_is_no_value_is_named(texts: dict[str, list[str]], message: str) -> None:
    with pytest.raises(QueryError) as caught:
        read_texts(PARAMETERS, texts)
    assert message in str(caught.value)


def test_schemas_are_valid_and_say_what_is_required() -> None:
    for tool in TOOLS.values():
        schema = tool.schema()
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["required"] == [each.name for each in tool.parameters if each.is_required]
        assert all(each["description"] for each in schema["properties"].values())
    assert TOOLS.get("search").schema()["required"] == ["query"]
    assert TOOLS.get("list_frameworks").schema()["properties"] == {}


def test_a_schema_names_a_default_only_if_it_says_something() -> None:
    defaults = {each.name: each.schema().get("default") for each in PARAMETERS}
    assert defaults == {"query": None, "kind": None, "way": "up", "limit": 10, "deep": None}


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.lists(st.text(max_size=3))
)


@pytest.mark.corpus
@given(st.dictionaries(st.sampled_from(["query", "kind", "way", "limit", "deep", "x"]), VALUES))
def test_the_check_takes_what_the_schema_allows(arguments: dict[str, object]) -> None:
    """Beyond the schema, null stands for what is not given, and an empty choice for none."""
    told = {name: value for name, value in arguments.items() if value is not None or name == "x"}
    schema = {
        "type": "object",
        "properties": {each.name: each.schema() for each in PARAMETERS},
        "required": ["query"],
        "additionalProperties": False,
    }
    allowed = jsonschema.Draft202012Validator(schema).is_valid(told) or (
        told.get("way") == ""
        and jsonschema.Draft202012Validator(schema).is_valid({**told, "way": "up"})
    )
    try:
        check_arguments(PARAMETERS, arguments)
        taken = True
    except QueryError:
        taken = False
    assert taken == allowed
