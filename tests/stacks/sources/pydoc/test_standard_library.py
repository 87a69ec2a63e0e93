"""The standard library is found under the names that people use."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from tests.stacks.sources.pydoc.packages import read_all

from stacks.model import Document, Page
from stacks.sources.pydoc.pydoc_source import open_pydoc

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def standard() -> Mapping[str, Document]:
    return read_all(
        open_pydoc(
            "asyncio,builtins,collections,concurrent,functools,itertools,json,math,os,pathlib,"
            "random,re,socket,threading"
        )
    )


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("uri", "kind", "declaration", "summary"),
    [
        ("pathlib", "module", "", ""),
        ("pathlib/path", "class", "class Path(", "PurePath subclass that can make"),
        ("pathlib/path/exists", "method", "def exists(self", "Whether this path exists."),
        ("asyncio/gather", "function", "def gather(*coros_or_futures,", "Return a future"),
        ("asyncio/queue", "class", "class Queue(", "A queue, useful for coordinating"),
        ("asyncio/taskgroup", "class", "class TaskGroup", "Asynchronous context manager"),
        ("asyncio/sleep", "function", "async def sleep(delay, result=None)", "Coroutine that"),
        ("collections/ordereddict", "class", "class OrderedDict(dict)", "Dictionary that remem"),
        ("collections/deque", "class", "class deque", ""),
        ("collections/abc/mapping", "class", "class Mapping(Collection)", "A Mapping is"),
        ("concurrent/futures/threadpoolexecutor", "class", "class ThreadPoolExecutor(", "Init"),
        ("functools/partial", "class", "class partial", "New function with partial"),
        ("itertools/chain", "class", "class chain", "Return a chain object"),
        ("json/jsondecoder", "class", "class JSONDecoder(object)", "Simple JSON"),
        ("json/loads", "function", "def loads(s, *, cls=None,", "Deserialize ``s``"),
        ("math/sqrt", "function", "def sqrt(x, /)", "Return the square root of x."),
        ("math/pi", "property", "pi = 3.14159", ""),
        ("os/path/join", "function", "def join(a, *p)", "Join two or more pathname"),
        ("os/getcwd", "function", "def getcwd()", "Return a unicode string"),
        ("os/environ", "property", "environ = _createenviron()", ""),
        ("random/shuffle", "function", "def shuffle(x)", "Shuffle list x in place"),
        ("re/pattern", "class", "class Pattern", "Compiled regular expression object."),
        ("socket/socket/recv", "method", "", "Receive up to buffersize bytes"),
        ("threading/lock", "class", "class Lock", ""),
        ("builtins/print", "function", "def print(*args, sep=' ',", "Prints the values"),
        ("builtins/dict/get", "method", "def get(self, key, default=None, /)", "Return the value"),
        ("builtins/keyerror", "class", "class KeyError(LookupError)", "Mapping key not found."),
    ],
)
def test_the_standard_library_is_found_where_people_look_for_it(
    standard: Mapping[str, Document], uri: str, kind: str, declaration: str, summary: str
) -> None:
    document = standard[f"pydoc://{uri}"]
    assert document.kind == kind
    assert document.declaration.startswith(declaration)
    assert document.summary.startswith(summary)
    assert document.language == "python"
    assert document.framework == uri.partition("/")[0]


def test_the_implementation_of_a_public_module_has_no_pages(
    standard: Mapping[str, Document],
) -> None:
    assert standard["pydoc://os/path/join"].module == "os.path"
    assert standard["pydoc://os/path"].title == "os.path"
    assert "pydoc://asyncio/tasks/gather" not in standard
    assert not [uri for uri in standard if uri.startswith(("pydoc://posix", "pydoc://_"))]


def test_bases_across_the_library_are_parents(standard: Mapping[str, Document]) -> None:
    assert standard["pydoc://pathlib/path"].parents == ("pydoc://pathlib/purepath",)
    assert standard["pydoc://collections/userdict"].parents == (
        "pydoc://collections/abc/mutablemapping",
    )
    assert standard["pydoc://json/jsondecodeerror"].parents == ("pydoc://builtins/valueerror",)


def test_nothing_of_this_machine_or_this_run_is_written_into_a_page(
    standard: Mapping[str, Document],
) -> None:
    home = str(sys.prefix)
    for document in standard.values():
        assert " at 0x" not in document.declaration
        assert home not in document.declaration


def test_the_whole_library_is_listed_without_its_tests_and_jokes() -> None:
    source = open_pydoc("stdlib")
    names = set(source.names)
    assert {"asyncio", "builtins", "math", "os", "sys", "typing", "__future__"} <= names
    assert not names & {"test", "idlelib", "this", "antigravity", "posixpath", "_thread"}
    assert source.count() == len(names)
    pages = {page.key: page.data for page in source.pages() if isinstance(page, Page)}
    assert set(pages) == names
    version = ".".join(map(str, sys.version_info[:3]))
    assert all(version.encode() in data for data in pages.values())
