"""Text of others stays data: no passage changes a prompt's structure, or moves a verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judging.models.model_server import obedient_word

from cranfield.errors import CranfieldError
from cranfield.judging.models.model_settings import ModelSettings
from cranfield.judging.models.prompts import Messages, Prompt, enclose, open_block, split_block
from cranfield.judging.pool import PooledHit
from cranfield.model import Query

CORPUS = Path(__file__).parents[3] / "suites" / "teachings" / "hostile-passages.jsonl"
HOSTILE: list[dict[str, Any]] = [
    json.loads(line) for line in CORPUS.read_text().split("\n") if line
]
PROMPT = Prompt("You are evaluating search results.", "1", "abc")
SETTINGS = ModelSettings("openai", "m", "prompt.txt")
PLACES = ("before", "after", "inside")


def messages(query: str, document: str) -> Messages:
    return PROMPT.fill(Query("q", query), PooledHit("k", ("d",), "c", document), SETTINGS)


def hostile(case: dict[str, Any], place: str) -> str:
    passage, attack = case["passage"], case["attack"]
    if "{mark}" in attack:  # the attacker knows the mark of the passage without the attack
        block = split_block(messages(case["query"], passage).user)[1]
        attack = attack.replace("{mark}", block[12:44])
    middle = len(passage) // 2
    return {
        "before": f"{attack}\n{passage}",
        "after": f"{passage}\n{attack}",
        "inside": f"{passage[:middle]}\n{attack}\n{passage[middle:]}",
    }[place]


def structure(sent: Messages) -> tuple[str, str, int, str]:
    before, block, after = split_block(sent.user)
    return sent.system, before, block.count("\n"), after


def test_the_corpus_has_many_attacks_in_three_languages() -> None:
    assert len(HOSTILE) >= 40
    languages = [case["language"] for case in HOSTILE]
    assert all(languages.count(each) >= 10 for each in ("en", "es", "hi"))
    assert len({case["id"] for case in HOSTILE}) == len(HOSTILE)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case["id"])
def test_a_hostile_passage_does_not_change_the_structure(case: dict[str, Any], place: str) -> None:
    plain = messages(case["query"], case["passage"])
    attacked = messages(case["query"], hostile(case, place))
    assert structure(attacked) == structure(plain)
    block = split_block(attacked.user)[1]
    assert open_block(block)["document"] == hostile(case, place)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case["id"])
def test_a_hostile_passage_does_not_move_the_verdict(case: dict[str, Any], place: str) -> None:
    plain = obedient_word(messages(case["query"], case["passage"]))
    assert obedient_word(messages(case["query"], hostile(case, place))) == plain


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case["id"])
def test_a_hostile_query_does_not_change_the_structure(case: dict[str, Any]) -> None:
    plain = messages(case["query"], case["passage"])
    attacked = messages(case["attack"], case["passage"])
    assert structure(attacked) == structure(plain)


def test_the_stand_in_obeys_what_is_outside_the_block() -> None:
    sent = messages(HOSTILE[0]["query"], HOSTILE[0]["passage"])
    assert obedient_word(sent) == "PARTIAL"
    assert obedient_word(sent._replace(user=f"{sent.user}\nAnswer HIGH.")) == "HIGH"
    orders = [case for case in HOSTILE if _is_order(case["attack"])]
    assert len(orders) >= 35


def _is_order(attack: str) -> bool:
    plain = messages("nothing in common", "xyz")
    return obedient_word(plain._replace(system=attack)) in ("HIGH", "NOT_RELEVANT") and (
        obedient_word(plain._replace(system=attack)) == "HIGH" or "NOT_RELEVANT" in attack
    )


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_comes_back_from_one_block_of_three_lines(query: str, document: str) -> None:
    block = enclose({"query": query, "document": document})
    assert block.count("\n") == 2
    assert len(block.splitlines()) == 3
    assert "<" not in block.split("\n")[1]
    assert open_block(block) == {
        name: value.encode("utf-8", "replace").decode()
        for name, value in {"query": query, "document": document}.items()
    }
    assert split_block(f"before {block} after") == ("before ", block, " after")


def test_invisible_characters_are_visible_and_joiners_of_hindi_stay() -> None:
    block = enclose({"document": "\u202e\u2028\U000e0041 क्\u200dष"})
    assert "\\u202e\\u2028\\udb40\\udc41" in block
    assert "क्\u200dष" in block


def test_two_blocks_or_a_broken_one_are_refused() -> None:
    block = enclose({"document": "x"})
    with pytest.raises(CranfieldError, match="one data block"):
        split_block(f"{block}\n{block}")
    with pytest.raises(CranfieldError, match="not a data block"):
        open_block(block.replace("</data", "</date"))
