"""`stacks save` killed 100 times: the index answers as before or as after, and nothing is left."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from kills import list_files, repeat_until_killed, run_child
from stacks.index import Request, SaveOptions, save
from stacks.query import open_index

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

CASES = 100
_PAGES = 60
_counts = {"killed": 0}


class _Corpus(NamedTuple):
    """A corpus, its index, the files of that, and how long a save takes."""

    folder: Path
    target: Path
    files: set[str]
    seconds: float


def attack(random: Random, folder: Path) -> None:
    """Kill a save of a page that changed; the index has one version of it, and all others."""
    repeat_until_killed(partial(_attempt, random, folder))


def _attempt(random: Random, folder: Path) -> bool:
    corpus = _prepare(folder.resolve())
    word = f"round{random.randrange(10**9)}"
    (corpus.folder / "changing.md").write_text(f"# Changing\n\nmarker {word}\n")
    changed = random.random() < 0.5
    ended = run_child(
        corpus.folder, lambda: _save(corpus, only_changed=changed), random, corpus.seconds * 0.9
    )
    _counts["killed"] += ended.is_killed
    if ended.code > 0:
        raise AssertionError(ended.err)
    _check(corpus, word if not ended.is_killed else "")
    _save(corpus, only_changed=not changed)
    _check(corpus, word)
    left = list_files(corpus.target) ^ corpus.files
    if left:
        raise AssertionError(f"left behind, or gone: {sorted(left)}")
    return ended.is_killed


def _check(corpus: _Corpus, word: str) -> None:
    """Check that the index is whole; with a word, that it is the new one."""
    with open_index(corpus.target) as index:
        found = {
            "the changing page": len(index.search("marker")) == 1,
            "every other page": len(index.search("common", limit=200)) == _PAGES,
            "its integrity": index.databases[0].value("PRAGMA integrity_check") == "ok",
            "what was acknowledged": not word or len(index.search(word)) == 1,
        }
    lost = [what for what, is_there in found.items() if not is_there]
    if lost:
        raise AssertionError(f"the index has lost {', '.join(lost)}")


def _save(corpus: _Corpus, *, only_changed: bool) -> None:
    options = SaveOptions(only_changed=only_changed, embedder="none")
    save([Request.parse(f"markdown={corpus.folder}")], corpus.target, options)


@cache
def _prepare(folder: Path) -> _Corpus:
    corpus = _Corpus(folder / "corpus", folder / "index", set(), 0.0)
    corpus.folder.mkdir()
    for number in range(_PAGES):
        text = " ".join(f"word{number * 7 % 50 + step}" for step in range(60))
        (corpus.folder / f"page{number}.md").write_text(f"# Page {number}\n\nA common page. {text}")
    (corpus.folder / "changing.md").write_text("# Changing\n\nmarker\n")
    _save(corpus, only_changed=False)
    whole = run_child(corpus.folder, lambda: _save(corpus, only_changed=False))
    if whole.code:
        raise AssertionError(whole.err)
    return corpus._replace(files=list_files(corpus.target), seconds=whole.seconds)


def summarise() -> str:
    """Say how many kills came in time."""
    return "".join(f", {count:,} {what}" for what, count in _counts.items())
