"""What people and a model said of the same hits, and the queries that people judged wholly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.defaults import SEED
from cranfield.judging.kappas import clustered_kappa
from cranfield.judging.models.model_round import grade_by_rules, name_rater
from cranfield.judging.models.model_settings import read_model_settings
from cranfield.judging.models.prompts import read_prompt
from cranfield.judging.pool import draw
from cranfield.judgments import JudgmentSource, JudgmentStore, SettledGrade, settle

if TYPE_CHECKING:
    from cranfield.judging.kappas import ClusteredKappa
    from cranfield.judging.models.model_settings import ModelSettings
    from cranfield.judging.pool import Pool, PooledQuery
    from cranfield.model import Suite
    from cranfield.runs.store import Store

__all__ = [
    "HumanSample",
    "ModelAgreement",
    "compare_with_people",
    "take_sample",
]

_Settled = Mapping[str, SettledGrade]


@dataclass(frozen=True, slots=True)
class ModelAgreement:
    """How far a model agrees with people on hits that both judged.

    Kappa weighs a disagreement by the square of its steps; if people and the model have different
    scales, relevant or not is all that is compared. `demanded` is what the suite asks for: it must
    be shown, so the lower end of the interval counts.
    """

    rater: str
    kappa: ClusteredKappa | None
    demanded: float
    is_binary: bool
    table: Mapping[tuple[int, int], int]

    @property
    def is_enough(self) -> bool:
        """Whether the agreement that the suite demands is shown."""
        low = None if self.kappa is None else self.kappa.low
        return low is not None and low >= self.demanded


@dataclass(frozen=True, slots=True)
class HumanSample:
    """The grades of the queries of a pool, by people and by the model, and which are the sample.

    `sampled` are the first queries in an order drawn at random, as far as people have judged all
    their hits: a random sample, however they went on from there. `next_query` is the first that
    lacks judgments, `missing` how many. `unjudged_by_model` hits count as not relevant.
    """

    rater: str
    queries: tuple[str, ...]
    sampled: frozenset[str]
    people: Mapping[str, tuple[SettledGrade, ...]]
    model: Mapping[str, tuple[SettledGrade, ...]]
    next_query: str = ""
    missing: int = 0
    unjudged_by_model: int = 0


def compare_with_people(suite: Suite, pool: Pool, store: Store) -> ModelAgreement:
    """Compare what a model and people said of the hits of a pool."""
    settings = read_model_settings(suite)
    rater = name_rater(settings, read_prompt(suite.folder, settings.prompt))
    people, model = _settled(pool, store, rater)
    is_binary = suite.judging.highest != settings.highest
    clusters: dict[str, list[tuple[int, int]]] = {}
    table: dict[tuple[int, int], int] = {}
    for key, query in pool.queries.items():
        for hit in query.hits:
            ours, theirs = people[key].get(hit.item), model[key].get(hit.item)
            if ours is None or theirs is None or ours.grade < 0:
                continue
            pair = ours.grade, theirs.grade
            pair = (int(pair[0] > 0), int(pair[1] > 0)) if is_binary else pair
            clusters.setdefault(key, []).append(pair)
            table[pair] = table.get(pair, 0) + 1
    weights = "none" if is_binary or settings.highest == 1 else "quadratic"
    kappa = clustered_kappa(clusters, weights=weights) if clusters else None
    return ModelAgreement(rater, kappa, settings.agreement, is_binary, dict(sorted(table.items())))


def take_sample(suite: Suite, pool: Pool, store: Store, seed: int = SEED) -> HumanSample:
    """Return the grades of all queries of a pool, and the random sample that people judged."""
    settings = read_model_settings(suite)
    rater = name_rater(settings, read_prompt(suite.folder, settings.prompt))
    people, model = _settled(pool, store, rater)
    queries = {
        key: query
        for key, query in pool.queries.items()
        if query.query.category not in settings.never
    }
    known = {key: _known_grades(query, settings) for key, query in queries.items()}
    missing = {
        key: sum(hit.item not in known[key] and hit.item not in people[key] for hit in query.hits)
        for key, query in queries.items()
    }
    order = sorted(queries, key=lambda key: draw(seed, key))
    first = next((place for place, key in enumerate(order) if missing[key]), len(order))
    waiting = order[first] if first < len(order) else ""
    return HumanSample(
        rater=rater,
        queries=tuple(order),
        sampled=frozenset(order[:first]),
        people={key: tuple({**known[key], **people[key]}.values()) for key in order},
        model={key: tuple({**model[key], **known[key]}.values()) for key in order},
        next_query=queries[waiting].query.id if waiting else "",
        missing=missing.get(waiting, 0),
        unjudged_by_model=sum(
            hit.item not in known[key] and hit.item not in model[key]
            for key, query in queries.items()
            for hit in query.hits
        ),
    )


def _settled(
    pool: Pool, store: Store, rater: str
) -> tuple[dict[str, _Settled], dict[str, _Settled]]:
    """Return the grades of people and of the model, by query and item."""
    judgments = JudgmentStore(store).judgments(pool.queries.keys())
    both: list[dict[str, _Settled]] = []
    for source, name in ((JudgmentSource.PEOPLE, ""), (JudgmentSource.MODEL, rater)):
        by_query: dict[str, dict[str, SettledGrade]] = {key: {} for key in pool.queries}
        for settled in settle(judgments, source, name).values():
            by_query[settled.query][settled.item] = settled
        both.append({**by_query})
    return both[0], both[1]


def _known_grades(query: PooledQuery, settings: ModelSettings) -> dict[str, SettledGrade]:
    """Return the grades of hits that the suite's rules find right, if they are not asked about."""
    if not settings.only_unmatched or query.query.category in settings.always:
        return {}
    graded = grade_by_rules(query.query, query.hits)
    return {
        hit.item: SettledGrade(query.key, hit.content, hit.documents, graded[hit.item])
        for hit in query.hits
        if hit.item in graded
    }
