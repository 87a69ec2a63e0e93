"""Judging: which hits are judged next, by whom, and when there are enough."""

from cranfield.judging.agreement import (
    AgreementFigure,
    ClassAgreement,
    RaterShare,
    measure_agreement,
    share_of_raters,
)
from cranfield.judging.content_changes import ContentChange, DiffLine, LineState, diff_lines
from cranfield.judging.decisive import DecisivePlan, DecisiveState
from cranfield.judging.difference_range import (
    AnswerPair,
    DifferenceRange,
    GradedAnswer,
    find_range,
)
from cranfield.judging.guidelines import Guidelines, read_guidelines
from cranfield.judging.judging_round import (
    JudgingRound,
    RoundOptions,
    choose_runs,
    open_round,
)
from cranfield.judging.matching_words import TextPart, split_matches
from cranfield.judging.pool import Pool, PooledHit, PooledQuery, draw, make_pool
from cranfield.judging.preference_queue import (
    PreferenceProgress,
    PreferenceQueue,
    ShownAnswers,
    hash_answer,
)
from cranfield.judging.queue import (
    JudgingProgress,
    JudgingQueue,
    ShownHit,
)
from cranfield.judging.queue_options import QueueFilter, QueueOptions
from cranfield.judging.verdict_outlook import (
    OutlookOptions,
    VerdictOutlook,
    certain_verdict,
    probable_verdict,
)

__all__ = [
    "AgreementFigure",
    "AnswerPair",
    "ClassAgreement",
    "ContentChange",
    "DecisivePlan",
    "DecisiveState",
    "DiffLine",
    "DifferenceRange",
    "GradedAnswer",
    "Guidelines",
    "JudgingProgress",
    "JudgingQueue",
    "JudgingRound",
    "LineState",
    "OutlookOptions",
    "Pool",
    "PooledHit",
    "PooledQuery",
    "PreferenceProgress",
    "PreferenceQueue",
    "QueueFilter",
    "QueueOptions",
    "RaterShare",
    "RoundOptions",
    "ShownAnswers",
    "ShownHit",
    "TextPart",
    "VerdictOutlook",
    "certain_verdict",
    "choose_runs",
    "diff_lines",
    "draw",
    "find_range",
    "hash_answer",
    "make_pool",
    "measure_agreement",
    "open_round",
    "probable_verdict",
    "read_guidelines",
    "share_of_raters",
    "split_matches",
]
