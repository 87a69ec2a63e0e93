"""HTTP: every request gets JSON, whatever it was."""

from __future__ import annotations

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import pytest
from tests.stacks.serve.corpus import DOCUMENTS, GUIDE, save_documents

from stacks import __version__
from stacks.errors import IndexUnusableError, StacksError
from stacks.query import Index
from stacks.serve import TOOLS, HttpServer, RequestQueue, ServedIndex, make_reply, serve_http

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.server


@contextmanager
def served(holder: ServedIndex, host: str = "127.0.0.1") -> Iterator[HttpServer]:
    server = HttpServer(holder, host, 0)
    accepting = threading.Thread(target=server.serve_forever, args=(0.01,))
    accepting.start()
    try:
        yield server
    finally:
        server.finish()
        accepting.join()


@pytest.fixture(scope="module")
def holder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedIndex]:
    held = ServedIndex(save_documents(tmp_path_factory.mktemp("index")))
    yield held
    held.close()


@pytest.fixture(scope="module")
def server(holder: ServedIndex) -> Iterator[HttpServer]:
    with served(holder) as running:
        yield running


@pytest.fixture
def client(server: HttpServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, trust_env=False) as opened:
        yield opened


def talk(server: HttpServer, sent: bytes) -> bytes:
    """Send bytes as they are, and read until the server hangs up."""
    with closing(connect(server)) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    return received


def connect(server: HttpServer) -> socket.socket:
    host, port = server.server_address[:2]
    return socket.create_connection((str(host), port), timeout=30)


def split(answer: bytes) -> tuple[int, dict[str, Any]]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


@pytest.mark.server
def test_every_tool_has_a_path(client: httpx.Client) -> None:
    asked: dict[str, Callable[[Any], bool]] = {
        "/search?q=Circle": lambda data: data["hits"][0]["uri"] == "docs://shapes/circle",
        "/search?query=Circle&limit=1&kind=class&kind=struct": lambda data: len(data["hits"]) == 1,
        "/document?uri=docs://shapes/circle": lambda data: data["title"] == "Circle",
        "/symbols?is_async=1": lambda data: data["symbols"][0]["name"] == "load",
        "/conformances?name=Hashable": lambda data: data["symbols"][0]["name"] == "Point",
        "/inheritance?symbol=Circle&direction=up": lambda data: len(data["relatives"]) == 1,
        "/frameworks": lambda data: data["frameworks"][0]["documents"] == 7,
        "/frameworks/": lambda data: data["frameworks"][0]["documents"] == 7,
    }
    assert {tool.path for tool in TOOLS.values()} == {
        path.split("?")[0].rstrip("/") for path in asked
    }
    for path, is_right in asked.items():
        answer = client.get(path)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/json"
        assert is_right(answer.json()), answer.text


@pytest.mark.server
def test_health_tells_version_files_and_documents(
    client: httpx.Client, holder: ServedIndex
) -> None:
    health = client.get("/health").json()
    load = health.pop("load")
    assert list(load) == ["workers", "working", "queue", "waiting", "answered", "refused"]
    assert (load["working"], load["queue"], load["waiting"]) == (0, 64, 0)
    assert health == {
        "status": "ok",
        "version": __version__,
        "documents": 7,
        "files": [{"path": str(holder.path / "search.db"), "documents": 7}],
    }


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/", 404, "there is no /; paths are /search, "),
        ("/serch?q=x", 404, "did you mean /search?"),
        ("/" + "x" * 5000, 404, "paths are"),
        ("/search", 400, "q is missing: What to look for"),
        ("/search?q=x&limit=0", 400, "limit is at least 1; got 0"),
        ("/search?q=x&limit=many", 400, "limit takes a whole number; got 'many'"),
        ("/search?q=x&limit=1&limit=2", 400, "limit is given 2 times"),
        ("/search?q=x&query=y", 400, "query is given 2 times"),
        ("/search?q=x&limt=1", 400, "did you mean limit?"),
        ("/search?q=%FF", 400, "the query string is not percent-encoded UTF-8"),
        ("/search?" + "&".join(["kind=x"] * 101), 400, "more than 100 arguments"),
        ("/search?q=x&min_ios=soon", 400, "is not a version"),
        ("/symbols", 400, "give text, or a filter"),
        ("/symbols?kind=clas", 400, "did you mean class?"),
        ("/inheritance?symbol=x&direction=left", 400, "it is one of up, down, both"),
        ("/document?uri=docs://Shapes/Circle", 404, "did you mean Circle (`docs://shapes/circle`)"),
        ("/document?uri=docs://shapes/guide&offset=99999", 400, "has 70017 characters"),
    ],
)
def test_a_wrong_request_is_told_what_is_wrong(
    client: httpx.Client, path: str, status: int, said: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert said in answer.json()["error"]


def test_an_empty_answer_has_a_remark(client: httpx.Client) -> None:
    answer = client.get("/search", params={"q": "xyzzy"}).json()
    assert (answer["hits"], answer["remark"][:18]) == ([], "nothing found for ")
    assert "value type (struct)" in client.get("/inheritance?symbol=Point").json()["remark"]


@pytest.mark.parametrize(
    "query", ["x" * 10_000, "猫" * 10_000, "🐈" * 10_000, "a\0b", "100% & more = +1", "%zz", "\r\n"]
)
def test_any_text_is_a_query(server: HttpServer, query: str) -> None:
    request = f"GET /search?q={quote(query, safe='')} HTTP/1.0\r\n\r\n"
    status, data = split(talk(server, request.encode()))
    assert (status, data["query"]) == (200, query)


def test_a_long_page_comes_in_parts(client: httpx.Client) -> None:
    read, offset = "", 0
    while offset is not None:
        answer = client.get("/document", params={"uri": "docs://shapes/guide", "offset": offset})
        read += answer.json()["content"]
        offset = answer.json()["next_offset"]
    assert read == f"# Drawing Guide\n\n{GUIDE}"


def test_head_has_the_headers_of_get_and_no_body(client: httpx.Client) -> None:
    for path in ("/search?q=Circle", "/nowhere", "/search"):
        full, head = client.get(path), client.head(path)
        assert head.status_code == full.status_code
        assert head.headers["content-length"] == str(len(full.content))
        assert head.content == b""


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"])
def test_other_methods_are_refused_and_the_connection_stays_usable(
    client: httpx.Client, method: str
) -> None:
    answer = client.request(method, "/search?q=x", content=b'{"q": "x"}')
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"
    assert "use GET or HEAD" in answer.json()["error"]
    assert client.get("/health").status_code == 200


def test_a_connection_is_kept_for_many_requests(server: HttpServer) -> None:
    request = b"GET /search?q=Circle HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answers = talk(server, request * 3).split(b"HTTP/1.1 200 OK\r\n")
    assert len(answers) == 4
    assert all(b"Connection: keep-alive" in answer for answer in answers[1:])


def test_an_old_client_is_answered_and_left(server: HttpServer) -> None:
    answer = talk(server, b"GET /health HTTP/1.0\r\n\r\n")
    assert split(answer)[0] == 200
    assert b"Connection: close" in answer
    assert b"Connection: keep-alive" in talk(
        server, b"GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    )


def test_a_body_does_not_pass_for_the_next_request(server: HttpServer) -> None:
    smuggled = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for header in (b"Content-Length: %d" % len(smuggled), b"Transfer-Encoding: chunked"):
        request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + header + b"\r\n\r\n" + smuggled
        answer = talk(server, request)
        assert answer.count(b"HTTP/1.1 ") == 1
        assert split(answer)[0] == 200


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"garbage\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", 400),
        (b"GET /health HTTP/9.9\r\n\r\n", 505),
        (b"GET /health FTP/1.1\r\n\r\n", 400),
        (b"GET /search?q=two words HTTP/1.1\r\n\r\n", 400),
        (b"GET /" + b"x" * 300_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /" + b"x" * 9_000_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /health HTTP/1.1\r\nX: " + b"x" * 70_000 + b"\r\n\r\n", 431),
        (b"GET /health HTTP/1.1\r\n" + b"X: x\r\n" * 200 + b"\r\n", 431),
    ],
)
def test_what_is_no_http_is_answered_in_json_and_hung_up_on(
    server: HttpServer, sent: bytes, status: int
) -> None:
    answer = talk(server, sent)
    assert split(answer)[0] == status
    assert split(answer)[1]["error"]
    assert b"Connection: close" in answer


def test_a_client_that_says_nothing_or_leaves_early_harms_nobody(
    server: HttpServer, client: httpx.Client
) -> None:
    assert talk(server, b"") == b""
    for _ in range(20):
        with closing(connect(server)) as connection:
            connection.sendall(b"GET /document?uri=docs://shapes/guide HTTP/1.1\r\n\r\n")
    assert client.get("/health").status_code == 200


def test_raw_bytes_in_an_address_are_taken_for_utf_8(server: HttpServer) -> None:
    request = "GET /search?q=größe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert split(talk(server, request.encode()))[1]["query"] == "größe"


def test_a_whole_address_is_a_path_too(server: HttpServer) -> None:
    assert split(talk(server, b"GET http://localhost/health HTTP/1.0\r\n\r\n"))[0] == 200
    status, data = split(talk(server, b"GET http://[bad/health HTTP/1.0\r\n\r\n"))
    assert (status, data["error"]) == (400, "the address cannot be read: Invalid IPv6 URL")


def test_a_client_of_the_first_days_gets_the_bare_answer(server: HttpServer) -> None:
    assert json.loads(talk(server, b"GET /health\r\n"))["status"] == "ok"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("127.0.0.1:8765", 200),
        ("[::1]:8765", 200),
        ("[::1%lo]:8765", 200),
        ("[::2]:8765", 403),
        ("evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("localhost.evil.example:8765", 403),
        ("[bad", 403),
        ("", 403),
    ],
)
def test_a_page_of_the_web_cannot_read_through_a_name_of_its_own(
    client: httpx.Client, host: str, status: int
) -> None:
    assert client.get("/health", headers={"Host": host}).status_code == status


def test_no_other_origin_is_allowed_to_read(client: httpx.Client) -> None:
    answer = client.get("/health", headers={"Origin": "https://evil.example"})
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.server
def test_a_server_that_is_shared_answers_to_any_name(holder: ServedIndex) -> None:
    with served(holder, "0.0.0.0") as server:  # noqa: S104 - what is tested
        url = f"http://127.0.0.1:{server.server_address[1]}/health"
        assert httpx.get(url, headers={"Host": "docs.example"}).status_code == 200


def test_eight_clients_at_once_get_their_own_answers(server: HttpServer) -> None:
    names = [document.title for document in DOCUMENTS]

    def ask(worker: int) -> int:
        with httpx.Client(base_url=server.url, trust_env=False) as client:
            for turn in range(20):
                name = names[(worker + turn) % len(names)]
                answer = client.get("/search", params={"q": name, "limit": 1})
                assert answer.json()["hits"][0]["title"] == name
        return worker

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == list(range(8))


@pytest.mark.server
def test_a_new_save_is_served_without_a_failed_request(tmp_path: Path) -> None:
    newer = (*DOCUMENTS, replace(DOCUMENTS[0], uri="docs://shapes/new", title="Newcomer"))
    held = ServedIndex(save_documents(tmp_path))
    done = threading.Event()
    statuses: set[int] = set()
    with served(held) as server, ThreadPoolExecutor(4) as pool:

        def ask() -> None:
            with httpx.Client(base_url=server.url, trust_env=False) as client:
                while not done.is_set():
                    statuses.add(client.get("/search?q=Circle").status_code)

        asking = [pool.submit(ask) for _ in range(4)]
        with httpx.Client(base_url=server.url, trust_env=False) as client:
            for documents, count in ((newer, 8), (DOCUMENTS, 7), (newer, 8)):
                save_documents(tmp_path, documents)
                assert client.get("/health").json()["documents"] == count
        done.set()
        for each in asking:
            each.result()
    held.close()
    assert statuses == {200}


def test_a_newer_index_that_cannot_be_used_shows_in_health(tmp_path: Path) -> None:
    held = ServedIndex(save_documents(tmp_path))
    (tmp_path / "search.db").unlink()
    reply = make_reply(held, RequestQueue(), "/health", "")
    held.close()
    assert (reply.status, reply.data["status"]) == (200, "stale")
    assert "holds no index" in reply.data["problem"]


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (IndexUnusableError("search.db cannot be read"), "search.db cannot be read"),
        (ZeroDivisionError("secret"), "a bug in stacks; see its log"),
    ],
)
def test_what_goes_wrong_inside_is_an_answer(
    holder: ServedIndex, monkeypatch: pytest.MonkeyPatch, problem: Exception, said: str
) -> None:
    def fail(*_: object) -> None:
        raise problem

    monkeypatch.setattr(Index, "search", fail)
    reply = make_reply(holder, RequestQueue(), "/search", "q=x")
    assert (reply.status, reply.data) == (500, {"error": said})


def takes_connections(server: HttpServer) -> bool:
    """Ask until the server takes no more connections; one that never stops fails by the count."""
    for _ in range(10_000):
        try:
            httpx.get(f"{server.url}/health")
        except httpx.TransportError:
            return False
    return True


@pytest.mark.server
def test_the_end_waits_for_an_answer_in_progress(
    holder: ServedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, allowed = threading.Event(), threading.Event()
    read = Index.frameworks

    def read_slowly(self: Index) -> Any:
        begun.set()
        assert allowed.wait(30)
        return read(self)

    monkeypatch.setattr(Index, "frameworks", read_slowly)
    server = HttpServer(holder, "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, args=(0.01,)).start()
    with ThreadPoolExecutor(2) as pool:
        asking = pool.submit(httpx.get, f"{server.url}/frameworks")
        assert begun.wait(30)
        ending = pool.submit(server.finish)
        assert not takes_connections(server)
        assert not ending.done()
        allowed.set()
        answer = asking.result()
        ending.result()
    assert answer.json()["frameworks"][0]["slug"] == "shapes"
    assert answer.headers["connection"] == "close"


@pytest.mark.server
def test_serving_ends_when_the_wait_is_over(
    holder: ServedIndex, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    asked: list[int] = []

    def wait() -> None:
        url = caplog.messages[-1].removeprefix("listening on ")
        asked.append(httpx.get(f"{url}/health").status_code)

    serve_http(holder, "127.0.0.1", 0, wait)
    assert asked == [200]


@pytest.mark.parametrize("host", ["no-such-host.invalid", "300.1.2.3", "x" * 300, "a..b"])
def test_an_address_that_cannot_be_had_is_an_error(holder: ServedIndex, host: str) -> None:
    with pytest.raises(StacksError, match=r"cannot listen on .*; choose another"):
        HttpServer(holder, host, 0)


@pytest.mark.server
def test_a_port_that_is_taken_is_an_error(holder: ServedIndex, server: HttpServer) -> None:
    with pytest.raises(StacksError, match=r"port \d+ .*; choose another with --port"):
        HttpServer(holder, "127.0.0.1", server.server_address[1])


@pytest.mark.server
def test_the_sixth_version_of_the_protocol_is_served_too(holder: ServedIndex) -> None:
    try:
        with served(holder, "::1") as server:
            assert server.url.startswith("http://[::1]:")
            assert httpx.get(f"{server.url}/health").status_code == 200
    except StacksError as problem:
        pytest.skip(f"this machine has no IPv6 loopback: {problem}")
