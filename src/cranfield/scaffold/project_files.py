"""What `cranfield init` writes and prints: the first hits, the files of a project, what is next."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.formats import align, printable
from cranfield.scaffold.first_query import is_markup
from cranfield.systems import CONFIG_NAME, SYSTEMS, InitOption
from cranfield_shared.settings_files import render_key, render_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.model import Hit
    from cranfield.scaffold.first_query import TriedQuery, TypedSystem

__all__ = [
    "SUITE_NAME",
    "Expected",
    "describe_hits",
    "describe_project",
    "describe_unread",
    "other_name",
    "refuse_existing",
    "render_config",
    "render_suite",
    "write_project",
]

SUITE_NAME = "queries.toml"
_LONGEST_ID = 40
_NO_ID = "write-the-id-of-the-right-hit"
_SHOWN_HITS = 5
_TITLES = ("title", "name", "heading", "headline", "label")
_MOST_LINES = 12
_LEAST_WIDTH = 40
_SCORE_WIDTH = 12


def describe_hits(tried: TriedQuery, width: int = 80) -> str:
    """Show the first hits, and which settings read them."""
    hits = tried.response.hits
    count = f"{len(hits)} hit{'' if len(hits) == 1 else 's'}"
    seconds = tried.response.seconds or 0.0
    more = f"     … and {len(hits) - _SHOWN_HITS} more\n" if len(hits) > _SHOWN_HITS else ""
    return (
        f"asked {_shorten(tried.query, 40)!r}: {count} in {seconds:.2f} s\n\n"
        f"{_table(hits[:_SHOWN_HITS], max(width, _LEAST_WIDTH))}{more}\n{_how(tried)}\n\n"
    )


def _table(hits: tuple[Hit, ...], width: int) -> str:
    abouts = [_about(hit) for hit in hits]
    scores = ["" if hit.score is None else f"{hit.score:.4g}" for hit in hits]
    room = width - 6 - (_SCORE_WIDTH if any(scores) else 0)
    wanted = max(map(len, abouts)) + 2
    widest = min(max(len(hit.id) for hit in hits), room - min(wanted, room // 2))
    rows = [["", "", "id", "about", "score"]]
    for rank, (hit, about, score) in enumerate(zip(hits, abouts, scores, strict=True), start=1):
        shown = _shorten(about, room - widest - 2)
        rows.append(["", str(rank), _shorten(hit.id, widest), shown, score])
    kept = [0, 1, 2, *([3] if any(abouts) else []), *([4] if any(scores) else [])]
    return align([[row[place] for place in kept] for row in rows], left=4 if any(abouts) else 3)


def _about(hit: Hit) -> str:
    """Return the title of a hit, or else its text."""
    titles = (hit.fields.get(name) for name in _TITLES)
    title = next((each for each in titles if isinstance(each, str) and each != hit.id), "")
    return " ".join((title or hit.text).split())


def _how(tried: TriedQuery) -> str:
    """Describe how the answer was read, with the guessed settings."""
    if not tried.chosen:
        return f"read as {tried.format}" + (
            ", by the usual names" if tried.format == "JSON" else ""
        )
    settings = [f"  {name} = {render_value(each)}" for name, each in tried.chosen.items()]
    head = f"read as {tried.format}; guessed, so fix it in {CONFIG_NAME} if these are not the ids:"
    return "\n".join([head, *map(printable, settings)])


def describe_unread(tried: TriedQuery) -> str:
    """Show an answer from which no hits could be read, and the settings that would help."""
    lines = [line for line in tried.received.splitlines() if line.strip()]
    shown = [f"  | {printable(_shorten(line, 100))}" for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown.append(f"  | … and {len(lines) - _MOST_LINES} lines more")
    options = [
        ["", r"--pattern 'doc-\d+'", "in text: what an id looks like"],
        ["", "--hits data.found --id key", "in JSON: the path to the list, and to the id of a hit"],
    ]
    return (
        f"the answer to {tried.query!r} came, but no hits could be read from it{_why(tried)}\n"
        + "".join(f"{line}\n" for line in shown)
        + f"say where they are; nothing was written:\n{align(options, left=3).rstrip()}"
    )


def _why(tried: TriedQuery) -> str:
    if is_markup(tried.received):
        return "; it is a page for a browser, is there an address that gives JSON?"
    is_json = tried.received.lstrip().startswith(("{", "["))
    return f" ({tried.response.message})" if is_json and tried.response.message else ""


@dataclass(frozen=True, slots=True)
class Expected:
    """The hit that a query should find: confirmed by a person, proposed by us, or unknown ("")."""

    id: str = ""
    confirmed: bool = False


def other_name(name: str) -> str:
    """Return a name for the second build of a system."""
    return "new" if name != "new" else "newer"


def render_config(system: TypedSystem) -> str:
    """Render cranfield.toml: the system, and a second build to compare as comments."""
    table = f"kind = {render_value(system.kind)}\n" + "".join(
        f"{render_key(name)} = {render_value(value)}\n" for name, value in system.settings.items()
    )
    other = other_name(system.name)
    second = "".join(f"# {line}\n" for line in [f"[systems.{other}]", *table.splitlines()])
    init = SYSTEMS.get(system.kind).init or InitOption("", "", "")
    return (
        f"# How queries are sent. {init.filled}\n"
        f'suites = ["{SUITE_NAME}"]\n\n'
        f"[systems.{system.name}]\n{table}\n"
        "# A second build. Uncomment it, say how it is reached, then:\n"
        f"# cranfield compare {system.name} {other}\n"
        f"{second}"
    )


def render_suite(text: str, expected: Expected) -> str:
    """Render a suite of one query; an expectation that nobody has confirmed is marked."""
    return (
        "# Queries that have one right answer each, and which it is.\n"
        'id = "queries"\nclass = "canonical"\n\n'
        f"{_remark(expected)}"
        f"[[query]]\nid = {render_value(_make_id(text))}\ntext = {render_value(text)}\n"
        f"expect.ids = [{render_value(expected.id or _NO_ID)}]\n\n"
        "# The next one; if ids may vary, a pattern says what they look like.\n"
        '# [[query]]\n# id = "another"\n# text = "another query"\n'
        "# expect.matches = '/the-right-page$'\n"
    )


def _remark(expected: Expected) -> str:
    if expected.confirmed:
        return ""
    if not expected.id:
        return "# TO DO: nobody has said yet which hit is right.\n"
    return (
        "# TO DO: confirm. This is only what the search gave first; if something else is right,\n"
        "# write its id, or the query says nothing about the search.\n"
    )


def _make_id(text: str) -> str:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return "-".join(words)[:_LONGEST_ID].strip("-") or "first"


def refuse_existing(folder: Path) -> None:
    """Refuse a folder that already has one of the files, and a file as a folder."""
    if folder.exists() and not folder.is_dir():
        raise CranfieldError(f"{folder} is a file; name a folder with --to")
    for name in (CONFIG_NAME, SUITE_NAME):
        path = folder / name
        if path.exists() or path.is_symlink():
            advice = "add a table [systems.NAME] to it" if name == CONFIG_NAME else "move it away"
            raise CranfieldError(
                f"{path} already exists, and nothing was written; {advice}, or name another "
                "folder with --to"
            )


def write_project(folder: Path, texts: Mapping[str, str]) -> None:
    """Write new files by name, all or none; an existing file is never overwritten."""
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            with (folder / name).open("x", encoding="utf-8") as opened:
                written.append(folder / name)
                opened.write(text)
    except (OSError, UnicodeEncodeError) as problem:
        for path in written:
            path.unlink(missing_ok=True)
        reason = getattr(problem, "strerror", None) or problem
        raise CranfieldError(f"{folder} cannot be written into: {reason}") from None


def describe_project(name: str, folder: Path, expected: Expected) -> str:
    """Say which files were written, what is left to do, and what to type next."""
    other = other_name(name)
    wrote = [
        ["", str(folder / CONFIG_NAME), f"how {name} is queried"],
        ["", str(folder / SUITE_NAME), f"one query; {_describe(expected)}"],
    ]
    go = [] if folder.resolve() == Path.cwd() else [["", f"cd {quote(str(folder))}", ""]]
    following = [
        ["", "cranfield check", "are the queries fit to be run?"],
        ["", "cranfield run", "run them, and measure the answers"],
        ["", f"cranfield compare {name} {other}", f"two builds, with [systems.{other}] filled in"],
    ]
    return f"wrote:\n{align(wrote, left=3)}\nnext:\n{align([*go, *following], left=3)}"


def _describe(expected: Expected) -> str:
    if not expected.id:
        return "write into it which hit is right"
    text = f"expects {_shorten(expected.id, _LONGEST_ID)}"
    return text if expected.confirmed else f"{text}: is that right?"


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
