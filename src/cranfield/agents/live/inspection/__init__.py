"""Tasks and a scorer of Inspect. Needs the extra `agents`; import it only where it is used."""

from cranfield.agents.live.inspection.check_scorer import checks
from cranfield.agents.live.inspection.inspect_tasks import Batch, make_inspect_task

__all__ = ["Batch", "checks", "make_inspect_task"]
