"""Judgments: what people, models and clicks said of documents as answers to queries."""

from cranfield.judgments.judged_runs import judge_run, judge_runs, judged_measures
from cranfield.judgments.judged_suites import (
    JudgedBy,
    judge_query,
    judge_suite,
    read_judged_by,
)
from cranfield.judgments.judgment import (
    Judgment,
    JudgmentSource,
    JudgmentState,
    Preference,
    PreferredAnswer,
    item_of,
    query_key,
)
from cranfield.judgments.judgment_store import JudgmentStore
from cranfield.judgments.settled_grades import (
    UNRATEABLE_GRADE,
    JudgedItem,
    SettledGrade,
    settle,
    standing_judgments,
)

__all__ = [
    "UNRATEABLE_GRADE",
    "JudgedBy",
    "JudgedItem",
    "Judgment",
    "JudgmentSource",
    "JudgmentState",
    "JudgmentStore",
    "Preference",
    "PreferredAnswer",
    "SettledGrade",
    "item_of",
    "judge_query",
    "judge_run",
    "judge_runs",
    "judge_suite",
    "judged_measures",
    "query_key",
    "read_judged_by",
    "settle",
    "standing_judgments",
]
