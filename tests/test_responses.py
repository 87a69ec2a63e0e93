"""Responses: an answer with or without hits, or a failure with its reason."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from cranfield.model import Hit, Response, Status


@pytest.mark.parametrize(
    ("status", "is_failure"),
    [
        (Status.OK, False),
        (Status.EMPTY, False),
        (Status.TIMEOUT, True),
        (Status.ERROR, True),
        (Status.UNPARSEABLE, True),
    ],
)
def test_an_empty_answer_is_an_answer(status: Status, is_failure: bool) -> None:
    assert status.is_failure is is_failure


def test_the_status_of_an_answer_says_whether_there_are_hits() -> None:
    found = Response.of((Hit("a"),), route="search", flags=("typo",))
    assert (found.status, found.route, found.flags) == (Status.OK, "search", ("typo",))
    assert Response.of(()).status is Status.EMPTY


def test_a_failure_has_its_message_and_output_and_no_hits() -> None:
    failed = Response.failed(Status.ERROR, "ended with code 1", raw="Traceback")
    assert (failed.status, failed.hits) == (Status.ERROR, ())
    assert (failed.message, failed.raw, failed.seconds) == ("ended with code 1", "Traceback", None)


def test_hits_and_responses_are_equal_by_their_content() -> None:
    assert Hit("a", 1.0, "text", {"k": 1}) == Hit("a", 1.0, "text", {"k": 1})
    assert Hit("a", 1.0) != Hit("a", 2.0)
    assert Response.of((Hit("a"),)) == Response.of((Hit("a"),))
    assert Response.of((Hit("a"), Hit("b"))) != Response.of((Hit("b"), Hit("a")))


def test_hits_and_responses_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Hit("a").id = "b"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        Response.of(()).route = "search"  # type: ignore[misc]


def test_hits_do_not_share_their_fields() -> None:
    assert Hit("a").fields is not Hit("b").fields
