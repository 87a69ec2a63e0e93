"""The JSON report of agents keeps to its published schema."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator
from tests.web.test_agent_pages import evaluation

from cranfield.agents import AgentEvaluation
from cranfield.formats import render
from cranfield.reports import report_agents

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "agent.json"


def check(judged: AgentEvaluation) -> None:
    schema = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    report = json.loads(render(report_agents(judged), "json"))
    assert not [error.message for error in Draft202012Validator(schema).iter_errors(report)]


def test_two_arms_keep_to_the_schema() -> None:
    check(evaluation())


def test_one_arm_and_few_tasks_keep_to_it_too() -> None:
    whole = evaluation(count=1)
    check(AgentEvaluation(whole.tasks, whole.checked[:1], whole.broken))
