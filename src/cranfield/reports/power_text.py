"""What suites can show, as plain text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.reports.facts import SCHEMA_VERSION, as_json
from cranfield.tables import align

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import MeasurePower, SuitePower

__all__ = ["render_power", "render_power_json"]

_LEGEND = """\
sd is the standard deviation of the differences between two runs, query by query
detectable is the smallest mean difference that these queries show four times in five, by the
two-sided paired t-test of one measure alone at 0.05; compare corrects over all that it tests at
once and needs somewhat more
"""
_GUESS = """\
* guessed from one run: √2 times the standard deviation of its own values, as if two builds had
nothing in common; two builds of one system mostly need fewer queries
"""


def render_power(suites: Sequence[SuitePower]) -> str:
    """Write one part a suite, and what the columns mean at the end."""
    guessed = any(each.is_guess for suite in suites for each in suite.measures)
    legend = _LEGEND + (_GUESS if guessed else "")
    return "\n".join([*(_suite(suite) for suite in suites), legend])


def render_power_json(suites: Sequence[SuitePower]) -> str:
    """Write the same as JSON, null where nothing can be told."""
    written = {
        "kind": "power",
        "schema_version": SCHEMA_VERSION,
        "alpha": 0.05,
        "power": 0.8,
        "suites": [_suite_json(suite) for suite in suites],
    }
    return as_json(written)


def _suite(suite: SuitePower) -> str:
    head = f"{suite.suite_id}, {suite.queries} queries of the class {suite.query_class}\n"
    if not suite.is_known:
        return f"{head}no complete run is stored that asked it; `cranfield run` makes one\n"
    rows = [["measure", "queries", "from", "sd", "detectable", f"for {suite.delta:g}", "more"]]
    rows += [_measure(each) for each in suite.measures]
    reasons = "".join(f"{each.measure}: {each.reason}\n" for each in suite.measures if each.reason)
    return f"{head}{_basis(suite)}\n{align(rows)}{reasons}"


def _basis(suite: SuitePower) -> str:
    lines = [f"{_count(len(suite.runs), 'run')} of {', '.join(suite.systems)}"]
    if suite.pairs:
        lines[0] += f", {_count(suite.pairs, 'pair')} to tell the spread from"
    else:
        lines.append("no two builds to compare yet: run another build, and this gets sharper")
    if suite.repeats:
        told = "is one build" if suite.repeats == 1 else "are one build each"
        lines.append(f"left out: {_count(suite.repeats, 'pair')} that {told} asked twice")
    if suite.unasked:
        lines.append(f"not counted: {_count(suite.unasked, 'query', 'queries')} not run yet")
    return "".join(f"{line}\n" for line in lines)


def _measure(each: MeasurePower) -> list[str]:
    source = _count(each.pairs, "pair") if each.pairs else "1 run *" if each.is_guess else "–"
    return [
        str(each.measure),
        str(each.queries),
        source,
        _figure(each.sd),
        _figure(each.detectable),
        _whole(each.needed),
        _whole(each.more),
    ]


def _suite_json(suite: SuitePower) -> dict[str, Any]:
    return {
        "id": suite.suite_id,
        "class": suite.query_class,
        "queries": suite.queries,
        "unasked": suite.unasked,
        "delta": suite.delta,
        "systems": list(suite.systems),
        "runs": len(suite.runs),
        "pairs": suite.pairs,
        "repeats": suite.repeats,
        "measures": [
            {
                "measure": str(each.measure),
                "queries": each.queries,
                "pairs": each.pairs,
                "guessed": each.is_guess,
                "sd": each.sd,
                "detectable": each.detectable,
                "needed": each.needed,
                "more": each.more,
                "reason": each.reason,
            }
            for each in suite.measures
        ],
    }


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _whole(value: int | None) -> str:
    return "–" if value is None else str(value)
