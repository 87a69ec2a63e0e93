"""Plain BM25 of stacks beside tantivy and bm25s: quality and speed on collections of others.

NFCorpus and the Cranfield collection are read from the folder that `real_data.py` names; nothing
is measured if they are not there. Each engine indexes the same titles and texts and answers the
same queries; the runs are scored with `cranfield score`. All three stem English. They differ in
what they do by default: stacks weighs titles tenfold and drops stop words, bm25s drops
stop words, tantivy does neither.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from real_data import COLLECTIONS, reason_to_skip
from stacks.index import Request, save
from stacks.query import open_index

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST = {"nfcorpus": 0.325, "cranfield": 0.525}
LIMIT = 100


class Collection(NamedTuple):
    """Documents and queries; only queries with judgments are asked."""

    name: str
    documents: list[dict[str, str]]
    queries: dict[str, str]
    qrels: Path


def load(name: str) -> Collection:
    """Read a BEIR collection."""
    folder = COLLECTIONS / name
    documents = [json.loads(line) for line in (folder / "corpus.jsonl").open()]
    qrels = folder / "qrels" / "test.tsv"
    judged = {line.split("\t")[0] for line in qrels.read_text().splitlines()[1:]}
    lines = (json.loads(line) for line in (folder / "queries.jsonl").open())
    queries = {line["_id"]: line["text"] for line in lines if line["_id"] in judged}
    return Collection(name, documents, queries, qrels)


def use_stacks(collection: Collection, folder: Path) -> Callable[[str], list[tuple[str, float]]]:
    """Save an index and search it plainly."""
    save([Request.parse(f"jsonl={COLLECTIONS / collection.name}")], folder)
    index = open_index(folder)

    def search(text: str) -> list[tuple[str, float]]:
        hits = index.search(text, limit=LIMIT, mode="plain")
        return [(unquote(hit.uri.rsplit("/", 1)[1]), hit.score) for hit in hits]

    return search


def use_tantivy(collection: Collection, folder: Path) -> Callable[[str], list[tuple[str, float]]]:
    """Index with English stemming in both fields, and search both."""
    import tantivy

    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("title", tokenizer_name="en_stem")
    builder.add_text_field("text", tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(heap_size=100_000_000)
    for each in collection.documents:
        writer.add_document(
            tantivy.Document(id=each["_id"], title=each.get("title", ""), text=each["text"])
        )
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(text: str) -> list[tuple[str, float]]:
        query, _ = index.parse_query_lenient(text, ["title", "text"])
        found = searcher.search(query, LIMIT).hits
        return [(searcher.doc(address)["id"][0], score) for score, address in found]

    return search


def use_bm25s(collection: Collection, _: Path) -> Callable[[str], list[tuple[str, float]]]:
    """Index title and text as one, with its English stop words and Porter's later stemmer."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    texts = [f"{each.get('title', '')} {each['text']}" for each in collection.documents]
    names = [each["_id"] for each in collection.documents]
    retriever = bm25s.BM25()
    retriever.index(
        bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False),
        show_progress=False,
    )

    def search(text: str) -> list[tuple[str, float]]:
        tokens = bm25s.tokenize([text], stopwords="en", stemmer=stemmer, show_progress=False)
        found, scores = retriever.retrieve(tokens, k=LIMIT, show_progress=False)
        pairs = zip(found[0], scores[0], strict=True)
        return [(names[number], float(score)) for number, score in pairs if score > 0]

    return search


ENGINES = {"stacks": use_stacks, "tantivy": use_tantivy, "bm25s": use_bm25s}


def score(collection: Collection, run: Path) -> float:
    """Ask `cranfield score` for nDCG@10."""
    command = [sys.executable, "-m", "cranfield", "score", str(collection.qrels), str(run)]
    command += ["-m", "nDCG@10", "--format", "json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return find_mean(json.loads(done.stdout))


def find_mean(report: dict[str, object]) -> float:
    """Find the one mean in the report."""
    runs = report["runs"]
    if not isinstance(runs, list):
        raise TypeError("the report of cranfield score has no list of runs")
    return float(runs[0]["measures"]["nDCG@10"])


def main() -> int:
    """Print quality and speed; exit with 1 where a promise is not kept."""
    missing = [name for name in LEAST if not (COLLECTIONS / name).exists()]
    if missing:
        print(f"not measured: {reason_to_skip(missing[0])}")
        return 0
    print("collection  engine    nDCG@10   index s   ms a query")
    kept = True
    for name, least in LEAST.items():
        collection = load(name)
        for engine, use in ENGINES.items():
            with tempfile.TemporaryDirectory() as folder:
                began = time.perf_counter()
                search = use(collection, Path(folder) / "index")
                indexed = time.perf_counter() - began
                began = time.perf_counter()
                answers = {query: search(text) for query, text in collection.queries.items()}
                asked = 1000 * (time.perf_counter() - began) / len(answers)
                run = Path(folder) / f"{engine}.run"
                run.write_text(write_run(answers))
                quality = score(collection, run)
            print(f"{name:11} {engine:8} {quality:>8.4f} {indexed:>9.2f} {asked:>12.2f}")
            if engine == "stacks":
                kept = kept and quality >= least
    print("kept" if kept else "NOT KEPT", "stacks: at least", LEAST)
    return 0 if kept else 1


def write_run(answers: dict[str, list[tuple[str, float]]]) -> str:
    """Write rankings as a TREC run."""
    lines = (
        f"{query} Q0 {document} {rank} {score!r} run"
        for query, ranking in answers.items()
        for rank, (document, score) in enumerate(ranking, 1)
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
