"""Agents: tasks for coding agents, and what is right and wrong in their answers."""

from cranfield.agents.answer_checks import (
    CHECKS,
    AnswerCheck,
    Submission,
    applicable_checks,
    check_answer,
    check_answers,
    is_right,
)
from cranfield.agents.answers import extract_code
from cranfield.agents.findings import AnswerFinding, CheckOutcome, CheckResult
from cranfield.agents.task_verification import TaskProblem, has_name, verify_tasks
from cranfield.agents.tasks import (
    TASK_KINDS,
    Task,
    TaskTarget,
    WrongAnswer,
    load_task,
    load_tasks,
)

__all__ = [
    "CHECKS",
    "TASK_KINDS",
    "AnswerCheck",
    "AnswerFinding",
    "CheckOutcome",
    "CheckResult",
    "Submission",
    "Task",
    "TaskProblem",
    "TaskTarget",
    "WrongAnswer",
    "applicable_checks",
    "check_answer",
    "check_answers",
    "extract_code",
    "has_name",
    "is_right",
    "load_task",
    "load_tasks",
    "verify_tasks",
]
