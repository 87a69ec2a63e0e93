"""What the server refuses: other names, other sites, no token, no proof, too much."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.cli.projects import make_python_project
from tests.web.servers import serving

from cranfield.web.guard import Access, open_access

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.servers import Served

pytestmark = pytest.mark.server

PATHS = ("/", "/run?name=x", "/suite?name=x", "/compare?a=x&b=y", "/progress", "/nothing", "/run")
ANYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound to it here
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(make_python_project(tmp_path_factory.mktemp("guarded"), 4)) as made:
        yield made


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that demands a token, as one that other machines can reach."""
    folder: Path = make_python_project(tmp_path_factory.mktemp("closed"), 4)
    with serving(folder, Access(ANYWHERE, "the-token")) as made:
        yield made


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_strict_headers(served: Served, path: str) -> None:
    answer = httpx.get(served.url + path)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "server" not in answer.headers
    assert "HttpOnly; SameSite=Lax" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "host",
    ["example.org", "127.0.0.1.example.org", "localhost.example.org:80", "192.0.2.7", "", "[::1"],
)
def test_a_forged_host_is_refused(served: Served, host: str) -> None:
    answer = httpx.get(served.url, headers={"host": host})
    assert answer.status_code in (400, 403)
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:80", "LOCALHOST:5"])
def test_this_machine_s_own_names_are_answered(served: Served, host: str) -> None:
    assert httpx.get(served.url, headers={"host": host}).status_code == 200


def test_two_hosts_are_refused(served: Served) -> None:
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port)) as connection:
        connection.sendall(request)
        assert connection.recv(1000).split()[1] in (b"400", b"403")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://example.org"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "http://[::1"},
        {"origin": "OWN", "sec-fetch-site": "cross-site"},
        {"origin": "OWN", "sec-fetch-site": "same-site"},
    ],
)
def test_a_form_of_another_site_is_refused(served: Served, headers: dict[str, str]) -> None:
    given = {name: served.url if value == "OWN" else value for name, value in headers.items()}
    with served.client() as client:
        client.get("/")
        answer = client.post("/playground", data={"query": "x"}, headers=given)
    assert answer.status_code == 403
    assert "own pages only" in answer.text


@pytest.mark.parametrize("proof", ["", "0" * 64, "ü"])
def test_a_form_without_the_proof_of_its_session_is_refused(served: Served, proof: str) -> None:
    with served.client() as client:
        client.get("/")
        answer = client.post("/playground", data={"proof": proof}, headers={"origin": served.url})
    assert answer.status_code == 403
    assert "not from a page of this session" in answer.text


def test_a_form_without_a_session_is_refused(served: Served) -> None:
    answer = httpx.post(
        f"{served.url}/playground", data={"query": "x"}, headers={"origin": served.url}
    )
    assert answer.status_code == 403


def test_a_large_body_is_refused_before_it_is_read(served: Served) -> None:
    headers = {"origin": served.url, **FORM, "content-length": "300000"}
    with socket.create_connection(("127.0.0.1", served.port)) as connection:
        lines = [f"{name}: {value}" for name, value in headers.items()]
        head = ["POST /playground HTTP/1.1", f"host: 127.0.0.1:{served.port}", *lines, "", ""]
        connection.sendall("\r\n".join(head).encode())
        assert connection.recv(1000).split()[1] == b"413"


def test_a_body_of_unknown_length_is_read_to_the_limit(served: Served) -> None:
    chunks = (b"x" * 50_000 for _ in range(100))
    try:
        answer = httpx.post(
            f"{served.url}/playground", content=chunks, headers={"origin": served.url, **FORM}
        )
    except httpx.WriteError:  # it hung up while we were still sending
        return
    assert answer.status_code == 413
    assert "262,144 bytes" in answer.text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(served: Served, method: str) -> None:
    assert httpx.request(method, served.url).status_code == 405


@pytest.mark.parametrize(
    "kind", ["multipart/form-data; boundary=x", "application/json", "text/plain"]
)
def test_other_kinds_of_body_are_refused(served: Served, kind: str) -> None:
    headers = {"origin": served.url, "content-type": kind}
    answer = httpx.post(f"{served.url}/playground", content=b"{}", headers=headers)
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../../../etc/passwd",
        "/assets/..%2f..%2f..%2fpyproject.toml",
        "/assets/%2e%2e/application.py",
        "/assets/live.js%00",
        "/assets//etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/run?name=../../etc/passwd",
        "/suite?name=..%2f..%2fetc%2fpasswd",
    ],
)
def test_no_path_leads_out_of_the_pages(served: Served, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    received = b""
    with socket.create_connection(("127.0.0.1", served.port)) as connection:
        connection.sendall(request.encode())
        while part := connection.recv(65536):
            received += part
    assert received.split()[1] == b"404"
    assert b"root:" not in received


@pytest.mark.parametrize("path", ["/", "/progress", "/run?name=x", "/playground"])
def test_without_the_token_nothing_is_shown(closed: Served, path: str) -> None:
    answer = httpx.get(closed.url + path)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert "the-token" not in answer.text
    assert httpx.post(
        closed.url + path, data={"query": "x"}, headers={"origin": closed.url}
    ).status_code in (401, 403)


def test_the_token_is_shown_once_and_kept_as_a_cookie(closed: Served) -> None:
    with closed.client() as client:
        answer = client.get("/run", params={"name": "a b", "token": "the-token"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/run?name=a+b")
        assert "the-token" not in answer.headers["set-cookie"]
        assert client.get("/").status_code == 200
    with closed.client() as client:
        sent = client.post("/sign-in", data={"token": "the-token"}, headers={"origin": closed.url})
        assert (sent.status_code, sent.headers["location"]) == (303, "/")
        assert client.get("/").status_code == 200


@pytest.mark.parametrize("token", ["", "the-toke", "the-token2", "ü"])
def test_a_wrong_token_is_refused(closed: Served, token: str) -> None:
    assert httpx.get(closed.url, params={"token": token}).status_code == 401
    answer = httpx.post(
        f"{closed.url}/sign-in", data={"token": token}, headers={"origin": closed.url}
    )
    assert answer.status_code == 401


def test_a_redirect_stays_on_the_server(closed: Served) -> None:
    answer = httpx.get(f"{closed.url}//example.org/x?token=the-token")
    assert answer.headers["location"] == "/example.org/x"


def test_a_cookie_of_another_server_opens_nothing(closed: Served) -> None:
    for cookie in (Access("x").begin_session(), ".", "a.b", ""):
        answer = httpx.get(closed.url, headers={"cookie": f"cranfield={cookie}"})
        assert answer.status_code == 401


def test_a_token_is_demanded_unless_only_this_machine_is_reached() -> None:
    assert not open_access("127.0.0.1").token
    assert not open_access("localhost").token
    assert not open_access("::1").token
    assert open_access("127.0.0.1", demand_token=True).token
    for host in (ANYWHERE, "::", "192.0.2.1", "workbench.example"):
        assert len(open_access(host).token) >= 32
    assert open_access(ANYWHERE).token != open_access(ANYWHERE).token


def test_a_shared_server_answers_to_its_name_and_to_addresses() -> None:
    access = open_access("Workbench.example")
    assert access.answers_to("workbench.example:8967")
    assert access.answers_to("192.0.2.1:8967")
    assert not access.answers_to("rebound.example")
