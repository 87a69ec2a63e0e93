"""`cranfield judge model` and `calibrate`: a project that opts in, from nothing to a gate."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield

from cranfield.judging.pool import draw
from cranfield.judgments import Judgment, JudgmentStore, query_key
from cranfield.model import Hit
from cranfield.relevance import hash_content
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

SEARCH = """\
def search(query, limit):
    number = query.split()[-1]
    texts = [f"a page about gardens {number}", f"engine {number} stalls because it is cold"]
    return [{"id": f"{number}-{place}", "text": text} for place, text in enumerate(texts)]
"""
JUDGE = """\
import json, sys
for line in sys.stdin:
    user = json.loads(line)["user"]
    word = "HIGH" if "gardens 1" in user else "NOT_RELEVANT"
    print(json.dumps({"answer": word, "input_tokens": 50, "output_tokens": 1}), flush=True)
"""
CONFIG = f"""\
suites = ["engines.json"]

[systems.new]
kind = "python"
call = "search.py:search"

[judging]
highest = 2

[judging.model]
kind = "command"
run = [{json.dumps(sys.executable)}, "judge.py"]
model = "mine"
prompt = "prompt.txt"
price_in = 1.0
price_out = 5.0
per_minute = 60000
agreement = 0.6
gate = [{{ measure = "Success(rel=2)@3", at_least = 0.9 }}]
"""
MODE = """
[modes.one]
systems = ["new"]
reports = { json = "one.json" }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    queries = [
        {
            "id": f"en-direct-{number:03}",
            "query": f"why stalls engine {number}",
            "language": "en",
            "category": "direct",
            "expected_passages": [{"passage_substring": f"engine {number} stalls because"}],
        }
        for number in range(24)
    ]
    (tmp_path / "engines.json").write_text(json.dumps(queries))
    (tmp_path / "search.py").write_text(SEARCH)
    (tmp_path / "judge.py").write_text(JUDGE)
    (tmp_path / "prompt.txt").write_text("version: 1\nYou are evaluating search results.\n")
    (tmp_path / "cranfield.toml").write_text(CONFIG)
    assert cranfield(tmp_path, "run", "--label", "first").returncode == 0
    return tmp_path


def judge_by_hand(project: Path, count: int) -> None:
    """People judge the pages about gardens, as the model does."""
    store = open_store(project / ".cranfield" / "cranfield.db")
    suite = next(iter(store.headers())).suite
    order = sorted(suite.queries, key=lambda query: draw(1967, query_key(query)))[:count]
    given = []
    for query in order:
        number = query.text.split()[-1]
        text = f"a page about gardens {number}"
        grade = 2 if "gardens 1" in text else 0
        content = hash_content(Hit("x", text=text))
        judgment = Judgment(query_key(query), f"{number}-0", "ann", grade=grade, content=content)
        given.append(judgment)
    JudgmentStore(store).add(given, order)


def test_the_cost_is_stated_before_and_after_and_nothing_is_asked_twice(project: Path) -> None:
    planned = cranfield(project, "judge", "model", "--dry-run")
    assert planned.returncode == 0, planned.stderr
    assert "mine@1 is asked about 24 hits" in planned.stderr
    assert "24 right by the suite's rules" in planned.stderr
    assert "nothing was asked" in planned.stdout
    done = cranfield(project, "judge", "model")
    assert done.returncode == 0, done.stderr
    assert "24 graded, 0 unjudged, 0 without an answer" in done.stdout
    assert "1,200 tokens sent, 24 received, cost 0.0013" in done.stdout
    again = json.loads(cranfield(project, "judge", "model", "-f", "json").stdout)
    assert again["models"][0]["to_ask"] == 0
    assert again["models"][0]["tally"]["from_store"] == 24


def test_a_suite_that_has_not_opted_in_is_refused(project: Path) -> None:
    config = project / "cranfield.toml"
    config.write_text(config.read_text().partition("[judging")[0])
    shown = cranfield(project, "judge", "model")
    assert shown.returncode == 2
    assert "lets no model judge; to opt in" in shown.stderr


def test_a_gate_sees_corrected_figures_only_once_the_agreement_is_shown(project: Path) -> None:
    before = cranfield(project, "gate", "--run", "first")
    assert "no hit in common" in before.stdout
    cranfield(project, "judge", "model")
    assert "withheld" in cranfield(project, "gate", "--run", "first").stdout
    judge_by_hand(project, 20)
    shown = cranfield(project, "judge", "calibrate")
    assert "people have judged all hits of the first 20 of 24 queries" in shown.stdout
    assert "kappa 1.00" in shown.stdout
    after = cranfield(project, "gate", "--run", "first")
    assert "corrected by people: 1.0000" in after.stdout
    assert after.returncode == before.returncode == 0
    config = project / "cranfield.toml"
    config.write_text(config.read_text().replace("agreement = 0.6", "agreement = 0.99"))
    assert "withheld" in cranfield(project, "gate", "--run", "first").stdout


def test_runs_and_comparisons_show_corrected_figures_in_columns_of_their_own(project: Path) -> None:
    plain = cranfield(project, "run", "--label", "second")
    assert "with a model" not in plain.stdout
    cranfield(project, "judge", "model")
    judge_by_hand(project, 20)
    for arguments in (("run",), ("compare", "first", "second"), ("report", "first", "-f", "text")):
        shown = cranfield(project, *arguments)
        assert shown.returncode == 0, shown.stderr
        assert "engines: with a model by mine@1, corrected by people" in shown.stdout
        assert "kappa 1.00" in shown.stdout
    config = project / "cranfield.toml"
    config.write_text(config.read_text() + MODE)
    assert "engines: with a model by mine@1" in cranfield(project, "run", "--mode", "one").stdout
    assert json.loads((project / "one.json").read_text())["models"][0]["rater"] == "mine@1"
    data = json.loads(cranfield(project, "compare", "first", "second", "-f", "json").stdout)
    (model,) = data["models"]
    assert (model["rater"], model["withheld"], len(model["figures"])) == ("mine@1", "", 2)
    assert all(each["corrected"]["mean"] == 0.0 for each in model["differences"])


def test_a_corrected_figure_below_its_threshold_fails_the_gate(project: Path) -> None:
    config = project / "cranfield.toml"
    demanded = 'measure = "RR@10", at_least = 0.95'
    config.write_text(
        config.read_text().replace('measure = "Success(rel=2)@3", at_least = 0.9', demanded)
    )
    cranfield(project, "judge", "model")
    judge_by_hand(project, 20)
    shown = cranfield(project, "gate", "--run", "first")
    assert shown.returncode == 1, shown.stdout
    assert "below 0.95" in shown.stdout
    data = json.loads(cranfield(project, "judge", "calibrate", "-f", "json").stdout)
    assert data["withheld"] == ""
    assert {each["measure"] for each in data["figures"][0]} >= {"RR@10"}


def test_a_gate_refuses_a_suite_that_a_model_grades(project: Path) -> None:
    cranfield(project, "judge", "model")
    config = project / "cranfield.toml"
    config.write_text(config.read_text().replace("highest = 2", 'judged_by = "model:mine@1"'))
    assert cranfield(project, "run").returncode == 0
    shown = cranfield(project, "gate", "--run", "latest")
    assert shown.returncode == 2, shown.stdout
    assert "a gate uses no grades of a model" in shown.stderr
