"""Questions that people ask about Python's standard library: stacks beside bm25s on the same texts.

The suite is `suites/python-docs/questions.toml`: written blind, and nothing is tuned on it. Both
engines search the pages of one index, which `suites/python-docs/cranfield.toml` says how to save:
bm25s reads the title, the declaration and the text of each page, with its English stop words and
a stemmer. The verdict is cranfield's, about Success(rel=2)@3: whether a page that answers the
question is among the first three.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.comparisons import VerdictKind, compare
from cranfield.relevance import open_read_only
from cranfield.runs.runner import Run, run_suite
from cranfield.runs.summaries import summarise
from cranfield.suites import load_suite
from cranfield.systems import load_systems, open_system

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.model import Suite

PROJECT = Path(__file__).resolve().parents[1] / "suites" / "python-docs"
MODES = ("plain", "fts5", "semantic", "both")
LEAST = 0.3
"""The promised share of questions that are answered in the first three, by words and meaning."""

_PAGES = """
SELECT m.uri, s.title || ' ' || s.declaration || ' ' || s.abstract || ' ' || s.overview
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
"""


def save_index(folder: Path) -> None:
    """Save the index as the project does, in another place."""
    settings = load_systems(PROJECT / "cranfield.toml")["stacks"].settings
    program, *told = settings["prepare"]
    told[told.index("--to") + 1] = str(folder)
    subprocess.run([sys.executable, "-m", program, *told], cwd=PROJECT, check=True)


def use_bm25s(folder: Path) -> Callable[[str, int], list[str]]:
    """Index the text of every page as one field."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    with closing(open_read_only(folder / "search.db")) as opened:
        uris, texts = zip(*opened.execute(_PAGES), strict=True)
    retriever = bm25s.BM25()
    tokens = bm25s.tokenize(list(texts), stopwords="en", stemmer=stemmer, show_progress=False)
    retriever.index(tokens, show_progress=False)

    def search(text: str, limit: int) -> list[str]:
        tokens = bm25s.tokenize([text], stopwords="en", stemmer=stemmer, show_progress=False)
        found, scores = retriever.retrieve(tokens, k=limit, show_progress=False)
        return [uris[each] for each, score in zip(found[0], scores[0], strict=True) if score > 0]

    return search


def run_stacks(suite: Suite, folder: Path, mode: str) -> Run:
    """Run the questions on the engine in one mode."""
    spec = load_systems(PROJECT / "cranfield.toml")["stacks"]
    spec = replace(spec, name=mode, settings={"index": str(folder), "mode": mode})
    with closing(open_system(spec, dict(os.environ))) as system:
        return run_suite(suite, system, spec=spec)


def list_means(run: Run) -> dict[str, float]:
    """Return the mean of each measure of the suite, by its name."""
    means = summarise(run).overall.means.items()
    return {str(measure): value for measure, value in means if isinstance(value, float)}


def main() -> int:
    """Print the figures and verdicts; exit with 1 where a promise is not kept."""
    suite = load_suite(PROJECT / "questions.toml")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(sys.argv[1]).resolve() if sys.argv[1:] else Path(place) / "index"
        if not folder.exists():
            save_index(folder)
        plain = run_suite(suite, use_bm25s(folder))
        runs = {mode: run_stacks(suite, folder, mode) for mode in MODES}
    headline, *others = list_means(plain)
    print(f"{suite.id}, {len(suite.queries)} queries; verdicts on {headline} beside bm25s")
    print(f"{'engine':16} {headline:>16} {''.join(f'{each:>10}' for each in others)}  verdict")
    show("bm25s", plain)
    verdicts = {}
    for mode, run in runs.items():
        [compared] = compare([plain], [run]).suites
        verdicts[mode] = compared.verdict.kind
        show(f"stacks {mode}", run, compared.verdict.kind.value)
    kept = list_means(runs["both"])[headline] >= LEAST and verdicts["both"] is VerdictKind.BETTER
    print(f"{'kept' if kept else 'NOT KEPT'}: both at least {LEAST}, and better than bm25s")
    return 0 if kept else 1


def show(name: str, run: Run, verdict: str = "") -> None:
    """Print the figures of an engine on one line."""
    first, *others = list_means(run).values()
    line = f"{name:16} {first:16.4f} {''.join(f'{each:10.4f}' for each in others)}  {verdict}"
    print(line.rstrip())


if __name__ == "__main__":
    sys.exit(main())
