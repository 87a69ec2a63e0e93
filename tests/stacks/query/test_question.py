"""A search that does without a part of the engine loses what that part is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import stacks
from stacks.index import Request, save
from stacks.query.question import PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = {
    "gardens/lazygrid.md": "# LazyGrid\n\nThings in rows.\n",
    "gardens/other.md": "# Other\n\nA lazygrid here, a lazygrid there, lazygrid lazygrid.\n",
    "corenfc/index.md": "# Tags\n\nRead a tag that is near.\n",
    "old.md": "---\ndeprecated: true\n---\n# Kettle old\n\nA kettle, a kettle, a kettle.\n",
    "new.md": "# Kettle new\n\nA kettle and a long text on everything else that boils water.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[stacks.Index]:
    folder = tmp_path_factory.mktemp("parts")
    pages: Path = folder / "pages"
    for name, text in PAGES.items():
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text(text)
    save([Request.parse(f"markdown={pages}")], folder / "index")
    with stacks.open(folder / "index") as opened:
        yield opened


def titles(index: stacks.Index, text: str, *without: str) -> list[str]:
    options = stacks.SearchOptions(without=frozenset(without))
    return [hit.title for hit in index.search(text, options)]


def test_names_put_what_is_called_so_first(index: stacks.Index) -> None:
    assert titles(index, "LazyGrid")[0] == "LazyGrid"
    assert titles(index, "LazyGrid", "names")[0] == "Other"


def test_components_find_parts_of_names(index: stacks.Index) -> None:
    assert "LazyGrid" in titles(index, "grid")
    assert "LazyGrid" not in titles(index, "grid", "components")


def test_age_puts_current_pages_first(index: stacks.Index) -> None:
    assert titles(index, "kettle")[0] == "Kettle new"
    assert titles(index, "kettle", "age")[0] == "Kettle old"


def test_a_part_that_is_none_is_told_with_those_that_are() -> None:
    with pytest.raises(stacks.StacksError, match="cannot do without 'wings'; it can do without"):
        stacks.SearchOptions(without=frozenset({"wings"}))


@pytest.mark.parametrize("part", PARTS)
def test_every_part_can_be_done_without(index: stacks.Index, part: str) -> None:
    assert titles(index, "lazygrid", part)
