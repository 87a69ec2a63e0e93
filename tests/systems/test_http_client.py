"""Exchanges over HTTP: time limits, busy servers, the rate, many threads, and closing."""

from __future__ import annotations

import gzip
import itertools
import threading
import time
import tracemalloc
import zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.model import Response, Status
from tests.systems.helpers import ask, open_handles, opened
from tests.systems.servers import Received, Reply, free_port, serving, speaking

if TYPE_CHECKING:
    import socket
    from pathlib import Path

pytestmark = pytest.mark.server


def answer_with(content: Any, code: int = 200) -> Any:
    return lambda _: Reply(content, code)


def test_an_answer_without_end_is_bounded(tmp_path: Path) -> None:
    def flood(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connection.sendall(b"x" * 65536)

    with speaking(flood) as url, opened("http", tmp_path, url=url + "/{query}") as system:
        response = system.search(ask(), 1)
    assert response.status is Status.ERROR
    assert response.message == "the answer has more than 16 MiB; ask for fewer hits or fields"


def test_an_answer_packed_many_times_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    body = bomb(layers=3)
    with serving(packed(body, "gzip, gzip, gzip")) as server:
        response, peak = measured_search(tmp_path, server.url)
    assert response.status is Status.ERROR
    assert response.message == (
        "the answer cannot be unpacked: it is packed as 'gzip, gzip, gzip'; let the server answer "
        "plainly, or with one of gzip, deflate"
    )
    assert peak < 30 << 20


@pytest.mark.parametrize("packing", ["gzip", "x-gzip", "GZIP, identity"])
@pytest.mark.parametrize("code", [200, 500])
def test_an_answer_is_unpacked_to_its_limit_and_no_further(
    tmp_path: Path, packing: str, code: int
) -> None:
    with serving(packed(bomb(layers=1), packing, code)) as server:
        response, peak = measured_search(tmp_path, server.url)
    assert response.status is Status.ERROR
    expected = "more than 16 MiB" if code == 200 else "answered 500"
    assert expected in response.message
    assert peak < 80 << 20


@pytest.mark.parametrize("window", [15, -15])
def test_both_kinds_of_deflate_are_unpacked(tmp_path: Path, window: int) -> None:
    pack = zlib.compressobj(wbits=window)
    body = pack.compress(b'["a"]') + pack.flush()
    with serving(packed(body, "deflate")) as server:
        assert measured_search(tmp_path, server.url)[0].hits[0].id == "a"


def bomb(layers: int) -> bytes:
    """Pack 128 MiB of zeros, some times over."""
    pack = zlib.compressobj(9, wbits=31)
    body = b"".join(pack.compress(bytes(1 << 20)) for _ in range(128)) + pack.flush()
    for _ in range(layers - 1):
        body = gzip.compress(body)
    return body


def packed(body: bytes, packing: str, code: int = 200) -> Any:
    return lambda _: Reply(body, code, {"content-encoding": packing})


def measured_search(folder: Path, url: str) -> tuple[Response, int]:
    """Search, and return also how much memory that took at most."""
    with opened("http", folder, url=url + "/{query}") as system:
        system.check()
        tracemalloc.start()
        try:
            return system.search(ask(), 1), tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def never(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.recv(65536)


def drip(first: bytes) -> Any:
    def talk(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(first)
        while True:
            connection.sendall(b"x")
            time.sleep(0.05)

    return talk


@pytest.mark.parametrize(
    ("talk", "raw"),
    [
        (never, ""),
        (drip(b"HTTP/1.1 200 OK\r\nX-Long: "), ""),
        (drip(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), "x"),
        (drip(b"HTTP/1.1 500 No\r\nContent-Length: 100000\r\n\r\n"), "x"),
    ],
)
def test_the_time_limit_holds_for_the_whole_exchange(tmp_path: Path, talk: Any, raw: str) -> None:
    """Every single read is answered in time; only the sum is too long."""
    with speaking(talk) as url, opened("http", tmp_path, url=url + "/{query}", timeout=3) as system:
        response = system.search(ask(), 1)
    assert response.status is Status.TIMEOUT
    assert response.message == "no answer within 3 s"
    assert response.raw[:1] == raw


@pytest.mark.parametrize(
    "sent", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[", b"SSH-2.0-OpenSSH\r\n"]
)
def test_a_server_that_hangs_up_or_speaks_something_else_is_an_error(
    tmp_path: Path, sent: bytes
) -> None:
    def talk(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(sent)

    with speaking(talk) as url, opened("http", tmp_path, url=url + "/{query}") as system:
        response = system.search(ask(), 1)
    assert response.status is Status.ERROR
    assert response.message.startswith("no answer from 127.0.0.1:")


def busy(times: int, code: int, headers: dict[str, str]) -> Any:
    counted = itertools.count()
    return lambda _: Reply(["a"]) if next(counted) >= times else Reply(b"busy", code, headers)


@pytest.mark.parametrize("code", [429, 503])
@pytest.mark.parametrize("after", [None, "0", "past", "soon", "nonsense"])
def test_a_busy_server_is_asked_again(tmp_path: Path, code: int, after: str | None) -> None:
    dates = {
        "past": format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True),
        "soon": format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True),
    }
    headers = {} if after is None else {"retry-after": dates.get(after, after)}
    with (
        serving(busy(1, code, headers)) as server,
        opened("http", tmp_path, url=server.url + "/{query}") as system,
    ):
        assert system.search(ask(), 1).status is Status.OK
    assert len(server.received) == 2


def test_a_server_that_stays_busy_is_an_error_after_the_retries(tmp_path: Path) -> None:
    with (
        serving(busy(99, 503, {"retry-after": "0"})) as server,
        opened("http", tmp_path, url=server.url + "/{query}", retries=2) as system,
    ):
        response = system.search(ask(), 1)
    assert response.message == "answered 503 Service Unavailable to 3 attempts"
    assert response.raw == "busy"
    assert len(server.received) == 3


@pytest.mark.parametrize("after", ["3600", "Fri, 31 Dec 2999 23:59:59 GMT"])
def test_a_wait_beyond_the_time_limit_is_not_begun(tmp_path: Path, after: str) -> None:
    with (
        serving(busy(99, 429, {"retry-after": after})) as server,
        opened("http", tmp_path, url=server.url + "/{query}") as system,
    ):
        assert system.search(ask(), 1).message == "answered 429 Too Many Requests"
    assert len(server.received) == 1


def test_other_failures_are_not_repeated(tmp_path: Path) -> None:
    with (
        serving(answer_with(b"", 500)) as server,
        opened("http", tmp_path, url=server.url + "/{query}") as system,
    ):
        system.search(ask(), 1)
    assert len(server.received) == 1


def test_the_rate_holds_over_all_threads_and_is_not_held_against_the_server(
    tmp_path: Path,
) -> None:
    times: list[float] = []

    def note(_: Received) -> Reply:
        times.append(time.monotonic())
        return Reply(["a"])

    with (
        serving(note) as server,
        opened("http", tmp_path, url=server.url + "/{query}", rate=6, timeout=2) as system,
        ThreadPoolExecutor(16) as pool,
    ):
        list(pool.map(lambda n: system.search(ask(str(n)), 1), range(16)))
    assert len(times) == 16
    assert max(times) - min(times) > 2


@pytest.mark.corpus
def test_many_threads_share_one_client_and_get_their_own_answers(tmp_path: Path) -> None:
    before = open_handles()
    with (
        serving(lambda received: Reply(received.params["q"])) as server,
        opened("http", tmp_path, url=server.url + "/?q={query}") as system,
        ThreadPoolExecutor(8) as pool,
    ):
        found = list(pool.map(lambda n: system.search(ask(f"q{n}"), 1), range(300)))
        assert [response.hits[0].id for response in found] == [f"q{n}" for n in range(300)]
        system.close()
        assert system.search(ask(), 1).message == "the system is closed"
    assert open_handles() <= before
    assert not [each for each in threading.enumerate() if each.name == "http-client"]


def test_closing_gives_up_what_is_under_way(tmp_path: Path) -> None:
    asked = threading.Event()

    def wait(connection: socket.socket) -> None:
        connection.recv(65536)
        asked.set()
        connection.recv(65536)

    with (
        speaking(wait) as url,
        opened("http", tmp_path, url=url + "/{query}", timeout=600) as system,
        ThreadPoolExecutor(1) as pool,
    ):
        answer = pool.submit(system.search, ask(), 1)
        assert asked.wait(60)
        system.close()
        assert answer.result(60).message == "the system was closed"


def test_proxies_of_the_environment_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    with (
        serving(answer_with(["a"])) as server,
        opened("http", tmp_path, url=server.url + "/{query}") as system,
    ):
        assert system.search(ask(), 1).status is Status.OK
