"""Two arms compared query by query: what differs, by how much, how surely, and due to what."""

from cranfield.comparisons.attribution import Attribution, Grid, GridComparison, attribute
from cranfield.comparisons.comparison import (
    CategoryComparison,
    CompareOptions,
    Comparison,
    MeasureComparison,
    SuiteComparison,
    compare,
    compare_pairs,
)
from cranfield.comparisons.leaderboard import (
    Leaderboard,
    Standing,
    SuiteStandings,
    compare_arms,
)
from cranfield.comparisons.paired_runs import (
    PairedRuns,
    find_headline,
    has_right_answers,
    name_arms,
    pair_arms,
    pair_runs,
    share_truth,
)
from cranfield.comparisons.query_changes import (
    Bucket,
    MeasureChange,
    QueryChange,
    bucket_of,
    find_changes,
    take_answered,
)
from cranfield.comparisons.significance import (
    SIGNIFICANCE_LEVEL,
    Direction,
    repeats_needed,
)
from cranfield.comparisons.suite_power import (
    MeasurePower,
    SuitePower,
    estimate_power,
    runs_for_power,
)
from cranfield.comparisons.undecided import (
    MOST_FAILED,
    MOST_OPEN,
    NOTHING_IS_RIGHT,
    ArmFailures,
    OpenQueries,
    find_failures,
    find_open_queries,
    refuse_open,
    refuse_verdict,
)
from cranfield.verdicts import Verdict, VerdictKind

__all__ = [
    "MOST_FAILED",
    "MOST_OPEN",
    "NOTHING_IS_RIGHT",
    "SIGNIFICANCE_LEVEL",
    "ArmFailures",
    "Attribution",
    "Bucket",
    "CategoryComparison",
    "CompareOptions",
    "Comparison",
    "Direction",
    "Grid",
    "GridComparison",
    "Leaderboard",
    "MeasureChange",
    "MeasureComparison",
    "MeasurePower",
    "OpenQueries",
    "PairedRuns",
    "QueryChange",
    "Standing",
    "SuiteComparison",
    "SuitePower",
    "SuiteStandings",
    "Verdict",
    "VerdictKind",
    "attribute",
    "bucket_of",
    "compare",
    "compare_arms",
    "compare_pairs",
    "estimate_power",
    "find_changes",
    "find_failures",
    "find_headline",
    "find_open_queries",
    "has_right_answers",
    "name_arms",
    "pair_arms",
    "pair_runs",
    "refuse_open",
    "refuse_verdict",
    "repeats_needed",
    "runs_for_power",
    "share_truth",
    "take_answered",
]
