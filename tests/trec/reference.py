"""trec_eval's reading and ordering in plain Python, to hold the fast one to."""

from __future__ import annotations

from collections import defaultdict

from cranfield.model import Grades

Judgments = dict[str, dict[str, int]]
Results = dict[str, dict[str, float]]


def grade(judgments: Judgments, results: Results) -> dict[str, Grades]:
    """Grade every judged query; hits by score, then document id, both falling."""
    graded = {}
    for query in sorted(judgments, key=str.encode):
        found = results.get(query, {})
        ranked = sorted(found, key=lambda d: (found[d], d.encode()), reverse=True)
        graded[query] = Grades(
            tuple(judgments[query].get(document) for document in ranked),
            tuple(sorted(judgments[query].values(), reverse=True)),
        )
    return graded


def read(qrels: str, run: str) -> tuple[Judgments, Results]:
    """Read well-formed TREC texts."""
    judgments: Judgments = defaultdict(dict)
    for line in qrels.splitlines():
        query, _, document, value = line.split()
        judgments[query][document] = int(value)
    results: Results = defaultdict(dict)
    for line in run.splitlines():
        query, _, document, _, score, *_ = line.split()
        results[query][document] = float(score)
    return judgments, results
