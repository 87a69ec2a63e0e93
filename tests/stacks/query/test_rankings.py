"""How documents of each kind are put in order, on candidates alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stacks.query.candidates import Candidate, Factor, RankedCandidate
from stacks.query.query_parser import parse_query
from stacks.query.question import Question
from stacks.query.rankings import RANKINGS, get_ranking, order_by_words
from stacks.schema import TEXT_COLUMNS

DOCUMENTATION = get_ranking("documentation")
FILES = get_ranking("files")
CODE = get_ranking("code")
PASSAGES = get_ranking("passages")


def candidate(number: int, **fields: Any) -> Candidate:
    plain = Candidate(number, f"docs://a/{number}", f"T{number}", "", "", False, 0, 1.0, None)
    return plain._replace(**fields)


def ask(text: str, **fields: Any) -> Question:
    return Question(parse_query(text), **fields)


def numbers(ranked: list[RankedCandidate]) -> list[int]:
    return [each.candidate.id for each in ranked]


class TestRegistry:
    def test_a_ranking_that_is_not_installed_is_that_of_documentation(self) -> None:
        assert get_ranking("of-a-later-version") is DOCUMENTATION

    def test_a_plug_in_can_bring_its_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(RANKINGS, "_things", dict(RANKINGS._things))
        recipes = replace(CODE, tries_parts=False)
        RANKINGS.register("recipes", recipes)
        assert get_ranking("recipes") is recipes

    def test_every_ranking_weighs_every_column(self) -> None:
        for ranking in RANKINGS.values():
            assert list(ranking.weights) == list(TEXT_COLUMNS)

    def test_the_weights_are_those_that_were_measured(self) -> None:
        columns = ["content", "title", "summary", "symbols", "symbol_components", "framework"]
        table = {
            name: [RANKINGS.get(name).weights[column] for column in columns]
            for name in ("documentation", "files", "passages", "code")
        }
        assert table == {
            "documentation": [1.0, 10.0, 3.0, 5.0, 1.5, 2.0],
            "files": [1.0, 10.0, 3.0, 5.0, 1.5, 0.0],
            "passages": [1.0, 10.0, 3.0, 5.0, 1.5, 0.0],
            "code": [1.0, 10.0, 3.0, 5.0, 1.5, 0.0],
        }
        places = ("uri", "source", "language")
        assert [DOCUMENTATION.weights[column] for column in places] == [1.0, 1.0, 1.0]
        for ranking in (FILES, PASSAGES, CODE):
            assert [ranking.weights[column] for column in places] == [0.0, 0.0, 0.0]

    def test_meaning_has_a_smaller_share_beside_names_and_kinds(self) -> None:
        shares = [each.meaning_share for each in (DOCUMENTATION, PASSAGES, CODE, FILES)]
        assert shares == [0.25, *[pytest.approx(1 / 3)] * 3]
        assert [each.blends_scores for each in (DOCUMENTATION, CODE, FILES)] == [False] * 3
        assert PASSAGES.blends_scores

    def test_without_names_titles_do_not_count(self) -> None:
        reduced = CODE.reduce(frozenset({"names"}))
        assert reduced.weights["title"] == 0
        assert reduced.weights["symbol_components"] == 1.5
        assert reduced.tries_parts

    def test_without_components_parts_do_not_count(self) -> None:
        reduced = CODE.reduce(frozenset({"components", "names"}))
        assert (reduced.weights["title"], reduced.weights["symbol_components"]) == (0, 0)
        assert not reduced.tries_parts
        assert CODE.reduce(frozenset({"age"})) is CODE


class TestDocumentation:
    def order(self, *candidates: Candidate, text: str = "grid") -> list[RankedCandidate]:
        return DOCUMENTATION.order(candidates, ask(text))

    def test_the_score_is_the_product_of_all_factors(self) -> None:
        (ranked,) = self.order(candidate(1, bm25=2.0, kind="class", is_deprecated=True))
        assert ranked.score == pytest.approx(2.0 * 1.5 * 0.4)
        assert [each.factor for each in ranked.factors] == [1.5, 0.4]
        assert (ranked.tier, ranked.is_named) == (0, False)

    @pytest.mark.parametrize(("match", "is_named"), [(0, True), (1, True), (2, False), (4, False)])
    def test_a_page_whose_title_is_the_query_is_named(self, match: int, is_named: bool) -> None:
        (ranked,) = self.order(candidate(1, title_match=match))
        assert (ranked.tier, ranked.is_named) == (int(is_named), is_named)

    def test_a_name_is_raised_to_the_best_first_of_all(self) -> None:
        ranked = self.order(candidate(1, bm25=9.0), candidate(2, bm25=3.0, title_match=0))
        assert numbers(ranked) == [2, 1]
        assert [each.reason for each in ranked[0].factors] == [
            "level with the best",
            "title is the query",
        ]
        assert ranked[0].score == pytest.approx(108)

    def test_a_twin_has_no_name_and_counts_less(self) -> None:
        swift = candidate(1, uri="docs://a/x", title="Grid", language="swift", title_match=0)
        twin = candidate(2, uri="docs://a/x?objc", title="Grid", language="objc", title_match=0)
        ranked = self.order(twin, swift)
        assert numbers(ranked) == [1, 2]
        assert ranked[1].candidate.title_match is None
        assert ranked[1].score == pytest.approx(0.4)

    def test_of_equal_scores_the_page_with_more_below_or_beside_it_goes_first(self) -> None:
        ranked = self.order(
            candidate(1, title_match=0),
            candidate(2, title_match=0, prominence=9),
            candidate(3, title_match=2, prominence=99),
        )
        assert numbers(ranked) == [2, 1, 3]
        longer = candidate(4, title="a longer title", prominence=9)
        assert numbers(self.order(candidate(1, title="short"), longer)) == [4, 1]

    def test_equal_scores_are_ordered_by_the_shorter_title_and_then_by_uri(self) -> None:
        ranked = self.order(
            candidate(1, title="run(a:b:)", bm25=1.0 + 1e-12),
            candidate(2, title="run(a:)", bm25=1.0),
            candidate(3, title="run(b:)", uri="docs://a/0", bm25=1.0),
        )
        assert numbers(ranked) == [3, 2, 1]
        assert numbers(self.order(candidate(1, title="longer", bm25=1.001), candidate(2))) == [1, 2]

    def test_a_current_page_goes_first_also_after_the_blend(self) -> None:
        old = RankedCandidate(candidate(1, title="Map", is_deprecated=True), (), 9.0)
        new = RankedCandidate(candidate(2, title="Map"), (), 1.0)
        settled = DOCUMENTATION.settle([old, new])
        assert numbers(settled) == [2, 1]
        reason = "moved: current pages of a title go first"
        assert [each.factors for each in settled] == [(Factor(reason, 1.0),)] * 2
        assert [each.score for each in settled] == [1.0, 9.0]
        assert DOCUMENTATION.settle(settled) == settled
        assert CODE.settle([old, new]) == [old, new]


class TestFiles:
    def order(self, *candidates: Candidate, text: str = "tax report") -> list[RankedCandidate]:
        return FILES.order(candidates, ask(text))

    def test_a_file_with_all_words_counts_more(self) -> None:
        ranked = self.order(candidate(1), candidate(2, has_all_words=True))
        assert numbers(ranked) == [2, 1]
        assert [each.score for each in ranked] == [2.5, 1.0]
        assert [[factor.reason for factor in each.factors] for each in ranked] == [
            ["has every word"],
            [],
        ]

    def test_each_way_to_be_named_is_a_tier_above_the_next(self) -> None:
        ranked = self.order(
            candidate(1, bm25=9.0),
            candidate(2, title_match=5),
            candidate(3, title_match=1),
            candidate(4, title_match=0),
        )
        assert [each.tier for each in ranked] == [6, 5, 1, 0]
        assert [each.is_named for each in ranked] == [True, True, False, False]
        assert ranked[0].factors == (Factor("the name is the query", 1.0),)

    def test_a_word_of_the_name_goes_before_a_better_score(self) -> None:
        word = candidate(1, title="old-tax.txt", title_match=4, bm25=1.0)
        inside = candidate(2, title="syntax.txt", title_match=4, bm25=9.0)
        assert numbers(self.order(inside, word, text="tax")) == [1, 2]

    def test_then_the_score_the_higher_and_the_shorter_path_decide(self) -> None:
        deep = candidate(1, uri="files://a/b/c", title="x")
        long = candidate(2, uri="files://a/d", title="xxx")
        short = candidate(3, uri="files://a/e", title="xx")
        better = candidate(4, uri="files://a/b/c/d", title="xxxx", bm25=2.0)
        assert numbers(self.order(deep, long, short, better)) == [4, 3, 2, 1]

    def test_a_pattern_is_compared_with_names_alone(self) -> None:
        index: Any = None
        prepared = FILES.prepare(ask("*.txt", by_meaning=True), index)
        assert (prepared.by_words, prepared.by_meaning, prepared.by_names_alone) == (
            False,
            False,
            True,
        )
        question = ask("notes.txt", by_meaning=True)
        assert FILES.prepare(question, index) is question


class TestCode:
    def test_a_name_and_the_language_count(self) -> None:
        ranked = CODE.order(
            [
                candidate(1, language="python"),
                candidate(2, language="swift"),
                candidate(3, language="swift", title_match=1),
                candidate(4, language="swift", title_match=2),
            ],
            ask("read file python"),
        )
        assert numbers(ranked) == [3, 4, 1, 2]
        # The language is one word more than the three that are looked for.
        assert [each.score for each in ranked] == [4.0, 4.0, pytest.approx(4 / 3), 1.0]
        assert [each.is_named for each in ranked] == [True, False, False, False]
        assert [each.tier for each in ranked] == [1, 0, 0, 0]


class TestPassages:
    def test_passages_are_ordered_by_their_words_alone(self) -> None:
        ranked = PASSAGES.order(
            [candidate(1, language="es"), candidate(2, language="en", bm25=1.2)],
            ask("miedo", language="es"),
        )
        assert numbers(ranked) == [2, 1]
        assert [(each.score, each.factors) for each in ranked] == [(1.2, ()), (1.0, ())]


def test_by_words_alone_nothing_else_counts() -> None:
    ranked = order_by_words(
        [candidate(1, bm25=1.0, title_match=0), candidate(2, bm25=2.0, is_deprecated=True)]
    )
    assert [(each.candidate.id, each.score, each.factors) for each in ranked] == [
        (2, 2.0, ()),
        (1, 1.0, ()),
    ]
