"""What a few words may be the name of, before any index is looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.query.document_names import find_framework_name
from stacks.query.query_names import join_words, qualify_words


def test_two_words_are_a_member_with_its_owner() -> None:
    assert qualify_words("array append") == ("array.append",)


def test_the_dot_may_be_between_any_two_words() -> None:
    assert set(qualify_words("url session shared")) == {
        "url.session.shared",
        "url.sessionshared",
        "url.session_shared",
        "urlsession.shared",
        "url_session.shared",
    }


def test_the_arguments_of_a_member_stay() -> None:
    assert "array.append(contentsof:)" in qualify_words("array append(contentsof:)")


def test_an_import_from_a_module_is_a_member_of_it() -> None:
    assert qualify_words("from xml.etree import elementtree") == ("xml.etree.elementtree",)


@pytest.mark.parametrize("name", ["", "array", "how do i append to an array"])
def test_one_word_and_a_sentence_have_no_owner(name: str) -> None:
    assert qualify_words(name) == ()


def test_words_are_joined_in_each_way_that_names_are_written() -> None:
    assert join_words(["read", "csv"]) == ("readcsv", "read_csv", "read-csv")
    assert join_words(["read"]) == join_words(list("abcdefgh")) == ()
    assert join_words(list("abcdefg"))[0] == "abcdefg"


@pytest.mark.parametrize(
    ("name", "framed"),
    [
        ("import corelocation", "corelocation"),
        ("core location framework", "core location"),
        ("framework swiftui", "swiftui"),
        ("json module", "json"),
        ("swift standard library", "swift"),
        ("swift library", "swift"),
        ("framework", ""),
        ("import", ""),
        ("important", ""),
        ("swiftui frameworks", ""),
        ("", ""),
    ],
)
def test_what_is_said_to_be_a_framework_is_taken_out_of_its_frame(name: str, framed: str) -> None:
    assert find_framework_name(name) == framed


@given(st.text())
def test_any_text_can_be_worded(text: str) -> None:
    name = " ".join(text.casefold().split())
    assert all("." in each for each in qualify_words(name))
    assert len(find_framework_name(name)) < max(len(name), 1)
    assert len(qualify_words(name)) <= 13
