"""Whether the difference between two builds is real, how large it is, and how sure we are."""

from cranfield.statistics.effects import (
    EffectSize,
    EffectSizes,
    ProportionInterval,
    cliffs_delta,
    effect_sizes,
    proportion_difference,
    proportion_interval,
    rank_biserial,
    standardised_difference,
)
from cranfield.statistics.equivalence import (
    EquivalenceResult,
    equivalence,
)
from cranfield.statistics.mean_interval import (
    MeanInterval,
    OneSidedTest,
    largest_difference,
    mean_interval,
)
from cranfield.statistics.paired_columns import ColumnPair, PairedComparison, compare_columns
from cranfield.statistics.paired_tests import (
    PAIRED_TESTS,
    PairedTest,
    PairedTResult,
    TestResult,
    holm,
    paired_t,
)
from cranfield.statistics.pairs import (
    TIE_TOLERANCE,
    FloatArray,
    PairOutcomes,
    Values,
    count_outcomes,
    require_fraction,
)
from cranfield.statistics.randomisation import RandomisationResult, sign_flip_randomisation
from cranfield.statistics.rank_tests import WilcoxonResult, rank_sum_p_less, wilcoxon_signed_rank
from cranfield.statistics.sample_size import (
    DetectableEffect,
    QueriesNeeded,
    minimum_detectable_effect,
    paired_power,
    queries_for_equivalence,
    queries_needed,
)
from cranfield.statistics.sign_tests import (
    McNemarResult,
    SignTestResult,
    mcnemar_exact,
    sign_test,
    sign_test_counts,
)
from cranfield.statistics.uncertain_pairs import UncertainPairs
from cranfield.statistics.verdict import (
    ALPHA,
    FEWEST_PAIRS,
    UNDECIDED,
    Verdict,
    VerdictKind,
    decide,
    detectable_difference,
    require_margin,
    settle_verdict,
)

__all__ = [
    "ALPHA",
    "FEWEST_PAIRS",
    "PAIRED_TESTS",
    "TIE_TOLERANCE",
    "UNDECIDED",
    "ColumnPair",
    "DetectableEffect",
    "EffectSize",
    "EffectSizes",
    "EquivalenceResult",
    "FloatArray",
    "McNemarResult",
    "MeanInterval",
    "OneSidedTest",
    "PairOutcomes",
    "PairedComparison",
    "PairedTResult",
    "PairedTest",
    "ProportionInterval",
    "QueriesNeeded",
    "RandomisationResult",
    "SignTestResult",
    "TestResult",
    "UncertainPairs",
    "Values",
    "Verdict",
    "VerdictKind",
    "WilcoxonResult",
    "cliffs_delta",
    "compare_columns",
    "count_outcomes",
    "decide",
    "detectable_difference",
    "effect_sizes",
    "equivalence",
    "holm",
    "largest_difference",
    "mcnemar_exact",
    "mean_interval",
    "minimum_detectable_effect",
    "paired_power",
    "paired_t",
    "proportion_difference",
    "proportion_interval",
    "queries_for_equivalence",
    "queries_needed",
    "rank_biserial",
    "rank_sum_p_less",
    "require_fraction",
    "require_margin",
    "settle_verdict",
    "sign_flip_randomisation",
    "sign_test",
    "sign_test_counts",
    "standardised_difference",
    "wilcoxon_signed_rank",
]
