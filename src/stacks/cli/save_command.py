"""`stacks save`: corpora into an index, with its progress on standard error."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

import typer

from cranfield_shared.plain_text import printable
from cranfield_shared.signals import Stopped, stoppable
from cranfield_shared.terminal import CLEAR_LINE, draw_bar
from stacks.cli.console import default_folder, write
from stacks.errors import SaveError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from stacks.index import Request, Saved

__all__ = [
    "SaveProgress",
    "save",
]

_MOST_EVENTS = 10


_EVERY_ON_TERMINAL = 0.1
_EVERY_ELSEWHERE = 10.0
_LINES = 20


def save(
    sources: Annotated[
        list[str], typer.Option("--from", metavar="SOURCE=PATH", help="A corpus; may be repeated.")
    ],
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder of the index.  [default: $STACKS_HOME, else ~/.stacks]"
        ),
    ] = None,
    docs: Annotated[bool, typer.Option("--docs", help="Save search.db only.")] = False,
    packages: Annotated[bool, typer.Option("--packages", help="Save packages.db only.")] = False,
    samples: Annotated[bool, typer.Option("--samples", help="Save samples.db only.")] = False,
    files: Annotated[bool, typer.Option("--files", help="Save files.db only.")] = False,
    books: Annotated[bool, typer.Option("--books", help="Save books.db only.")] = False,
    code: Annotated[bool, typer.Option("--code", help="Save code.db only.")] = False,
    only_changed: Annotated[
        bool,
        typer.Option(
            "--only-changed", help="Keep the existing index; read only pages whose content changed."
        ),
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Allow leaving out sources of the existing index.")
    ] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Allow a corpus that gives no document.")
    ] = False,
    symbol_graphs: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="*.symbols.json files with the compiler's constraints, or none."
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SOURCE.SETTING=N",
            help="A setting of a source: books.size=200; may be repeated.",
        ),
    ] = None,
    embedder: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="For semantic search: wordllama, onnx=DIR, http=URL,model=NAME, or none.  "
            "[default: what the index has; else wordllama for files, books and code]",
        ),
    ] = "",
    routing: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Rules that route or flag queries (TOML), or none; may be repeated.",
        ),
    ] = None,
    vocabulary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Words of users and of the corpus for the same things (TOML), or none.",
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Show one line for each file, and no progress.")
    ] = False,
) -> None:
    """Build search.db, packages.db, samples.db, files.db, books.db and code.db from corpora.

    The old index stays in use until the new one is complete, and if anything goes wrong.

    \b
    stacks save --from pydoc=stdlib
    stacks save --from apple-docs=docs.tar.gz --from swift-evolution=proposals --to index
    stacks save --from packages=installed --from samples=~/code/samples
    stacks save --only-changed --from markdown=handbook
    stacks save --files --from files=~/Documents
    stacks save --books --from books=library --set books.size=200 --routing routing.toml
    stacks save --code --from code=src --embedder onnx=models/minilm

    `stacks list --kinds` lists every kind of source.
    """  # noqa: D301 - \b keeps typer from wrapping these lines
    from stacks.index import NoProgress, Request, SaveOptions
    from stacks.index import save as save_index

    progress = None if quiet else SaveProgress()
    wanted = {"search": docs, "packages": packages, "samples": samples}
    wanted |= {"files": files, "books": books, "code": code}
    requests = [Request.parse(text, settings or ()) for text in sources]
    _check_settings(settings or [], requests)
    folder = _check_folder(to or default_folder())
    if not quiet:
        write(f"saving to {folder}")
    began = time.monotonic()
    with _leaving_old_index(), progress or nullcontext():
        saved = save_index(
            _select(requests, {name for name, asked in wanted.items() if asked}),
            folder,
            SaveOptions(
                only_changed,
                replace,
                symbol_graphs,
                embedder=embedder,
                routing=tuple(routing or ()),
                vocabulary=vocabulary,
                progress=progress or NoProgress(),
                allow_empty=allow_empty,
            ),
        )
    for each in saved:
        described = _describe(each)
        write(described.partition("\n")[0] if quiet else described)
        _warn_of_failures(each)
    if not quiet:
        write(f"saved in {time.monotonic() - began:.1f} s")


@contextmanager
def _leaving_old_index() -> Iterator[None]:
    """Turn a signal that ends the process into one message, after the work has cleaned up."""
    try:
        with stoppable():
            yield
    except Stopped as stopped:
        typer.echo("stacks: stopped; the index that was there is untouched", err=True)
        raise typer.Exit(stopped.code) from None


def _check_settings(settings: list[str], requests: list[Request]) -> None:
    """Refuse a setting of a source that is not saved: it would have no effect."""
    named = {request.kind.name for request in requests}
    for text in settings:
        if text.partition(".")[0] not in named:
            raise SaveError(f"--set {text} is about a source that no --from names")


def _check_folder(path: Path) -> Path:
    if path.exists() and not path.is_dir():
        raise SaveError(f"--to takes a folder, for search.db and the like; {path} is a file")
    return path


def _select(requests: list[Request], databases: set[str]) -> list[Request]:
    """Keep the corpora of the files asked for; all if none is."""
    kept = [each for each in requests if not databases or each.kind.database in databases]
    missing = databases - {each.kind.database for each in kept}
    if missing:
        name = min(missing)
        option = "--docs" if name == "search" else f"--{name}"
        raise SaveError(f"{option} saves {name}.db only, and no --from names a source of it")
    return kept


def _describe(saved: Saved) -> str:
    """Describe what a file now holds, and what was refused and why."""
    from stacks.index import EVENTS

    size = saved.path.stat().st_size / 1e6
    lines = [f"{saved.path}: {saved.documents:,} documents, {size:,.1f} MB"]
    for source, pages in saved.audit.pages.items():
        parts = [f"{pages:,} pages read", f"{saved.audit.documents[source]:,} documents written"]
        if unchanged := saved.audit.unchanged[source]:
            parts.insert(1, f"{unchanged:,} unchanged")
        if dropped := saved.audit.dropped[source]:
            parts.append(f"{dropped:,} pages gone")
        lines.append(f"  {source}: {', '.join(parts)}")
    for event, meaning in EVENTS.items():
        if count := saved.audit.counts[event]:
            named = (each.page for each in saved.audit.events if each.event == event)
            first = "".join(f"; first: {page}" for page in islice(named, 1))
            lines.append(f"  {event}: {count:,} ({meaning}){first}")
    lines += _describe_constraints(saved.audit.counts)
    if count := saved.audit.counts["embedded"]:
        lines.append(f"  {count:,} pieces embedded")
    shown = saved.audit.events[:_MOST_EVENTS]
    lines += [f"    {each.page}: {each.message}" for each in shown]
    if len(saved.audit.events) > len(shown):
        more = len(saved.audit.events) - len(shown)
        lines.append(f"    … and {more:,} more: stacks doctor --all --db {saved.path}")
    return "\n".join(lines)


def _warn_of_failures(saved: Saved) -> None:
    """Report pages that a bug of ours left out, also if nobody reads the summary."""
    failed = [each for each in saved.audit.events if each.event == "reader-failed"]
    if failed:
        typer.echo(
            f"warning: {len(failed):,} pages are not in {saved.path}; "
            f"first: {failed[0].page} {failed[0].message}",
            err=True,
        )


def _describe_constraints(counts: Mapping[str, int]) -> list[str]:
    """Describe where constraints came from; graphs without any were given for something."""
    graphs, parents = "constraints-from-symbol-graphs", "constraints-from-parents"
    lines = [f"  {counts[graphs]:,} constraints from symbol graphs"] if graphs in counts else []
    if counts[parents]:
        lines.append(f"  {counts[parents]:,} constraints from parents")
    return lines


class SaveProgress:
    """Shows pages done, pages a second, and the time left if the total is known.

    Not on a terminal, there is at most one line for every twentieth part.
    """

    def __init__(self) -> None:
        self._on_terminal = sys.stderr.isatty()
        self._what = ""
        self._total: int | None = None
        self._done = self._shown_done = 0
        self._began = self._shown = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()

    def start(self, what: str, total: int | None) -> None:
        """Begin a stage of the work, and finish the one before."""
        self.finish()
        self._what, self._total = printable(what), total
        self._done = self._shown_done = 0
        self._began = self._shown = time.monotonic()
        self._show()

    def advance(self, steps: int = 1) -> None:
        """Count steps, and show them if it is time."""
        self._done += steps
        now = time.monotonic()
        if self._is_due(now):
            self._shown, self._shown_done = now, self._done
            self._show()

    def _is_due(self, now: float) -> bool:
        passed = now - self._shown
        if self._on_terminal:
            return passed >= _EVERY_ON_TERMINAL
        further = _LINES * (self._done - self._shown_done) >= (self._total or 0)
        return passed >= _EVERY_ELSEWHERE and further

    def finish(self) -> None:
        """Leave the count of a stage on a line of its own."""
        if self._what and (self._done or self._on_terminal):
            begin = CLEAR_LINE if self._on_terminal else ""
            count = f" {self._done:,} pages" if self._done else ""
            sys.stderr.write(f"{begin}{self._what}{count}\n")
        self._what = ""

    def _show(self) -> None:
        if self._on_terminal:
            sys.stderr.write(f"{CLEAR_LINE}{self._describe()}")
            sys.stderr.flush()
        elif self._done:
            sys.stderr.write(f"{self._describe()}\n")

    def _describe(self) -> str:
        seconds = time.monotonic() - self._began
        if not self._done:
            return f"{self._what} …"
        rate = self._done / seconds if seconds > 0 else 0.0
        parts = [f"{self._done:,} pages", f"{rate:,.0f} a second"]
        bar = ""
        # A total that was exceeded was an estimate, and is no longer of use.
        if self._total and self._done <= self._total:
            bar = f" {draw_bar(self._done, self._total)}"
            parts[0] = f"{self._done:,}/{self._total:,} pages"
            if rate and self._done < self._total:
                parts.append(f"{(self._total - self._done) / rate:,.0f} s left")
        return f"{self._what}{bar} {', '.join(parts)}"
