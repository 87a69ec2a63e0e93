"""A suite with a model, its run, and a clock that waits for nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.judging.samples import Listed

from cranfield.judging.models.model_round import ModelRound
from cranfield.judging.models.request_loop import Clock
from cranfield.judging.pool import draw, make_pool
from cranfield.judgments import Judgment, JudgmentSource, JudgmentStore, query_key
from cranfield.model import Hit, JudgingSettings, Query, Suite
from cranfield.runs.runner import Run, run_suite
from cranfield.runs.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cranfield.judging.pool import PooledHit

__all__ = [
    "KEY",
    "FakeTime",
    "drawn",
    "grade_all",
    "make_round",
    "make_run",
    "make_suite",
    "model_says",
    "number_of",
    "people_say",
]

KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz"


@dataclass
class FakeTime:
    """A clock that is set forward instead of waiting."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.seconds, self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds


def make_suite(folder: Path, endpoint: str, *, count: int = 6, **settings: Any) -> Suite:
    (folder / "prompt.txt").write_text("version: 1\nYou are evaluating search results.\n")
    model = {
        "kind": "openai", "model": "judge-1", "prompt": "prompt.txt", "endpoint": endpoint,
        "key": "${MODEL_KEY}", "per_minute": 6000.0, "jobs": 1, **settings,
    }  # fmt: skip
    queries = tuple(
        Query(
            f"q{number}",
            f"why does engine{number} stall",
            {"passages": [f"engine{number} stalls because"]},
        )
        for number in range(count)
    )
    return Suite(
        "engines", "passages", queries, folder=str(folder), judging=JudgingSettings(2, model=model)
    )


def make_run(suite: Suite, store: Store | None = None, label: str = "a") -> Run:
    """Each query finds its expected passage, a partly right one, and one beside the point."""
    hits = {
        query.text: [
            Hit(f"{query.id}-x", text=f"A page about gardens, {label}"),
            Hit(f"{query.id}-right", text=f"engine{place} stalls because the fuel is cold"),
            Hit(f"{query.id}-part", text=f"engine{place} was built in {1950 + place}"),
        ]
        for place, query in enumerate(suite.queries)
    }
    return run_suite(suite, Listed(hits), store=store or open_store())


def make_round(suite: Suite, run: Run) -> ModelRound:
    return ModelRound(suite, make_pool([run]), run.store)


def grade_all(
    store: Store,
    run: Run,
    grade: Callable[[Query, PooledHit], int | None],
    *,
    queries: set[str] | None = None,
    model: bool = False,
) -> None:
    pool = make_pool([run])
    given = [
        Judgment(
            query.key, hit.document, "judge-1@1" if model else "ann", grade=found,
            content=hit.content, source=JudgmentSource.MODEL if model else JudgmentSource.PEOPLE,
        )
        for query in pool.queries.values()
        if queries is None or query.key in queries
        for hit in query.hits
        if (found := grade(query.query, hit)) is not None
    ]  # fmt: skip
    JudgmentStore(store).add(given, [query.query for query in pool.queries.values()])


def number_of(query: Query) -> int:
    return int(query.id[1:])


def people_say(query: Query, hit: PooledHit) -> int:
    """The page about gardens, which comes first, answers every third query after all."""
    if hit.document.endswith("-x"):
        return 2 if number_of(query) % 3 == 0 else 0
    return 2 if hit.document.endswith("-right") else 1


def model_says(query: Query, hit: PooledHit) -> int:
    """Too kind: it also likes the page about gardens for every fifth query."""
    if hit.document.endswith("-x") and number_of(query) % 5 == 0:
        return 2
    return people_say(query, hit)


def drawn(suite: Suite) -> list[str]:
    return sorted((query_key(query) for query in suite.queries), key=lambda key: draw(1967, key))
