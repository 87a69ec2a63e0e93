"""What a hit says about itself, and how lists of what an index holds are ordered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from stacks.cli.search_command import SEARCH_FORMATS, SearchReport
from stacks.index import Request, SaveOptions, save
from stacks.query import Index, open_index
from stacks.serve.tool_markdown import render_hits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stacks.model import Document


@pytest.mark.parametrize(
    ("source", "file", "text", "query", "where"),
    [
        ("files", "notes.txt", "a kettle", "kettle", "{root}/notes.txt"),
        ("code", "m.py", "x = 1\n\n\ndef kettle():\n    return x\n", "kettle", "{root}/m.py:4-5"),
    ],
)
def test_a_hit_says_where_it_lies(
    tmp_path: Path, source: str, file: str, text: str, query: str, where: str
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / file).write_text(text)
    options = SaveOptions(embedder="none")
    save([Request.parse(f"{source}={root}")], tmp_path / "index", options)
    with open_index(tmp_path / "index") as index:
        assert index.search(query).hits[0].where == where.format(root=root)


@pytest.mark.parametrize(
    ("title", "heading"), [("", "d 1/a"), (" \n", "d 1/a"), ("Two\nlines", "Two lines")]
)
def test_a_hit_without_a_title_is_shown_by_its_id(tmp_path: Path, title: str, heading: str) -> None:
    (tmp_path / "corpus.jsonl").write_text(
        json.dumps({"_id": "d 1/a", "title": title, "text": "a kettle"})
    )
    save([Request.parse(f"jsonl={tmp_path}")], tmp_path / "index", SaveOptions(embedder="none"))
    with open_index(tmp_path / "index") as index:
        results = index.search("kettle")
    assert results.hits[0].heading == heading
    report = SearchReport(results)
    assert SEARCH_FORMATS["text"](report).startswith(f" 1. {heading}  (passage in ")
    assert SEARCH_FORMATS["markdown"](report).startswith(f"1. **{heading}** – passage, ")
    assert render_hits(results, 10).startswith(f"1. **{heading}** – passage in ")


def test_the_parts_of_a_term_are_shared_by_weight_times_occurrences(
    index_of: Callable[..., Index], page: Callable[..., Document]
) -> None:
    others = [page(f"a/p{n}", f"P{n}", "other") for n in range(9)]
    index = index_of([page("a/x", "Kettle", "a kettle and a kettle"), *others])
    (part,) = index.explain(index.search("kettle").hits[0]).terms
    # Ten for the title, two times one for the text.
    assert part.occurrences == {"title": 1, "content": 2}
    assert part.columns["title"] == pytest.approx(5 * part.columns["content"])


def test_sources_are_listed_by_weight_and_then_by_name(
    tmp_path: Path, page: Callable[..., Document], request_of: Callable[..., Any]
) -> None:
    weights = {"light": 1.0, "heavy": 3.0, "also-light": 1.0}
    requests = [
        request_of(name, [page(f"{name}/x", "X")], weight=weight)
        for name, weight in weights.items()
    ]
    save(requests, tmp_path)
    with open_index(tmp_path) as index:
        assert [entry.name for entry in index.sources()] == ["heavy", "also-light", "light"]


def test_a_flagged_query_is_answered_below_the_floor_too(tmp_path: Path) -> None:
    (tmp_path / "book.md").write_text("# Book\n\n## One\nThe river sleeps in winter.\n")
    (tmp_path / "routing.toml").write_text(
        '[floor]\ncoverage = 1.0\nsimilarity = 2.0\n[[flag]]\nname = "safety"\nany = ["in need"]'
    )
    options = SaveOptions(embedder="none", routing=(tmp_path / "routing.toml",))
    save([Request.parse(f"books={tmp_path / 'book.md'}")], tmp_path / "index", options)
    with open_index(tmp_path / "index") as index:
        assert index.search("river xylophone").route == "no_results"
        results = index.search("in need of a river xylophone")
        assert (results.route, len(results.hits)) == ("search", 1)
        assert results.hits[0].where == "Book, chapter 1, passage 1"
