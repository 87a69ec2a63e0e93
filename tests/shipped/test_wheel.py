"""A wheel, installed where nothing of the repository is: the README's commands, as written."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
COMMANDS = list(
    dict.fromkeys(re.findall(r"(?:`|^    |^\$ )((?:cranfield|stacks) [^`\n]+)", README, re.M))
)

NEEDS_THE_READERS_SEARCH = {
    "cranfield compare old new",
    "cranfield gate --system new",
    "cranfield compare old new --fail-on worse",
    "cranfield report old new",
    "cranfield judge",
}
WAITS = {"cranfield init", "cranfield serve", "stacks serve --mcp"}
"""Commands that ask at a terminal, or wait for an agent."""

FILES = {
    "qrels.txt": "q1 0 d1 2\nq1 0 d2 0\nq2 0 d3 1\n",
    "a.run": "q1 Q0 d2 1 2 a\nq1 Q0 d1 2 1 a\nq2 Q0 d4 1 1 a\n",
    "b.run": "q1 Q0 d1 1 2 b\nq1 Q0 d2 2 1 b\nq2 Q0 d3 1 1 b\n",
    "canonical.toml": re.findall(r"```toml\n(.*?)```", README, re.S)[1],
}
"""The files that the README's reader has by then."""

CONFIG = """
suites = ["canonical.toml"]

[systems.old]
kind = "command"
run = ["echo", "https://example.org/swift/other", "{query}"]
pattern = 'https://\\S+'

[systems.new]
kind = "command"
run = ["echo", "https://example.org/swift/hashable", "{query}"]
pattern = 'https://\\S+'
"""

pytestmark = [pytest.mark.process, pytest.mark.corpus, pytest.mark.xdist_group("wheel")]
"""One worker builds and installs the wheel once."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([sys.executable, "-m", "pip", *build, "-w", folder, ROOT], check=True)
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in an environment that shares only the dependencies with this one."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, symlinks=True)
    [packages] = place.glob("lib/python*/site-packages")
    # A path listed here is searched, but its .pth files (the editable install's) are not read.
    shared = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "shared.pth").write_text("\n".join(shared))
    install = ["install", "--quiet", "--no-deps", "--no-index", "--ignore-installed"]
    pip = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python")]
    subprocess.run([*pip, *install, str(wheel)], check=True)
    return place


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("empty")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def run(installed: Path, folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the environment in a folder, at home in that folder."""
    environment = {"HOME": str(folder), "PATH": f"{installed}/bin:{os.defpath}", "LANG": "C.UTF-8"}
    return subprocess.run(
        shlex.split(command),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_is_small_and_complete(wheel: Path) -> None:
    assert wheel.stat().st_size < 15e6
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [metadata] = [name for name in names if name.endswith("/METADATA")]
        described = message_from_string(archive.read(metadata).decode())
    inside = {name.removeprefix("cranfield/bundled/") for name in names}
    tracked = ["git", "ls-files", "-z", "suites", "examples", "docs", "README.md", "CHANGELOG.md"]
    listed = subprocess.run(tracked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert set(filter(None, listed.stdout.split("\0"))) <= inside
    assert {"README.md", "CHANGELOG.md", "docs/score.md", "suites/home/test_corpus.json"} <= inside
    made = re.compile(r"suites/[^/]+/(index|results|\.cranfield)/")
    assert not [name for name in inside if made.match(name)]
    needed = {
        re.split(r"extra == ", each)[-1].strip("'\"")
        for each in described.get_all("Requires-Dist", [])
    }
    assert set(described.get_all("Provides-Extra", [])) <= needed, "an extra installs nothing"


def test_the_package_that_runs_is_the_installed_one(installed: Path, empty: Path) -> None:
    told = run(
        installed,
        empty,
        "python -c 'import cranfield, stacks; print(cranfield.__file__, stacks.__file__)'",
    )
    assert all(path.startswith(str(installed)) for path in told.stdout.split()), told


def test_the_commands_of_the_readme_work_in_an_empty_folder_one_after_the_other(
    installed: Path, empty: Path
) -> None:
    """A reader types them in this order; later ones show what earlier ones made."""
    failed = {}
    for command in COMMANDS:
        if command not in NEEDS_THE_READERS_SEARCH | WAITS:
            shown = run(installed, empty, command)
            if shown.returncode or "Traceback" in shown.stderr:
                failed[command] = (shown.returncode, shown.stdout[-2000:], shown.stderr[-2000:])
    assert not failed


def test_the_commands_about_the_readers_own_search_work(installed: Path, tmp_path: Path) -> None:
    assert set(COMMANDS) > NEEDS_THE_READERS_SEARCH | WAITS
    (tmp_path / "cranfield.toml").write_text(CONFIG)
    (tmp_path / "canonical.toml").write_text(FILES["canonical.toml"])
    for command in sorted(NEEDS_THE_READERS_SEARCH):
        shown = run(installed, tmp_path, command)
        assert shown.returncode == 0, shown.stdout + shown.stderr


def test_the_python_of_the_readme_runs(installed: Path, empty: Path) -> None:
    [block] = re.findall(r"```python\n(.*?)```", README, re.S)
    (empty / "readme.py").write_text(block)
    shown = run(installed, empty, "python readme.py")
    assert shown.returncode == 0, shown.stderr


def test_a_copied_project_is_as_it_is_in_the_repository(installed: Path, empty: Path) -> None:
    run(installed, empty, "cranfield check home")
    for file in (ROOT / "suites/home/standard_home_v1").rglob("*"):
        copied = empty / file.relative_to(ROOT)
        assert copied.exists(), copied
        assert not file.is_file() or copied.read_bytes() == file.read_bytes()


def test_copying_is_said_once_and_a_folder_of_ones_own_comes_first(
    installed: Path, tmp_path: Path
) -> None:
    first, again = (run(installed, tmp_path, "cranfield check chunks") for _ in range(2))
    assert "copied the bundled project chunks to suites/chunks" in first.stderr
    assert "copied" not in again.stderr
    (tmp_path / "home").mkdir()
    assert "copied" not in run(installed, tmp_path, "cranfield check home").stderr
    assert not (tmp_path / "suites" / "home").exists()


def test_save_says_where_it_writes_before_it_does(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook" / "page.md").write_text("# Page\n\nText.\n")
    shown = run(installed, tmp_path, "stacks save --from markdown=handbook")
    lines = shown.stdout.splitlines()
    assert lines[0] == f"saving to {tmp_path / '.stacks'}", shown
