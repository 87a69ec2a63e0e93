"""What a shell offers for the names of systems, runs and formats."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["complete_format", "complete_run", "complete_system"]


def complete_system(incomplete: str) -> list[str]:
    """Offer the systems of the nearest project."""
    from cranfield.evaluation.project import open_project

    try:
        return [name for name in open_project().systems if name.startswith(incomplete)]
    except CranfieldError:
        return []


def complete_run(incomplete: str) -> list[str]:
    """Offer the stored runs of the nearest project: latest, labels, and ids, the newest first."""
    from cranfield.evaluation.project import open_project

    try:
        headers = open_project(None, os.environ).open_existing_store().headers()[::-1]
    except CranfieldError:
        return []
    labels = dict.fromkeys(header.label for header in headers if header.label)
    names = ["latest", *labels, *(header.id for header in headers)]
    return [name for name in names if name.startswith(incomplete)]


def complete_format(kind: str) -> Callable[[str], list[str]]:
    """Make what offers the formats for reports of a kind."""

    def complete(incomplete: str) -> list[str]:
        from cranfield.formats import FORMATS

        known = [each.name for each in FORMATS.values() if each.suits(kind)]
        return [name for name in known if name.startswith(incomplete)]

    return complete
