"""One scorer per function: files on disk to per-query and mean values, in a process of its own.

Run as `python peers.py NAME QRELS RUN`; prints the means as JSON, by cranfield's names.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

MEASURES = ("RR", "P@1", "P@5", "P@10", "nDCG@10", "AP", "R@100")


def cranfield(qrels: str, run: str) -> dict[str, float]:
    """Score with this project."""
    from cranfield.measures import parse_measure
    from cranfield.model import Undefined
    from cranfield.trec.scores import score_runs
    from cranfield.trec_files import read_qrels

    measures = [parse_measure(name) for name in MEASURES]
    scored = score_runs(read_qrels(qrels), [run], measures)[0]
    means = {str(measure): scored.value(measure) for measure in measures}
    return {name: mean for name, mean in means.items() if not isinstance(mean, Undefined)}


def pytrec_eval(qrels: str, run: str) -> dict[str, float]:
    """Score with pytrec_eval-terrier, the binding of trec_eval 9."""
    library: Any = import_module("pytrec_eval")

    names = ("recip_rank", "P_1", "P_5", "P_10", "ndcg_cut_10", "map", "recall_100")
    asked = {"recip_rank", "P.1,5,10", "ndcg_cut.10", "map", "recall.100"}
    with open(qrels) as judgments, open(run) as results:  # noqa: PTH123 - as its README does
        evaluator = library.RelevanceEvaluator(library.parse_qrel(judgments), asked)
        values = evaluator.evaluate(library.parse_run(results))
    return {
        ours: sum(query[theirs] for query in values.values()) / len(values)
        for ours, theirs in zip(MEASURES, names, strict=True)
    }


def ir_measures(qrels: str, run: str) -> dict[str, float]:
    """Score with ir_measures."""
    library: Any = import_module("ir_measures")

    measures = [library.parse_measure(name) for name in MEASURES]
    judgments = list(library.read_trec_qrels(qrels))
    means, _ = library.calc(measures, judgments, library.read_trec_run(run))
    return {str(measure): float(mean) for measure, mean in means.items()}


def ranx(qrels: str, run: str) -> dict[str, float]:
    """Score with ranx."""
    library: Any = import_module("ranx")

    names = ["mrr", "precision@1", "precision@5", "precision@10", "ndcg@10", "map", "recall@100"]
    judgments = library.Qrels.from_file(qrels, kind="trec")
    results = library.Run.from_file(run, kind="trec")
    means = library.evaluate(judgments, results, names, make_comparable=True)
    return {ours: float(means[theirs]) for ours, theirs in zip(MEASURES, names, strict=True)}


PEERS: dict[str, Callable[[str, str], dict[str, float]]] = {
    peer.__name__: peer for peer in (cranfield, pytrec_eval, ir_measures, ranx)
}

if __name__ == "__main__":
    print(json.dumps(PEERS[sys.argv[1]](sys.argv[2], sys.argv[3])))
