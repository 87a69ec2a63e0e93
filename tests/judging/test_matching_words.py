"""Words of the query in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.judging.shown_texts import split_matches


def matches(text: str, query: str) -> list[str]:
    return [part.text for part in split_matches(text, query) if part.matches]


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("Read a file. FILES are open.", "read files", ["Read", "file", "FILES"]),
        ("a cat in a hat", "cat in the hat", ["cat", "hat"]),
        ("to be or not", "to be", ["to", "be"]),
        ("Öffne die Tür", "öffnen", ["Öffne"]),
        ("carpet", "car", []),
        ("nothing here", "", []),
    ],
)
def test_words_match_whatever_their_case_and_plain_ending(
    text: str, query: str, found: list[str]
) -> None:
    assert matches(text, query) == found


@given(st.text(), st.text())
def test_the_parts_join_to_the_text(text: str, query: str) -> None:
    assert "".join(part.text for part in split_matches(text, query)) == text
