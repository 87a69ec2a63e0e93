"""Two arms compared suite by suite: figures, tests, buckets, verdicts, refusals."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest
from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.comparisons import (
    Bucket,
    CompareOptions,
    VerdictKind,
    attribute,
    compare,
    pair_runs,
)
from cranfield.errors import ComparisonError
from cranfield.measures import parse_measure
from cranfield.model import Query, Response, Status, Suite
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store_rows import answer_row
from cranfield.statistics import holm, wilcoxon_signed_rank
from cranfield.systems import System


def mixed(text: str, limit: int) -> list[str]:
    """Right at rank 1 for even words, at rank 2 for odd ones."""
    number = int(text.removeprefix("word"))
    return (right_second if number % 2 else right_first)(text, limit)


def test_a_clear_gain_is_better_with_its_evidence() -> None:
    suite = small_suite(20)
    compared = compare(run_suite(suite, right_second), run_suite(suite, right_first))
    [only] = compared.suites
    assert compared.verdict.kind is VerdictKind.BETTER
    assert compared.name_b == "right_first"
    headline = only.headline.result
    assert headline is not None
    assert (headline.mean_a, headline.mean_b, headline.difference) == (0.5, 1.0, 0.5)
    assert headline.test.name == "randomisation"
    assert headline.class_test.name == "wilcoxon"
    expected = wilcoxon_signed_rank([0.5] * 20, [1.0] * 20).p_two_sided
    assert headline.class_test.p_two_sided == expected
    results = [each.result for each in only.measures if each.result]
    assert {result.test.name for result in results} == {"randomisation"}
    assert [result.is_headline for result in results] == [True, False, False, False, False]
    names = {
        str(each.measure): each.result.class_test.name for each in only.measures if each.result
    }
    assert names["P@1"] == "mcnemar"
    assert names["nDCG@10"] == "randomisation"


def test_headlines_are_corrected_together_and_secondary_measures_among_themselves() -> None:
    suite = small_suite(20)
    other = replace(suite, id="other", query_class="root")
    arms = [[run_suite(each, arm) for each in (suite, other)] for arm in (right_second, mixed)]
    compared = compare(arms[0], arms[1])
    results = [each.result for part in compared.suites for each in part.measures if each.result]
    headlines = [result for result in results if result.is_headline]
    secondary = [result for result in results if not result.is_headline]
    assert (len(headlines), len(secondary)) == (2, 5)
    assert compared.tests == 2
    for family in (headlines, secondary):
        assert [each.p_adjusted for each in family] == holm([each.p for each in family])
        assert {each.compared for each in family} == {len(family)}
    with pytest.raises(ComparisonError, match="a verdict of its own"):
        _ = compared.verdict


def test_the_same_answers_are_equivalent_if_there_are_enough_of_them() -> None:
    suite = small_suite(10)
    compared = compare(run_suite(suite, right_second), run_suite(suite, right_second))
    assert compared.verdict.kind is VerdictKind.CANNOT_TELL
    assert "no query differs" in compared.verdict.reason
    assert compared.suites[0].buckets[Bucket.UNCHANGED_BELOW] == 10
    enough = small_suite(compared.verdict.queries_needed or 0)
    again = compare(run_suite(enough, right_second), run_suite(enough, right_second))
    assert again.verdict.kind is VerdictKind.EQUIVALENT


def test_a_small_difference_cannot_be_told_and_says_how_many_queries_would() -> None:
    suite = small_suite(8)
    half = {"word0"}

    def slightly(text: str, limit: int) -> list[str]:
        return (right_first if text in half else right_second)(text, limit)

    verdict = compare(run_suite(suite, right_second), run_suite(suite, slightly)).verdict
    assert verdict.kind is VerdictKind.CANNOT_TELL
    assert verdict.queries_needed is not None
    assert verdict.queries_needed > 8


def test_bucket_counts_sum_to_the_number_of_queries() -> None:
    suite = small_suite(11)
    for arm in (right_first, right_never, mixed):
        [only] = compare(run_suite(suite, mixed), run_suite(suite, arm)).suites
        assert sum(only.buckets.values()) == 11
        assert list(only.buckets) == list(Bucket)


class Failing(System):
    """Answers nothing."""

    def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
        return Response.failed(Status.TIMEOUT, "no answer")


def test_failures_on_one_side_are_counted() -> None:
    suite = small_suite(6)
    [only] = compare(run_suite(suite, right_first), run_suite(suite, Failing())).suites
    answered, failed = only.failures
    assert (answered.count, failed.count) == (0, 6)
    assert failed.statuses == {Status.TIMEOUT: 6}
    assert only.buckets[Bucket.FAILED] == 6
    assert all(change.failed for change in only.changes)


def test_runs_that_asked_different_queries_are_refused_and_what_differs_is_told() -> None:
    suite = small_suite(6)
    changed = replace(suite.queries[1], text="another word1")
    other = replace(suite, queries=(suite.queries[0], changed, *suite.queries[2:5]))
    a, b = run_suite(suite, right_first), run_suite(other, right_first)
    with pytest.raises(ComparisonError, match=r"1 changed \(q1\); 1 only in A \(q5\)"):
        compare(a, b)
    [only] = compare(a, b, CompareOptions(common=True)).suites
    assert [change.query.id for change in only.changes] == ["q0", "q2", "q3", "q4"]


def test_a_changed_note_or_category_is_the_same_query() -> None:
    suite = small_suite(3)
    noted = replace(
        suite, queries=tuple(replace(q, notes="new", category="c") for q in suite.queries)
    )
    assert pair_runs(run_suite(suite, right_first), run_suite(noted, right_first)).left_out == ()


def test_runs_of_different_suites_or_cutoffs_are_refused() -> None:
    suite = small_suite(4)
    run = run_suite(suite, right_first)
    with pytest.raises(ComparisonError, match="different suites"):
        compare(run, run_suite(replace(suite, id="other"), right_first))
    with pytest.raises(ComparisonError, match="number of hits asked for is 10 in the one and 20"):
        compare(run, run_suite(suite, right_first, RunOptions(limit=20)))


def test_an_unfinished_run_is_refused_with_how_to_finish_it() -> None:
    suite = small_suite(4)
    run, other = run_suite(suite, right_first), run_suite(suite, right_first)
    broken = run_suite(suite, right_first)
    broken.store.delete(broken.header.id)
    broken.store.begin(broken.header)
    assert compare(run, other).verdict.kind is VerdictKind.CANNOT_TELL
    with pytest.raises(ComparisonError, match="--resume"):
        compare(run, broken)


def test_repetitions_show_the_noise_of_a_system_against_itself() -> None:
    calls: dict[str, int] = {}

    def wavers(text: str, limit: int) -> list[str]:
        calls[text] = calls.get(text, 0) + 1
        return (right_first if calls[text] % 2 else right_second)(text, limit)

    suite = small_suite(10)
    twice = RunOptions(repeats=2)
    [only] = compare(run_suite(suite, right_first, twice), run_suite(suite, wavers, twice)).suites
    assert only.headline.noise == 0.5
    [steady] = compare(run_suite(suite, right_first), run_suite(suite, right_second)).suites
    assert steady.headline.noise is None


def test_preferences_are_tested_by_their_signs_also_where_both_are_present() -> None:
    queries = tuple(
        Query(f"q{n}", f"word{n}", {"prefers": {"this": "^new", "over": "^old"}}) for n in range(10)
    )
    suite = Suite("deprecated", "deprecation", queries)

    def legacy(text: str, limit: int) -> list[str]:
        return ["old-form", "new-form"] if text != "word0" else ["old-form"]

    def modern(text: str, limit: int) -> list[str]:
        return ["new-form", "old-form"]

    [only] = compare(run_suite(suite, legacy), run_suite(suite, modern)).suites
    overall, both = only.measures
    assert overall.result is not None
    assert overall.result.class_test.name == "sign"
    assert overall.result.pairs == 10
    assert overall.result.class_test.detail == "10 up, 0 down, 0 even"
    assert both.result is not None
    assert both.result.pairs == 9
    assert only.verdict.kind is VerdictKind.BETTER


def test_a_measure_that_is_undefined_everywhere_says_why() -> None:
    queries = (Query("q", "word0", {"where": {"kind": "function"}}),)
    suite = Suite("attributes", "fragment", (replace(queries[0], expect={"ids": "doc-0"}),))
    predicate = replace(suite, queries=queries)
    a, b = run_suite(predicate, right_first), run_suite(predicate, right_first)
    [only] = compare(a, b).suites
    recall = only.measures[2]
    assert recall.result is None
    assert "not known" in recall.reason


def test_a_grid_attributes_the_change_to_binary_index_and_interaction() -> None:
    suite = small_suite(20)
    old_old = [run_suite(suite, right_second)]
    new_old = [run_suite(suite, right_second)]
    old_new = [run_suite(suite, right_first)]
    new_new = [run_suite(suite, right_first)]
    [grid] = attribute([old_old, new_old, old_new, new_new]).suites
    found = {each.factor: each for each in grid.attributions if str(each.measure) == "RR@10"}
    differences = {
        name: each.result.difference for name, each in found.items() if each.result is not None
    }
    assert differences == {"binary": 0.0, "index": 0.5, "interaction": 0.0}
    assert found["index"].verdict.kind is VerdictKind.BETTER
    assert found["binary"].verdict.kind is VerdictKind.CANNOT_TELL
    assert "no query differs" in found["binary"].verdict.reason


def test_a_gain_of_both_together_is_an_interaction() -> None:
    suite = small_suite(12)
    worse = [[run_suite(suite, right_second)] for _ in range(3)]
    [grid] = attribute([*worse, [run_suite(suite, right_first)]]).suites
    found = {each.factor: each for each in grid.attributions if str(each.measure) == "RR@10"}
    assert {name: each.result.difference for name, each in found.items() if each.result} == {
        "binary": 0.25,
        "index": 0.25,
        "interaction": 0.5,
    }


def test_an_unfinished_repetition_is_refused() -> None:
    suite = small_suite(6)
    twice = RunOptions(repeats=2)
    run, half = run_suite(suite, right_first, twice), run_suite(suite, right_first, twice)
    kept = [answer for answer in half.store.answers(half.header.id) if answer.repeat == 0]
    half.store.delete(half.header.id)
    half.store.begin(half.header)
    half.store.add(half.header.id, [answer_row(half.header.id, answer) for answer in kept])
    with pytest.raises(ComparisonError, match="lacks 6 of 12 answers"):
        compare(run, half)


def test_buckets_follow_the_first_measure_where_the_rank_does_not_show_it() -> None:
    queries = tuple(
        Query(f"q{n}", f"word{n}", {"prefers": {"this": "^new", "over": "^old"}}) for n in range(8)
    )
    suite = Suite("deprecated", "deprecation", queries)
    modern = run_suite(suite, lambda _text, _limit: ["x", "new-form", "old-form"])
    legacy = run_suite(suite, lambda _text, _limit: ["old-form", "new-form"])
    [only] = compare(modern, legacy).suites
    assert only.verdict.kind is VerdictKind.WORSE
    assert only.buckets[Bucket.DEGRADED] == 8


def test_many_small_losses_against_a_few_large_gains_decide_nothing() -> None:
    suite = small_suite(72)

    def first(text: str, limit: int) -> list[str]:
        number = int(text.removeprefix("word"))
        return ["x", f"doc-{number}"] if number < 60 else ["x"]

    def second(text: str, limit: int) -> list[str]:
        number = int(text.removeprefix("word"))
        return ["x", "y", f"doc-{number}"] if number < 60 else [f"doc-{number}"]

    [only] = compare(run_suite(suite, first), run_suite(suite, second)).suites
    assert only.headline.result is not None
    assert only.headline.result.class_test.p_two_sided is not None
    assert only.headline.result.class_test.p_two_sided < 0.05
    assert only.verdict.kind is VerdictKind.CANNOT_TELL


def test_a_grid_is_corrected_over_all_suites_at_once() -> None:
    suite = small_suite(12)
    both = [suite, replace(suite, id="other")]
    arms = [
        [run_suite(each, arm) for each in both]
        for arm in (right_second, right_second, right_first, right_first)
    ]
    one = attribute([arm[:1] for arm in arms]).suites
    two = attribute(arms).suites
    for of_two, of_one in zip(two[0].attributions, one[0].attributions, strict=True):
        assert of_two.result is not None
        assert of_one.result is not None
        assert of_two.result.compared == 2 * of_one.result.compared


@pytest.mark.parametrize("count", [4, 6, 7])
def test_the_number_of_queries_that_would_tell_is_one_at_which_the_test_can(count: int) -> None:
    suite = small_suite(count)
    verdict = compare(run_suite(suite, right_second), run_suite(suite, right_first)).verdict
    assert verdict.kind is VerdictKind.CANNOT_TELL
    assert verdict.queries_needed is not None
    enough = small_suite(verdict.queries_needed)
    again = compare(run_suite(enough, right_second), run_suite(enough, right_first)).verdict
    assert again.kind is VerdictKind.BETTER
    fewer = small_suite(verdict.queries_needed - 1)
    again = compare(run_suite(fewer, right_second), run_suite(fewer, right_first)).verdict
    assert again.kind is VerdictKind.CANNOT_TELL


def test_a_comparison_is_a_finished_value() -> None:
    suite = small_suite(20)
    a, b = run_suite(suite, right_second), run_suite(suite, mixed)
    once, again = compare(a, b), compare(a, b)
    [only] = once.suites
    assert once == again
    assert only.verdict is only.headline.verdict
    assert only.headline is only.measures[0]
    assert only.headline.result is not None
    assert only.verdict is only.headline.result.verdict
    assert only.buckets is only.buckets
    assert [change.bucket for change in only.changes[:2]] == [Bucket.FIXED, Bucket.UNCHANGED_BELOW]
    for value in (once, only, only.headline, only.changes[0], only.categories[0]):
        with pytest.raises(FrozenInstanceError):
            setattr(value, fields(value)[0].name, None)


def test_the_headline_is_compared_by_category_too() -> None:
    suite = small_suite(11)
    [only] = compare(run_suite(suite, right_second), run_suite(suite, mixed)).suites
    even, odd = only.categories
    assert even.result is not None
    assert odd.result is not None
    assert (even.name, even.queries, even.pairs) == ("even", 6, 6)
    assert (even.result.mean_a, even.result.mean_b) == (0.5, 1.0)
    assert (odd.name, odd.queries, odd.pairs) == ("odd", 5, 5)
    assert (odd.result.mean_a, odd.result.mean_b) == (0.5, 0.5)
    # Corrected over the two categories, and not over the measures of the suite.
    assert even.result.compared == 2


def test_a_category_without_values_has_no_mean_and_no_category_is_none() -> None:
    found, listed = {"where": {"kind": "function"}}, {"ids": "doc-1"}
    queries = (Query("q0", "word0", found, category="open"), Query("q1", "word1", listed))
    run = run_suite(Suite("mixed", "prose", queries), right_first)
    [only] = compare(run, run).suites
    [category] = only.categories
    assert (category.name, category.queries, category.pairs) == ("open", 1, 0)
    assert category.result is None
    assert category.verdict.kind is VerdictKind.CANNOT_TELL


def test_doubts_about_a_run_are_part_of_its_comparison() -> None:
    suite = small_suite(6)
    [only] = compare(run_suite(suite, right_first), run_suite(suite, right_never)).suites
    [warning] = only.warnings
    assert warning.startswith("right_never: every query was answered and nothing was right")
    assert only.empty == (0, 0)


def test_doubts_are_about_the_queries_that_are_compared() -> None:
    suite = small_suite(6)
    changed = tuple(replace(query, text=f"new {query.text}") for query in suite.queries[3:])
    later = replace(suite, queries=(*suite.queries[:3], *changed))

    def half(text: str, limit: int) -> list[str]:
        return right_first(text.removeprefix("new "), limit) if "new" in text else [f"not-{text}"]

    a, b = run_suite(suite, right_first), run_suite(later, half)
    [only] = compare(a, b, CompareOptions(common=True)).suites
    [warning] = only.warnings
    assert warning.startswith("half: every query was answered and nothing was right")


def test_the_headline_is_one_that_both_arms_were_measured_by() -> None:
    suite = small_suite(8)
    chosen = RunOptions(measures=(parse_measure("Judged@10"), parse_measure("nDCG@10")))
    a, b = run_suite(suite, right_second, chosen), run_suite(suite, right_first)
    [only] = compare(a, b).suites
    assert str(only.headline.measure) == "nDCG@10"
    assert {str(change.headline) for change in only.changes} == {"nDCG@10"}
    assert all(change.difference > 0 for change in only.changes)
    other = run_suite(suite, right_first, RunOptions(measures=(parse_measure("AP"),)))
    with pytest.raises(ComparisonError, match=r"not measured by it, but by AP; choose .* with -m"):
        compare(b, other)
    counted = run_suite(suite, right_first, RunOptions(measures=(parse_measure("NumRet"),)))
    with pytest.raises(ComparisonError, match="no measure of quality"):
        compare(counted, b)
