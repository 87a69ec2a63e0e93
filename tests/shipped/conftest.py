"""The indexes of the shipped projects, each made once, whoever of the workers needs it first."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

import pytest
from tests.shipped.projects import Project, build_index

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Project]:
    """Return a project by its name: `shipped("home")`."""
    folder = tmp_path_factory.getbasetemp()
    # A worker's folder is in that of the session, which all of them share.
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    projects: dict[str, Project] = {}

    def find(name: str) -> Project:
        if name not in projects:
            projects[name] = Project(name, make_once(name, shared / f"shipped-{name}"))
        return projects[name]

    return find


def make_once(name: str, index: Path) -> Path:
    """Make an index unless another worker did; marks of groups alone do not keep them apart."""
    with index.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not index.exists():
            making = index.with_suffix(".making")
            build_index(name, making)
            making.rename(index)
    return index
