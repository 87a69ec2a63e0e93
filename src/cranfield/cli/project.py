"""What a command finds around it: the project's file, its systems, its suites, its store."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, InputError
from cranfield_shared import near_names

if TYPE_CHECKING:
    from cranfield.model import Suite
    from cranfield.runs import Run, Store
    from cranfield.systems import SystemSpec

__all__ = ["STORE", "Project", "load_suites", "open_named", "open_project"]

STORE = Path(".cranfield") / "cranfield.db"


@dataclass(frozen=True, slots=True)
class Project:
    """The nearest cranfield.toml upwards, or the working directory without one."""

    folder: Path
    file: Path | None
    systems: dict[str, SystemSpec]
    suites: list[str]

    def system(self, name: str) -> SystemSpec:
        """Return a system by its name."""
        from cranfield.systems import get_system

        if self.file is None:
            raise CranfieldError(
                f"there is no system {name!r}: no cranfield.toml was found here or above; write "
                f"one with a table [systems.{name}]"
            )
        return get_system(self.systems, name)

    @property
    def options(self) -> str:
        """What commands need besides to find this project from here; nothing inside it."""
        from cranfield.systems import find_config

        if self.file is None or find_config(Path.cwd()) == self.file.resolve():
            return ""
        return f" --config {shlex.quote(os.path.relpath(self.folder))}"

    def find_suites(self, named: list[str]) -> list[Path]:
        """Return the suites that were named, or the project's own; there has to be one."""
        paths = [Path(name) for name in named] or [self.folder / name for name in self.suites]
        if not paths:
            raise CranfieldError(
                "no suite was named; give a suite file, or list them in cranfield.toml: "
                'suites = ["canonical.toml"]'
            )
        return paths

    def refuse_nothing(self, store: str | None) -> None:
        """Refuse a folder without a project and without a store: there is nothing to speak of."""
        if self.file is None and store is None and not (self.folder / STORE).exists():
            raise CranfieldError(
                "no cranfield.toml was found here or above; `cranfield init` makes one"
            )

    def open_store(self, place: str | None) -> Store:
        """Open the store that was named, or the project's own."""
        from cranfield.runs import open_store

        return open_store(place or self.folder / STORE)

    def gate_paths(self) -> list[str]:
        """The patterns of paths that a change must touch to be judged; none without a file."""
        import tomllib

        if self.file is None:
            return []
        table = tomllib.loads(self.file.read_text(encoding="utf-8-sig")).get("gate", {})
        paths = table.get("paths", []) if isinstance(table, dict) else []
        if not isinstance(paths, list) or not all(isinstance(each, str) for each in paths):
            raise InputError(
                'paths is a list of patterns: [gate] paths = ["src/search/**"]', file=str(self.file)
            )
        return paths

    def refuse_partial(self, run: Run) -> None:
        """Refuse a run that did not ask its suite as the project has it now, all of it."""
        from cranfield.suites import hash_query, load_suite

        header = run.header
        for name in self.suites:
            path = self.folder / name
            suite = load_suite(path) if path.exists() else None
            if suite is None or suite.id != header.suite.id:
                continue
            now = {hash_query(query) for query in suite.asked}
            if now != set(header.asked.hashes):
                asked = len(now & set(header.asked.hashes))
                raise CranfieldError(
                    f"run {header.id} asked {asked} of the {len(now)} queries that {name} has now; "
                    "run the whole suite again"
                )


def open_project(config: str | None) -> Project:
    """Find and read the project's file; a folder, or one below `suites`, stands for its file."""
    from cranfield.systems import find_config, load_systems

    file = _find_file(config) if config else find_config(Path.cwd())
    if file is None:
        return Project(Path.cwd(), None, {}, [])
    return Project(file.parent, file, load_systems(file), _listed_suites(file))


def open_named(config: str | None, named: list[str]) -> tuple[Project, list[str]]:
    """Find the project, and the suites that were named; one name may be that of a project."""
    if config is None and len(named) == 1 and not Path(named[0]).is_file():
        file = _find_file(named[0])
        if file.is_file():
            return open_project(str(file)), []
        _refuse_misspelt(named[0])
    return open_project(config), named


def _refuse_misspelt(name: str) -> None:
    """Refuse the name of nothing, with the names of projects that are near it."""
    if Path(name).exists() or Path(name).name != name:
        return
    near = near_names(name, _projects())
    if near:
        raise CranfieldError(
            f"there is no suite and no project {name!r}: did you mean {' or '.join(near)}?"
        )


def _projects() -> list[str]:
    """Name the projects below `suites`, here and above."""
    from cranfield.systems import CONFIG_NAME

    here = Path.cwd()
    found = (above.glob(f"suites/*/{CONFIG_NAME}") for above in (here, *here.parents))
    return sorted({file.parent.name for files in found for file in files})


def _find_file(name: str) -> Path:
    """Find the file of a project by its own name, its folder's, or that of one below `suites`."""
    from cranfield.systems import CONFIG_NAME

    here = Path.cwd()
    folders = [Path(name), *(above / "suites" / name for above in (here, *here.parents))]
    found = (folder / CONFIG_NAME for folder in folders)
    return next((file for file in found if file.is_file()), Path(name))


def _listed_suites(file: Path) -> list[str]:
    import tomllib

    listed = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("suites", [])
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise InputError('suites is a list of files: suites = ["canonical.toml"]', file=str(file))
    return listed


def environment() -> dict[str, str]:
    """Return the environment that systems see."""
    return dict(os.environ)


def load_suites(project: Project, named: list[str], qrels: str | None) -> list[Suite]:
    """Load the named suites, or those of the project; no two may have one id."""
    from cranfield.suites import load_suite, overlay_qrels

    suites = [load_suite(path) for path in project.find_suites(named)]
    ids = [suite.id for suite in suites]
    for suite_id in ids:
        if ids.count(suite_id) > 1:
            raise CranfieldError(f"two suites have the id {suite_id!r}; give each its own")
    return [overlay_qrels(suite, Path(qrels)) for suite in suites] if qrels else suites
