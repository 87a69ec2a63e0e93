"""What is stored of a document."""

from __future__ import annotations

from collections.abc import Callable

from stacks.index.document_writer import make_rows
from stacks.model import Document, Snippet, Symbol

Make = Callable[..., Document]


def test_symbols_of_the_source_win_over_the_declaration(page: Make) -> None:
    symbols = (Symbol("Given", "struct"),)
    document = page("a/b", language="swift", declaration="struct Parsed {}", symbols=symbols)
    assert [each.symbol.name for each in make_rows(document, "").symbols] == ["Given"]


def test_a_symbol_has_the_number_of_its_snippet_and_none_outside(page: Make) -> None:
    snippets = (Snippet("func one() {}"), Snippet("func two() {}"))
    document = page("a/b", language="swift", declaration="struct Parsed {}", snippets=snippets)
    assert [each[:2] for each in make_rows(document, "").symbols] == [
        ("declaration", 0),
        ("snippet", 1),
        ("snippet", 2),
    ]


def test_a_page_knows_the_kind_of_its_declaration(page: Make) -> None:
    method = page("a/b", language="swift", declaration="func go()", kind="method")
    assert [each.symbol.kind for each in make_rows(method, "").symbols] == ["method"]
    article = page("a/b", language="swift", declaration="func go()", kind="article")
    assert [each.symbol.kind for each in make_rows(article, "").symbols] == ["function"]


def test_a_snippet_without_a_language_has_that_of_its_page(page: Make) -> None:
    document = page("a/b", language="python", snippets=(Snippet("import os\ndef go(): ..."),))
    rows = make_rows(document, "")
    assert [(each.origin, each.position, each.symbol.name) for each in rows.symbols] == [
        ("snippet", 1, "go")
    ]
    assert rows.imports == (("os", 1),)


def test_names_are_found_by_their_parts_and_plain_words_by_themselves(page: Make) -> None:
    rows = make_rows(page("a/b", "plain", identifiers=("lazyGrid", "moveToEnd")), "")
    assert rows.symbol_components.split() == ["lazy", "Grid", "move", "To", "End"]
