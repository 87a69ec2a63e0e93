"""A workbench on a free port of this machine, and a store to look at."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx

from cranfield.web.application import listen, make_application, make_server
from cranfield.web.guard import Access
from cranfield.web.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Served", "serving"]


@dataclass(frozen=True)
class Served:
    """A server that answers, and what it reported."""

    url: str
    port: int
    folder: Path
    reported: list[str]

    def client(self) -> httpx.Client:
        """Return a client with its own cookies that follows no redirect."""
        return httpx.Client(base_url=self.url, timeout=30)


@contextmanager
def serving(
    folder: Path, access: Access | None = None, *, place: str | None = None
) -> Iterator[Served]:
    """Serve a project's folder until the block ends; its store may be at another place."""
    reported: list[str] = []
    workbench = Workbench(str(folder / "cranfield.toml"), place, {})
    opened, port = listen("127.0.0.1", 0)
    server = make_server(
        make_application(workbench, access or Access("127.0.0.1"), reported.append)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Served(f"http://127.0.0.1:{port}", port, folder, reported)
    finally:
        server.should_exit = True
        thread.join()
        opened.close()
