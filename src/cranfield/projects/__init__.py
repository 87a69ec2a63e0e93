"""Projects: a cranfield.toml with its systems, suites and store, and runs of them."""

from cranfield.projects.arms import ArmOptions, find_arms
from cranfield.projects.bundled_projects import find_bundled
from cranfield.projects.judged_arms import set_judging, use_judgments
from cranfield.projects.project import Project, find_mode, open_named, open_project
from cranfield.projects.project_file import AgentGate, Mode
from cranfield.projects.report_names import name_report
from cranfield.projects.sessions import (
    Session,
    continue_system,
    describe_selection,
    refuse_unanswered,
    resolve_truths,
    resume_systems,
    run_system,
    run_systems,
)
from cranfield.projects.suite_checks import check_suites

__all__ = [
    "AgentGate",
    "ArmOptions",
    "Mode",
    "Project",
    "Session",
    "check_suites",
    "continue_system",
    "describe_selection",
    "find_arms",
    "find_bundled",
    "find_mode",
    "name_report",
    "open_named",
    "open_project",
    "refuse_unanswered",
    "resolve_truths",
    "resume_systems",
    "run_system",
    "run_systems",
    "set_judging",
    "use_judgments",
]
