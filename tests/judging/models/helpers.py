"""A suite with a model, its run, and a clock that waits for nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.judging.samples import Listed

from cranfield.judging import make_pool
from cranfield.judging.models import Clock, ModelRound
from cranfield.model import Hit, JudgingSettings, Query, Suite
from cranfield.runs import Run, Store, open_store, run_suite

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["KEY", "FakeTime", "make_round", "make_run", "make_suite"]

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
