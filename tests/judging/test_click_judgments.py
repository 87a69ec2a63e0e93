"""Clicks over expected clicks: by hand, against a simulated log, and apart from people."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from scipy.stats import spearmanr
from tests.judging.samples import judge, questions

from cranfield.errors import CranfieldError, InputError
from cranfield.judging.click_judgments import (
    ClickOptions,
    click_rates,
    judge_by_clicks,
    rate_documents,
    store_clicks,
)
from cranfield.judging.click_log import ClickActions, ClickLog, Showing, read_click_log
from cranfield.judging.files.judgment_import import KnownQueries, KnownQuery
from cranfield.judgments import JudgedBy, JudgmentSource, JudgmentStore, settle
from cranfield.model import Undefined
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

NOTHING_KNOWN = KnownQueries([])
BY_HAND = [
    # Four searches; position 1 is clicked 2 of 4 times, position 2 once in 4, position 3 never.
    Showing("red", "a", 1, True), Showing("red", "b", 2, False), Showing("red", "c", 3, False),
    Showing("red", "a", 1, True), Showing("red", "b", 2, False), Showing("red", "c", 3, False),
    Showing("blue", "d", 1, False), Showing("blue", "e", 2, True),
    Showing("blue", "d", 1, False), Showing("blue", "e", 2, False),
]  # fmt: skip


def test_rates_and_ratios_are_those_computed_by_hand() -> None:
    assert click_rates(BY_HAND) == {1: 0.5, 2: 0.25, 3: 0.0}
    ratios = {(each.query, each.document): each.coec for each in rate_documents(BY_HAND)}
    # a: 2 clicks, 0.5 + 0.5 expected; e: 1 click, 0.25 + 0.25 expected.
    assert ratios["red", "a"] == 2.0
    assert ratios["red", "b"] == 0.0
    assert ratios["blue", "d"] == 0.0
    assert ratios["blue", "e"] == 2.0
    assert isinstance(ratios["red", "c"], Undefined)


@pytest.mark.parametrize(
    ("highest", "clicks", "grade"),
    [
        (1, 1, 0),
        (1, 2, 1),
        (1, 4, 1),
        (3, 0, 0),
        (3, 1, 1),
        (3, 2, 2),
        (3, 3, 2),
        (3, 4, 3),
        (3, 9, 3),
    ],
)
def test_a_grade_is_half_the_ratio_of_the_highest_rounded(
    highest: int, clicks: int, grade: int
) -> None:
    # Others are clicked as often as makes 10 of all 50; so 2 of the 10 times are expected.
    mine = [Showing("q", "mine", 1, at < clicks) for at in range(10)]
    others = [Showing("q", "other", 1, at < 10 - clicks) for at in range(40)]
    log = ClickLog((*mine, *others))
    assert click_rates(log.showings) == {1: 0.2}
    judged = judge_by_clicks(log, NOTHING_KNOWN, ClickOptions(highest=highest))
    assert judged.judgments[0].grade == grade


def simulated_log(seed: int) -> tuple[list[Showing], dict[tuple[str, str], float]]:
    """A log whose searchers look at lower positions less, under a ranking that is often wrong."""
    random = Random(seed)  # noqa: S311 - seeded on purpose
    looked_at = [1.0, 0.6, 0.4, 0.25, 0.15]
    attraction: dict[tuple[str, str], float] = {}
    showings = []
    for number in range(60):
        query = f"query {number}"
        for place in range(5):
            attraction[query, f"{number}-{place}"] = random.uniform(0.05, 0.9)
        # Each query has a ranking of its own; now and then two neighbours change places.
        ranking = [f"{number}-{place}" for place in range(5)]
        random.shuffle(ranking)
        for _ in range(300):
            shown = list(ranking)
            at = random.randrange(4)
            if random.random() < 0.3:
                shown[at], shown[at + 1] = shown[at + 1], shown[at]
            for position, document in enumerate(shown):
                chance = looked_at[position] * attraction[query, document]
                showings.append(Showing(query, document, position + 1, random.random() < chance))
    return showings, attraction


def test_the_ratio_recovers_the_order_that_the_raw_rate_does_not() -> None:
    showings, attraction = simulated_log(7)
    rated = rate_documents(showings)
    truth = [attraction[each.query, each.document] for each in rated]
    by_ratio = spearmanr(truth, [each.coec for each in rated]).statistic
    by_rate = spearmanr(truth, [each.clicks / each.shown for each in rated]).statistic
    assert by_ratio > 0.95
    assert by_rate < 0.75


def write_log(folder: Path, kind: str) -> tuple[Path, Path]:
    """The log computed by hand, in the fields of User Behavior Insights."""
    asked = [("1", "red", "abc", "a"), ("2", "Red ", "abc", "a"), ("3", "blue", "de", "e"),
             ("4", "blue", "de", "")]  # fmt: skip
    queries = [
        {"query_id": name, "user_query": text, "query_response_hit_ids": list(hits),
         "query_response_id": f"r{name}", "timestamp": "2026-11-16T10:00:00Z"}
        for name, text, hits, _ in asked
    ]  # fmt: skip
    events: list[dict[str, Any]] = [
        {"query_id": name, "action_name": "click", "timestamp": "2026-11-16T10:00:09Z",
         "event_attributes": {"object": {"object_id": clicked}, "position": {"ordinal": 1}}}
        for name, _, _, clicked in asked if clicked
    ]  # fmt: skip
    events.append({"query_id": "1", "action_name": "hover"})
    paths = folder / f"queries.{kind}", folder / f"events.{kind}"
    for path, rows in zip(paths, (queries, events), strict=True):
        path.write_text(WRITERS[kind](rows), encoding="utf-8-sig")
    return paths


def write_lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps({"_source": row}) + "\n" for row in rows)


def write_table(rows: list[dict[str, Any]]) -> str:
    import csv
    import io

    flat = [dict(_flatten(row)) for row in rows]
    written = io.StringIO(newline="")
    table = csv.DictWriter(written, list(dict.fromkeys(key for row in flat for key in row)))
    table.writeheader()
    table.writerows(flat)
    return written.getvalue()


def _flatten(row: dict[str, Any], start: str = "") -> list[tuple[str, Any]]:
    flat = []
    for key, value in row.items():
        if isinstance(value, dict):
            flat += _flatten(value, f"{start}{key}.")
        else:
            flat.append((f"{start}{key}", json.dumps(value) if isinstance(value, list) else value))
    return flat


WRITERS = {"jsonl": write_lines, "csv": write_table}


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_log_is_read_from_json_lines_and_tables(tmp_path: Path, kind: str) -> None:
    log = read_click_log(*write_log(tmp_path, kind))
    assert sorted(each._replace(query=each.query.casefold().strip()) for each in log.showings) == (
        sorted(BY_HAND)
    )
    assert (log.unplaced, log.last) == (0, "2026-11-16T10:00:09Z")


def test_impressions_say_what_was_shown_if_there_are_any(tmp_path: Path) -> None:
    queries, events = write_log(tmp_path, "jsonl")
    attributes = {"object": {"object_id": "a"}, "position": {"ordinal": 4}}
    seen = {"query_id": "1", "action_name": "impression", "event_attributes": attributes}
    with events.open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(seen) + "\n")
    log = read_click_log(queries, events)
    assert log.showings == (Showing("red", "a", 4, True),)
    assert log.unplaced == 2


def test_a_log_without_clicks_says_which_actions_it_has(tmp_path: Path) -> None:
    queries, events = write_log(tmp_path, "jsonl")
    with pytest.raises(InputError, match=r"its actions are 'click'.*--click NAME"):
        read_click_log(queries, events, ClickActions(click=("buy",)))


def test_clicks_grade_the_queries_of_a_suite_and_stay_apart_from_people(tmp_path: Path) -> None:
    (query, _) = questions(2)
    known = KnownQueries([(query.id, KnownQuery(query, "open"))])
    log = ClickLog(
        tuple(Showing(query.text.upper(), name, 1, name == "a") for name in "ab" for _ in range(10))
    )
    judged = judge_by_clicks(log, known)
    store = open_store()
    JudgmentStore(store).add([judge(query, "a", 0)], [query])
    assert store_clicks(judged, store) == 2
    assert store_clicks(judged, store) == 0
    stored = JudgmentStore(store).judgments()
    grades = {
        source: {each.documents[0]: each.grade for each in settle(stored, source).values()}
        for source in (JudgmentSource.PEOPLE, JudgmentSource.CLICKS)
    }
    assert grades == {JudgmentSource.PEOPLE: {"a": 0}, JudgmentSource.CLICKS: {"a": 1, "b": 0}}
    assert {each.query_id for each in stored if each.source is JudgmentSource.CLICKS} == {"q0"}
    assert str(JudgedBy(JudgmentSource.CLICKS)) == "clicks"


def test_too_few_showings_say_nothing() -> None:
    judged = judge_by_clicks(ClickLog(tuple(BY_HAND)), NOTHING_KNOWN)
    assert (judged.judgments, judged.seldom) == ((), 5)
    judged = judge_by_clicks(ClickLog(tuple(BY_HAND)), NOTHING_KNOWN, ClickOptions(fewest=2))
    assert (len(judged.judgments), judged.undefined, judged.foreign) == (4, 1, 2)
    with pytest.raises(CranfieldError, match="1 or more"):
        ClickOptions(fewest=0)
