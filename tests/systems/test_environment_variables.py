"""Environment variables go in and do not come out again."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, quote_plus

import pytest

from cranfield.errors import SystemUnusableError
from cranfield.model import Hit, Response, Status
from cranfield.systems.environment_variables import Variables

SECRET = "hunter2/+ &x"  # noqa: S105 - not one


def test_variables_are_filled_by_name() -> None:
    variables = Variables({"A": "1", "B": "two"})
    assert variables.fill("Bearer ${B}-${A} $B {B}", "here") == "Bearer two-1 $B {B}"


def test_a_variable_that_is_not_set_is_named_and_others_are_not_shown() -> None:
    with pytest.raises(SystemUnusableError) as refused:
        Variables({"OTHER": SECRET}).fill("${TOKEN}", "headers.authorization")
    assert "headers.authorization needs the environment variable TOKEN" in str(refused.value)
    assert SECRET not in str(refused.value)


def test_a_failure_does_not_show_what_was_used() -> None:
    variables = Variables({"TOKEN": SECRET, "NOT_USED": "visible", "SHORT": "1"})
    variables.fill("${TOKEN}${SHORT}", "here")
    failed = Response.failed(
        Status.ERROR, f"1: {SECRET}", raw=f"?key=hunter2%2F%2B%20%26x visible {SECRET}{SECRET}"
    )
    hidden = variables.hide_in(failed)
    assert hidden.message == "1: ${TOKEN}"
    assert hidden.raw == "?key=${TOKEN} visible ${TOKEN}${TOKEN}"


def used(**environment: str) -> Variables:
    variables = Variables(environment)
    for name in environment:
        variables.fill(f"${{{name}}}", "here")
    return variables


def test_an_answer_does_not_show_what_was_used() -> None:
    fields = {"title": "ok", "echo": {"headers": [f"Bearer {SECRET}"]}, f"x{SECRET}": 1}
    answer = Response(
        Status.OK, (Hit(f"a/{SECRET}", 1.0, f"text {SECRET}", fields),), SECRET, (SECRET,)
    )
    hidden = used(ANY_NAME=SECRET).hide_in(answer)
    assert SECRET not in repr(hidden)
    [hit] = hidden.hits
    assert (hit.id, hit.text, hit.score) == ("a/${ANY_NAME}", "text ${ANY_NAME}", 1.0)
    assert hit.fields["title"] == "ok"


def test_an_answer_without_secrets_is_the_same_answer() -> None:
    answer = Response.of((Hit("a", 1.0, "words", {"id": "a", "n": 1, "list": [1, None, "x"]}),))
    assert used(TOKEN=SECRET).hide_in(answer) is answer


@pytest.mark.parametrize("value", ["localhost:9200", "/srv/index", "production", "http://x:80/a"])
def test_ids_keep_what_documents_are_named_by_and_other_texts_do_not(value: str) -> None:
    """Rules compare ids; an address in a variable is not a reason to find nothing any more."""
    [hit] = used(PLACE=value).hide_in(Response.of((Hit(f"{value}/1", text=f"at {value}"),))).hits
    assert (hit.id, hit.text) == (f"{value}/1", "at ${PLACE}")


def test_a_value_that_the_suite_contains_is_no_secret_in_answers() -> None:
    variables = used(PG_TOKEN="postgres", INDEX="idx-7f3a9c")  # noqa: S106 - nobody's
    variables.publish('{"text": "postgres", "expect": {"ids": ["idx-7f3a9c/1"]}}')
    answer = Response.of((Hit("idx-7f3a9c/1", text="postgres"),))
    assert variables.hide_in(answer) is answer
    assert "postgres" not in variables.hide("postgres said no")


def test_short_values_are_hidden_in_answers_as_words_and_only_if_they_are_secrets() -> None:
    variables = used(DB_TOKEN="test", MODE="fast")  # noqa: S106 - nobody's
    [hit] = variables.hide_in(Response.of((Hit("contest", text="a test, fast"),))).hits
    assert (hit.id, hit.text) == ("contest", "a ${DB_TOKEN}, fast")


def test_values_are_hidden_in_the_usual_encodings() -> None:
    value = 'p"ä/ss\\w+rd 1'
    shown = [
        value, quote(value, safe=""), quote(value), quote_plus(value), json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1], base64.b64encode(value.encode()).decode(),
    ]  # fmt: skip
    assert used(PASSWORD=value).hide(" ".join(shown)) == " ".join(["${PASSWORD}"] * len(shown))


def test_variables_that_were_not_named_are_hidden_if_their_name_suggests_a_secret() -> None:
    """A program gets the whole environment, and may print it."""
    variables = Variables({"DEPLOY_TOKEN": "abc-123-def", "HOME": "/home/someone"})
    failed = Response.failed(Status.ERROR, "exit 1", raw="HOME=/home/someone t=abc-123-def")
    assert variables.hide_in(failed).raw == "HOME=/home/someone t=${DEPLOY_TOKEN}"
    [hit] = variables.hide_in(Response.of((Hit("a", text="abc-123-def"),))).hits
    assert hit.text == "${DEPLOY_TOKEN}"


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("PGPASSWORD=two words", "PGPASSWORD=[masked]"),
        ("A=1\nexport DB_TOKEN='x y'\nB=2", "A=1\nexport DB_TOKEN=[masked]\nB=2"),
        (
            "environ({'PGPASSWORD': 'pw12', 'A': 'b'})",
            "environ({'PGPASSWORD': '[masked]', 'A': 'b'})",
        ),
        ('{"clientSecret": "pw12"}', '{"clientSecret": "[masked]"}'),
        ("cannot log in with password=pw12; sorry", "cannot log in with password=[masked]; sorry"),
        ("> Authorization: Bearer pw12345", "> Authorization: Bearer [masked]"),
        ("Unexpected token: < in JSON", "Unexpected token: < in JSON"),
        ("key=value tokens=512 max_tokens=3", "key=value tokens=512 max_tokens=3"),
    ],
)
def test_what_a_failing_program_prints_under_a_secrets_name_is_masked(
    printed: str, shown: str
) -> None:
    assert Variables({}).hide(printed) == shown


def test_known_kinds_of_secret_are_masked_wherever_they_come_from() -> None:
    token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # noqa: S105 - nobody's
    [hit] = Variables({}).hide_in(Response.of((Hit(token, text=token, fields={"a": token}),))).hits
    assert token not in repr(hit)
