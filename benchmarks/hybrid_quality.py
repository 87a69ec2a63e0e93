"""Words, meaning and both: what semantic search adds to stacks on collections of others.

CoSQA (questions of programmers, Python functions) is read as code, NFCorpus as passages, both
from the folder that `real_data.py` names; nothing is measured if they are not there. Settings
were chosen on the dev queries; the figures promised are those of the test queries. Measured with
the default embedder, and again with each given as an argument (`hybrid_quality.py
onnx=models/minilm`), or else with the encoder that is beside the collections.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from real_data import COLLECTIONS as DATA
from real_data import reason_to_skip
from stacks.embedding import open_embedder
from stacks.index import Request, SaveOptions, save
from stacks.query import Index, open_index

if TYPE_CHECKING:
    from collections.abc import Callable

MODES = ("fts5", "semantic", "both")
LIMIT = 100
ENCODER = DATA / "models" / "all-MiniLM-L6-v2"

Judgments = dict[str, dict[str, int]]


class Collection(NamedTuple):
    """A collection: how it is saved, how a hit names its document, and what is promised.

    `least` is for both by words and meaning, `gain` how much more that is than words alone.
    """

    name: str
    save: Callable[[Path, Path, str], None]
    identify: Callable[[str], str]
    measure: Callable[[list[str], dict[str, int]], float]
    measured: str
    least: float
    gain: float


def save_functions(corpus: Path, folder: Path, embedder: str) -> None:
    """Write each function of CoSQA as a file, and save the folder as code."""
    with tempfile.TemporaryDirectory() as place:
        for line in (corpus / "corpus.jsonl").open():
            function = json.loads(line)
            Path(place, f"{function['_id']}.py").write_text(function["text"])
        save([Request.parse(f"code={place}")], folder, SaveOptions(embedder=embedder))


def save_passages(corpus: Path, folder: Path, embedder: str) -> None:
    """Save a BEIR collection as it is."""
    save([Request.parse(f"jsonl={corpus}")], folder, SaveOptions(embedder=embedder))


def reciprocal_rank(ranked: list[str], relevant: dict[str, int]) -> float:
    """RR@100."""
    places = (place for place, name in enumerate(ranked[:LIMIT], 1) if relevant.get(name, 0) > 0)
    first = next(places, None)
    return 1 / first if first else 0.0


def discounted_gain(ranked: list[str], relevant: dict[str, int]) -> float:
    """nDCG@10."""
    gains = [relevant.get(name, 0) / log2(place + 2) for place, name in enumerate(ranked[:10])]
    best = sorted(relevant.values(), reverse=True)[:10]
    ideal = sum(gain / log2(place + 2) for place, gain in enumerate(best))
    return sum(gains) / ideal if ideal else 0.0


COLLECTIONS = (
    Collection(
        "cosqa",
        save_functions,
        lambda uri: unquote(uri.split("/")[3]).removesuffix(".py"),
        reciprocal_rank,
        "MRR@100",
        0.36,
        0.02,
    ),
    Collection(
        "nfcorpus",
        save_passages,
        lambda uri: unquote(uri.rsplit("/", 1)[1]),
        discounted_gain,
        "nDCG@10",
        0.327,
        0.0,
    ),
)


def read_judgments(path: Path) -> Judgments:
    """Read qrels in the form of BEIR."""
    judgments: Judgments = {}
    for line in path.read_text().splitlines()[1:]:
        query, document, grade = line.split("\t")
        judgments.setdefault(query, {})[document] = int(grade)
    return judgments


def find_mean(index: Index, collection: Collection, judgments: Judgments, mode: str) -> float:
    """Ask every query, and average the measure."""
    lines = (json.loads(line) for line in (DATA / collection.name / "queries.jsonl").open())
    texts = {line["_id"]: line["text"] for line in lines}
    total = 0.0
    for query, relevant in judgments.items():
        hits = index.search(texts[query], limit=LIMIT, mode=mode)
        ranked = list(dict.fromkeys(collection.identify(hit.uri) for hit in hits))
        total += collection.measure(ranked, relevant)
    return total / len(judgments)


def measure_collection(collection: Collection, embedder: str) -> bool:
    """Print the figures of a collection; tell whether the promises were kept."""
    with tempfile.TemporaryDirectory() as place:
        began = time.perf_counter()
        collection.save(DATA / collection.name, Path(place), embedder)
        saved = time.perf_counter() - began
        with open_index(place) as index:
            for part in ("dev", "test"):
                judgments = read_judgments(DATA / collection.name / "qrels" / f"{part}.tsv")
                found = [find_mean(index, collection, judgments, mode) for mode in MODES]
                figures = "".join(f"{figure:10.4f}" for figure in found)
                print(
                    f"{collection.name:10} {collection.measured:8} {part:5}{figures}{saved:10.1f}"
                )
    words, _, both = found
    return both >= collection.least and both - words >= collection.gain


def main() -> int:
    """Print quality by words, meaning and both; exit with 1 where a promise is not kept."""
    missing = [each.name for each in COLLECTIONS if not (DATA / each.name).exists()]
    if missing:
        print(f"not measured: {reason_to_skip(missing[0])}")
        return 0
    kept = True
    others = sys.argv[1:] or ([f"onnx={ENCODER}"] if ENCODER.exists() else [])
    for number, embedder in enumerate(["wordllama", *others]):
        with open_embedder(embedder) as model:
            name, revision, dimension = model.identity
        print(f"embedder {name} {revision}, {dimension} dimensions")
        print(f"collection measure  part {''.join(f'{mode:>10}' for mode in MODES)}    saved s")
        for collection in COLLECTIONS:
            passed = measure_collection(collection, embedder)
            # The promises are about the default embedder.
            kept &= passed or number > 0
    promised = "cosqa both 0.36 and 0.02 above fts5, nfcorpus both 0.327, on test"
    print(f"promised: {promised}: {'kept' if kept else 'NOT KEPT'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
