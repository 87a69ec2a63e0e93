"""What both command lines do with the terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from cranfield_shared.terminal import draw_bar, make_app

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


@pytest.mark.parametrize(
    ("done", "total", "filled"), [(0, 3, 0), (1, 3, 8), (1, 1000, 0), (2, 3, 16), (3, 3, 24)]
)
def test_a_bar_is_filled_in_proportion(done: int, total: int, filled: int) -> None:
    assert draw_bar(done, total) == "█" * filled + "·" * (24 - filled)


def test_an_application_prints_its_version_and_help_without_arguments() -> None:
    app = make_app("tool", "Does things.", "1.2")
    app.command()(lambda: None)
    shown = CliRunner().invoke(app, ["--version"])
    assert (shown.exit_code, shown.output) == (0, "tool 1.2\n")
    assert "Does things." in CliRunner().invoke(app, []).output


def test_discarded_output_fails_no_later_write() -> None:
    script = (
        "import sys\n"
        "from cranfield_shared.terminal import discard_output\n"
        "try:\n"
        "    sys.stdout.write('lost')\n"
        "    sys.stdout.flush()\n"
        "except OSError:\n"
        "    discard_output()\n"
        "sys.stdout.write('lost too')\n"
    )
    done = subprocess.run(
        ["sh", "-c", f'{sys.executable} -c "{script}" > /dev/full'],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_shared_package_loads_no_library() -> None:
    script = "import sys, cranfield_shared; sys.exit('typer' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize(
    "command", [("cranfield", "runs", "show", "nothing"), ("stacks", "search", "a", "--nothing")]
)
def test_closed_standard_error_does_not_change_the_exit_code(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-m", *command], stdout=writer, stderr=writer, cwd=tmp_path, check=False
    )
    os.close(writer)
    assert ended.returncode == 2
    line = f'"{sys.executable}" -m {" ".join(command)} 2>&-'
    assert subprocess.run(["sh", "-c", line], cwd=tmp_path, check=False).returncode == 2
