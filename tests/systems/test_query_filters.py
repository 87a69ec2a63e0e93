"""Filters of queries: every kind of system honours them, or says that it does not."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import SystemUnusableError
from cranfield.systems import PythonSystem
from stacks.index import Request, save
from stacks.query import FILTER_NAMES
from tests.systems.helpers import ask, opened, write_program

if TYPE_CHECKING:
    from cranfield.model import Query

CORPUS = Path(__file__).parents[2] / "suites" / "apple-docs" / "corpus" / "apple-docs"
FILTERED = [ask("cats", name="q1", filters={"min_ios": "13.0"})]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an index of some pages of two frameworks."""
    folder = tmp_path_factory.mktemp("docs")
    pages = folder / "apple-docs" / "data" / "documentation"
    for name in ("swiftui", "uikit"):
        shutil.copytree(CORPUS / "data" / "documentation" / name, pages / name)
        shutil.copy(CORPUS / "data" / "documentation" / f"{name}.json", pages)
    request = Request.parse(f"apple-docs={folder / 'apple-docs'}")
    save([request], folder / "index")
    return folder


COMMAND = [
    sys.executable,
    "-m",
    "stacks",
    "search",
    "{query}",
    "--db",
    "index",
    "--format",
    "json",
    "--limit",
    "{k}",
    *([f"--{name.replace('_', '-')}", f"{{filters.{name}}}"] for name in FILTER_NAMES),
]


@pytest.mark.process
@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"min_ios": "13.0"},
        {"min_ios": 13},
        {"min_macos": "10.15", "framework": "SwiftUI"},
        {"framework": "uikit"},
        {"kind": "class"},
        {"attribute": "@MainActor"},
        {"source": "apple-docs", "language": "swift"},
        {"min_visionos": "1.0", "kind": "struct"},
    ],
    ids=str,
)
def test_an_index_in_process_answers_as_the_command_does(
    index: Path, filters: dict[str, Any]
) -> None:
    """The same pages, and all that the command says of them, for rules to look at."""
    query = ask("view", filters=filters)
    with (
        opened("stacks", index, index="index") as inside,
        opened("command", index, run=COMMAND, hits="hits", id="uri") as outside,
    ):
        assert inside.check_queries([query]) == outside.check_queries([query]) == []
        found, expected = inside.search(query, 1000), outside.search(query, 1000)
        everything = inside.search(ask("view"), 1000)
    assert expected.hits
    assert [hit.id for hit in found.hits] == [hit.id for hit in expected.hits]
    assert not filters or len(found.hits) < len(everything.hits) or "source" in filters
    for ours, theirs in zip(found.hits, expected.hits, strict=True):
        assert {name: ours.fields[name] for name in theirs.fields} == theirs.fields
    assert {"framework", "attributes", "kind", "deprecated"} <= found.hits[0].fields.keys()


@pytest.mark.parametrize(
    ("filters", "settings", "message"),
    [
        ({"min_io": "13"}, {}, "query 'q1': there is no filter 'min_io'; did you mean min_ios"),
        (
            {"colour": "red"},
            {},
            "filters are source, kind, framework, language, att",
        ),
        ({"min_ios": "new"}, {}, "ios 'new' is not a version; give one such as 17"),
        ({"framework": ["a", "b"]}, {}, "the filter framework takes one value; got a, b"),
        ({"kind": True}, {}, "the filter kind is a text, or a list of them; got True"),
        ({"framework": "uikit"}, {"framework": "swiftui"}, "settings have 'swiftui'"),
    ],
    ids=str,
)
def test_an_index_refuses_what_it_cannot_filter_by(
    index: Path, filters: dict[str, Any], settings: dict[str, Any], message: str
) -> None:
    with (
        opened("stacks", index, index="index", **settings) as system,
        pytest.raises(SystemUnusableError) as refused,
    ):
        system.check_queries([ask(name="q0"), ask(name="q1", filters=filters)])
    assert message in str(refused.value)
    assert "or list it in ignored_filters to search without it" in str(refused.value)


def test_sources_and_weights_that_an_index_lacks_are_refused(index: Path) -> None:
    for settings in ({"sources": ["apple-doc"]}, {"weights": {"apple-doc": 2.0}}):
        with (
            opened("stacks", index, index="index", **settings) as system,
            pytest.raises(SystemUnusableError, match="source of the index 'apple-doc': did you me"),
        ):
            system.check()


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (
            "command",
            {"run": ["cat", "{query}"]},
            (
                "run has no {filters.min_ios}: every query would be searched without it; write "
                '["--min_ios", "{filters.min_ios}"] in run, or list min_ios in ignored_filters'
            ),
        ),
        (
            "command",
            {"run": ["cat", "{query}", ["{filters.minios}"]]},
            "run has no {filters.min_ios} (it has {filters.minios}: is that the one?)",
        ),
        (
            "http",
            {"url": "http://localhost:1/?q={query}"},
            (
                "the request has no {filters.min_ios}: every query would be searched without it; "
                'write params.min_ios = "{filters.min_ios}", or put it into body'
            ),
        ),
        (
            "mcp",
            {"run": ["cat"], "tool": "search"},
            (
                "arguments has no {filters.min_ios}: every query would be searched without it; "
                'write arguments.min_ios = "{filters.min_ios}"'
            ),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_template_that_drops_a_filter_is_refused(
    tmp_path: Path, kind: str, settings: dict[str, Any], message: str
) -> None:
    with opened(kind, tmp_path, **settings) as system:
        with pytest.raises(SystemUnusableError) as refused:
            system.check_queries(FILTERED)
        assert f"system 'mine': the suite has the filters min_ios (of q1), and {message}" in str(
            refused.value
        )
        assert system.check_queries([ask()]) == []
    with opened(kind, tmp_path, **settings, ignored_filters=["min_ios"]) as system:
        notice = "the system was searched without the filter min_ios of 1 query"
        assert system.check_queries(FILTERED) == [notice]


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("command", {"run": ["cat", "{query}", ["--ios", "{filters.min_ios}"]]}),
        ("command", {"run": ["cat"], "keep_alive": True}),
        ("http", {"url": "http://h/?q={query}", "params": {"ios": "{filters.min_ios}"}}),
        ("http", {"url": "http://h/?q={query}", "body": {"f": [{"ios": "{filters.min_ios}"}]}}),
        ("mcp", {"run": ["cat"], "tool": "t", "arguments": {"f": {"ios": "{filters.min_ios}"}}}),
    ],
    ids=str,
)
def test_a_template_that_passes_the_filter_on_is_accepted(
    tmp_path: Path, kind: str, settings: dict[str, Any]
) -> None:
    with opened(kind, tmp_path, **settings) as system:
        assert system.check_queries(FILTERED) == []


@pytest.mark.process
def test_an_ignored_filter_is_not_sent(tmp_path: Path) -> None:
    code = "for line in sys.stdin: print(json.dumps(list(json.loads(line)['filters'])), flush=True)"
    run = write_program(tmp_path, code)
    query = ask(filters={"min_ios": "13.0", "kind": "class"})
    with opened(
        "command", tmp_path, run=run, keep_alive=True, ignored_filters=["min_ios"]
    ) as system:
        assert [hit.id for hit in system.search(query, 5).hits] == ["kind"]


def test_a_callable_gets_the_filters_or_is_refused() -> None:
    def plain(text: str, limit: int) -> list[str]:
        return [text][:limit]

    def whole(text: str, limit: int, query: Query) -> list[str]:
        return [text, *query.filters][:limit]

    message = r"write plain\(text, limit, query\) and read query.filters"
    with pytest.raises(SystemUnusableError, match=message):
        PythonSystem(plain).check_queries(FILTERED)
    assert PythonSystem(plain).check_queries([ask()]) == []
    assert PythonSystem(whole).check_queries(FILTERED) == []


def recorded(folder: Path, *records: dict[str, Any]) -> None:
    lines = [json.dumps({"hits": ["a"], **record}) + "\n" for record in records]
    (folder / "answers.jsonl").write_text("".join(lines))


def test_a_recording_says_which_filters_it_was_made_with_or_that_is_reported(
    tmp_path: Path,
) -> None:
    recorded(tmp_path, {"id": "q1", "filters": {"min_ios": "13.0"}}, {"id": "q2"}, {"id": "q3"})
    other = ask(name="q2", filters={"kind": ["class"], "min_ios": "13.0"})
    with opened("recorded", tmp_path, file="answers.jsonl") as system:
        assert system.check_queries(FILTERED) == []
        assert system.check_queries([*FILTERED, other, ask(name="q3")]) == [
            "the recording does not say whether it was made with kind (of q2), min_ios (of q2)"
        ]
        assert system.check_queries([ask(name="q9", filters={"kind": "class"})]) == []
        for filters in ({"min_ios": "14.0"}, {}, {"min_ios": "13.0", "kind": "class"}):
            with pytest.raises(SystemUnusableError) as refused:
                system.check_queries([ask(name="q1", filters=filters)])
            said = "the answer to 'q1' was recorded with the filters min_ios = '13.0', and the"
            assert said in str(refused.value)
    ignoring = {"file": "answers.jsonl", "ignored_filters": ["min_ios"]}
    with opened("recorded", tmp_path, **ignoring) as system:
        assert "searched without the filter min_ios" in system.check_queries(FILTERED)[0]


def test_a_run_file_does_not_say_which_filters_it_was_made_with(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q1 Q0 d 1 3.0 x\n")
    with opened("runfile", tmp_path, file="a.run") as system:
        assert system.check_queries(FILTERED) == [
            "the run does not say whether it was made with min_ios (of q1)"
        ]
        assert system.check_queries([ask()]) == []
