"""What the slice of coding agents offers."""

from cranfield.slices import Slice

SLICE = Slice(
    offers={"cranfield.demands": {"agents": "cranfield.agents.agent_demands:AGENT_DEMAND"}},
)
