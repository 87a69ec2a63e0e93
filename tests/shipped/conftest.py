"""The indexes of the shipped projects, each made once, whoever of the workers needs it first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.shipped.projects import Project, kept_index

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="session")
def shipped() -> Callable[[str], Project]:
    """Return a project by its name: `shipped("home")`."""
    projects: dict[str, Project] = {}

    def find(name: str) -> Project:
        if name not in projects:
            projects[name] = Project(name, kept_index(name))
        return projects[name]

    return find
