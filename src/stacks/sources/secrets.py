"""What is never indexed as content: keys, passwords, credentials, histories of commands.

Of a file of environment variables only the names are indexed, never a value, and no comment, as
that might contain one. Names that could be values are left out: a missing name does little harm.

Keys and tokens of known kinds inside other text are masked when a document is stored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase, translate
from functools import cached_property

__all__ = ["find_secret", "holds_private_key", "holds_variables", "list_variables"]


@dataclass(frozen=True)
class _Secret:
    """One reason to skip content: files by their names, folders (and files in them) by paths.

    Everything is written and compared in lower case.
    """

    reason: str
    names: str = ""
    places: str = ""

    @cached_property
    def _names(self) -> re.Pattern[str]:
        return re.compile("|".join(map(translate, self.names.split())) or r"(?!)")

    @cached_property
    def _places(self) -> re.Pattern[str]:
        return re.compile(
            "|".join(f"/{re.escape(place)}/" for place in self.places.split()) or r"(?!)"
        )

    def covers(self, path: str, name: str) -> bool:
        """Return whether a file is covered; `path` starts and ends with a slash."""
        return bool(self._names.match(name) or self._places.search(path))


_SECRETS = (
    _Secret(
        "lies where keys and credentials are kept",
        places=".ssh .gnupg .aws .azure .kube .password-store .docker/config.json .config/gcloud "
        ".config/gh/hosts.yml .config/rclone .config/sops .local/share/keyrings .m2/settings.xml "
        "library/keychains",
        names="*.keychain *.keychain-db",
    ),
    _Secret(
        "may hold a key, by its name",
        names="id_rsa* id_dsa* id_ecdsa* id_ed25519* *.asc *.gpg *.jks *.key *.keystore "
        "*.mobileprovision *.ovpn *.p8 *.p12 *.pem *.pfx *.pgp *.pk8 *.ppk wallet.dat",
    ),
    _Secret(
        "may hold passwords or tokens, by its name",
        names="*.1pux *.kdb *.kdbx *.tfstate *.tfstate.backup *.tfvars .boto .dockercfg "
        ".git-credentials .htpasswd .my.cnf .netrc _netrc .npmrc .pgpass .pypirc .s3cfg "
        ".vault-token .yarnrc.yml *credential* .authinfo* .mylogin.cnf *kubeconfig* master.key "
        "*passwords*.csv *passwords*.json *passwords*.txt *passwords*.xlsx *passwd* .terraformrc "
        ".xauthority rclone.conf token.txt *.token wp-config.php *secret*.json *secret*.toml "
        "*secret*.yaml *secret*.yml *secret*.ini *secret*.env service-account*.json",
    ),
    _Secret(
        "is a history of commands",
        names=".*history* .histfile .lesshst .rediscli_history .viminfo .wget-hsts fish_history "
        "consolehost_history.txt",
    ),
)
"""Why a file's content is not indexed, and the files that this applies to."""

_VARIABLES = (".env*", "*.env", "env.local", "env.dev*", "env.prod*", "env.test*", ".flaskenv")
_COPIES = (".bak", ".backup", ".old", ".orig", ".save", ".swp", ".swo", ".tmp", ".copy", "~")
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")

_ASSIGNMENT = re.compile(r"\s*(?:export\s+|set\s+)?(\w{1,80})\s*(?:=(?!=)|:\s)\s*(.*)", re.ASCII)
# A name is all upper case, all lower case, or has no digits; base64 is none of these for long.
_VARIABLE_NAME = re.compile(r"[A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_]*|[A-Za-z_]+")
_COMMENT = re.compile(r"\s*(?:#|//)")


def find_secret(path: tuple[str, ...]) -> str:
    """Return why the content of a file is not indexed, by its whole path; empty if it may be."""
    folded = [part.lower() for part in path]
    folded[-1] = _find_original(folded[-1])
    whole = "/" + "/".join(folded) + "/"
    for secret in _SECRETS:
        if secret.covers(whole, folded[-1]):
            return secret.reason
    return ""


def holds_variables(name: str) -> bool:
    """Return whether a file holds environment variables, whose values are never indexed."""
    original = _find_original(name.lower())
    return any(fnmatchcase(original, pattern) for pattern in _VARIABLES)


def _find_original(name: str) -> str:
    """Return the name that a copy was made of: `.env~`, `#.env#` and `server.key.bak`."""
    name = name.strip("#") or name
    shorter = name
    for suffix in _COPIES:
        shorter = shorter.removesuffix(suffix)
    return _find_original(shorter) if shorter not in ("", name) else name


def holds_private_key(text: str) -> bool:
    """Return whether a text holds the beginning of a private key."""
    return "PRIVATE KEY" in text and _PRIVATE_KEY.search(text) is not None


def list_variables(text: str) -> str:
    """List the names of the variables in a file, one on each line."""
    lines: list[str] = []
    quote = ""
    is_continued = False
    for line in text.split("\n"):
        if quote or is_continued:
            quote = "" if quote and _ends_quote(line, quote) else quote
            is_continued = not quote and line.endswith("\\")
            continue
        if _COMMENT.match(line):
            continue
        assignment = _ASSIGNMENT.match(line)
        value = assignment[2].strip() if assignment else line
        quote = _get_open_quote(value)
        is_continued = not quote and line.endswith("\\")
        if assignment and _VARIABLE_NAME.fullmatch(assignment[1]):
            lines.append(assignment[1])
    return "\n".join(lines)


def _get_open_quote(value: str) -> str:
    """Return the quote still open after its line; an apostrophe inside a value opens none."""
    mark = value[:1]
    if mark in {'"', "'", "`"}:
        return "" if _ends_quote(value[1:], mark) else mark
    return '"' if len(re.findall(r'(?<!\\)"', value)) % 2 else ""


def _ends_quote(text: str, mark: str) -> bool:
    """Return whether a quote is closed in a text; one after a backslash does not close it."""
    return re.search(rf"(?<!\\)(?:\\\\)*{mark}", text) is not None
