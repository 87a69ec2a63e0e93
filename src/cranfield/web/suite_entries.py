"""A query added to a suite's file as a person would write it: nothing else in the file changes."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, InputError
from cranfield.model import Query
from cranfield.relevance import read_expectation
from cranfield.suites import CLASSES, fold_text, load_suite
from cranfield_shared.files import replace_file
from cranfield_shared.settings_files import parse_toml, render_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from cranfield.evaluation.project import Project
    from cranfield.model import Suite

__all__ = ["NewQuery", "add_query", "list_suite_files", "propose_id"]

_RULES = ("ids", "files", "chunks")
_WIDTH = 100
_LONGEST_ID = 40
_HEADER = re.compile(r"^[ \t]*\[", re.M)
_OF_QUERY = re.compile(r"[ \t]*\[\[?\s*query\s*[.\]]")
_ABOVE_HEADER = re.compile(r"(?:^[ \t]*(?:#.*)?\r?\n)*\Z", re.M)


@dataclass(frozen=True, slots=True)
class NewQuery:
    """A query to add: its text, the ids of the right hits, and how it is called."""

    text: str
    right: tuple[str, ...]
    id: str = ""
    category: str = ""


def list_suite_files(project: Project) -> dict[str, Path]:
    """Return the suites of a project that a query can be added to, by the path in its file."""
    paths = {name: project.folder / name for name in project.suites}
    return {name: path for name, path in paths.items() if path.suffix == ".toml" and path.is_file()}


def propose_id(text: str, taken: Collection[str]) -> str:
    """Make an id of a query's text that no other query has."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain))
    base = words[:_LONGEST_ID].rstrip("-") or "query"
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return base if base not in taken else next(each for each in numbered if each not in taken)


def add_query(project: Project, name: str, new: NewQuery) -> str:
    """Add a query to one of the project's suites, and return what was written.

    Raises CranfieldError, and writes nothing, if the query is known, its id is taken, or the class
    of the suite does not take ids.
    """
    path = list_suite_files(project).get(name)
    if path is None:
        raise CranfieldError(f"cranfield.toml lists no suite {name!r} that a query can be added to")
    suite = load_suite(path, project.content.accepted)
    query = _make_query(suite, new)
    text = path.read_bytes().decode()
    entry = _write_entry(query, text)
    _replace_text(path, text, entry, query)
    return entry.strip()


def _make_query(suite: Suite, new: NewQuery) -> Query:
    if not new.right:
        raise CranfieldError("mark at least one hit as right")
    known = {fold_text(query.text): query for query in suite.queries}
    if same := known.get(fold_text(new.text)):
        raise CranfieldError(f"the suite {suite.id} asks this already, as {same.id!r}")
    taken = {query.id for query in suite.queries}
    if new.id in taken:
        raise CranfieldError(
            f"the suite {suite.id} has a query {new.id!r}; ids are never reused, take another"
        )
    right: str | list[str] = new.right[0] if len(new.right) == 1 else list(new.right)
    query = Query(
        new.id or propose_id(new.text, taken),
        new.text,
        {_choose_rule(suite): right},
        category=new.category,
    )
    read_expectation(query)
    return query


def _choose_rule(suite: Suite) -> str:
    """Return the rule that names right hits, the suite's own if it has one."""
    allowed = [rule for rule in _RULES if rule in CLASSES.get(suite.query_class).rules]
    if not allowed:
        needed = ", ".join(CLASSES.get(suite.query_class).rules)
        raise CranfieldError(
            f"the suite {suite.id} is of the class {suite.query_class}, whose queries expect "
            f"{needed}; marking hits is not enough, write it in the file"
        )
    used = [rule for query in suite.queries for rule in query.expect if rule in allowed]
    return max(allowed, key=used.count)


def _write_entry(query: Query, text: str) -> str:
    """Write the lines of a query, in the order and form of the file's last one."""
    rule, right = next(iter(query.expect.items()))
    value = _write_ids(right)
    start = [each.start() for each in re.finditer(r"^\s*\[\[\s*query\s*\]\]", text, re.M)]
    last = text[start[-1] :] if start else ""
    expect = f"expect.{rule} = {value}"
    if re.search(r"^\s*expect\s*=", last, re.M):
        expect = f"expect = {{ {rule} = {_write_ids(right, is_inline=True)} }}"
    lines = {
        "id": f"id = {render_value(query.id)}",
        "text": f"text = {render_value(query.text)}",
        "expect": expect,
        "category": f"category = {render_value(query.category)}" if query.category else "",
    }
    order = sorted(lines, key=lambda key: _place(last, key))
    written = "\n".join(["[[query]]", *(lines[key] for key in order if lines[key]), ""])
    return written.replace("\n", "\r\n") if "\r\n" in text else written


def _place(entry: str, key: str) -> int:
    found = re.search(rf"^\s*{key}\s*[.=]", entry, re.M)
    return found.start() if found else len(entry)


def _write_ids(value: str | list[str], *, is_inline: bool = False) -> str:
    """Write one id or several, on a line each if they are too long for one."""
    row = render_value(value)
    if isinstance(value, str) or is_inline or len(row) < _WIDTH - len("expect.chunks = "):
        return row
    return "[\n" + "".join(f"    {render_value(each)},\n" for each in value) + "]"


def _replace_text(path: Path, text: str, entry: str, query: Query) -> None:
    """Write the file with the entry; it must read as before, with one query more."""
    wanted = parse_toml(text)
    added: dict[str, Any] = {"id": query.id, "text": query.text, "expect": dict(query.expect)}
    if query.category:
        added["category"] = query.category
    wanted["query"] = [*wanted.get("query", []), added]
    for changed in _candidates(text, entry):
        if _reads_as(changed, wanted):
            replace_file(path, changed)
            return
    raise InputError("has a form that no query can be added to; write it by hand", file=str(path))


def _candidates(text: str, entry: str) -> Iterator[str]:
    """Yield the file with the entry after its last query, then with the entry at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    headers = [each.start() for each in _HEADER.finditer(text)]
    queries = [at for at in headers if _OF_QUERY.match(text, at)]
    after = next((at for at in headers if queries and at > queries[-1]), len(text))
    if after < len(text):
        # Comments directly above the next table belong to it.
        above = _ABOVE_HEADER.search(text, 0, after)
        at = above.start() if above else after
        yield f"{text[:at]}{newline}{entry}{text[at:]}"
    end = "" if not text or text.endswith("\n") else newline
    yield f"{text}{end}{newline}{entry}"


def _reads_as(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return parse_toml(text) == wanted
    except ValueError:
        return False
