"""Texts that ask the same, and texts that only look so."""

from __future__ import annotations

import random

import pytest

from cranfield.suites.similar_names import KnownTexts, fold_text, split_folded


def alike(first: str, second: str, language: str = "") -> bool:
    known = KnownTexts()
    known.add("first", fold_text(first, language))
    return known.find(fold_text(second, language)) is not None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Hashable", "hashable"),
        ("how to sort a list?", "How do I sort the list"),
        ("sort python list", "how to sort a python list"),
        ("sort python lists", "python list sort"),
        ("hash-able", "hash able"),
        ("meditación diaria", "meditacion diaria"),
        ("ＳＷＩＦＴ ui", "swift ui"),
        ("foo()", "foo"),
        ("==", " == "),
        (
            "why does the search index grow after every nightly rebuild",
            "why does the search index grow so after every nightly rebuild",
        ),
    ],
)
def test_the_same_question_in_other_words_is_alike(first: str, second: str) -> None:
    assert alike(first, second)
    assert alike(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("LazyHStack", "LazyVStack"),
        ("Set", "Sets"),
        ("map", "flatMap"),
        ("C", "C++"),
        ("C#", "C++"),
        ("State", "@State"),
        ("grep v", "grep -v"),
        ("==", "!="),
        ("os.path", "os.paths"),
        ("convert int to string", "convert string to int"),
        ("int -> string", "string -> int"),
        ("convert to json", "convert from json"),
        ("tea with milk", "tea without milk"),
        ("sort list", "sort list descending"),
        ("iphone 12 setup", "iphone 13 setup"),
        (
            "why does search return hits from deleted pages today",
            "why does search not return hits from deleted pages today",
        ),
        (
            "which of seven search builds found release notes 11 soonest",
            "which of seven search builds found release notes 12 soonest",
        ),
        ("ध्यान करना", "ध्यान करने"),
        ("कमल", "काम"),
    ],
)
def test_another_question_in_like_words_is_not_alike(first: str, second: str) -> None:
    assert not alike(first, second)
    assert not alike(second, first)


def test_small_words_are_those_of_the_language() -> None:
    assert alike("der Hund", "Hund", "de")
    assert not alike("die Hard", "Hard", "en")
    assert alike("क्या ध्यान है", "ध्यान", "hi")
    assert not alike("the dog", "dog", "fi")
    assert alike("the dog", "dog", "en-GB")


def test_vowel_signs_are_part_of_a_word() -> None:
    assert split_folded("ध्यान क्या है?") == ("ध्यान", "क्या", "है")


@pytest.mark.parametrize("text", ["", "   ", "?!", "\x00", "the", "what is", "\ud800"])
def test_texts_without_words_do_no_harm(text: str) -> None:
    known = KnownTexts()
    known.add("first", fold_text(text))
    assert known.find(fold_text(text)) == "first"
    assert known.find(fold_text("something else")) is None


def test_the_first_of_several_is_found_whatever_was_added_later() -> None:
    known = KnownTexts()
    for name in ("one", "two", "three"):
        known.add(name, fold_text("open a file"))
    assert known.find(fold_text("open file")) == "one"


def test_long_texts_are_found_among_thousands_that_share_most_words() -> None:
    words = [f"word{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(400)]
    shuffled = random.Random(7)  # noqa: S311 - a test, not a secret
    known = KnownTexts()
    texts = [shuffled.sample(words, 12) for _ in range(3000)]
    for place, text in enumerate(texts):
        known.add(str(place), fold_text("? " + " ".join(text)))
    for place in range(0, 3000, 100):
        shorter = texts[place][:7] + texts[place][8:]
        assert known.find(fold_text("? " + " ".join(shorter))) == str(place)
