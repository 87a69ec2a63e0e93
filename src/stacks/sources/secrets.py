"""What is never indexed as content: keys, passwords, credentials, histories of commands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase, translate
from functools import cached_property

__all__ = ["find_secret", "holds_private_key", "holds_variables"]


@dataclass(frozen=True)
class _Secret:
    """One reason to keep out: files by their names, folders (and files in them) by their paths.

    Everything is written in lower case and compared so.
    """

    reason: str
    names: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    @cached_property
    def _names(self) -> re.Pattern[str]:
        return re.compile("|".join(map(translate, self.names)) or r"(?!)")

    @cached_property
    def _places(self) -> re.Pattern[str]:
        return re.compile("|".join(f"/{re.escape(place)}/" for place in self.places) or r"(?!)")

    def covers(self, path: str, name: str) -> bool:
        """Tell whether a file is meant; `path` begins and ends with a slash."""
        return bool(self._names.match(name) or self._places.search(path))


_SECRETS = (
    _Secret(
        "lies where keys and credentials are kept",
        places=(
            ".ssh",
            ".gnupg",
            ".aws",
            ".azure",
            ".kube",
            ".password-store",
            ".docker/config.json",
            ".config/gcloud",
            ".config/gh/hosts.yml",
            ".config/rclone",
            ".config/sops",
            ".local/share/keyrings",
            ".m2/settings.xml",
            "library/keychains",
        ),
        names=("*.keychain", "*.keychain-db"),
    ),
    _Secret(
        "may hold a key, by its name",
        names=(
            "id_rsa*",
            "id_dsa*",
            "id_ecdsa*",
            "id_ed25519*",
            "*.asc",
            "*.gpg",
            "*.jks",
            "*.key",
            "*.keystore",
            "*.mobileprovision",
            "*.ovpn",
            "*.p8",
            "*.p12",
            "*.pem",
            "*.pfx",
            "*.pgp",
            "*.pk8",
            "*.ppk",
            "wallet.dat",
        ),
    ),
    _Secret(
        "may hold passwords or tokens, by its name",
        names=(
            "*.1pux",
            "*.kdb",
            "*.kdbx",
            "*.tfstate",
            "*.tfstate.backup",
            "*.tfvars",
            ".boto",
            ".dockercfg",
            ".git-credentials",
            ".htpasswd",
            ".my.cnf",
            ".netrc",
            "_netrc",
            ".npmrc",
            ".pgpass",
            ".pypirc",
            ".s3cfg",
            ".vault-token",
            ".yarnrc.yml",
            "*credential*",
            ".authinfo*",
            ".mylogin.cnf",
            "*kubeconfig*",
            "master.key",
            *(f"*passwords*.{ending}" for ending in ("csv", "json", "txt", "xlsx")),
            "*passwd*",
            ".terraformrc",
            ".xauthority",
            "rclone.conf",
            "token.txt",
            "*.token",
            "wp-config.php",
            *(f"*secret*.{ending}" for ending in ("json", "toml", "yaml", "yml", "ini", "env")),
            "service-account*.json",
        ),
    ),
    _Secret(
        "is a history of commands",
        names=(
            ".*history*",
            ".histfile",
            ".lesshst",
            ".rediscli_history",
            ".viminfo",
            ".wget-hsts",
            "fish_history",
            "consolehost_history.txt",
        ),
    ),
)
"""Why a file's content stays out, and the files that this is true of."""

_VARIABLES = (".env*", "*.env", "env.local", "env.dev*", "env.prod*", "env.test*", ".flaskenv")
_COPIES = (".bak", ".backup", ".old", ".orig", ".save", ".swp", ".swo", ".tmp", ".copy", "~")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    # Tokens that are told by their form: of AWS, GitHub, Stripe, Slack and Google.
    r"|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}|\bsk_live_[A-Za-z0-9]{8}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10}|\bAIza[A-Za-z0-9_-]{35}"
)


def find_secret(path: tuple[str, ...]) -> str:
    """Say why the content of a file stays out, by its whole path; empty where it need not."""
    folded = [part.lower() for part in path]
    folded[-1] = _find_original(folded[-1])
    whole = "/" + "/".join(folded) + "/"
    for secret in _SECRETS:
        if secret.covers(whole, folded[-1]):
            return secret.reason
    return ""


def holds_variables(name: str) -> bool:
    """Tell a file of environment variables, whose values are never indexed."""
    original = _find_original(name.lower())
    return any(fnmatchcase(original, pattern) for pattern in _VARIABLES)


def _find_original(name: str) -> str:
    """Take the marks of a copy off a name: `.env~`, `#.env#` and `server.key.bak` hold the same."""
    name = name.strip("#") or name
    shorter = name
    for ending in _COPIES:
        shorter = shorter.removesuffix(ending)
    return _find_original(shorter) if shorter not in ("", name) else name


def holds_private_key(text: str) -> bool:
    """Tell whether a text holds the beginning of a private key."""
    return "PRIVATE KEY" in text and _PRIVATE_KEY.search(text) is not None
