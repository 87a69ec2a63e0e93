"""The workbench in a browser: what is stored, live, and a playground for queries."""

from cranfield.web.access import Access, open_access
from cranfield.web.application import make_application
from cranfield.web.server import listen, make_server, serve_forever
from cranfield.web.workbench import Workbench

__all__ = [
    "Access",
    "Workbench",
    "listen",
    "make_application",
    "make_server",
    "open_access",
    "serve_forever",
]
