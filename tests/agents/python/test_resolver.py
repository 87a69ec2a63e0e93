"""Names of Python answers are found, missing, of another version, or unknown."""

from __future__ import annotations

from functools import cache

import pytest

from cranfield.agents.answer_checks import NameReference, ReferenceState
from cranfield.agents.python.resolver import resolve_answers
from cranfield.agents.tasks import TaskTarget

pytestmark = [pytest.mark.process, pytest.mark.corpus, pytest.mark.xdist_group("names")]
"""One worker reads the stubs of Python's versions, for these and the bundled tasks."""

FOUND, MISSING = ReferenceState.FOUND, ReferenceState.MISSING
OTHER, UNKNOWN = ReferenceState.OTHER_VERSION, ReferenceState.UNKNOWN

# Each case: code, the symbol (its end), and what is known of it in Python 3.12 with httpx.
CASES = {
    "module": ("import tomlib", "tomlib", MISSING),
    "module of another package": ("import msgspec", "msgspec", MISSING),
    "module removed": ("import distutils", "distutils", OTHER),
    "imported name": ("from itertools import batch", "itertools.batch", MISSING),
    "new name": ("from itertools import batched", "itertools.batched", FOUND),
    "later starred name": ("import asyncio\nasyncio.QueueShutDown", "QueueShutDown", OTHER),
    "later name": ("from copy import replace", "copy.replace", OTHER),
    "alias": ("import os.path as p\np.exist('a')", "exist", MISSING),
    "name of a module": ("import math\nmath.square(2)", "math.square", MISSING),
    "assignment": ("from pathlib import Path\np = Path('a')\np.reed_text()", "reed_text", MISSING),
    "call": ("import re\nre.compile('a').search('b').grup()", "grup", MISSING),
    "with": ("with open('a') as s:\n    s.readtext()", "readtext", MISSING),
    "for": ("for name in ['a']:\n    name.uper()", "uper", MISSING),
    "comprehension": ("[n.uper() for n in ('a', 'b')]", "uper", MISSING),
    "annotation": ("from datetime import date\ndef f(d: date):\n    d.iso()", "iso", MISSING),
    "in an annotation": ("import datetime\nd: datetime.Date", "datetime.Date", MISSING),
    "inheritance": (
        "import threading\nclass T(threading.Thread):\n    def run(self):\n        self.stop()",
        "T.stop",
        MISSING,
    ),
    "inherited": (
        "import threading\nclass T(threading.Thread):\n    def go(self):\n        self.start()",
        "T.start",
        FOUND,
    ),
    "own attribute": (
        "class A:\n    def __init__(self): self.x = 1\n    def f(self): return self.x",
        "A.x",
        FOUND,
    ),
    "class method": (
        "from datetime import datetime\ndatetime.now().tostring()",
        "tostring",
        MISSING,
    ),
    "keyword": ("import subprocess\nsubprocess.run(['a'], timeot=1)", "(timeot=)", MISSING),
    "known keyword": ("import subprocess\nsubprocess.run(['a'], timeout=1)", "(timeout=)", FOUND),
    "later keyword": (
        "from pathlib import Path\nPath('a').read_text(newline='')",
        "(newline=)",
        OTHER,
    ),
    "any keyword": ("import json\njson.dumps(1, indnt=2)", "(indnt=)", UNKNOWN),
    "package keyword": ("import httpx\nhttpx.Client(proxies={})", "(proxies=)", MISSING),
    "package method": ("import httpx\nhttpx.get('a').jsn()", "jsn", MISSING),
    "untyped argument": ("def f(x):\n    return x.anything", "anything", UNKNOWN),
    "json": ("import json\njson.loads('{}').anything", "anything", UNKNOWN),
    "optional": ("import re\nre.match('a', 'b').group()", "group", FOUND),
    "attribute found at run time": (
        "class A:\n    def __getattr__(self, name): return 1\nA().anything",
        "anything",
        UNKNOWN,
    ),
    "guarded import": (
        "try:\n    import numpie\nexcept ImportError:\n    numpie = None",
        "numpie",
        UNKNOWN,
    ),
    "later module, guarded": (
        "import sys\nif sys.version_info >= (3, 14):\n    import annotationlib",
        "annotationlib",
        UNKNOWN,
    ),
    "version that is the target's": (
        "import sys\nif sys.version_info >= (3, 12):\n    import tomlib",
        "tomlib",
        MISSING,
    ),
    "version that is not the target's": (
        "import sys\nif not sys.version_info < (3, 12):\n    pass\nelse:\n    import tomlib",
        "tomlib",
        UNKNOWN,
    ),
    "import for type checkers": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pathlib import Pth",
        "Pth",
        MISSING,
    ),
    "stub for type checkers": (
        "import typing\nif typing.TYPE_CHECKING:\n    from _typeshed import StrPath",
        "StrPath",
        FOUND,
    ),
    "names made at run time": ("globals().update(x=1)\nx", "x", UNKNOWN),
    "another platform": ("import os\nos.startfile('a')", "startfile", UNKNOWN),
    "abstract type": (
        "from collections.abc import Mapping\ndef f(m: Mapping): m.copy()",
        "copy",
        UNKNOWN,
    ),
    "property without a setter": (
        "class A:\n @property\n def b(self): return 1\n @b.deleter\n def b(self): pass\nA().c",
        "A.c",
        MISSING,
    ),
    "undefined name": ("prnt('a')", "prnt", MISSING),
    "private name of the standard library": (
        "import threading\nthreading._shutdown()",
        "_shutdown",
        UNKNOWN,
    ),
    "asynchronous": (
        "import asyncio\nasync def f():\n    async with asyncio.timeout(1) as t: t.cancel()",
        "cancel",
        MISSING,
    ),
    "decorator": (
        "import functools\n@functools.cached\ndef f(): pass",
        "functools.cached",
        MISSING,
    ),
}


@cache
def resolved() -> dict[str, tuple[NameReference, ...]]:
    codes = tuple(case[0] for case in CASES.values())
    found = resolve_answers(codes, TaskTarget(python="3.12", packages=("httpx",)))
    assert not any(each.problem for each in found)
    return {name: each.references for name, each in zip(CASES, found, strict=True)}


@pytest.mark.parametrize("name", CASES)
def test_a_name_is_looked_up_where_it_comes_from(name: str) -> None:
    _, symbol, state = CASES[name]
    found = [each for each in resolved()[name] if each.symbol.endswith(symbol)]
    assert [each.state for each in found] == [state], resolved()[name]
    others = [each for each in resolved()[name] if each not in found and each.state is MISSING]
    assert not others


def test_a_reference_has_its_place_and_what_is_near() -> None:
    [reference] = [each for each in resolved()["assignment"] if each.state is MISSING]
    assert (reference.line, reference.column) == (3, 3)
    assert reference.symbol == "pathlib.Path.reed_text"
    assert "read_text" in reference.reason


def test_another_version_is_named() -> None:
    [later] = [each for each in resolved()["later name"] if each.state is OTHER]
    [gone] = [each for each in resolved()["module removed"] if each.state is OTHER]
    assert later.reason == "it was added in Python 3.13"
    assert gone.reason == "it was removed in Python 3.12"


def test_marks_of_deprecation_are_read() -> None:
    code = (
        "import asyncio, datetime, cgi\n"
        "datetime.datetime.utcnow().replace(tzinfo=None)\n"
        "asyncio.get_child_watcher()"
    )
    [found] = resolve_answers((code,), TaskTarget(python="3.12"))
    marked = {each.symbol for each in found.references if each.deprecated}
    assert {"datetime.datetime.utcnow", "cgi"} <= marked
    assert any("get_child_watcher" in each for each in marked)


def test_code_that_does_not_parse_spoils_no_other() -> None:
    first, second = resolve_answers(("def (", "import nope"), TaskTarget(python="3.12"))
    assert first.problem == "the code does not parse"
    assert [each.state for each in second.references] == [MISSING]


def test_a_package_that_is_not_installed_is_unknown() -> None:
    target = TaskTarget(python="3.12", packages=("no-such-package",))
    [found] = resolve_answers(("import no_such_package\nno_such_package.f()",), target)
    assert {each.state for each in found.references} == {UNKNOWN}
    assert "is not installed here" in found.references[0].reason


def test_another_version_of_a_package_is_unknown() -> None:
    target = TaskTarget(python="3.12", packages=("httpx<0.1",))
    [found] = resolve_answers(("import httpx\nhttpx.nothing",), target)
    assert FOUND not in {each.state for each in found.references}
    assert MISSING not in {each.state for each in found.references}


def test_an_old_version_of_python_is_unknown() -> None:
    [found] = resolve_answers(("import os",), TaskTarget(python="3.6"))
    assert "nothing is known of Python 3.6" in found.problem


def test_a_module_that_finds_its_names_at_run_time_is_asked() -> None:
    code = "from pydantic import TypeAdapter, TypeAdapterz"
    [found] = resolve_answers((code,), TaskTarget(python="3.11", packages=("pydantic",)))
    states = {each.symbol: each.state for each in found.references}
    assert states["pydantic.TypeAdapter"] is FOUND
    assert states["pydantic.TypeAdapterz"] is MISSING
