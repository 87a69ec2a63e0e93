"""Environment variables go in and do not come out again."""

from __future__ import annotations

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


def test_an_answer_is_left_as_it_is() -> None:
    variables = Variables({"TOKEN": SECRET})
    variables.fill("${TOKEN}", "here")
    response = Response.of((Hit(SECRET),))
    assert variables.hide_in(response) is response
