"""`stacks serve` as a user starts and stops it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.stacks.serve.corpus import DOCUMENTS, command, read_url, save_documents, started

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.corpus, pytest.mark.process]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_documents(tmp_path_factory.mktemp("index"))


@pytest.mark.parametrize("ways", [("--db", "x"), ("--mcp", "--http")])
def test_one_way_to_serve_must_be_named(ways: tuple[str, ...]) -> None:
    finished = run(*ways)
    assert finished.returncode == 2
    assert finished.stderr == (
        "stacks: choose one way to serve: stacks serve --mcp or stacks serve --http\n"
    )


@pytest.mark.parametrize("way", ["--mcp", "--http"])
def test_a_missing_index_is_an_error_that_says_what_to_do(tmp_path: Path, way: str) -> None:
    finished = run(way, "--db", str(tmp_path))
    assert (finished.returncode, finished.stdout) == (2, "")
    assert "holds no index; make one with stacks save" in finished.stderr
    assert "Traceback" not in finished.stderr


def test_help_shows_how_a_client_is_configured() -> None:
    shown = run("--help").stdout
    begin = shown.index('{"mcpServers"')
    configuration, _ = json.JSONDecoder().raw_decode(shown[begin:])
    assert configuration == {
        "mcpServers": {"stacks": {"command": "stacks", "args": ["serve", "--mcp"]}}
    }
    assert "stacks serve --http --port 8765" in shown


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_http_listens_where_it_says_and_ends_with_a_signal(
    folder: Path, number: signal.Signals
) -> None:
    with started("--http", "--port", "0", "--db", str(folder)) as process:
        url = read_url(process)
        with httpx.Client(base_url=url, trust_env=False) as client:
            assert client.get("/health").json()["documents"] == 7
            process.send_signal(number)
            assert process.wait(60) == 0
        assert process.stdout is not None
        assert process.stderr is not None
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")


def test_an_index_saved_anew_is_served(tmp_path: Path) -> None:
    newer = (*DOCUMENTS, replace(DOCUMENTS[0], uri="docs://shapes/new", title="Newcomer"))
    save_documents(tmp_path)
    with started("--http", "--port", "0", "--db", str(tmp_path)) as process:
        url = read_url(process)
        assert httpx.get(f"{url}/search?q=Newcomer").json()["hits"] == []
        save_documents(tmp_path, newer)
        (hit,) = httpx.get(f"{url}/search?q=Newcomer").json()["hits"]
        assert hit["uri"] == "docs://shapes/new"
        assert process.stderr is not None
        assert (
            process.stderr.readline().decode()
            == f"stacks: {tmp_path} was saved again; the new index is in use\n"
        )


@pytest.mark.server
def test_a_port_that_is_taken_is_an_error(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        finished = run("--http", "--port", str(port), "--db", str(folder))
    assert finished.returncode == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_an_error(folder: Path, port: str) -> None:
    finished = run("--http", "--port", port, "--db", str(folder))
    assert finished.returncode == 2
    assert "--port" in finished.stderr


def test_the_folder_of_the_environment_is_served(folder: Path) -> None:
    finished = run("--mcp", STACKS_HOME=str(folder))
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


@pytest.mark.server
def test_workers_and_queue_are_as_many_as_typed(folder: Path) -> None:
    limits = ("--workers", "3", "--queue", "7")
    with started("--http", "--port", "0", "--db", str(folder), *limits) as process:
        load = httpx.get(f"{read_url(process)}/health").json()["load"]
    assert (load["workers"], load["queue"]) == (3, 7)
