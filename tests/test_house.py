"""Rules of the house that a test can hold."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cranfield
import cranfield_shared
import stacks
from cranfield.formats import FORMATS
from cranfield.model import Query
from cranfield.relevance import RULES, read_expectation
from cranfield.suites import CLASSES, load_suite
from cranfield.systems import SYSTEMS, load_systems
from stacks.sources import SOURCES as SOURCES_OF_STACKS

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
PACKAGES = [
    package.name
    for home in (cranfield, cranfield_shared, stacks)
    for package in pkgutil.walk_packages(home.__path__, home.__name__ + ".")
    if package.ispkg
]


@pytest.mark.parametrize("package", ["cranfield", "cranfield_shared", "stacks", *PACKAGES])
def test_every_name_at_a_packages_door_is_there(package: str) -> None:
    module = importlib.import_module(package)
    for name in getattr(module, "__all__", ()):
        assert hasattr(module, name), f"{package}.__all__ names {name}, which is not there"


def test_every_module_says_in_one_line_what_it_is() -> None:
    for path in SOURCES:
        first = path.read_text().splitlines()[0]
        assert re.fullmatch(r'"""\S.*', first), f"{path} has no docstring on its first line"


def test_packages_are_entered_through_their_doors() -> None:
    """`from stacks.text import …`, never from a module inside another package.

    A package without a door is entered anywhere; the commands of slices share the options of those
    of `cli`.
    """
    inside = re.compile(r"^\s*from ((?:cranfield|stacks)\.\w+\.\w[\w.]*) import", re.M)
    for path in SOURCES:
        own = ".".join(path.relative_to(ROOT / "src").parts[:2])
        for imported in inside.findall(path.read_text()):
            is_door = (ROOT / "src" / imported.replace(".", "/")).is_dir()
            entered = ROOT.joinpath("src", *imported.split(".")[:-1], "__init__.py")
            has_door = "__all__" in entered.read_text() and not imported.startswith("cranfield.cli")
            is_inside = has_door and not is_door and not imported.startswith(own)
            assert not is_inside, f"{path} imports from inside {imported}"


@pytest.mark.process
@pytest.mark.parametrize(
    "heavy", ["scipy", "numpy", "msgspec", "rich.console", "sqlalchemy", "httpx", "regex"]
)
def test_the_help_page_loads_nothing_heavy(heavy: str) -> None:
    script = (
        "import sys\n"
        "from cranfield.cli.main import app\n"
        "app(['--help'], standalone_mode=False)\n"
        f"sys.exit({heavy!r} in sys.modules)\n"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert finished.returncode == 0, finished.stderr


def test_pins_name_versions_and_no_hosts() -> None:
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"#.*|[\w.-]+==[\w.]+", pin) for pin in pins), pins


def test_the_documents_name_only_commands_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.M))
    for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"):
        named = set(re.findall(r"`make (\w+)`", (ROOT / name).read_text()))
        assert named <= targets, f"{name} names {named - targets}"


@pytest.mark.corpus
@pytest.mark.process
def test_the_readmes_python_runs(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    [block] = re.findall(r"```python\n(.*?)```", readme, re.S)
    (tmp_path / "canonical.toml").write_text(re.findall(r"```toml\n(.*?)```", readme, re.S)[1])
    shown = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (
        shown.stdout.strip() in ("better", "worse", "equivalent") or "cannot tell" in shown.stdout
    )


@pytest.mark.corpus
@pytest.mark.process
def test_the_readmes_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    [(command, block)] = re.findall(
        r"```\n\$ (cranfield compare .*?)\n\n(.*?)```", (ROOT / "README.md").read_text(), re.S
    )
    shown = subprocess.run(
        [sys.executable, "-m", *command.split(), "--store", str(tmp_path / "store.db")],
        cwd=ROOT / "examples" / "stdlib",
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout == block


def test_the_readmes_suite_and_systems_are_read(tmp_path: Path) -> None:
    config, suite = re.findall(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    (tmp_path / "cranfield.toml").write_text(config)
    (tmp_path / "canonical.toml").write_text(suite)
    assert load_suite(tmp_path / "canonical.toml").asked
    systems = load_systems(tmp_path / "cranfield.toml")
    assert [spec.read_settings().timeout for spec in systems.values()] == [30.0, 30.0]


def test_the_documented_suite_and_its_examples_of_rules_are_read(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "suites.md").read_text()
    [suite] = re.findall(r"```toml\n(.*?)```", text, re.S)
    (tmp_path / "suite.toml").write_text(suite)
    assert len(load_suite(tmp_path / "suite.toml").asked) == 2
    examples = re.findall(r"\| `(expect\.[^\n]*?)` \|", text)
    assert len(examples) == len(RULES.names())
    for example in examples:
        [(rule, value)] = tomllib.loads(example)["expect"].items()
        if RULES.get(rule).resolve is None:
            read_expectation(Query("q", "text", {rule: value}))


def test_the_documented_classes_are_the_ones_there_are() -> None:
    text = (ROOT / "docs" / "suites.md").read_text().partition("## Classes")[2]
    rows = re.findall(r"^\| (`.*?) \| (.*?) \| ", text, re.M)
    documented = {
        name: measures.partition(";")[0]
        for names, measures in rows
        for name in re.findall(r"`([\w-]+)`", names)
    }
    assert sorted(documented) == sorted(CLASSES.names())
    for name, measures in documented.items():
        assert measures == ", ".join(map(str, CLASSES.get(name).measures)), name


def test_the_documented_systems_are_read_and_no_kind_is_left_out(tmp_path: Path) -> None:
    [config] = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "systems.md").read_text(), re.S)
    (tmp_path / "cranfield.toml").write_text(config)
    systems = load_systems(tmp_path / "cranfield.toml")
    assert {spec.kind for spec in systems.values()} == set(SYSTEMS.names())
    for spec in systems.values():
        assert spec.read_settings().timeout > 0


def documented_formats(page: str, before: str) -> dict[str, str]:
    """Read which formats a page lists in a table above a heading, and what it says of each."""
    text = (ROOT / "docs" / page).read_text().split(before)[0]
    return dict(re.findall(r"^\| `([a-z][\w-]*)` \| (.*) \|$", text, re.M))


@pytest.mark.parametrize(
    ("page", "before", "kinds"),
    [
        (
            "running.md",
            "## Projects",
            {"run": "run", "comparison": "compare", "grid": "--grid"},
        ),
        ("ci.md", "## Exit codes", {"gate": ""}),
        ("score.md", "### JSON", {"score": ""}),
    ],
)
def test_the_documented_formats_are_the_ones_there_are(
    page: str, before: str, kinds: dict[str, str]
) -> None:
    documented = documented_formats(page, before)
    for kind, name in kinds.items():
        told = {each for each, row in documented.items() if name in row.partition(" | ")[0]}
        assert told == {each.name for each in FORMATS.values() if each.suits(kind)}, kind


def test_the_documented_sources_are_the_ones_there_are() -> None:
    text = (ROOT / "docs" / "stacks_saving.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)\.db` \| (.*) \|$", text, re.M))
    documented = {name: set(re.findall(r"`([\w-]+)`", row)) for name, row in rows.items()}
    there: dict[str, set[str]] = {}
    for kind in SOURCES_OF_STACKS.values():
        there.setdefault(kind.database, set()).add(kind.name)
    assert documented == there


@pytest.mark.process
def test_the_statistics_page_prints_what_it_shows() -> None:
    text = (ROOT / "docs" / "statistics.md").read_text()
    [(block, printed)] = re.findall(r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", text, re.S)
    shown = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, check=True
    )
    assert shown.stdout == printed


def test_every_folder_of_the_source_is_in_the_architecture() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    folders = [path.parent for path in SOURCES if path.name == "__init__.py"]
    for folder in folders:
        name = str(folder.relative_to(ROOT))
        assert f"`{name}/`" in text, f"ARCHITECTURE.md does not speak of {name}/"


@pytest.mark.process
def test_scoring_a_file_loads_nothing_of_suites_systems_and_stores() -> None:
    script = (
        "import sys, cranfield.trec.command\n"
        "heavy = {'sqlalchemy', 'httpx', 'cranfield.runs', 'cranfield.systems', 'cranfield.suites'}"
        "\nsys.exit(', '.join(heavy & sys.modules.keys()) or 0)\n"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert finished.returncode == 0, finished.stderr


PAGES = sorted(
    path
    for folder in (ROOT, ROOT / "docs", ROOT / "benchmarks")
    for path in folder.glob("*.md")
    if path.name != "commands.md"
)


def anchors(page: Path) -> set[str]:
    """Name the headings of a page as GitHub does in addresses."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    titles = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_the_documents_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(file), f"{page.name} links to {target}"


def test_every_group_of_plug_ins_is_documented() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    documented = re.findall(r"^\| `((?:cranfield|stacks)\.\w+)` \|", text, re.M)
    there = [
        group for path in SOURCES for group in re.findall(r'group="([\w.]+)"', path.read_text())
    ]
    assert sorted(documented) == sorted(there)
    for place in re.findall(r"\| `((?:cranfield|stacks)\.[\w.]+)` \|$", text, re.M):
        module, _, name = place.rpartition(".")
        assert hasattr(importlib.import_module(module), name), place


def test_every_path_that_the_architecture_names_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    folder = ROOT
    for line in text.splitlines():
        if found := re.match(r"### `(src/[\w/]+)/`", line):
            folder = ROOT / found[1]
        for name in re.findall(r"`((?:src|suites|benchmarks|docs|tests)/[\w./*-]+)`", line):
            assert list(ROOT.glob(name.rstrip("/"))), f"{name} is not there"
            folder = (ROOT / name).parent if line.startswith("|") else folder
        for name in re.findall(r"`(\w+\.(?:py|js|css))`", line):
            places = [folder / name, ROOT / name, *(ROOT / "src").rglob(name)]
            assert any(place.exists() for place in places), f"{name} is not there"
