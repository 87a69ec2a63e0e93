"""Which documents are admitted, and why others are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stacks.index.admission import Admission, hash_document
from stacks.model import Document

Make = Callable[..., Document]


def admit(admission: Admission, document: Document) -> str:
    content_hash = hash_document(document)
    refusal = admission.check(document, content_hash)
    if refusal is None:
        admission.admit(document.uri, content_hash, document.title)
    return refusal.event if refusal else ""


def test_a_check_alone_admits_nothing(page: Make) -> None:
    admission = Admission()
    document = page("a/b")
    assert admission.check(document, hash_document(document)) is None
    assert admission.check(document, hash_document(document)) is None


def test_the_same_page_twice_is_a_duplicate_of_tier_a(page: Make) -> None:
    admission = Admission()
    assert admit(admission, page("a/b")) == ""
    assert admit(admission, page("a/b")) == "duplicate-a"


def test_a_title_that_differs_in_case_and_spaces_is_tier_b(page: Make) -> None:
    admission = Admission()
    admit(admission, page("a/b", "My Page"))
    assert admit(admission, page("a/b", "my  page", "Other text.")) == "duplicate-b"


def test_other_content_under_the_same_uri_is_tier_c(page: Make) -> None:
    admission = Admission()
    admit(admission, page("a/b", "Page", "One."))
    assert admit(admission, page("a/b", "Page", "Two.")) == "duplicate-c"


@pytest.mark.parametrize(
    "title",
    [
        "Forbidden",
        "403 Forbidden",
        "404",
        "Error 404: Not Found",
        "JavaScript Required",
        "This page requires JavaScript.",
        "Page Not Found",
        "502 Bad Gateway",
        "Just a moment...",
    ],
)
def test_error_pages_are_refused(page: Make, title: str) -> None:
    assert admit(Admission(), page("a/b", title)) == "error-template"


@pytest.mark.parametrize("title", ["Untitled", "TODO", "[title]", "Lorem ipsum dolor", "…", "null"])
def test_placeholders_are_refused(page: Make, title: str) -> None:
    assert admit(Admission(), page("a/b", title)) == "placeholder-title"


@pytest.mark.parametrize("title", ["null", "undefined", "Null"])
def test_a_symbol_that_is_called_like_a_placeholder_is_admitted(page: Make, title: str) -> None:
    address = f"js/value/{title.lower()}"
    assert admit(Admission(), page(address, title, kind="article")) == ""
    assert admit(Admission(), page(f"{address}?language=objc", title, kind="article")) == ""
    assert admit(Admission(), page("js/untitled", "Untitled", kind="article"))


@pytest.mark.parametrize("title", ["Error", "Errors", "404 ways to fail", "Not", "Handling errors"])
def test_real_titles_pass(page: Make, title: str) -> None:
    assert admit(Admission(), page("a/b", title)) == ""


def test_a_declaration_may_be_called_forbidden(page: Make) -> None:
    assert admit(Admission(), page("http/forbidden", "Forbidden", kind="case")) == ""


def test_a_page_with_a_declaration_may_be_called_forbidden(page: Make) -> None:
    document = page("http/forbidden", "Forbidden", declaration="FORBIDDEN = 403")
    assert admit(Admission(), document) == ""


def test_a_passage_needs_no_title(page: Make) -> None:
    document = Document(uri="jsonl://x/1", title="", content="text", kind="passage")
    assert admit(Admission(), document) == ""


def test_a_page_that_was_forgotten_may_come_again(page: Make) -> None:
    admission = Admission()
    admit(admission, page("a/b"))
    admission.forget("docs://a/b")
    assert admit(admission, page("a/b", "b", "Other.")) == ""
