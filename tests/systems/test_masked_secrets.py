"""A secret that is written down in a configuration is refused, and the message does not show it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import InputError
from cranfield.systems import SystemSpec, mask_literal_secrets
from cranfield.systems.masked_secrets import find_literal_secrets, is_secret_name

PASSWORD = "hunter2"  # noqa: S105 - nobody's
TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # noqa: S105 - likewise


@pytest.mark.parametrize(
    "name",
    [
        "AWS_SECRET_ACCESS_KEY", "PGPASSWORD", "MYSQL_PWD", "GITHUB_TOKEN", "token", "api_key",
        "apiKey", "private_key", "Cookie",
        "X-Api-Key", "clientSecret", "client_secret", "DB_PASS", "passphrase", "SECRET_KEY_BASE",
        "Authorization", "REDISCLI_AUTH", "AZURE_CLIENT_SECRET", "accessToken", "DB_PW",
    ],
)  # fmt: skip
def test_a_name_suggests_a_secret(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "PWD", "OLDPWD", "max_tokens", "tokenizer", "token_type", "sort_key", "key", "PATH", "HOME",
        "SSH_AUTH_SOCK", "compass", "author", "AWS_REGION", "AWS_ACCESS_KEY_ID", "password_file",
        "bypass", "secretary", "monkey", "TOKEN_URL",
    ],
)  # fmt: skip
def test_a_name_does_not_suggest_a_secret(name: str) -> None:
    assert not is_secret_name(name)


COMMAND = {"run": ["./search", "{query}"]}
MCP = {"run": ["./s"], "tool": "t"}
AWS = "AWS_SECRET_ACCESS_KEY"
HTTP = {"url": "http://x/?q={query}"}


@pytest.mark.parametrize(
    ("kind", "settings", "where"),
    [
        ("command", {**COMMAND, "env": {AWS: PASSWORD}}, f"env.{AWS}"),
        ("command", {**COMMAND, "env": {"PGPASSWORD": PASSWORD}}, "env.PGPASSWORD"),
        ("command", {**COMMAND, "env": {"SEARCH_TOKEN": PASSWORD}}, "env.SEARCH_TOKEN"),
        ("command", {**COMMAND, "env": {"X": TOKEN}}, "env.X"),
        ("command", {**COMMAND, "env": {"DB": f"postgres://me:{PASSWORD}@db/x"}}, "env.DB"),
        ("mcp", {**MCP, "env": {"PGPASSWORD": PASSWORD}}, "env.PGPASSWORD"),
        ("mcp", {**MCP, "arguments": {"api_key": PASSWORD}}, "arguments.api_key"),
        ("http", {**HTTP, "headers": {"X-Auth": f"Bearer {PASSWORD}"}}, "headers.X-Auth"),
        ("http", {**HTTP, "headers": {"Authorization": PASSWORD}}, "headers.Authorization"),
        ("http", {**HTTP, "params": {"token": PASSWORD}}, "params.token"),
        ("http", {**HTTP, "body": {"auth": {"password": PASSWORD}}}, "body.auth.password"),
        ("http", {"url": f"http://x/?q={{query}}&api_key={PASSWORD}"}, "url.api_key"),
    ],
)  # fmt: skip
def test_a_literal_under_a_secrets_name_is_refused(
    kind: str, settings: dict[str, Any], where: str
) -> None:
    spec = SystemSpec("mine", kind, settings, Path(), "cranfield.toml", 1)
    with pytest.raises(InputError) as refused:
        spec.read_settings()
    message = str(refused.value)
    assert f"[systems.mine] {where} " in message
    assert f'write {where} = "${{NAME}}"' in message
    assert PASSWORD not in message
    assert TOKEN not in message


@pytest.mark.parametrize(
    "run",
    [
        ["./search", "--token", PASSWORD, "{query}"],
        ["./search", f"--password={PASSWORD}", "{query}"],
        ["env", f"PGPASSWORD={PASSWORD}", "./search", "{query}"],
        ["./search", ["--api-key", PASSWORD], "{query}"],
        ["./search", "{query}", TOKEN],
        ["curl", "-H", f"Authorization: Bearer {PASSWORD}", "http://x/{query}"],
        ["curl", f"-HX-Api-Key: {PASSWORD}", "http://x/{query}"],
        ["./search", f"--api-key:{PASSWORD}", "{query}"],
        ["/usr/bin/curl", "-u", f"elastic:{PASSWORD}", "http://x/{query}"],
        ["curl", f"--user=elastic:{PASSWORD}", "http://x/{query}"],
        ["curl", f"-uelastic:{PASSWORD}", "http://x/{query}"],
    ],
)
def test_a_secret_in_a_command_is_refused(run: list[Any]) -> None:
    [message] = find_literal_secrets({"run": run})
    assert message.startswith(
        "run has the value of" if TOKEN not in run else "run holds what looks"
    )
    assert 'env.NAME = "${NAME}"' in message
    assert PASSWORD not in message
    assert TOKEN not in message


@pytest.mark.parametrize(
    "settings",
    [
        {
            "env": {
                "PGPASSWORD": "${PGPASSWORD}",
                "TOKEN": "x-${T}",
                "EMPTY_TOKEN": "",
                "MODE": "fast",
            }
        },
        {"headers": {"authorization": "Bearer ${TOKEN}", "accept": "application/json"}},
        {"params": {"sort_key": "date", "token": "{query}", "max_tokens": 5, "password": False}},
        {"run": ["./search", "--token-file", "t.txt", "--password", "{filters.pw}", "{query}"]},
        {"config": {"file": "a.toml", "key": "index.password", "equals": "x"}},
        {"url": "http://localhost:8080/search?q={query}&limit={k}"},
        {"env": {"COMMIT": "deadbeef" * 5, "DB": "postgres://me:${PW}@db/x"}},
    ],
)
def test_what_is_no_secret_or_comes_from_the_environment_is_accepted(
    settings: dict[str, Any],
) -> None:
    assert find_literal_secrets(settings) == []


def test_every_secret_of_a_system_is_named_at_once() -> None:
    settings = {"env": {"A_TOKEN": PASSWORD, "B_TOKEN": PASSWORD}}
    assert len(find_literal_secrets(settings)) == 2


def test_settings_of_an_older_store_are_shown_without_secrets() -> None:
    stored = {"kind": "command", "env": {"PGPASSWORD": PASSWORD, "A": "b"}, "run": ["./s", TOKEN]}
    masked = {
        "kind": "command",
        "env": {"PGPASSWORD": "[masked]", "A": "b"},
        "run": ["./s", "[masked]"],
    }
    assert mask_literal_secrets(stored) == masked
