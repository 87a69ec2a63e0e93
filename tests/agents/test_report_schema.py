"""The JSON report of agents keeps to its published schema."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator
from tests.agents.test_report_pages import evaluation

from cranfield.agents.answers import AgentEvaluation
from cranfield.agents.report import report_agents
from cranfield.formats import render

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "agent.json"


def find_errors(judged: AgentEvaluation) -> list[str]:
    schema = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    report = json.loads(render(report_agents(judged), "json"))
    return [error.message for error in Draft202012Validator(schema).iter_errors(report)]


def test_two_arms_keep_to_the_schema() -> None:
    assert find_errors(evaluation()) == []


def test_one_arm_and_few_tasks_keep_to_it_too() -> None:
    whole = evaluation(count=1)
    assert find_errors(AgentEvaluation(whole.tasks, whole.checked[:1], whole.broken)) == []
