"""The paired tests by name."""

import numpy as np
import pytest

from cranfield.statistics import (
    PAIRED_TESTS,
    mcnemar_exact,
    sign_flip_randomisation,
    sign_test,
    wilcoxon_signed_rank,
)

A = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0])
B = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])


def test_every_test_is_registered_under_the_name_of_its_result() -> None:
    assert {"mcnemar", "randomisation", "sign", "wilcoxon"} <= set(PAIRED_TESTS.names())
    for name in PAIRED_TESTS.names():
        test = PAIRED_TESTS.get(name)
        assert test.name == name
        assert test.title
        result = test.run(A, B, 1)
        assert result.name == name
        assert (result.p_two_sided, result.p_greater, result.reason) == (
            result.full.p_two_sided,
            result.full.p_greater,
            result.full.reason,
        )


def test_a_test_by_name_is_the_function_of_that_test() -> None:
    assert PAIRED_TESTS.get("randomisation").run(A, B, 7).full == sign_flip_randomisation(
        A, B, seed=7
    )
    assert PAIRED_TESTS.get("wilcoxon").run(A, B, 7).full == wilcoxon_signed_rank(A, B)
    assert PAIRED_TESTS.get("sign").run(A, B, 7).full == sign_test(A, B)
    assert PAIRED_TESTS.get("mcnemar").run(A, B, 7).full == mcnemar_exact(A > 0.5, B > 0.5)


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("randomisation", "7 of 8 pairs differ"),
        ("wilcoxon", "W+ = 24, W− = 4, N = 7 of 8 pairs"),
        ("sign", "6 up, 1 down, 1 even"),
        ("mcnemar", "1 right in both, 1 only in A, 6 only in B, 0 in neither"),
    ],
)
def test_a_result_shows_what_was_counted(name: str, detail: str) -> None:
    assert PAIRED_TESTS.get(name).run(A, B, 1).detail == detail


def test_mcnemar_gives_way_to_the_sign_test_on_values_between_yes_and_no() -> None:
    halves = B / 2
    assert PAIRED_TESTS.get("mcnemar").run(A, halves, 1) == PAIRED_TESTS.get("sign").run(
        A, halves, 1
    )
