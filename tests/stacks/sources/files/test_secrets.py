"""Keys, passwords and values of variables are never indexed as content."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from stacks.sources.secrets import find_secret, holds_private_key, holds_variables, list_variables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.stacks.sources.files.conftest import Outcome

SECRET = "s3cr3t-V4lue"  # noqa: S105 - that is the point
KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END OPENSSH PRIVATE KEY-----"


@pytest.mark.parametrize(
    "path",
    [
        ".ssh/config",
        "backup/.SSH/known_hosts",
        ".gnupg/pubring.kbx",
        ".aws/credentials",
        ".kube/config",
        ".docker/config.json",
        "Library/Keychains/login.keychain-db",
        "keys/id_rsa",
        "id_rsa.pub",
        "id_ed25519",
        "server.pem",
        "Server.KEY",
        "cert.p12",
        "cert.pfx",
        "passwords.kdbx",
        ".netrc",
        ".pgpass",
        ".git-credentials",
        ".npmrc",
        ".pypirc",
        ".bash_history",
        ".zsh_history",
        ".python_history",
        ".local/share/fish/fish_history",
        ".zhistory",
        ".authinfo",
        "server.key.bak",
        "kubeconfig",
        "google-credentials.json",
        "app-secrets.yaml",
        "passwords.txt",
        ".m2/settings.xml",
    ],
)
def test_a_sensitive_file_is_found_by_its_name_alone(
    path: str, write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    outcome = read(write({path: SECRET}))
    assert outcome.reasons == {path: find_secret(tuple(path.split("/")))}
    assert outcome.reasons[path]
    assert SECRET not in json.dumps(asdict(outcome.documents[path]))
    assert SECRET.encode() not in outcome.pages[0].data


@pytest.mark.parametrize(
    "path",
    [
        ".gitconfig",
        ".config/git/config",
        ".docker/readme.md",
        "docs/ssh/config",
        "keynote.txt",
        "history.md",
        "pem.md",
        ".zshrc",
    ],
)
def test_an_ordinary_file_is_read(path: str) -> None:
    assert find_secret(tuple(path.split("/"))) == ""


def test_a_folder_of_keys_stays_closed_when_it_is_the_one_that_is_saved(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    home = write({".ssh/config": SECRET, ".ssh/keys/old": SECRET})
    assert list(read(home / ".ssh").reasons) == ["config", "keys/old"]
    assert list(read(home / ".ssh" / "keys").reasons) == ["old"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (KEY, True),
        ("-----BEGIN PRIVATE KEY-----", True),
        ("-----BEGIN RSA PRIVATE KEY-----", True),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----", True),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----", True),
        ("-----BEGIN PUBLIC KEY-----", False),
        ("how a PRIVATE KEY is made", False),
    ],
)
def test_a_private_key_is_seen_in_any_text(text: str, expected: bool) -> None:
    assert holds_private_key(f"some words\n{text}\nmore") is expected


@pytest.mark.parametrize("name", ["notes.md", "deploy.yaml", "noending", "x.ipynb", ".env"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_text_with_a_private_key_is_found_by_its_name_alone(
    name: str, encoding: str, write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    outcome = read(write({name: f"words\n{KEY}\nwords".encode(encoding)}))
    assert outcome.reasons == {name: "holds a private key"}
    assert outcome.documents[name].content == ""


@pytest.mark.process
def test_a_page_with_a_private_key_is_found_by_its_name_alone(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    outcome = read(write({"saved.html": f"<html><body><pre>{KEY}</pre></body></html>"}))
    assert outcome.reasons == {"saved.html": "holds a private key"}


VARIABLES = f"""\
# Where the database is (ask Ann)
DATABASE_URL=postgres://user:{SECRET}@host/db
export API_TOKEN="{SECRET}"
  lower_case = '{SECRET}'
YAML_STYLE: {SECRET}
# OLD_TOKEN={SECRET}
# the password: {SECRET}
#{SECRET}
# see {SECRET} for more
EMPTY=
MULTI="first
{SECRET}=x
# {SECRET}
last" # {SECRET}
CONTINUED=a\\
{SECRET.replace("-", "_")}=b
AFTER=1
{SECRET}
aGVsbG8gd29ybGQ=
c2VjcmV0MTIz==
MIIEpAIBAAKCAQEA7bq=
BROKEN="never ends
{SECRET}=y
LOST={SECRET}
"""


def test_of_variables_only_names_are_kept() -> None:
    assert list_variables(VARIABLES).split("\n") == [
        "DATABASE_URL",
        "API_TOKEN",
        "lower_case",
        "YAML_STYLE",
        "EMPTY",
        "MULTI",
        "CONTINUED",
        "AFTER",
        "BROKEN",
    ]


@pytest.mark.parametrize(
    "name",
    [".env", ".env.local", ".env.example", "prod.env", ".envrc", ".env-prod", ".env~", "#.env#"],
)
def test_no_value_of_a_variable_is_in_any_field(
    name: str, write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    document = read(write({name: VARIABLES})).documents[name]
    written = json.dumps(asdict(document))
    assert "DATABASE_URL" in document.content
    assert document.facts["content"] == "names of variables"
    for value in (SECRET, SECRET.replace("-", "_"), "s3cr3t", "aGVsbG8", "c2Vj", "MIIE", "user:"):
        assert value not in written


def test_variables_in_another_encoding_keep_their_values_to_themselves(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    document = read(write({".env": VARIABLES.encode("utf-16")})).documents[".env"]
    assert "API_TOKEN" in document.content
    assert SECRET not in document.content


@pytest.mark.parametrize("text", ["", "\n\n", "=", "==\n=a", "#", "🙂=1", '"', "a" * 100_000])
def test_garbage_among_variables_says_nothing(text: str) -> None:
    assert list_variables(text) == ""


def test_a_script_about_environments_is_no_file_of_variables() -> None:
    assert not holds_variables("env.py")
    assert not holds_variables("environment.yml")
