"""Passages end where a reader would end them, cover every word and keep to their size."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stacks.sources.book_passages import Paragraph, Passage, cut_passages
from stacks.text.words import find_words


def sentence(name: str, tokens: int) -> str:
    """A sentence of that many tokens: words and a full stop."""
    return " ".join([name, *("w" for _ in range(tokens - 2))]) + "."


def cut(*texts: str, size: int = 20, overlap: int = 0) -> list[str]:
    paragraphs = [Paragraph(text) for text in texts]
    return [passage.text for passage in cut_passages(paragraphs, size=size, overlap=overlap)]


def test_sentences_fill_a_passage_and_the_last_one_is_carried_over() -> None:
    a, b, c, d = (sentence(name, 8) for name in "ABCD")
    assert cut(f"{a} {b} {c} {d}", overlap=8) == [f"{a} {b}", f"{b} {c}", f"{c} {d}"]


def test_without_overlap_nothing_is_repeated() -> None:
    a, b, c, d = (sentence(name, 8) for name in "ABCD")
    assert cut(f"{a} {b} {c} {d}") == [f"{a} {b}", f"{c} {d}"]


def test_a_sentence_longer_than_the_overlap_is_carried_over_in_words() -> None:
    a, b, c = (sentence(name, 10) for name in "ABC")
    assert cut(f"{a} {b} {c}", overlap=3) == [f"{a} {b}", f"w w. {c}"]


def test_a_paragraph_end_in_the_second_half_goes_before_a_sentence_end() -> None:
    a, b, c = sentence("A", 10), sentence("B", 5), sentence("C", 12)
    assert cut(a, f"{b} {c}") == [a, f"{b} {c}"]


def test_a_paragraph_end_in_the_first_half_is_passed_over() -> None:
    a, b, c = sentence("A", 9), sentence("B", 5), sentence("C", 12)
    assert cut(a, f"{b} {c}") == [f"{a}\n\n{b}", c]


def test_the_overlap_gives_way_to_a_sentence_that_needs_the_room() -> None:
    a, b, c = sentence("A", 14), sentence("B", 6), sentence("C", 17)
    assert cut(f"{a} {b} {c}", overlap=6) == [f"{a} {b}", f"w w. {c}"]
    full = sentence("C", 20)
    assert cut(f"{a} {b} {full}", overlap=6) == [f"{a} {b}", full]


def test_a_scrap_joins_the_passage_before() -> None:
    a, b = sentence("A", 18), sentence("B", 4)
    assert cut(f"{a} {b}") == [f"{a} {b}"]
    assert cut(f"{a} {sentence('B', 5)}") == [a, sentence("B", 5)]


def test_a_sentence_longer_than_a_passage_is_cut_at_words() -> None:
    text = " ".join(f"w{n}" for n in range(50))
    assert cut(text) == [
        " ".join(f"w{n}" for n in range(20)),
        " ".join(f"w{n}" for n in range(20, 40)),
        " ".join(f"w{n}" for n in range(40, 50)),
    ]


def test_little_before_an_enormous_sentence_does_not_stand_alone() -> None:
    text = "Short one. " + "w " * 40
    assert cut(text)[0] == "Short one. " + " ".join(["w"] * 17)


def test_a_heading_is_not_cut_from_what_follows_it_where_a_paragraph_ends_before() -> None:
    a, b = sentence("A", 12), sentence("B", 12)
    paragraphs = [Paragraph(a), Paragraph("Part two", is_heading=True), Paragraph(b)]
    texts = [passage.text for passage in cut_passages(paragraphs, size=20, overlap=0)]
    assert texts == [a, f"Part two\n\n{b}"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("He met Dr. Roy and P. K. Das w w w w w. Then he went home to w w w.", "w w."),
        ("“Is it you?” he said to me w w w w w w w. Then he went home to w w w.", "w w."),
        ("¿Quién soy yo w w w w w w w w? ¡Nadie lo sabe w w w w w w w w!", "w w?"),
        ("मैं कौन हूँ w w w w w w w w w w। मैं आत्मा हूँ w w w w w w।", "w w।"),
        ("He said, “I am here w w w w w w.” Then he went home to w w w w.", "w.”"),
    ],
)
def test_sentences_end_at_their_signs_and_not_at_abbreviations(text: str, first: str) -> None:
    passages = cut(text)
    assert len(passages) == 2
    assert passages[0].endswith(first)


def test_tokens_are_words_with_their_marks_and_single_signs() -> None:
    (passage,) = cut_passages([Paragraph("Don't! हृदय में, ñandú 12.")], size=20, overlap=0)
    # Don ' t ! हृदय में , ñandú 12 .
    assert passage == Passage("Don't! हृदय में, ñandú 12.", words=6, tokens=10)


def test_verse_keeps_its_lines() -> None:
    assert cut("Tyger Tyger, burning bright,\nIn the forests of the night;") == [
        "Tyger Tyger, burning bright,\nIn the forests of the night;"
    ]


def test_what_has_no_word_in_it_is_no_passage() -> None:
    assert cut() == []
    assert cut("", " \n ", "* * *", "…" * 1000) == []


def test_one_sentence_of_ten_thousand_words_is_cut_into_full_passages() -> None:
    text = " ".join(f"w{n}" for n in range(10_000))
    passages = cut_passages([Paragraph(text)], size=300, overlap=60)
    assert [passage.tokens for passage in passages[:-1]] == [300] * (len(passages) - 1)
    # The first adds 300 words, each further one 240: (10,000 - 300) / 240 = 40.4.
    assert len(passages) == 42
    assert {word for passage in passages for word in passage.text.split()} == set(text.split())


def test_a_word_of_very_many_signs_is_cut_without_a_gap() -> None:
    text = "a.b" * 500
    passages = cut(text, size=40)
    assert "".join(passages) == text


WORDS = st.sampled_from(
    [
        "a",
        "Peace",
        "word.",
        "end!",
        "“So?”",
        "हृदय",
        "है।",
        "año",
        "…",
        "—",
        "x-y",
        "(in)",
        "a.b.c" * 9,
    ]
)
CHAPTERS = st.lists(
    st.tuples(st.lists(WORDS, min_size=0, max_size=60), st.booleans(), st.booleans()), max_size=8
)


@pytest.mark.corpus
@settings(max_examples=150, deadline=None)
@given(chapter=CHAPTERS, size=st.integers(20, 60), data=st.data())
def test_every_word_is_covered_in_order_no_passage_is_empty_and_sizes_are_bounded(
    chapter: list[tuple[list[str], bool, bool]], size: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, (size - 1) // 2))
    paragraphs = [
        Paragraph(("\n" if is_verse else " ").join(words), is_heading)
        for words, is_verse, is_heading in chapter
    ]
    passages = cut_passages(paragraphs, size=size, overlap=overlap)
    expected = [word for words, _, _ in chapter for word in find_words(" ".join(words))]
    assert all(passage.words > 0 for passage in passages)
    assert all(passage.tokens <= size + size / 4 for passage in passages)
    assert all(passage.tokens <= size for passage in passages[:-1])
    assert cover(expected, [find_words(passage.text) for passage in passages])


def cover(expected: list[str], passages: list[list[str]]) -> bool:
    """Tell whether the passages, each overlapping the one before, give the words in order.

    Repeated words allow several readings, so all places that can have been reached are kept.
    """
    reached = {0}
    for words in passages:
        following = set()
        for end in reached:
            for start in range(end + 1):
                if expected[start : start + len(words)] == words:
                    following.add(max(end, start + len(words)))
        reached = following
    return len(expected) in reached


@settings(max_examples=100, deadline=None)
@given(chapter=CHAPTERS, seed=st.integers(0, 2**32))
def test_text_that_is_wrapped_anew_is_cut_alike(
    chapter: list[tuple[list[str], bool, bool]], seed: int
) -> None:
    shuffle = random.Random(seed)  # noqa: S311 - a seed for a test
    straight = [Paragraph(" ".join(words)) for words, _, _ in chapter]
    wrapped = [
        Paragraph("".join(word + shuffle.choice([" ", "\n", "  ", "\n "]) for word in words))
        for words, _, _ in chapter
    ]
    cuts = [
        [" ".join(passage.text.split()) for passage in cut_passages(text, size=25, overlap=7)]
        for text in (straight, wrapped)
    ]
    assert cuts[0] == cuts[1]
