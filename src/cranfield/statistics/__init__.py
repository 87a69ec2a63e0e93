"""Whether the difference between two builds is real, how large it is, and how sure we are."""

from cranfield.statistics.agreement import (
    ALPHA_LEVELS,
    KAPPA_WEIGHTS,
    Agreement,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from cranfield.statistics.clustered_kappa import ClusteredKappa, clustered_kappa
from cranfield.statistics.corrected_mean import (
    FEWEST_LABELS,
    CorrectedMean,
    ModelSamples,
    corrected_difference,
    corrected_mean,
)
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
from cranfield.statistics.paired_tests import (
    PAIRED_TESTS,
    PairedTest,
    TestResult,
    holm,
)
from cranfield.statistics.pairs import TIE_TOLERANCE, FloatArray, PairOutcomes, count_outcomes
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
from cranfield.statistics.student import PairedTResult, paired_t
from cranfield.statistics.uncertain_pairs import UncertainPairs

__all__ = [
    "ALPHA_LEVELS",
    "FEWEST_LABELS",
    "KAPPA_WEIGHTS",
    "PAIRED_TESTS",
    "TIE_TOLERANCE",
    "Agreement",
    "ClusteredKappa",
    "CorrectedMean",
    "DetectableEffect",
    "EffectSize",
    "EffectSizes",
    "EquivalenceResult",
    "FloatArray",
    "McNemarResult",
    "MeanInterval",
    "ModelSamples",
    "OneSidedTest",
    "PairOutcomes",
    "PairedTResult",
    "PairedTest",
    "ProportionInterval",
    "QueriesNeeded",
    "RandomisationResult",
    "SignTestResult",
    "TestResult",
    "UncertainPairs",
    "WilcoxonResult",
    "cliffs_delta",
    "clustered_kappa",
    "cohen_kappa",
    "corrected_difference",
    "corrected_mean",
    "count_outcomes",
    "effect_sizes",
    "equivalence",
    "fleiss_kappa",
    "holm",
    "krippendorff_alpha",
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
    "sign_flip_randomisation",
    "sign_test",
    "sign_test_counts",
    "standardised_difference",
    "wilcoxon_signed_rank",
]
