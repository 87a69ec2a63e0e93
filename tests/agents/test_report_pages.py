"""The page of an agent evaluation: prompt, answers, differences, searches and findings as text."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from tests.web.browsers import find_violations, start_browser
from tests.web.samples import HOSTILE

from cranfield.agents.answer_checks import AnswerFinding, CheckOutcome, CheckResult
from cranfield.agents.answers import AgentAnswer, AgentEvaluation, AgentSearch, CheckedAnswer
from cranfield.agents.report import report_agents
from cranfield.agents.tasks import Task, TaskTarget
from cranfield.formats import Detail, render

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

PLAIN = "plain"


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def checked(task: Task, arm: str, text: str, *, is_right: bool) -> CheckedAnswer:
    outcome = CheckOutcome.PASS if is_right else CheckOutcome.FAIL
    findings = () if is_right else (AnswerFinding("exists", outcome, text, 2, 1, text),)
    unknown = AnswerFinding("exists", CheckOutcome.UNKNOWN, text, 3, 1, text)
    answer = AgentAnswer(
        task.id, arm, text, searches=(AgentSearch(text, (text, "tomllib/load")),), read=(text,)
    )
    code = f"import tomllib\n{text}\n" + ("" if is_right else "tomllib.read()\n")
    result = CheckResult("exists", outcome, (*findings, unknown), 1, 1)
    return CheckedAnswer(answer, task, code, (result,))


def evaluation(text: str = PLAIN, count: int = 6) -> AgentEvaluation:
    target = TaskTarget(python="3.12")
    tasks = tuple(
        Task(f"t{number}", "python", "new", f"Do {text}", target, "", needs=("tomllib.load",),
             hints=(text,))
        for number in range(count)
    )  # fmt: skip
    arms = (f"without {text[:50]}", f"with {text[:50]}")
    answers = tuple(
        checked(task, arm, text, is_right=arm == arms[1]) for arm in arms for task in tasks
    )
    return AgentEvaluation(tasks, answers)


def page_of(text: str = PLAIN) -> str:
    return render(report_agents(evaluation(text), Detail.ALL), "html")


def test_a_task_shows_prompt_answers_differences_searches_and_findings() -> None:
    text = " ".join(Page(page_of()).text.split())
    for part in (
        "prompt:Do plain",
        "without plain:import tomllib plain tomllib.read()",
        "from without plain to with plain:--- without plain +++ with plain",
        "-tomllib.read()",
        "Retrieved by with plain",
        "without plain, line 2: plain",
        "exists, unknown",
    ):
        assert part in text, part


def test_hits_are_marked_as_needed_and_read() -> None:
    report = report_agents(evaluation(), Detail.ALL)
    section = next(each for each in report.sections if each.title == "t0")
    [table] = [
        each for each in section.blocks if getattr(each, "title", "") == "Retrieved by with plain"
    ]
    assert table.rows == (  # type: ignore[union-attr]
        (PLAIN, 1, PLAIN, "", "yes"),
        (PLAIN, 2, "tomllib/load", "yes", ""),
    )


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text(text: str) -> None:
    written = page_of(text)
    assert set(Page(written).tags) <= set(Page(page_of()).tags)
    assert "\x1b" not in written


def test_the_markdown_audit_has_every_task() -> None:
    written = render(report_agents(evaluation(), Detail.ALL), "markdown")
    for number in range(6):
        assert f"## t{number}\n" in written
    assert "    -tomllib.read()" in written
    assert "| query | rank | hit | needed | read |" in written


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from start_browser()


@pytest.mark.process
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.thorough), "dark"])
def test_axe_finds_nothing_serious_and_no_script_of_an_answer_runs(
    browser: Browser, tmp_path: Path, scheme: str
) -> None:
    file = tmp_path / "page.html"
    problems: list[str] = []
    requested: list[str] = []
    for text in ("\n".join(HOSTILE[:4]), "x" * 300):
        file.write_text(page_of(text), encoding="utf-8")
        context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("request", lambda each: requested.append(each.url))
        page.goto(file.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert find_violations(page) == {}
        assert page.evaluate("window.pwned") is None
        context.close()
    assert problems == []
    assert [address for address in requested if not address.startswith("file:")] == []
