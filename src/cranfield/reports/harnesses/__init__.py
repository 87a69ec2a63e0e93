"""Reports in the shapes that other harnesses write, for those who already read them."""

from cranfield.reports.harnesses.cupertino import render_cupertino_json
from cranfield.reports.harnesses.golden_set import render_golden_set_json
from cranfield.reports.harnesses.relevance import render_relevance_csv, render_relevance_summary
from cranfield.reports.harnesses.spelunker import render_spelunker_json

__all__ = [
    "render_cupertino_json",
    "render_golden_set_json",
    "render_relevance_csv",
    "render_relevance_summary",
    "render_spelunker_json",
]
