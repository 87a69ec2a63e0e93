"""A project: the nearest cranfield.toml, its systems, its suites, its store, its modes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, InputError, StoreError, UnknownNameError
from cranfield.evaluation.bundled_projects import bundled_names, copy_bundled
from cranfield.evaluation.project_file import ProjectFile, find_mistakes, read_project_file
from cranfield.model import JudgingSettings
from cranfield.runs.store import open_store
from cranfield.runs.store_connection import PATIENCE
from cranfield.runs.store_places import fill_place, read_place
from cranfield.suites import (
    load_suite,
    overlay_qrels,
    set_measures,
    set_rules,
    set_thresholds,
)
from cranfield.systems import (
    CONFIG_NAME,
    find_config,
    get_system,
    list_searched_folders,
    load_systems,
)
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.evaluation.project_file import Mode
    from cranfield.model import Suite, Threshold
    from cranfield.runs.store import Store
    from cranfield.systems import SystemSpec

__all__ = ["Project", "find_mode", "open_named", "open_project"]

_STORE_VARIABLE = "CRANFIELD_STORE"
_FOLDER = ".cranfield"
_STORE = "cranfield.db"


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a cranfield.toml, or a plain folder without one.

    `content` is what the file says apart from its systems; its store may be named by a variable of
    the `environment`. Each suite file is read once; open the project again to see later changes.
    """

    folder: Path
    file: Path | None = None
    systems: dict[str, SystemSpec] = field(default_factory=dict)
    content: ProjectFile = field(default_factory=ProjectFile)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    _loaded: dict[Path, Suite] = field(default_factory=dict, repr=False, compare=False)

    @property
    def suites(self) -> tuple[str, ...]:
        """The paths of the suites that the file lists."""
        return self.content.suites

    def at_milestone(self, name: str | None) -> Project:
        """Return the project with the thresholds of a milestone; without a name, as it is."""
        if name is None:
            return self
        if not self.content.milestones:
            raise CranfieldError(
                f"there is no milestone {name!r}: cranfield.toml sets no [[thresholds]] with a "
                "milestone"
            )
        if name not in self.content.milestones:
            raise UnknownNameError("milestone of the project", name, self.content.milestones)
        content = replace(self.content, milestone=name)
        return replace(self, content=content, _loaded={})

    def apply_settings(self, suite: Suite) -> Suite:
        """Set what the project says of a suite: measures, regression rules, thresholds."""
        if suite.id in self.content.measures:
            measures = self.content.measures[suite.id]
            suite = set_measures(suite, measures, file=str(self.file))
        return self.apply_gate(suite)

    def apply_gate(self, suite: Suite) -> Suite:
        """Set what the project demands of the runs of a suite: regression rules, thresholds."""
        file = str(self.file)
        if suite.id in self.content.regressions:
            suite = set_rules(suite, self.content.regressions[suite.id], file=file)
        thresholds = self._thresholds_in_force(suite)
        return set_thresholds(suite, thresholds, file=file) if thresholds else suite

    def _thresholds_in_force(self, suite: Suite) -> list[Threshold]:
        """Return the thresholds of a suite: those of the milestone, and those of none."""
        in_force = ("", self.content.milestone)
        return [
            each.threshold
            for each in sorted(self.content.thresholds, key=lambda each: each.threshold.milestone)
            if each.suite in ("", suite.id) and each.threshold.milestone in in_force
        ]

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
        if not names and self.file is None:
            raise CranfieldError(
                "there is no system to run: no cranfield.toml was found here or above, up to the "
                "root of the repository; `cranfield init` makes one, and --config names another"
            )
        if not names and len(self.systems) != 1:
            known = ", ".join(self.systems) or "none"
            raise CranfieldError(f"choose a system with --system; cranfield.toml has: {known}")
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if twice:
            raise CranfieldError(
                f"the system {twice[0]} is named twice; name it once, or run each query several "
                "times with --repeat"
            )
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
        self.refuse_unknown_suites(ids)
        return [overlay_qrels(suite, Path(qrels)) for suite in suites] if qrels else suites

    def refuse_unknown_suites(self, loaded: Sequence[str]) -> None:
        """Refuse what the file sets for a suite that is neither loaded nor listed."""
        content = self.content
        named = [("[[thresholds]]", each.suite) for each in content.thresholds if each.suite]
        named += [("[measures]", name) for name in content.measures]
        named += [("[regressions]", name) for name in content.regressions]
        others = [(place, name) for place, name in named if name not in loaded]
        known = {*loaded, *self.suite_ids()} if others else set()
        if unknown := [(place, name) for place, name in others if name not in known]:
            raise InputError.join(
                InputError(f"{place} {UnknownNameError('suite', name, known)}", file=str(self.file))
                for place, name in dict.fromkeys(unknown)
            )

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
            loaded = load_suite(path, self.content.accepted)
            self._loaded[key] = self._set_judging(self.apply_settings(loaded))
        return self._loaded[key]

    def judging_of(self, suite: Suite) -> JudgingSettings:
        """Return how a stored suite is judged now: as its file says, or else the project.

        Only our own format says how; no other file is read for that.
        """
        for path in self._listed():
            if path.suffix == ".toml" and self._suite_id(path) == suite.id:
                loaded = self._load_suite(path)
                return _anchor(loaded.judging, Path(loaded.folder))
        return self._set_judging(replace(suite, judging=JudgingSettings())).judging

    def _set_judging(self, suite: Suite) -> Suite:
        """Judge a suite as the project says, unless it has settings of its own."""
        usual, settings = JudgingSettings(), self.content.judging
        if suite.judging != usual or settings == usual:
            return suite
        return replace(suite, judging=_anchor(settings, self.folder))

    def open_store(
        self, place: str | None = None, *, patience: float = PATIENCE, usual: str = _STORE
    ) -> Store:
        """Open a store by its place, or the project's own; it is created if it does not exist.

        A place is a file, a database URL, or ${NAME} for the value of an environment variable. The
        project's own is that of $CRANFIELD_STORE, or else of `store` in cranfield.toml, or else the
        `usual` file in .cranfield. A database server that goes away is waited for, `patience`
        seconds.
        """
        return open_store(self._find_place(place, usual), patience=patience)

    def has_store(self, place: str | None = None) -> bool:
        """Return whether a store exists; a database URL counts as existing."""
        return read_place(self._find_place(place)).exists

    def names_store(self, place: str | None = None) -> bool:
        """Return whether a store was named outside of cranfield.toml."""
        return place is not None or bool(self.environment.get(_STORE_VARIABLE))

    def _find_place(self, place: str | None, usual: str = _STORE) -> str | Path:
        if place is None:
            place = self.environment.get(_STORE_VARIABLE) or None
        if place is not None:
            return fill_place(place, self.environment)
        if not self.content.store:
            return self.folder / _FOLDER / usual
        written = fill_place(self.content.store, self.environment)
        return written if "://" in written else self.folder / Path(written).expanduser()

    def open_existing_store(self, place: str | None = None, *, patience: float = PATIENCE) -> Store:
        """Open a store that exists; none is created."""
        where = read_place(self._find_place(place))
        if not where.exists:
            found = (
                f"{where.name} is empty" if where.is_empty else f"there is no store at {where.name}"
            )
            raise StoreError(f"{found}; `cranfield run` creates one")
        return self.open_store(place, patience=patience)

    def require_file_or_store(self, place: str | None = None) -> None:
        """Raise CranfieldError for a folder without a project's file and without a store."""
        if self.file is None and not self.names_store(place) and not self.has_store():
            raise CranfieldError(
                "no cranfield.toml was found here or above; `cranfield init` makes one"
            )


def open_project(
    config: str | Path | None = None, environment: Mapping[str, str] = MappingProxyType({})
) -> Project:
    """Open a project: the nearest cranfield.toml from the working directory upwards, or `config`.

    `config` is a file, a folder, the name of a folder below `suites`, or the name of a bundled
    project, which is copied to `suites`. Without any file, the project is the working directory.
    The `environment` may name its store.
    """
    file = _find_file(str(config)) if config else find_config(Path.cwd())
    if file is None:
        return Project(Path.cwd(), environment=environment)
    try:
        systems = load_systems(file)
    except InputError as problem:
        raise InputError.join([problem, *_other_mistakes(file)]) from None
    content = read_project_file(file)
    mistakes = [InputError(each, file=str(file)) for each in find_mistakes(content, systems)]
    if mistakes:
        raise InputError.join(mistakes)
    return Project(file.parent, file, systems, content, environment)


def _other_mistakes(file: Path) -> list[InputError]:
    """Return the mistakes of a file whose systems have some, unless it is no TOML at all."""
    try:
        read_project_file(file)
    except InputError as problem:
        return [problem]
    except (OSError, ValueError):
        return []
    return []


def open_named(
    config: str | None, named: Sequence[str], environment: Mapping[str, str] = MappingProxyType({})
) -> tuple[Project, list[str]]:
    """Open a project, and return the suites that were named; a single name may be a project's."""
    if config is None and len(named) == 1 and not Path(named[0]).is_file():
        file = _find_file(named[0])
        if file.is_file():
            return open_project(file, environment), []
        _refuse_misspelt(named[0])
    return open_project(config, environment), list(named)


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
    """Return the names of the projects below `suites`, here and above, and of the bundled ones."""
    folders = list_searched_folders(Path.cwd())
    found = (above.glob(f"suites/*/{CONFIG_NAME}") for above in folders)
    return sorted({file.parent.name for files in found for file in files} | {*bundled_names()})


def _find_file(name: str) -> Path:
    """Find a project's file by its own name, its folder's, or that of a folder below `suites`.

    A bundled project that is not below `suites` yet is copied there.
    """
    named = Path(name) / CONFIG_NAME
    if named.is_file():
        return named
    file = find_config(Path.cwd(), f"suites/{name}") or Path(name)
    if not file.exists() and name in bundled_names():
        return copy_bundled(name)
    return file


def find_mode(project: Project, name: str) -> Mode:
    """Return a mode of the project by its name."""
    if project.file is None:
        raise CranfieldError(
            f"there is no mode {name!r}: no cranfield.toml was found; modes are written there"
        )
    if name not in project.content.modes:
        raise UnknownNameError("mode of the project", name, project.content.modes)
    return project.content.modes[name]


def _anchor(settings: JudgingSettings, folder: Path) -> JudgingSettings:
    """Return settings whose files are found from anywhere; their paths start in a folder."""
    if settings.guidelines:
        settings = replace(settings, guidelines=str(folder / settings.guidelines))
    if prompt := settings.model.get("prompt"):
        settings = replace(settings, model={**settings.model, "prompt": str(folder / str(prompt))})
    return settings
