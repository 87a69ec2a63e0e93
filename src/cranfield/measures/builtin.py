"""The measures that come with cranfield, registered as a user registers one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.measures import checks, definitions, kernels
from cranfield.measures.families import (
    FAMILIES,
    Family,
    Parameter,
    grade,
    one_of,
    proper_fraction,
    recall_level,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.measures.columns import Column, GradedColumns
    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

    _Pair = tuple[Callable[[Grades, Measure], Value], Callable[[GradedColumns, Measure], Column]]

__all__: list[str] = []

_REL = Parameter(grade, 1)
_GAIN = Parameter(one_of("linear", "exp"), "linear")


def _register(family: Family, *aliases: str) -> None:
    FAMILIES.register(family.name, family, aliases=aliases)


def _ranked(
    name: str, summary: str, pair: _Pair, *aliases: str, needs_cutoff: bool = False
) -> None:
    """Register a measure with a relevance threshold and a rank cutoff."""
    family = Family(
        name=name,
        summary=summary,
        example=f"{name}@10",
        of_grades=pair[0],
        of_columns=pair[1],
        parameters={"rel": _REL},
        cutoff=whole_number,
        needs_cutoff=needs_cutoff,
        is_monotone=True,
    )
    _register(family, *aliases)


def _uncut(
    name: str,
    summary: str,
    pair: _Pair,
    *aliases: str,
    is_count: bool = False,
    is_monotone: bool = True,
) -> None:
    """Register a measure with a relevance threshold and no cutoff."""
    family = Family(
        name=name,
        summary=summary,
        example=name,
        of_grades=pair[0],
        of_columns=pair[1],
        parameters={"rel": _REL},
        is_count=is_count,
        is_quality=not is_count,
        is_monotone=is_monotone,
        is_bounded=not is_count,
    )
    _register(family, *aliases)


_ranked(
    "RR",
    "1 / rank of the first relevant hit",
    (definitions.reciprocal_rank, kernels.reciprocal_rank),
    "MRR",
)
_ranked(
    "P",
    "share of the first k hits that are relevant",
    (definitions.precision, kernels.precision),
    "Precision",
)
_ranked(
    "R",
    "share of the relevant documents in the first k hits",
    (definitions.recall, kernels.recall),
    "Recall",
)
_ranked("F1", "harmonic mean of P and R", (definitions.f1, kernels.f1))
_ranked(
    "AP",
    "mean precision at each relevant document",
    (definitions.average_precision, kernels.average_precision),
    "MAP",
)
_ranked(
    "Success",
    "whether the first k hits hold a relevant one",
    (definitions.success, kernels.success),
    needs_cutoff=True,
)
_uncut(
    "RPrec",
    "precision at the number of relevant documents",
    (definitions.r_precision, kernels.r_precision),
    "Rprec",
)
_uncut(
    "Bpref",
    "share of judged pairs in the right order",
    (definitions.binary_preference, kernels.binary_preference),
)
_uncut(
    "infAP",
    "AP estimated from a sampled pool",
    (definitions.inferred_average_precision, kernels.inferred_average_precision),
    # It can rise when an unsampled hit moves above a relevant one.
    is_monotone=False,
)
_uncut(
    "NumRel",
    "relevant documents that exist",
    (definitions.relevant_count, kernels.relevant_count),
    is_count=True,
)
_uncut(
    "NumRelRet",
    "relevant documents found",
    (definitions.relevant_retrieved_count, kernels.relevant_retrieved_count),
    is_count=True,
)

_register(
    Family(
        name="nDCG",
        summary="discounted gain, 1 for the best possible ranking",
        example="nDCG@10",
        of_grades=definitions.normalised_discounted_gain,
        of_columns=kernels.normalised_discounted_gain,
        is_monotone=True,
        parameters={"gain": _GAIN, "rel": _REL},
        cutoff=whole_number,
    ),
    "NDCG",
)
_register(
    Family(
        name="DCG",
        summary="discounted gain, every match counted",
        example="DCG@10",
        of_grades=definitions.discounted_gain,
        of_columns=kernels.discounted_gain,
        is_monotone=True,
        is_bounded=False,
        parameters={"gain": _GAIN, "rel": _REL},
        cutoff=whole_number,
    )
)
_register(
    Family(
        name="ERR",
        summary="expected reciprocal rank of satisfaction, grades 0 to max",
        example="ERR@20",
        of_grades=definitions.expected_reciprocal_rank,
        of_columns=kernels.expected_reciprocal_rank,
        is_monotone=True,
        parameters={"max": Parameter(grade, 4), "rel": _REL},
        cutoff=whole_number,
    )
)
_register(
    Family(
        name="RBP",
        summary="rank-biased precision with persistence p; with rel, binary",
        example="RBP(p=0.8)",
        of_grades=definitions.rank_biased_precision,
        of_columns=kernels.rank_biased_precision,
        is_monotone=True,
        parameters={
            "p": Parameter(proper_fraction, 0.8, always_shown=True),
            "rel": Parameter(grade, 0),
        },
        cutoff=whole_number,
    )
)
_register(
    Family(
        name="IPrec",
        summary="interpolated precision at a level of recall",
        example="IPrec@0.5",
        of_grades=definitions.interpolated_precision,
        of_columns=kernels.interpolated_precision,
        is_monotone=True,
        parameters={"rel": _REL},
        cutoff=recall_level,
        needs_cutoff=True,
    )
)
_register(
    Family(
        name="Judged",
        summary="share of the first k hits that somebody judged",
        example="Judged@10",
        of_grades=definitions.judged_share,
        of_columns=kernels.judged_share,
        is_monotone=True,
        cutoff=whole_number,
        is_quality=False,
        hint="for hits judged relevant, use P(rel=…)",
    )
)
_register(
    Family(
        name="NumRet",
        summary="hits returned",
        example="NumRet",
        of_grades=definitions.retrieved_count,
        of_columns=kernels.retrieved_count,
        is_monotone=True,
        is_count=True,
        is_bounded=False,
        is_quality=False,
        needs_hits=False,
        hint="for relevant hits, use NumRelRet(rel=…)",
    )
)

_register(
    Family(
        name="Pass",
        summary="whether all that the query expects of the answer held",
        example="Pass",
        of_grades=checks.passed,
        parameters={"rel": _REL},
        needs_hits=False,
    )
)
_register(
    Family(
        name="Route",
        summary="whether the query was sent where it should go",
        example="Route",
        of_grades=checks.route,
        needs_hits=False,
    )
)
_register(
    Family(
        name="Preference",
        summary="whether the preferred hit stands above the other",
        example="Preference(present=both)",
        of_grades=checks.preference,
        parameters={"present": Parameter(one_of("any", "both"), "any")},
        needs_hits=False,
    )
)
_register(
    Family(
        name="TopSource",
        summary="whether the first hit comes from the best source that has a match",
        example="TopSource",
        of_grades=checks.top_source,
        parameters={"of": Parameter(one_of("returned", "listed"), "returned")},
        needs_hits=False,
    )
)
