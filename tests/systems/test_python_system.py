"""Callables as systems: whatever they take, return or raise."""

# ruff: noqa: ARG002, ARG005 - what a callable takes is what is tested, used or not

from __future__ import annotations

import itertools
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import SystemUnusableError
from cranfield.model import Hit, Query, Response, Status
from cranfield.systems import PythonSystem, SystemSpec
from tests.systems.helpers import ask, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def answer(search: Callable[..., Any], limit: int = 10) -> Response:
    return PythonSystem(search).search(ask(), limit)


class Engine:
    def search(self, text: str, limit: int) -> list[str]:
        return [text] * limit

    def __call__(self, text: str, limit: int, query: Query) -> list[str]:
        return [query.id]


@pytest.mark.parametrize(
    ("search", "ids"),
    [
        (lambda text, limit: [text, str(limit)], ["cats", "10"]),
        (lambda text, limit, query: [query.id, text], ["q1", "cats"]),
        (lambda text, limit, boost=2.0: [text, str(boost)], ["cats", "2.0"]),
        (lambda *given: [str(len(given))], ["2"]),
        (lambda text, limit, *, exact=False: [str(exact)], ["False"]),
        (partial(lambda index, text, limit: [index, text], "main"), ["main", "cats"]),
        (Engine().search, ["cats"]),
        (Engine(), ["q1"]),
    ],
)
def test_a_callable_gets_what_it_takes(search: Callable[..., Any], ids: list[str]) -> None:
    assert [hit.id for hit in answer(search).hits] == ids


@pytest.mark.parametrize(
    "returned",
    [
        ["a", "b"],
        ("a", "b"),
        {"a": 1, "b": 2}.keys(),
        iter(["a", "b", "a"]),
        [Hit("a"), Hit("b")],
        [{"id": "a"}, {"url": "b"}],
        ["a", Hit("b"), {"id": "a"}],
        {"hits": [Hit("a"), {"id": "b"}]},
        Response.of((Hit("a"), Hit("b"))),
    ],
)
def test_hits_may_come_in_many_shapes(returned: Any) -> None:
    response = answer(lambda text, limit: returned)
    assert response.status is Status.OK
    assert [hit.id for hit in response.hits] == ["a", "b"]


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "returned NoneType, not a list of hits"),
        ("a, b", "returned str, not a list of hits"),
        (b"a", "returned bytes, not a list of hits"),
        (7, "returned int, not a list of hits"),
        ({"error": 1}, "the JSON has no list of hits: it has error; none is a list"),
        ({"error": object()}, "the JSON has no list of hits: it has error; none is a list"),
        ([object()], "hit 1 has no id: it is an object, not a dict with fields"),
        ([("a", 0.5)], "hit 1 has no id: it is a tuple, not a dict with fields"),
    ],
)
def test_what_is_no_list_of_hits_is_unparseable(returned: Any, message: str) -> None:
    response = answer(lambda text, limit: returned)
    assert (response.status, response.message) == (Status.UNPARSEABLE, message)


def test_an_empty_list_is_an_empty_answer() -> None:
    assert answer(lambda text, limit: []).status is Status.EMPTY


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (ValueError("no index"), "ValueError: no index"),
        (SystemExit(3), "SystemExit: 3"),
        (RecursionError("too deep"), "RecursionError: too deep"),
    ],
)
def test_what_is_raised_is_an_error_of_the_query(problem: BaseException, message: str) -> None:
    def search(text: str, limit: int) -> list[str]:
        raise problem

    response = answer(search)
    assert (response.status, response.message) == (Status.ERROR, message)


def test_a_generator_that_raises_on_its_way_is_an_error() -> None:
    def search(text: str, limit: int) -> Iterator[str]:
        yield "a"
        raise OSError("disk")

    assert answer(search).message == "OSError: disk"


def test_a_generator_without_end_is_asked_for_no_more_than_the_limit() -> None:
    response = answer(lambda text, limit: (str(number) for number in itertools.count()), limit=4)
    assert [hit.id for hit in response.hits] == ["0", "1", "2", "3"]


def test_an_interrupt_from_the_keyboard_passes() -> None:
    def search(text: str, limit: int) -> list[str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer(search)


async def later(text: str, limit: int) -> list[str]:
    return []


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (lambda text: [text], "<lambda>(text) cannot be called with (text, limit)"),
        (lambda a, b, c, d: [], "cannot be called with (text, limit)"),
        (lambda text, limit, *, key: [], "cannot be called with (text, limit)"),
        (later, "later is async; wrap it in a plain function"),
    ],
)
def test_a_callable_that_cannot_be_called_is_refused(
    search: Callable[..., Any], message: str
) -> None:
    with pytest.raises(SystemUnusableError) as refused:
        PythonSystem(search)
    assert message in str(refused.value)


def test_a_file_is_loaded_with_its_neighbours_and_its_dataclasses(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_search.py").write_text("PREFIX = 'x-'\n")
    (tmp_path / "search.py").write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from neighbour_of_search import PREFIX\n"
        "@dataclass\nclass Index:\n    name: str = PREFIX\n"
        "def search(text, limit):\n    return [Index().name + text]\n"
    )
    with opened("python", tmp_path, call="search.py:search") as system:
        assert system.search(ask(), 1).hits[0].id == "x-cats"


def test_two_builds_with_files_of_one_name_are_two(tmp_path: Path) -> None:
    for build in ("old", "new"):
        (tmp_path / build).mkdir()
        (tmp_path / build / "search.py").write_text(f"def search(t, n): return ['{build}']\n")
    with (
        opened("python", tmp_path / "old", call="search.py:search") as old,
        opened("python", tmp_path / "new", call="search.py:search") as new,
    ):
        assert [system.search(ask(), 1).hits[0].id for system in (old, new)] == ["old", "new"]


def test_two_builds_with_modules_of_one_name_are_refused(tmp_path: Path) -> None:
    for build in ("old", "new"):
        (tmp_path / build).mkdir()
        (tmp_path / build / "twin_search.py").write_text(f"def search(t, n): return ['{build}']\n")
    with opened("python", tmp_path / "old", call="twin_search:search") as old:
        assert old.search(ask(), 1).hits[0].id == "old"
    with (
        pytest.raises(SystemUnusableError, match="twin_search is already loaded from") as refused,
        opened("python", tmp_path / "new", call="twin_search:search"),
    ):
        pass
    assert 'write call = "twin_search.py:…"' in str(refused.value)


@pytest.mark.parametrize("within", ["", "    "])
def test_two_builds_with_neighbours_of_one_name_are_refused(tmp_path: Path, within: str) -> None:
    """The second would otherwise answer as the first, and no comparison find a difference."""
    name = f"twin_ranking_{len(within)}"
    load = f"import {name}\n"
    for build in ("old", "new"):
        (tmp_path / build).mkdir()
        (tmp_path / build / f"{name}.py").write_text(f"NAME = '{build}'\n")
        (tmp_path / build / "search.py").write_text(
            f"{'' if within else load}def search(text, limit):\n"
            f"{within + load if within else ''}    return [{name}.NAME]\n"
        )
    with opened("python", tmp_path / "old", call="search.py:search") as old:
        assert old.search(ask(), 1).hits[0].id == "old"
    with (
        pytest.raises(SystemUnusableError, match=f"search.py imports {name}, which is") as refused,
        opened("python", tmp_path / "new", call="search.py:search"),
    ):
        pass
    assert str(tmp_path / "old" / f"{name}.py") in str(refused.value)
    assert "rename one of them, or run one of the systems as a command" in str(refused.value)


def test_a_folder_does_not_hide_the_modules_of_others(tmp_path: Path) -> None:
    (tmp_path / "wave.py").write_text("raise RuntimeError('hidden')\n")
    (tmp_path / "asks_wave.py").write_text(
        "import wave\ndef search(text, limit): return [wave.__name__]\n"
    )
    sys.modules.pop("wave", None)
    with opened("python", tmp_path, call="asks_wave.py:search") as system:
        assert system.search(ask(), 1).status is Status.OK


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("search", "write module:name or file.py:name"),
        (":search", "write module:name or file.py:name"),
        ("search.py:", "write module:name or file.py:name"),
        ("nowhere.py:search", "nowhere.py does not exist; fix call"),
        ("no_such_module_here:search", "cannot be imported: ModuleNotFoundError"),
        ("broken.py:search", "broken.py cannot be imported: ZeroDivisionError"),
        ("leaves.py:search", "leaves.py cannot be imported: SystemExit"),
        ("fine.py:serch", "fine.py has no callable 'serch'"),
        ("fine.py:NAME", "fine.py has no callable 'NAME'"),
    ],
)
def test_a_call_that_leads_nowhere_is_explained(tmp_path: Path, call: str, message: str) -> None:
    (tmp_path / "broken.py").write_text("1 / 0\n")
    (tmp_path / "leaves.py").write_text("raise SystemExit\n")
    (tmp_path / "fine.py").write_text("NAME = 'x'\n")
    with pytest.raises(SystemUnusableError) as refused, opened("python", tmp_path, call=call):
        pass
    assert message in str(refused.value)


def test_text_is_read_by_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "text.py").write_text("def search(text, limit): return f'1. {text} 2. dogs'\n")
    with opened("python", tmp_path, call="text.py:search", pattern="[a-z]+") as system:
        assert [hit.id for hit in system.search(ask(), 5).hits] == ["cats", "dogs"]


def test_the_file_is_what_the_system_is_made_of(tmp_path: Path) -> None:
    spec = SystemSpec("p", "python", {"call": "my.py:search", "database": "my.db"}, tmp_path)
    assert spec.paths() == [tmp_path / "my.db", tmp_path / "my.py"]
    assert spec.database == tmp_path / "my.db"


def make_modules(folder: Path) -> list[Path]:
    """Write a script that imports a module, and through it a package."""
    (folder / "parts" / "deep").mkdir(parents=True)
    contents = {
        "my.py": "import json\nfrom helper import boost\ndef search(text, limit): return []\n",
        "helper.py": "def boost():\n    import parts\n",
        "parts/__init__.py": "from . import first\n",
        "parts/first.py": "import my\n",
        "parts/deep/second.py": "",
    }
    for name, content in contents.items():
        (folder / name).write_text(content)
    (folder / "other.py").write_text("")
    return [folder / name for name in contents]


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("python", {"call": "my.py:search"}),
        ("python", {"call": "my:search"}),
        ("command", {"run": [sys.executable, "my.py", "{query}"]}),
    ],
)
def test_what_a_file_imports_from_beside_it_is_part_of_the_system(
    tmp_path: Path, kind: str, settings: dict[str, Any]
) -> None:
    made = make_modules(tmp_path)
    spec = SystemSpec("p", kind, settings, tmp_path)
    assert {path for path in spec.paths() if path.suffix == ".py"} == set(made)


def test_what_a_searched_file_imports_is_no_part_of_the_system(tmp_path: Path) -> None:
    make_modules(tmp_path)
    settings = {"call": "other.py:search", "corpus": ["my.py"]}
    spec = SystemSpec("p", "python", settings, tmp_path)
    assert set(spec.paths()) == {tmp_path / "other.py", tmp_path / "my.py"}


def test_many_threads_may_call_at_once() -> None:
    system = PythonSystem(lambda text, limit: [text])
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: system.search(ask(str(n)), 1), range(500)))
    assert [response.hits[0].id for response in found] == [str(n) for n in range(500)]


def test_arguments_are_passed_by_name_and_refused_if_it_takes_none_such(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def find(text, limit, boost):\n    return [f'{text}-{boost}']"
    )
    with opened("python", tmp_path, call="mine.py:find", arguments={"boost": 2}) as system:
        assert [hit.id for hit in system.search(ask(), 10).hits] == ["cats-2"]
    expected = r"cannot be called with \(text, limit, bost=\)"
    with (
        pytest.raises(SystemUnusableError, match=expected),
        opened("python", tmp_path, call="mine.py:find", arguments={"bost": 2}),
    ):
        pass
