"""A round of a model over stored runs: what it is asked, what that costs, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - read at run time by dataclasses
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.judging.models.answer_store import AnswerStore, StoredAnswer, answer_key
from cranfield.judging.models.model_judge import JudgeContext
from cranfield.judging.models.model_settings import (
    ModelSettings,
    current_suite,
    read_model_settings,
)
from cranfield.judging.models.prompts import Prompt, read_prompt
from cranfield.judging.models.remote_judge import open_judge
from cranfield.judging.models.request_loop import (
    Clock,
    ModelPlan,
    ModelTally,
    PlannedHit,
    RequestLoop,
    estimate_tokens,
)
from cranfield.judging.pool import make_pool
from cranfield.judgments import Judgment, JudgmentSource, JudgmentStore
from cranfield.model import Hit
from cranfield.relevance import RULES, read_expectation
from cranfield.systems import SystemContext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.executors import StartWorkers
    from cranfield.judging.pool import Pool, PooledHit, PooledQuery
    from cranfield.model import Query, Suite
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

__all__ = [
    "ModelRound",
    "grade_by_rules",
    "name_rater",
    "open_model_rounds",
]


def name_rater(settings: ModelSettings, prompt: Prompt) -> str:
    """Name a model as a rater: with the version of its prompt, for another judges differently."""
    return f"{settings.model}@{prompt.version}"


class ModelRound:
    """A suite's model and the hits of its pool."""

    def __init__(self, suite: Suite, pool: Pool, store: Store) -> None:
        self.suite = suite
        self.settings = read_model_settings(suite)
        self.prompt = read_prompt(suite.folder, self.settings.prompt)
        self.rater = name_rater(self.settings, self.prompt)
        self._pool = pool
        self._judgments = JudgmentStore(store)
        self._answers = AnswerStore(store)

    def plan(self) -> ModelPlan:
        """Return what would be asked and what it would cost, without asking anything."""
        self._answers.refuse_changed_prompt(self.rater, self.prompt)
        settings = self.settings
        hits, counts = [], {"matched": 0, "left_out": 0, "without_text": 0}
        for query, hit, fate in self._sorted_hits():
            if fate:
                counts[fate] += 1
                continue
            messages = self.prompt.fill(query.query, hit, settings)
            key = answer_key(settings, self.prompt, messages)
            hits.append(PlannedHit(query, hit, messages, key))
        known = self._answers.find(each.key for each in hits)
        new = [each for each in hits if each.key not in known]
        tokens = sum(estimate_tokens(each.messages) for each in new)
        spent = self._answers.spending(self.rater)
        return ModelPlan(
            hits=tuple(hits),
            known=known,
            input_tokens=tokens,
            output_tokens=len(new) * settings.answer_tokens,
            cost=settings.cost(tokens, len(new) * settings.answer_tokens),
            spent=spent,
            spent_cost=settings.cost(spent.input_tokens, spent.output_tokens),
            **counts,
        )

    def _sorted_hits(self) -> Iterator[tuple[PooledQuery, PooledHit, str]]:
        """Yield every hit, with why it is not sent, if so."""
        settings = self.settings
        for query in self._pool.queries.values():
            category = query.query.category
            matched = {}
            if settings.only_unmatched and category not in settings.always:
                matched = grade_by_rules(query.query, query.hits)
            for hit in query.hits:
                if category in settings.never:
                    yield query, hit, "left_out"
                elif hit.item in matched:
                    yield query, hit, "matched"
                else:
                    yield query, hit, "" if hit.text.strip() else "without_text"

    def run(
        self,
        plan: ModelPlan,
        environment: Mapping[str, str],
        *,
        start: StartWorkers | None = None,
        clock: Clock | None = None,
        note: Callable[[ModelTally], None] = lambda _: None,
    ) -> ModelTally:
        """Ask about every hit that has no answer yet; each answer is stored before the next.

        With `start`, workers of a cluster ask. Stops at the budget, at `most_calls`, and if the
        server is down; run it again to go on.
        """
        context = SystemContext(Path(self.suite.folder or "."), environment)
        key = context.variables.fill(self.settings.key, "[judging.model] key")
        opened = JudgeContext(key, environment, context.folder)
        asking = RequestLoop(self, plan, note, context.variables.hide)
        asking.reuse()
        if plan.to_ask:
            with open_judge(self.settings, opened, start) as judge:
                asking.ask_all(judge, clock or Clock())
        return asking.tally()

    def store_answer(self, planned: PlannedHit, answer: StoredAnswer, *, is_new: bool) -> None:
        """Store an answer, and the judgment if it is one."""
        if is_new:
            self._answers.add(answer)
        if answer.grade is None:
            return
        judgment = Judgment(
            query=planned.query.key,
            document=planned.hit.document,
            rater=self.rater,
            grade=answer.grade,
            content=planned.hit.content,
            source=JudgmentSource.MODEL,
            given=answer.given,
            guideline=self.prompt.identity,
            suite=self.suite.id,
            query_id=planned.query.query.id,
        )
        texts = {planned.hit.content: planned.hit.text}
        self._judgments.add([judgment], [planned.query.query], texts)

    def judged_items(self) -> set[tuple[str, str, str]]:
        """Return what this rater has judged already, and under which prompt."""
        return {
            (each.query, each.item, each.guideline)
            for each in self._judgments.judgments(self._pool.queries.keys())
            if each.source is JudgmentSource.MODEL and each.rater == self.rater
        }


def open_model_rounds(
    runs: Sequence[Run], project: Project, store: Store, depth: int
) -> list[ModelRound]:
    """Open one round for each suite of some runs."""
    by_suite: dict[str, list[Run]] = {}
    for run in runs:
        by_suite.setdefault(run.header.suite.id, []).append(run)
    return [
        ModelRound(current_suite(each[-1], project), make_pool(each, depth), store)
        for each in by_suite.values()
    ]


def grade_by_rules(query: Query, hits: Sequence[PooledHit]) -> dict[str, int]:
    """Return the grades of hits that the rules of a query find right, by item.

    A hit that no rule knows is not in it: somebody may still find it as good. Rules that query a
    database are resolved when a suite is run, and looked at then.
    """
    kept = {rule: value for rule, value in query.expect.items() if RULES.get(rule).resolve is None}
    if not kept:
        return {}
    expectation = read_expectation(replace(query, expect=kept))
    found = {}
    for hit in hits:
        met = [
            expectation.targets[place].grade
            for name in hit.documents
            for place in expectation.meets(Hit(name, text=hit.text, fields=hit.fields))
        ]
        if met and max(met) > 0:
            found[hit.item] = max(met)
    return found
