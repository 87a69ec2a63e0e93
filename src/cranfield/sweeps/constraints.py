"""Constraints of a sweep: what a trial must keep to, or it cannot win."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from cranfield.errors import UnknownNameError
from cranfield.sweeps.trial_scores import mean_of, pair_rows
from cranfield.verdicts import VerdictKind, compare_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from cranfield.sweeps.parameters import Trial
    from cranfield.sweeps.query_parts import QueryTable
    from cranfield.sweeps.trial_scores import Rows, TrialScores

__all__ = ["Constraint", "find_broken", "is_permitted"]

_RELATION = re.compile(r"\s*([A-Za-z_]\w*)\s*(<=|>=|==|!=|<|>)\s*([A-Za-z_]\w*|-?\d+(?:\.\d+)?)\s*")
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_EQUALITY = ("==", "!=")


class Constraint(msgspec.Struct, frozen=True):
    """One of four: a relation of parameters, a least figure, a longest time, no class worse.

    - `holds`: a relation such as `overlap < passage_words`; other trials are not run at all.
    - `at_least`: the least mean of a `suite`, or of a `category` in it, on the tuning part.
    - `seconds`: the longest median time of an answer.
    - `not_worse`: a suite whose verdict against the default, on the tuning part and by itself, must
      not be *worse*; `*` is every suite.
    """

    holds: str = ""
    suite: str = ""
    category: str = ""
    at_least: float | None = None
    seconds: float | None = None
    not_worse: str = ""

    def find_mistakes(
        self, parameters: Collection[str], texts: Collection[str] = ()
    ) -> Iterator[str]:
        """Find what is wrong with the constraint as it is written; `texts` have no order."""
        given = (self.holds, self.at_least is not None, self.seconds is not None, self.not_worse)
        if sum(map(bool, given)) != 1:
            yield "give one of holds =, at_least =, seconds = and not_worse ="
        if (self.suite or self.category) and self.at_least is None:
            yield "suite and category go with at_least ="
        if self.holds:
            relation = _RELATION.fullmatch(self.holds)
            if relation is None:
                yield f"holds = {self.holds!r}; write a relation such as overlap < passage_words"
            elif unknown := [each for each in _names(relation) if each not in parameters]:
                yield str(UnknownNameError("parameter", unknown[0], parameters))
            elif relation[2] not in _EQUALITY and any(each in texts for each in _names(relation)):
                yield f"holds = {self.holds!r}; texts have no order, compare them with == or !="


def is_permitted(trial: Trial, constraints: Collection[Constraint]) -> bool:
    """Return whether the values of a trial keep to all relations."""
    return all(_holds(trial, each.holds) for each in constraints if each.holds)


def _names(relation: re.Match[str]) -> list[str]:
    return [each for each in relation.group(1, 3) if not re.match(r"[-\d.]", each)]


def _holds(trial: Trial, text: str) -> bool:
    relation = _RELATION.fullmatch(text)
    if relation is None:
        return True
    left, sign, right = relation.groups()
    other = trial.values[right] if right in trial.values else float(right)
    return _OPERATORS[sign](trial.values[left], other)


def find_broken(
    scores: TrialScores,
    default: TrialScores,
    table: QueryTable,
    rows: Rows,
    constraints: Collection[Constraint],
    *,
    seed: int,
) -> str:
    """Return which constraint a trial breaks on the tuning part; empty if none."""

    def is_worse(suite: str) -> bool:
        compared_rows = pair_rows(default, scores, rows & table.of_suite(suite))
        compared = compare_columns([compared_rows], seed=seed)[0]
        return compared is not None and compared.verdict.kind is VerdictKind.WORSE

    for each in constraints:
        if breach := _describe_breach(each, scores, table, rows):
            return breach
        named = table.suite_ids if each.not_worse == "*" else filter(None, [each.not_worse])
        if scores is not default and (worse := next(filter(is_worse, named), "")):
            return f"{worse} is worse"
    return ""


def _describe_breach(
    constraint: Constraint, scores: TrialScores, table: QueryTable, rows: Rows
) -> str:
    """Say how a trial breaks a constraint; empty if it keeps to it."""
    if constraint.at_least is not None:
        suite, category = constraint.suite, constraint.category
        reached = mean_of(scores.values[rows & _rows_of(table, suite, category)])
        if not reached >= constraint.at_least:
            name = " ".join(filter(None, [suite or "all suites", category]))
            return f"{name} {reached:.4f} < {constraint.at_least:g}"
    if constraint.seconds is not None:
        taken = scores.median_seconds(rows)
        if taken is not None and taken > constraint.seconds:
            return f"median {taken:.3f} s > {constraint.seconds:g} s"
    return ""


def _rows_of(table: QueryTable, suite: str, category: str) -> Rows:
    pairs = zip(table.suites, table.queries, strict=True)
    chosen = [
        (not suite or name == suite) and (not category or query.category == category)
        for name, query in pairs
    ]
    return np.array(chosen, dtype=np.bool_)
