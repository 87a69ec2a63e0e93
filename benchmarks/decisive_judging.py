"""How many judgments a verdict takes: only those that can change it, beside pools judged top-down.

Two engines of different strength search NFCorpus and Cranfield (words of title and text, stemmed;
words of the title). Of the published judgments 60 % are hidden at first; a judge who knows them
answers what is asked. Both ways stop by the same rule, once the verdict is settled. Printed are the
judgments given, and how often the verdict that was settled is not that of all judgments, for
several tolerated errors. A second table draws differences of many shapes, and so many more
repetitions: how often is a settled verdict wrong?
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import sys
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons import compare
from cranfield.judging.decisive import DecisivePlan, DifferenceRange
from cranfield.judging.pool import draw, make_pool
from cranfield.judging.verdict_outlook import OutlookOptions, certain_verdict, probable_verdict
from cranfield.judgments import JudgedItem, Judgment, item_of, query_key, settle
from cranfield.model import JudgingSettings, Query, Suite
from cranfield.runs.runner import run_suite
from cranfield.runs.store import open_store
from real_data import COLLECTIONS, reason_to_skip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from cranfield.runs.runner import Run
    from cranfield.statistics import VerdictKind

NAMES = ("nfcorpus", "cranfield")
HIDDEN = 0.6
DEPTH = 10
MOST_SHARE = 1 / 3
ERROR = 0.05


@dataclass(frozen=True)
class Collection:
    """Two runs of a collection, and what is right."""

    name: str
    a: Run
    b: Run
    judgments: dict[tuple[str, str], int]
    verdict: VerdictKind


def read_collection(name: str) -> Collection:
    """Search a collection with both engines."""
    folder = COLLECTIONS / name
    lines = (json.loads(line) for line in (folder / "corpus.jsonl").open())
    documents = [(str(each["_id"]), each.get("title", ""), each["text"]) for each in lines]
    judgments = dict(_read_judgments(folder / "qrels" / "test.tsv"))
    asked = {query for query, _ in judgments}
    texts = {
        str(each["_id"]): each["text"]
        for each in map(json.loads, (folder / "queries.jsonl").open())
    }
    highest = max(judgments.values())
    queries = tuple(
        Query(name, text, _expected(name, judgments))
        for name, text in texts.items()
        if name in asked
    )
    suite = Suite(name, "judged", queries, judging=JudgingSettings(highest=highest))
    store = open_store()
    weak = run_suite(suite, _engine(documents, "unicode61", "1, 0"), store=store)
    strong = run_suite(suite, _engine(documents, "porter unicode61", "2, 1"), store=store)
    return Collection(name, weak, strong, judgments, compare(weak, strong).verdict.kind)


def _read_judgments(path: Path) -> Iterator[tuple[tuple[str, str], int]]:
    for line in path.open():
        query, document, grade = line.split("\t")
        if query != "query-id":
            yield (query, document), max(int(grade), 0)


def _expected(query: str, judgments: dict[tuple[str, str], int]) -> dict[str, object]:
    own = [(name, grade) for (asked, name), grade in judgments.items() if asked == query]
    return {"ids": dict(own)}


def _engine(
    documents: list[tuple[str, str, str]], tokenizer: str, weights: str
) -> Callable[[str, int], list[str]]:
    opened = sqlite3.connect(":memory:")
    opened.execute(
        f"CREATE VIRTUAL TABLE d USING fts5(id UNINDEXED, title, text, tokenize='{tokenizer}')"
    )
    opened.executemany("INSERT INTO d VALUES (?, ?, ?)", documents)
    ranked = f"SELECT id FROM d WHERE d MATCH ? ORDER BY bm25(d, 0, {weights}), id LIMIT ?"  # noqa: S608

    def search(text: str, limit: int) -> list[str]:
        words = dict.fromkeys(word for word in re.findall(r"\w+", text.lower()) if len(word) > 1)
        query = " OR ".join(f'"{word}"' for word in words)
        return [row[0] for row in opened.execute(ranked, (query, limit))] if query else []

    return search


class Judge:
    """Knows all judgments, tells a plan those that are asked for, and counts them."""

    def __init__(self, collection: Collection, seed: int, error: float) -> None:
        options = OutlookOptions(error=error, seed=seed)
        pool = make_pool([collection.a, collection.b], DEPTH)
        self.plan = DecisivePlan(collection.a, collection.b, pool, options)
        self.asked = 0
        self._right = collection.judgments
        self._ids = {query_key(each): each.id for each in collection.a.header.suite.queries}
        self.known: dict[str, list[Judgment]] = {key: [] for key in self._ids}
        random = Random(seed)  # noqa: S311 - seeded on purpose
        for key, name in self._ids.items():
            own = [document for query, document in collection.judgments if query == name]
            shown = [document for document in own if random.random() >= HIDDEN]
            self.known[key] = [self._judge(key, document) for document in shown]
            self.plan.note_earlier(key, settle(self.known[key]).values())
            self._tell(key)

    def answer(self, item: JudgedItem) -> None:
        """Judge a hit; what nobody has judged is not relevant."""
        self.asked += 1
        self.known[item.query].append(self._judge(item.query, item.item.removeprefix("id:")))
        self._tell(item.query)

    def _judge(self, key: str, document: str) -> Judgment:
        grade = self._right.get((self._ids[key], document), 0)
        return Judgment(key, document, "judge", grade)

    def _tell(self, key: str) -> None:
        self.plan.note(key, settle(self.known[key]).values())


def judge_decisively(collection: Collection, seed: int, error: float) -> tuple[int, VerdictKind]:
    """Judge what the plan asks for until it is settled."""
    judge = Judge(collection, seed, error)
    while not judge.plan.state().is_settled:
        judge.answer(next(judge.plan.order()))
    return judge.asked, _kind(judge)


def judge_top_down(collection: Collection, seed: int, error: float) -> tuple[int, VerdictKind]:
    """Judge all first hits, then all second ones; look after every hundredth if it is settled."""
    judge = Judge(collection, seed, error)
    ranked: dict[JudgedItem, tuple[int, str]] = {}
    for run in (collection.a, collection.b):
        for answer in run.store.answers(run.header.id):
            key = query_key(run.header.suite.queries[answer.place])
            for rank, hit in enumerate(answer.response.hits[:DEPTH]):
                item = JudgedItem(key, item_of(hit.id, ""))
                drawn = rank, draw(seed, str(item))
                ranked[item] = min(ranked.get(item, drawn), drawn)
    known = {JudgedItem(key, each.item) for key, own in judge.known.items() for each in own}
    order = [item for item in sorted(ranked, key=ranked.__getitem__) if item not in known]
    step = max(len(order) // 100, 1)
    for place, item in enumerate(order):
        if place % step == 0 and judge.plan.state().is_settled:
            break
        judge.answer(item)
    return judge.asked, _kind(judge)


def _kind(judge: Judge) -> VerdictKind:
    outlook = judge.plan.state().outlook
    if outlook is None:
        raise ValueError("a verdict that is settled has an outlook")
    return outlook.kind


def measure_collections(seeds: int) -> bool:
    """Print how many judgments each way takes; False if a bar is missed."""
    print(
        f"{'collection':<12}{'verdict':<10}{'tolerated':>10}{'pool':>8}{'top-down':>10}"
        f"{'decisive':>10}{'share':>8}{'wrong':>7}"
    )
    passed = True
    for name in NAMES:
        collection = read_collection(name)
        pool = len(make_pool([collection.a, collection.b], DEPTH))
        for error in (0.0, ERROR):
            count = seeds if error else min(seeds, 2)
            ways = [
                [judge(collection, seed, error) for seed in range(count)]
                for judge in (judge_top_down, judge_decisively)
            ]
            down, decisive = (np.mean([asked for asked, _ in way]) for way in ways)
            wrong = np.mean([kind is not collection.verdict for _, kind in ways[1]])
            print(
                f"{name:<12}{collection.verdict:<10}{error:>10.0%}{pool:>8}{down:>10.0f}"
                f"{decisive:>10.0f}{decisive / down:>8.2f}{wrong:>7.0%}",
                flush=True,
            )
            passed &= bool(wrong <= error and (error == 0.0 or decisive <= MOST_SHARE * down))
    return passed


SHAPES: dict[str, Callable[[np.random.Generator, int], NDArray[np.float64]]] = {
    "all differ, effect 0.05": lambda draw, n: draw.normal(0.05, 0.15, n),
    "all differ, no effect": lambda draw, n: draw.normal(0.0, 0.15, n),
    "3 in 10 differ, effect 0.03": lambda draw, n: (
        (draw.random(n) < 0.3) * draw.normal(0.1, 0.3, n)
    ),
    "1 in 10 differs, no effect": lambda draw, n: (draw.random(n) < 0.1) * draw.normal(0, 0.3, n),
    "yes or no, effect 0.05": lambda draw, n: draw.choice([-1, 0, 1], n, p=[0.1, 0.75, 0.15]),
    "many small gains, rare losses": lambda draw, n: np.where(
        draw.random(n) < 0.05, -draw.uniform(0.5, 1.0, n), (draw.random(n) < 0.5) * 0.05
    ),
}


def measure_errors(repeats: int) -> bool:
    """Print how often a settled verdict is not that of all queries; False if more than stated."""
    print(f"\n{'differences':<32}{'queries':>8}{'judged':>8}{'wrong':>8}")
    passed = True
    for name, shape in SHAPES.items():
        for n in (60, 200):
            judged, wrong = [], []
            for seed in range(repeats):
                known = np.clip(shape(np.random.default_rng([seed, n]), n), -1.0, 1.0)
                count, is_wrong = _settle_shape(known, seed)
                judged.append(count / n)
                wrong.append(is_wrong)
            print(f"{name:<32}{n:>8}{np.mean(judged):>8.0%}{np.mean(wrong):>8.1%}", flush=True)
            passed &= float(np.mean(wrong)) <= ERROR
    return passed


def _settle_shape(known: NDArray[np.float64], seed: int) -> tuple[int, bool]:
    ranges = [DifferenceRange(float(each), float(each)) for each in known]
    options = OutlookOptions(error=ERROR, seed=seed)
    final = certain_verdict(ranges, replace(options, error=0.0))
    for count in range(options.fewest, known.size):
        unknown = [DifferenceRange(-1.0, 1.0)] * (known.size - count)
        outlook = probable_verdict([*ranges[:count], *unknown], known[:count].tolist(), options)
        if outlook is not None and outlook.is_settled:
            return count, outlook.kind is not final
    return known.size, False


def main() -> int:
    """Print both tables; fail if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=100)
    chosen = parser.parse_args()
    passed = True
    if all((COLLECTIONS / name).is_dir() for name in NAMES):
        passed &= measure_collections(chosen.seeds)
    else:
        print(reason_to_skip())
    passed &= measure_errors(chosen.repeats)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
