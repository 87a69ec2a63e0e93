"""More requests and connections than a server can answer: some wait, the rest is refused."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.stacks.serve.corpus import save_documents

from stacks.query import Index
from stacks.serve import ConnectionLimits, HttpServer, QueueLimits, ServedIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.server

CLIENTS = 200


class Gate:
    """Holds searches until it is opened, and counts them."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.lock = threading.Lock()
        self.inside = self.most = 0

    def pass_through(self) -> None:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        assert self.opened.wait(60)
        with self.lock:
            self.inside -= 1


@pytest.fixture(scope="module")
def holder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedIndex]:
    held = ServedIndex(save_documents(tmp_path_factory.mktemp("index")), connections=2)
    yield held
    held.close()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate()
    search = Index.search

    def search_slowly(self: Index, *given: Any) -> Any:
        made.pass_through()
        return search(self, *given)

    monkeypatch.setattr(Index, "search", search_slowly)
    yield made
    made.opened.set()


@contextmanager
def running(
    holder: ServedIndex, limits: QueueLimits, connections: ConnectionLimits | None = None
) -> Iterator[HttpServer]:
    server = HttpServer(holder, "127.0.0.1", 0, limits, connections)
    accepting = threading.Thread(target=server.serve_forever, args=(0.01,))
    accepting.start()
    try:
        yield server
    finally:
        server.finish()
        accepting.join()


def ask(server: HttpServer, path: str = "/search?q=Circle") -> tuple[int, dict[str, Any], str]:
    """Ask on a connection of its own: the status, the JSON, and when to try again."""
    with closing(connect(server)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read()), answer.getheader("Retry-After", "")


def connect(server: HttpServer) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=60)


def knock(server: HttpServer) -> socket.socket:
    """Connect and say nothing."""
    return socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=60)


def wait_until(server: HttpServer, waiting: int = 0, refused: int = 0, working: int = 0) -> None:
    end = time.monotonic() + 60
    wanted = (working, waiting, refused)
    while (server.queue.load.working, server.queue.load.waiting, server.queue.load.refused) != (
        wanted
    ):
        assert time.monotonic() < end, server.queue.load
        time.sleep(0.005)


def wait_for_connections(server: HttpServer, count: int) -> None:
    """Wait until so many are open: a client has its answer before its place is free."""
    end = time.monotonic() + 60
    while server.connections.count != count:
        assert time.monotonic() < end, server.connections.count
        time.sleep(0.005)


def test_two_hundred_clients_few_work_some_wait_the_rest_is_told_when_to_come_back(
    holder: ServedIndex, gate: Gate
) -> None:
    limits = QueueLimits(workers=2, waiting=30, seconds=60)
    with running(holder, limits) as server, ThreadPoolExecutor(CLIENTS) as pool:
        asking = [pool.submit(ask, server) for _ in range(CLIENTS)]
        wait_until(server, working=2, waiting=30, refused=CLIENTS - 32)
        gate.opened.set()
        answers = [each.result() for each in asking]
    assert gate.most == 2
    statuses = [status for status, _, _ in answers]
    assert (statuses.count(200), statuses.count(503)) == (32, CLIENTS - 32)
    for status, data, retry_after in answers:
        if status == 503:
            assert retry_after == str(data["retry_after"]) == "1"
            assert data["error"] == (
                "the server is overloaded: 2 requests are being answered and 30 are waiting, the "
                "most that it holds; try again in 1 s"
            )
        else:
            assert data["hits"][0]["title"] == "Circle"


def test_health_and_mistakes_are_answered_while_the_server_is_overloaded(
    holder: ServedIndex, gate: Gate
) -> None:
    with (
        running(holder, QueueLimits(workers=1, waiting=1, seconds=60)) as server,
        ThreadPoolExecutor(2) as pool,
    ):
        asking = [pool.submit(ask, server) for _ in range(2)]
        wait_until(server, working=1, waiting=1)
        status, health, _ = ask(server, "/health")
        assert (status, health["status"]) == (200, "ok")
        assert (health["load"]["working"], health["load"]["waiting"]) == (1, 1)
        assert ask(server, "/search?q=x&limit=0")[0] == 400
        assert ask(server, "/nowhere")[0] == 404
        assert ask(server)[0] == 503
        assert ask(server, "/health")[1]["load"]["refused"] == 1
        gate.opened.set()
        assert [each.result()[0] for each in asking] == [200, 200]


def test_a_refused_connection_stays_usable(holder: ServedIndex, gate: Gate) -> None:
    with (
        running(holder, QueueLimits(workers=1, waiting=0)) as server,
        ThreadPoolExecutor(1) as pool,
        httpx.Client(base_url=server.url, trust_env=False) as client,
    ):
        first = pool.submit(ask, server)
        wait_until(server, working=1)
        refused = client.get("/search?q=Circle")
        assert (refused.status_code, refused.headers["connection"]) == (503, "keep-alive")
        gate.opened.set()
        assert first.result()[0] == 200
        assert client.get("/search?q=Circle").status_code == 200


def test_the_end_answers_those_who_wait(holder: ServedIndex, gate: Gate) -> None:
    limits = QueueLimits(workers=2, waiting=20, seconds=60)
    with ThreadPoolExecutor(13) as pool:
        with running(holder, limits) as server:
            asking = [pool.submit(ask, server) for _ in range(12)]
            wait_until(server, working=2, waiting=10)
            ending = pool.submit(server.finish)
            gate.opened.set()
            ending.result()
            assert (server.queue.load.working, server.queue.load.waiting) == (0, 0)
        assert [each.result()[0] for each in asking] == [200] * 12


def test_a_connection_beyond_the_places_gets_health_or_a_refusal(
    holder: ServedIndex, gate: Gate
) -> None:
    limits = ConnectionLimits(places=2, spare=1, spare_seconds=60)
    with ExitStack() as stack:
        server = stack.enter_context(running(holder, QueueLimits(workers=2), limits))
        pool = stack.enter_context(ThreadPoolExecutor(2))
        asking = [pool.submit(ask, server) for _ in range(2)]
        wait_until(server, working=2)
        assert ask(server, "/health")[0] == 200
        wait_for_connections(server, 2)
        status, data, retry_after = ask(server, "/frameworks")
        assert (status, retry_after) == (503, "1")
        assert "2 connections are open, the most that it keeps" in data["error"]
        wait_for_connections(server, 2)
        silent = stack.enter_context(knock(server))
        wait_for_connections(server, 3)
        # The spare one is taken: others are refused before they have said anything.
        with knock(server) as another:
            said = b""
            while piece := another.recv(65_536):
                said += piece
        assert said.startswith(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n")
        assert json.loads(said.partition(b"\r\n\r\n")[2])["retry_after"] == 1
        silent.close()
        gate.opened.set()
        assert [each.result()[0] for each in asking] == [200, 200]


def test_idle_connections_make_room_for_new_ones(holder: ServedIndex) -> None:
    limits = ConnectionLimits(places=3, spare=0, idle_seconds=0)
    with ExitStack() as stack:
        server = stack.enter_context(running(holder, QueueLimits(workers=1), limits))
        idle = []
        for sent in (b"", b"GET /health HTTP/1.1\r\n", b"GET /health HTTP/1.1\r\nHost: loc"):
            opened = knock(server)
            stack.enter_context(closing(opened))
            opened.sendall(sent)
            idle.append(opened)
        for _ in range(6):
            connection = stack.enter_context(closing(connect(server)))
            connection.request("GET", "/search?q=Circle")
            assert connection.getresponse().status == 200
        assert [each.recv(1) for each in idle] == [b"", b"", b""]


def test_threads_and_places_are_given_back(holder: ServedIndex) -> None:
    with running(holder, QueueLimits(workers=2, waiting=300)) as server:
        before = threading.active_count()
        with ThreadPoolExecutor(50) as pool:
            statuses = [each[0] for each in pool.map(lambda _: ask(server), range(300))]
        assert statuses == [200] * 300
        end = time.monotonic() + 60
        while threading.active_count() > before or server.connections.count:
            assert time.monotonic() < end
            time.sleep(0.005)
