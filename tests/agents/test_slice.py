"""A gate without agents and a check of suites load nothing of agents but what says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SUITE = Path(__file__).parents[2] / "suites" / "apple-docs" / "canonical.toml"
HEAVY = ("arm_comparison", "task_checks", "answer_checks", "tasks", "command")


@pytest.mark.process
def test_what_is_asked_of_every_project_loads_no_checks() -> None:
    script = (
        "import sys\n"
        "from cranfield.evaluation.gate_evaluation import DEMANDS\n"
        "from cranfield.suites.checks.checkers import check_places\n"
        "DEMANDS.get('agents')\n"
        f"assert check_places([{str(SUITE)!r}]).checks == ()\n"
        f"loaded = [each for each in {HEAVY} if f'cranfield.agents.{{each}}' in sys.modules]\n"
        "sys.exit(', '.join(loaded) or 0)\n"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert finished.returncode == 0, finished.stderr
