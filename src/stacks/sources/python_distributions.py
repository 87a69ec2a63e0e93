"""Metadata of Python distributions: `METADATA`, `PKG-INFO`, `pyproject.toml`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_string
from typing import TYPE_CHECKING, Any

from cranfield_shared.settings_files import parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from email.message import Message

__all__ = [
    "Distribution",
    "find_import_names",
    "get_readme_path",
    "read_metadata",
    "read_pyproject",
]

_HOMEPAGES = ("homepage", "home", "repository", "source", "sourcecode", "github", "documentation")
_EXTRA = re.compile(r"\bextra\s*==")
_UNKNOWN = frozenset(("", "UNKNOWN", "None"))
_MODULE = re.compile(r"([^\W\d]\w*)(\.[\w-]+)*\.(py|pyi|so|pyd)")
_LONGEST_LICENSE = 100


@dataclass(frozen=True, slots=True)
class Distribution:
    """The metadata of a distribution; a field is empty if nothing is known."""

    name: str
    version: str = ""
    summary: str = ""
    license: str = ""
    homepage: str = ""
    requires: tuple[str, ...] = ()
    requires_python: str = ""
    keywords: tuple[str, ...] = ()
    readme: str = ""
    readme_type: str = ""


def read_metadata(data: bytes) -> Distribution:
    """Read a `METADATA` or `PKG-INFO` file; a broken one gives what can be read."""
    message = message_from_string(data.decode("utf-8-sig", "replace").replace("\0", ""))
    keywords = _get(message, "Keywords")
    return Distribution(
        name=_get(message, "Name"),
        version=_get(message, "Version"),
        summary=" ".join(_get(message, "Summary").split()),
        license=_choose_license(message),
        homepage=_choose_homepage(message),
        requires=_list_requirements(_get_all(message, "Requires-Dist")),
        requires_python=_get(message, "Requires-Python"),
        keywords=tuple(filter(None, re.split(r"\s*,\s*" if "," in keywords else r"\s+", keywords))),
        readme=_get_readme(message),
        readme_type=_get(message, "Description-Content-Type").split(";")[0].strip().lower(),
    )


def read_pyproject(data: bytes) -> Distribution | None:
    """Read a `pyproject.toml`; None if it only configures tools.

    Raises `ValueError` if it is not TOML, `TypeError` if it does not follow the standard.
    """
    document = parse_toml(data.decode("utf-8-sig"))
    tool = document.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    project = document.get("project", poetry)
    if project is None:
        return None
    if not isinstance(project, dict):
        raise TypeError("project is not a table")
    urls = _get_table(project, "urls")
    by_label = {_fold(label): str(url) for label, url in urls.items()}
    return Distribution(
        name=_get_text(project, "name"),
        version=_get_text(project, "version"),
        summary=" ".join(_get_text(project, "description").split()),
        license=_shorten_license(_get_nested(project, "license", "text")),
        homepage=_get_text(project, "homepage") or _choose(by_label),
        requires=_list_requirements(_get_list(project, "dependencies")),
        requires_python=_get_text(project, "requires-python"),
        keywords=tuple(_get_list(project, "keywords")),
        readme=_get_text(_get_table(project, "readme"), "text"),
    )


def get_readme_path(data: bytes) -> str:
    """Return the file that a `pyproject.toml` names as its README; empty if it names none."""
    try:
        project = parse_toml(data.decode("utf-8-sig")).get("project")
    except (ValueError, RecursionError):
        return ""
    return _get_nested(project, "readme", "file") if isinstance(project, dict) else ""


def find_import_names(top_level: str, record: str) -> tuple[str, ...]:
    """Find what a distribution is imported as: what it says, or the modules that it installs."""
    names = dict.fromkeys(line.strip() for line in top_level.splitlines() if line.strip())
    if not names:
        names = dict.fromkeys(filter(None, map(_get_module, record.splitlines())))
    public = [name for name in names if not name.startswith("_")]
    return tuple(public or names)


def _get_module(line: str) -> str:
    """Return the top-level module that a line of `RECORD` installs a file of."""
    path = line.strip('"').split(",", 1)[0].strip('"')
    first, _, rest = path.partition("/")
    match = _MODULE.fullmatch(rest.rpartition("/")[2] if rest else first)
    if not match or "__pycache__" in path:
        return ""
    name = first if rest else match[1]
    return name if name.isidentifier() else ""


def _get(message: Message, key: str) -> str:
    """Return a field; empty if it is absent or says that it is unknown."""
    return next(iter(_get_all(message, key)), "")


def _get_all(message: Message, key: str) -> list[str]:
    values = (str(value).strip() for value in message.get_all(key) or ())
    return [value for value in values if value not in _UNKNOWN]


def _get_readme(message: Message) -> str:
    """Return the long description: the body, or a field that is folded with leading spaces."""
    payload = message.get_payload()
    body = payload.strip() if isinstance(payload, str) else ""
    folded = _get(message, "Description")
    return body or re.sub(r"\n(?: {8}| {7}\|)", "\n", folded)


def _choose_license(message: Message) -> str:
    written = _get(message, "License-Expression") or _get(message, "License")
    if written:
        return _shorten_license(written)
    classifiers = _get_all(message, "Classifier")
    named = (each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License ::"))
    return ", ".join(dict.fromkeys(named))


def _shorten_license(text: str) -> str:
    """Keep only the first line if somebody has put in all of a licence's text."""
    lines = (line.strip() for line in text.splitlines())
    return next(filter(None, lines), "")[:_LONGEST_LICENSE]


def _choose_homepage(message: Message) -> str:
    urls: dict[str, str] = {}
    for entry in _get_all(message, "Project-URL"):
        label, _, url = entry.partition(",")
        urls.setdefault(_fold(label), url.strip())
    return _get(message, "Home-page") or _choose(urls)


def _choose(urls: Mapping[str, str]) -> str:
    named = (urls[label] for label in _HOMEPAGES if urls.get(label))
    return next((*named, *urls.values()).__iter__(), "")


def _fold(label: str) -> str:
    return re.sub(r"[\W_]+", "", label).lower()


def _list_requirements(written: Iterable[str]) -> tuple[str, ...]:
    """List what is always required, without the conditions."""
    kept = (each.split(";", 1)[0].strip() for each in written if not _EXTRA.search(each))
    return tuple(dict.fromkeys(filter(None, kept)))


def _get_text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    return value.strip() if isinstance(value, str) else ""


def _get_table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _get_list(table: Mapping[str, Any], key: str) -> Sequence[str]:
    """Return a list of texts; the names of a table, as Poetry has its dependencies."""
    value = table.get(key)
    if isinstance(value, dict):
        return [name for name in value if name != "python"]
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _get_nested(table: Mapping[str, Any], key: str, inner: str) -> str:
    """Return a text that stands alone or in a table: `license = "MIT"`, `{text = "MIT"}`."""
    return _get_text(table, key) or _get_text(_get_table(table, key), inner)
