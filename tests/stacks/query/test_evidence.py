"""A question about code finds the file about it, not the one chunk with most of its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stacks.index import Request, SaveOptions, save
from stacks.query import open_index

if TYPE_CHECKING:
    from pathlib import Path

LENDING = '''
def lend(book, member):
    """Lend a book to a member of the library."""
    return book, member


def renew(loan):
    """Renew a loan of the library before it is overdue."""
    return loan


def fine(loan):
    """Charge a fine for an overdue loan."""
    return loan
'''
OTHER = '''
def report(loan):
    """Print an overdue loan of the library."""
    return loan
'''


def test_chunks_of_one_file_support_each_other(tmp_path: Path) -> None:
    source = tmp_path / "src"
    source.mkdir()
    (source / "lending.py").write_text(LENDING)
    (source / "aaa.py").write_text(OTHER)
    save([Request.parse(f"code={source}")], tmp_path / "index", SaveOptions(embedder="none"))
    with open_index(tmp_path / "index") as index:
        found = index.search("overdue loan library book fine", mode="fts5")
        reasons = {hit.title: [each.reason for each in hit.factors] for hit in found}
        assert "other chunks of its file are found too" in reasons["renew"]
        assert "other chunks of its file are found too" not in reasons["report"]
        assert all(each.weight == "around" for hit in found for each in hit.factors)
        short = index.search("overdue loan", mode="fts5")
        assert not any(hit.factors for hit in short)
