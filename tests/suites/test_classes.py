"""Every class is measured by what exists, and grounded in rules that exist."""

from __future__ import annotations

import pytest

from cranfield.measures import parse_measure
from cranfield.relevance import RULES
from cranfield.suites import CLASSES


@pytest.mark.parametrize("name", CLASSES.names())
def test_a_class_has_rules_measures_and_tests_of_its_measures(name: str) -> None:
    query_class = CLASSES.get(name)
    assert set(query_class.rules) <= set(RULES.names())
    assert query_class.headline == query_class.measures[0]
    assert set(query_class.tests) <= set(query_class.measures)
    assert not {measure.name for measure in query_class.measures} & set(query_class.refuses)


@pytest.mark.parametrize(
    ("name", "measure", "test"),
    [
        ("canonical", "RR@10", "wilcoxon"),
        ("canonical", "P@1", "mcnemar"),
        ("canonical", "nDCG@10", "randomisation"),
        ("deprecation", "Preference", "sign"),
        ("files", "Pass", "mcnemar"),
    ],
)
def test_each_measure_has_the_paired_test_that_fits_it(name: str, measure: str, test: str) -> None:
    assert CLASSES.get(name).paired_test_of(parse_measure(measure)) == test
