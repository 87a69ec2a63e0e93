"""A result as a page to look at: one HTML file that needs nothing else, or a folder of them."""

from cranfield.pages.html_format import read_asset, render_frame, render_html, render_report
from cranfield.pages.packed_queries import pack_answers
from cranfield.pages.page_templates import make_environment
from cranfield.pages.site import write_site

__all__ = [
    "make_environment",
    "pack_answers",
    "read_asset",
    "render_frame",
    "render_html",
    "render_report",
    "write_site",
]
