"""A project: the nearest cranfield.toml, its systems, its suites, its store, its modes."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import CranfieldError, InputError, StoreError, UnknownNameError
from cranfield.runs import open_store
from cranfield.suites import load_suite, overlay_qrels
from cranfield.systems import CONFIG_NAME, find_config, get_system, load_systems
from cranfield_shared import near_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.model import Suite
    from cranfield.runs import Store
    from cranfield.systems import SystemSpec

__all__ = ["Mode", "Project", "find_mode", "open_named", "open_project"]

_STORE = Path(".cranfield") / "cranfield.db"


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a cranfield.toml, or a plain folder without one.

    `suites` are the paths that the file lists. Each suite file is read once; open the project
    again to see later changes.
    """

    folder: Path
    file: Path | None = None
    systems: dict[str, SystemSpec] = field(default_factory=dict)
    suites: tuple[str, ...] = ()
    _loaded: dict[Path, Suite] = field(default_factory=dict, repr=False, compare=False)

    def system(self, name: str) -> SystemSpec:
        """Return a system by its name."""
        if self.file is None:
            raise CranfieldError(
                f"there is no system {name!r}: no cranfield.toml was found here or above; write "
                f"one with a table [systems.{name}]"
            )
        return get_system(self.systems, name)

    def choose_systems(self, names: Sequence[str] = ()) -> list[SystemSpec]:
        """Return the named systems; without a name the project's only one."""
        if not names and len(self.systems) != 1:
            known = ", ".join(self.systems) or "none"
            raise CranfieldError(f"choose a system with --system; cranfield.toml has: {known}")
        return [self.system(name) for name in names or self.systems]

    def suite_paths(self, named: Sequence[str] = ()) -> list[Path]:
        """Return the named suites, or the project's own; there must be one."""
        paths = [Path(name) for name in named] or [self.folder / name for name in self.suites]
        if not paths:
            raise CranfieldError(
                "no suite was named; give a suite file, or list them in cranfield.toml: "
                'suites = ["canonical.toml"]'
            )
        return paths

    def load_suites(self, named: Sequence[str] = (), qrels: str | None = None) -> list[Suite]:
        """Load the named suites, or the project's own; no two may have the same id.

        Judgments of `qrels` replace what the queries expect.
        """
        suites = [self._load_suite(path) for path in self.suite_paths(named)]
        ids = [suite.id for suite in suites]
        for suite_id in ids:
            if ids.count(suite_id) > 1:
                raise CranfieldError(f"two suites have the id {suite_id!r}; give each its own")
        return [overlay_qrels(suite, Path(qrels)) for suite in suites] if qrels else suites

    def find_suite(self, suite_id: str) -> Suite | None:
        """Return the suite that cranfield.toml lists under an id, None if there is none."""
        for path in self._listed():
            suite = self._load_suite(path)
            if suite.id == suite_id:
                return suite
        return None

    def suite_ids(self) -> set[str]:
        """Return the ids of the suites that cranfield.toml lists and that exist.

        A suite that cannot be loaded counts by the name of its file; running it reports why.
        """
        return {self._suite_id(path) for path in self._listed()}

    def _listed(self) -> list[Path]:
        paths = (self.folder / name for name in self.suites)
        return [path for path in paths if path.exists()]

    def _suite_id(self, path: Path) -> str:
        try:
            return self._load_suite(path).id
        except CranfieldError:
            return path.stem

    def _load_suite(self, path: Path) -> Suite:
        key = path.resolve()
        if key not in self._loaded:
            self._loaded[key] = load_suite(path)
        return self._loaded[key]

    def open_store(self, place: str | None = None) -> Store:
        """Open a store by its place, or the project's own; it is created if it does not exist."""
        return open_store(place or self.folder / _STORE)

    def has_store(self, place: str | None = None) -> bool:
        """Return whether a store exists; a database URL counts as existing."""
        where = place or str(self.folder / _STORE)
        return "://" in where or Path(where).exists()

    def open_existing_store(self, place: str | None = None) -> Store:
        """Open a store that exists; none is created."""
        if not self.has_store(place):
            raise StoreError(
                f"there is no store at {place or self.folder / _STORE}; `cranfield run` creates one"
            )
        return self.open_store(place)

    def require_file_or_store(self, place: str | None = None) -> None:
        """Raise CranfieldError for a folder without a project's file and without a store."""
        if self.file is None and place is None and not self.has_store():
            raise CranfieldError(
                "no cranfield.toml was found here or above; `cranfield init` makes one"
            )

    def gate_paths(self) -> list[str]:
        """Return the path patterns that a change must match for the gate to run."""
        table = self.read_table("gate")
        paths = table.get("paths", []) if isinstance(table, dict) else []
        if not isinstance(paths, list) or not all(isinstance(each, str) for each in paths):
            raise InputError(
                'paths is a list of patterns: [gate] paths = ["src/search/**"]', file=str(self.file)
            )
        return paths

    def read_table(self, name: str) -> Any:
        """Return a table of the project's file as it is written; empty without a file."""
        if self.file is None:
            return {}
        return tomllib.loads(self.file.read_text(encoding="utf-8-sig")).get(name, {})


def open_project(config: str | Path | None = None) -> Project:
    """Open a project: the nearest cranfield.toml from the working directory upwards, or `config`.

    `config` is a file, a folder, or the name of a folder below `suites`. Without any file, the
    project is the working directory.
    """
    file = _find_file(str(config)) if config else find_config(Path.cwd())
    if file is None:
        return Project(Path.cwd())
    return Project(file.parent, file, load_systems(file), _read_suites(file))


def open_named(config: str | None, named: Sequence[str]) -> tuple[Project, list[str]]:
    """Open a project, and return the suites that were named; a single name may be a project's."""
    if config is None and len(named) == 1 and not Path(named[0]).is_file():
        file = _find_file(named[0])
        if file.is_file():
            return open_project(file), []
        _refuse_misspelt(named[0])
    return open_project(config), list(named)


def _refuse_misspelt(name: str) -> None:
    """Refuse a name that is neither a suite nor a project, if projects have similar names."""
    if Path(name).exists() or Path(name).name != name:
        return
    near = near_names(name, _project_names())
    if near:
        raise CranfieldError(
            f"there is no suite and no project {name!r}: did you mean {' or '.join(near)}?"
        )


def _project_names() -> list[str]:
    """Return the names of the projects below `suites`, here and above."""
    here = Path.cwd()
    found = (above.glob(f"suites/*/{CONFIG_NAME}") for above in (here, *here.parents))
    return sorted({file.parent.name for files in found for file in files})


def _find_file(name: str) -> Path:
    """Find a project's file by its own name, its folder's, or that of a folder below `suites`."""
    here = Path.cwd()
    folders = [Path(name), *(above / "suites" / name for above in (here, *here.parents))]
    found = (folder / CONFIG_NAME for folder in folders)
    return next((file for file in found if file.is_file()), Path(name))


def _read_suites(file: Path) -> tuple[str, ...]:
    listed = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("suites", [])
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise InputError('suites is a list of files: suites = ["canonical.toml"]', file=str(file))
    return tuple(listed)


@dataclass(frozen=True, slots=True)
class Mode:
    """A named way to run a project, such as `--mode both`: what it runs and shows.

    With several `systems`, the first is compared with the last, in a `format` for comparisons.
    `reports` are further files by format, about the last system; `{suite}` in a name makes one
    file for each suite. With `gate`, the thresholds of the last system decide the exit code.
    """

    systems: tuple[str, ...]
    format: str = "text"
    reports: dict[str, str] = field(default_factory=dict)
    gate: bool = True


def find_mode(project: Project, name: str) -> Mode:
    """Read a mode of the project."""
    if project.file is None:
        raise CranfieldError(
            f"there is no mode {name!r}: no cranfield.toml was found; modes are written there"
        )
    table = project.read_table("modes")
    _refuse_unknown(table, project)
    try:
        modes = msgspec.convert(table, dict[str, Mode])
    except msgspec.ValidationError as problem:
        raise InputError(f"[modes] {problem}", file=str(project.file)) from None
    if name not in modes:
        raise UnknownNameError("mode of the project", name, modes)
    if not modes[name].systems:
        raise InputError(f"[modes.{name}] has no systems", file=str(project.file))
    return modes[name]


def _refuse_unknown(modes: object, project: Project) -> None:
    known = [each.name for each in fields(Mode)]
    for name, table in modes.items() if isinstance(modes, dict) else ():
        for key in table if isinstance(table, dict) else ():
            if key not in known:
                problem = UnknownNameError(f"setting of [modes.{name}]", key, known)
                raise InputError(str(problem), file=str(project.file))
