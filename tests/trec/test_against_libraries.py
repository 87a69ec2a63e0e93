"""Random files with ties, graded and negative judgments and missing queries, against peers."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import ir_measures
import pytest
import pytrec_eval

from cranfield.measures import parse_measure
from cranfield.model import Missing
from cranfield.trec.scores import score_runs
from cranfield.trec_files.qrels import read_qrels

if TYPE_CHECKING:
    from pathlib import Path

# Our name to pytrec_eval's. It follows trec_eval 9, whose interpolated precision rounds
# otherwise than version 10 does: that one is held to trec_eval's own output instead.
PYTREC_EVAL = {
    "AP": "map", "RPrec": "Rprec", "Bpref": "bpref", "RR": "recip_rank", "infAP": "infAP",
    "nDCG": "ndcg", "P": "set_P", "R": "set_recall", "F1": "set_F", "NumRet": "num_ret",
    "NumRel": "num_rel", "NumRelRet": "num_rel_ret", "NumNonrelRet": "num_nonrel_judged_ret",
    "SetAP": "set_map", "RelP": "set_relative_P", "Utility": "utility", "G": "G",
    "G(rel=1)": "binG", "nDCGRel": "ndcg_rel", "RnDCG": "Rndcg",
    **{f"RPrecMult@{k / 10}": f"Rprec_mult_{k / 10:.2f}" for k in range(2, 21, 2)},
    **{f"P@{k}": f"P_{k}" for k in (5, 10, 30)},
    **{f"R@{k}": f"recall_{k}" for k in (5, 10, 30)},
    **{f"nDCG@{k}": f"ndcg_cut_{k}" for k in (5, 10, 30)},
    **{f"AP@{k}": f"map_cut_{k}" for k in (5, 10, 30)},
    **{f"RelP@{k}": f"relative_P_{k}" for k in (5, 10, 30)},
    **{f"Success@{k}": f"success_{k}" for k in (1, 5, 10)},
}  # fmt: skip

GDEVAL_NDCG = "nDCG(dcg='exp-log2')@20"

Collection = tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]


def random_collection(seed: int, lowest_grade: int) -> Collection:
    """Scores are multiples of 1/4 from a small range, so most hits are tied."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    documents = [f"doc{'x' * chance.randint(0, 9)}{number}" for number in range(60)]
    qrels, run = {}, {}
    for query in range(chance.randint(2, 12)):
        judged = chance.sample(documents, chance.randint(1, 40))
        qrels[str(query)] = {each: chance.randint(lowest_grade, 3) for each in judged}
        # trec_eval's code reads outside its memory where a query has only negative grades.
        qrels[str(query)][judged[0]] = chance.randint(0, 3)
        found = chance.sample(documents, chance.randint(1, 50))
        run[str(query)] = {each: chance.randint(-8, 40) / 4 for each in found}
    if len(run) > 3:
        run.pop("1")
        qrels.pop("2")
    return qrels, run


def write(folder: Path, collection: Collection, seed: int) -> tuple[str, str]:
    qrels, run = collection
    qrels_lines = [f"{q} 0 {d} {g}\n" for q, docs in qrels.items() for d, g in docs.items()]
    run_lines = [f"{q} Q0 {d} 1 {s} tag\n" for q, docs in run.items() for d, s in docs.items()]
    random.Random(seed).shuffle(run_lines)  # noqa: S311 - not for secrets
    (folder / "qrels").write_text("".join(qrels_lines))
    (folder / "run").write_text("".join(run_lines))
    return str(folder / "qrels"), str(folder / "run")


@pytest.mark.parametrize("lowest_grade", [0, -2])
@pytest.mark.parametrize("seed", range(12))
def test_every_query_agrees_with_pytrec_eval(tmp_path: Path, seed: int, lowest_grade: int) -> None:
    collection = random_collection(seed, lowest_grade)
    names = {parse_measure(ours): theirs for ours, theirs in PYTREC_EVAL.items()}
    qrels, run = write(tmp_path, collection, seed)
    scored = score_runs(read_qrels(qrels), [run], list(names), missing=Missing.SKIP)[0]
    kinds = {name.rstrip(".0123456789").rstrip("_") for name in names.values()}
    families = {"P", "recall", "ndcg_cut", "map_cut", "success", "relative_P"}
    asked = {f"{kind}.5,10,30" if kind in families - {"success"} else kind for kind in kinds}
    theirs = pytrec_eval.RelevanceEvaluator(collection[0], asked).evaluate(collection[1])
    assert set(theirs) == set(scored.queries)
    for place, query in enumerate(scored.queries):
        for measure, name in names.items():
            ours = scored.columns[measure].value(place)
            assert ours == pytest.approx(theirs[query][name], rel=1e-14), (query, str(measure))


IR_MEASURES = [
    "RR", "P@5", "P(rel=2)@5", "R@10", "R(rel=2)@10", "AP", "AP(rel=2)@10", "nDCG@10",
    "Success@5", "Bpref", "infAP", "Judged@10", "NumRet", "NumRelRet(rel=2)",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_every_query_agrees_with_ir_measures(tmp_path: Path, seed: int) -> None:
    qrels, run = collection = random_collection(seed + 100, lowest_grade=0)
    named = {
        parse_measure(text): ir_measures.parse_measure(text.replace("NumRelRet(", "NumRet("))
        for text in IR_MEASURES
    }
    qrels_path, run_path = write(tmp_path, collection, seed)
    scored = score_runs(read_qrels(qrels_path), [run_path], list(named), missing=Missing.SKIP)[0]
    theirs = {
        (metric.query_id, metric.measure): metric.value
        for metric in ir_measures.iter_calc(list(named.values()), qrels, run)
    }
    # ir_measures breaks the ties of Judged (and of RR@k) by ascending id.
    ties_matter = {parse_measure("Judged@10")}
    for place, query in enumerate(scored.queries):
        for measure, name in named.items():
            if measure not in ties_matter:
                ours = scored.columns[measure].value(place)
                assert ours == pytest.approx(theirs[query, name], rel=1e-14), (query, str(measure))


@pytest.mark.process
@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval, the reference here, is Perl")
@pytest.mark.parametrize(
    ("ours", "theirs"), [("ERR@20", "ERR@20"), ("nDCG(gain=exp)@20", GDEVAL_NDCG)]
)
@pytest.mark.parametrize("seed", range(4))
def test_what_web_tracks_use_agrees_with_gdeval(
    tmp_path: Path, seed: int, ours: str, theirs: str
) -> None:
    qrels, run = collection = random_collection(seed + 200, lowest_grade=0)
    paths = write(tmp_path, collection, seed)
    measure, reference = parse_measure(ours), ir_measures.parse_measure(theirs)
    scored = score_runs(read_qrels(paths[0]), [paths[1]], [measure], missing=Missing.SKIP)[0]
    expected = {m.query_id: m.value for m in ir_measures.iter_calc([reference], qrels, run)}
    values = {query: scored.columns[measure].value(i) for i, query in enumerate(scored.queries)}
    assert values == {query: pytest.approx(expected[query], abs=6e-6) for query in values}
