"""The project that is looked at in a browser, as it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.projects import make_python_project

from cranfield.evaluation.project import open_project
from cranfield.web.workbench import Workbench

if TYPE_CHECKING:
    from pathlib import Path


def test_the_store_that_the_file_names_is_shown_once_there_is_one(tmp_path: Path) -> None:
    config = make_python_project(tmp_path) / "cranfield.toml"
    config.write_text(f'store = "${{PLACE}}"\n{config.read_text()}')
    environment = {"PLACE": "runs.db"}
    workbench = Workbench(str(config), None, environment)
    assert workbench.store is None
    open_project(config, environment).open_store().close()
    assert workbench.store is not None
    assert workbench.store.name == str(tmp_path / "runs.db")
