"""What `cranfield init` prints: the first hits, how they were read, and what to do next."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from cranfield.formats import align, printable
from cranfield.scaffold.project_files import SUITE_NAME, other_name
from cranfield.scaffold.trial import is_markup
from cranfield.systems import CONFIG_NAME
from cranfield_shared.toml_values import render_value

if TYPE_CHECKING:
    from cranfield.model import Hit
    from cranfield.scaffold.project_files import Expected
    from cranfield.scaffold.trial import Trial

__all__ = ["describe_project", "describe_trial", "describe_unread"]

_SHOWN_HITS = 5
_TITLES = ("title", "name", "heading", "headline", "label")
_MOST_LINES = 12
_LEAST_WIDTH = 40
_SCORE_WIDTH = 12
_LONGEST_ID = 40


def describe_trial(trial: Trial, width: int = 80) -> str:
    """Show the first hits, and which settings read them."""
    hits = trial.response.hits
    count = f"{len(hits)} hit{'' if len(hits) == 1 else 's'}"
    seconds = trial.response.seconds or 0.0
    more = f"     … and {len(hits) - _SHOWN_HITS} more\n" if len(hits) > _SHOWN_HITS else ""
    return (
        f"asked {_shorten(trial.query, 40)!r}: {count} in {seconds:.2f} s\n\n"
        f"{_table(hits[:_SHOWN_HITS], max(width, _LEAST_WIDTH))}{more}\n{_how(trial)}\n\n"
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


def _how(trial: Trial) -> str:
    """Describe how the answer was read, with the guessed settings."""
    if not trial.chosen:
        return f"read as {trial.format}" + (
            ", by the usual names" if trial.format == "JSON" else ""
        )
    settings = [f"  {name} = {render_value(each)}" for name, each in trial.chosen.items()]
    head = f"read as {trial.format}; guessed, so fix it in {CONFIG_NAME} if these are not the ids:"
    return "\n".join([head, *map(printable, settings)])


def describe_unread(trial: Trial) -> str:
    """Show an answer from which no hits could be read, and the settings that would help."""
    lines = [line for line in trial.received.splitlines() if line.strip()]
    shown = [f"  | {printable(_shorten(line, 100))}" for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown.append(f"  | … and {len(lines) - _MOST_LINES} lines more")
    options = [
        ["", r"--pattern 'doc-\d+'", "in text: what an id looks like"],
        ["", "--hits data.found --id key", "in JSON: the path to the list, and to the id of a hit"],
    ]
    return (
        f"the answer to {trial.query!r} came, but no hits could be read from it{_why(trial)}\n"
        + "".join(f"{line}\n" for line in shown)
        + f"say where they are; nothing was written:\n{align(options, left=3).rstrip()}"
    )


def _why(trial: Trial) -> str:
    if is_markup(trial.received):
        return "; it is a page for a browser, is there an address that gives JSON?"
    is_json = trial.received.lstrip().startswith(("{", "["))
    return f" ({trial.response.message})" if is_json and trial.response.message else ""


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
