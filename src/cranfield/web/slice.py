"""What the slice of pages offers: a result as one file, a store as a site, and all of it live."""

from cranfield.slices import Slice

SLICE = Slice(
    offers={
        "cranfield.commands": {"serve": "cranfield.web.command:serve"},
        "cranfield.formats": {"html": "cranfield.web.html_format:HTML"},
        "cranfield.sites": {"html": "cranfield.web.site:SITE"},
    },
    commands={"serve": "Show what is stored in a browser, live."},
    formats={"html": ()},
)
