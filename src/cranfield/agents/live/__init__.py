"""Agents asked live, on Inspect. Asking and reading logs need the extra `agents`."""

from cranfield.agents.live.agent_arms import AgentArm, ArmMode, Ground, choose_arms
from cranfield.agents.live.agent_plan import AgentLimits, AgentOptions, AgentPlan, Question
from cranfield.agents.live.grounding import name_tools, open_groundings
from cranfield.agents.live.inspect_evaluation import Requests, check_model
from cranfield.agents.live.inspect_logs import read_answers, read_logs
from cranfield.agents.live.live_run import LiveRun

__all__ = [
    "AgentArm",
    "AgentLimits",
    "AgentOptions",
    "AgentPlan",
    "ArmMode",
    "Ground",
    "LiveRun",
    "Question",
    "Requests",
    "check_model",
    "choose_arms",
    "name_tools",
    "open_groundings",
    "read_answers",
    "read_logs",
]
