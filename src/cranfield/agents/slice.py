"""What the slice of coding agents offers."""

from cranfield.slices import Slice

SLICE = Slice(
    offers={
        "cranfield.commands": {"agent": "cranfield.agents.command:agent"},
        "cranfield.demands": {"agents": "cranfield.agents.offers:AGENT_DEMAND"},
        "cranfield.checkers": {"tasks": "cranfield.agents.offers:TASK_CHECKER"},
    },
    commands={"agent": "Ask a coding agent with and without search."},
)
