"""`cranfield serve` as a user starts it."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

import httpx
import pytest
from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.process, pytest.mark.server]


@contextmanager
def started(folder: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start the server on a free port, and yield the address that it prints."""
    command = [sys.executable, "-m", "cranfield", "serve", "--port", "0", *options]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_and_ends_with_a_signal(tmp_path: Path, number: int) -> None:
    with started(make_python_project(tmp_path, 4)) as (address, process):
        assert "Nothing is stored yet" in httpx.get(address).text
        assert cranfield(tmp_path, "run", "-s", "new", "--quiet").returncode == 0
        assert "1 suite, 1 run." in httpx.get(address).text
        process.send_signal(number)
        assert process.wait(60) == 0


def test_a_demanded_token_is_part_of_the_address(tmp_path: Path) -> None:
    with started(make_python_project(tmp_path, 4), "--demand-token") as (address, _):
        bare = address.partition("?token=")[0]
        assert httpx.get(bare).status_code == 401
        with httpx.Client(follow_redirects=True) as client:
            assert client.get(address).status_code == 200


def test_open_shows_the_first_page(tmp_path: Path) -> None:
    make_python_project(tmp_path, 4)
    with (
        patch("webbrowser.open", return_value=True) as shown,
        patch("cranfield.web.application.serve_forever"),
    ):
        done = cranfield(tmp_path, "serve", "--open", "--port", "0")
    assert done.returncode == 0, done.stderr
    shown.assert_called_once_with(done.stdout.strip())


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_what_is_missing_is_named_with_what_to_install(tmp_path: Path, missing: str) -> None:
    make_python_project(tmp_path, 4)
    code = f"import sys; sys.modules[{missing!r}] = None; from cranfield.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "serve"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"serve needs the package {missing}; install cranfield[serve]" in done.stderr


def test_a_folder_without_a_project_is_refused(tmp_path: Path) -> None:
    done = cranfield(tmp_path, "serve", "--port", "0")
    assert done.returncode == 2
    assert "no cranfield.toml was found" in done.stderr
