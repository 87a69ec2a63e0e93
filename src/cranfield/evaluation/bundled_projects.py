"""The projects that come with cranfield, copied to where they are used.

A project is written to (its index, its runs, its reports), and an installed package should not be.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from pathlib import Path

from cranfield.errors import CranfieldError
from cranfield.systems import CONFIG_NAME

__all__ = ["bundled_names", "copy_bundled", "find_bundled"]

_PACKAGE = Path(__file__).resolve().parent.parent
_FOLDERS = (_PACKAGE / "bundled" / "suites", _PACKAGE.parent.parent / "suites")
"""In an installed package, and in a clone."""

_SUITES = "suites"
_MADE_BY_RUNS = {"index", ".cranfield", "results", "results.csv", "__pycache__"}


def bundled_names() -> list[str]:
    """Return the names of the bundled projects."""
    return sorted(file.parent.name for file in _bundled_folder().glob(f"*/{CONFIG_NAME}"))


def copy_bundled(name: str) -> Path:
    """Copy a bundled project to `suites/NAME` in the working directory, and return its file."""
    return _copy(name) / CONFIG_NAME


def find_bundled(place: Path, folder: str, usual: str) -> Path:
    """Return a place that may be in a bundled folder which is not a project, such as `agents`.

    If it is and there is nothing of that name here, the folder is copied to `suites/FOLDER`. The
    name of the folder alone means what `usual` names in it; `suites/` may stand before it.
    """
    parts = place.parts[1:] if place.parts[:1] == (_SUITES,) else place.parts
    if place.exists() or parts[:1] != (folder,):
        return place
    inside = Path(*parts) if len(parts) > 1 else Path(folder, usual)
    if Path(_SUITES, folder).exists():
        return Path(_SUITES) / inside if (Path(_SUITES) / inside).exists() else place
    if not (_bundled_folder() / inside).exists():
        return place
    _copy(folder)
    return Path(_SUITES) / inside


def _copy(name: str) -> Path:
    """Copy a bundled folder to `suites/NAME` in the working directory.

    The copy appears whole or not at all. Says where it is, on the log.
    """
    source, target = _bundled_folder() / name, Path.cwd() / _SUITES / name
    try:
        target.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".copy-") as place:
            aside = Path(place) / name
            shutil.copytree(
                source, aside, ignore=lambda folder, names: _left_out(folder, names, source)
            )
            aside.rename(target)
    except OSError as error:
        if not target.is_dir():  # else another process was faster
            raise CranfieldError(
                f"the bundled project {name!r} is copied to {target} to be run, which failed: "
                f"{error.strerror or error}; go to a folder that you may write to"
            ) from error
    logging.getLogger(__name__).warning("copied the bundled project %s to suites/%s", name, name)
    return target


def _bundled_folder() -> Path:
    return next((folder for folder in _FOLDERS if folder.is_dir()), _FOLDERS[0])


def _left_out(folder: str, names: list[str], source: Path) -> set[str]:
    """Leave out what runs left behind in a clone."""
    return _MADE_BY_RUNS.intersection(names) if Path(folder) == source else set()
