"""The exceptions are those of the tree that is drawn."""

from __future__ import annotations

import re

import cranfield.relevance
import cranfield.systems  # noqa: F401 - nothing of it adds to the tree
from cranfield import errors
from cranfield.errors import CranfieldError, InputError, UnknownNameError


def subclasses(error: type[Exception]) -> set[type[Exception]]:
    return {each for direct in error.__subclasses__() for each in (direct, *subclasses(direct))}


def test_the_drawn_tree_has_every_exception_below_its_parent() -> None:
    drawn = re.findall(r"^    ([│ ]*)[├└]── (\w+)", errors.__doc__ or "", re.M)
    parents: dict[str, str] = {}
    outer = ""
    for inside, name in drawn:
        parents[name] = outer if inside else "CranfieldError"
        outer = outer if inside else name
    assert {each.__name__: each.__base__ for each in subclasses(CranfieldError)} == {
        name: getattr(errors, parent) for name, parent in parents.items()
    }
    assert sorted([*parents, "CranfieldError"]) == sorted(errors.__all__)


def test_an_input_error_starts_with_its_place() -> None:
    assert str(InputError("is empty", file="a.toml")) == "a.toml: is empty"
    problem = InputError("is empty", file="a.toml", line=3)
    assert (str(problem), problem.file, problem.line) == ("a.toml:3: is empty", "a.toml", 3)


def test_an_unknown_name_suggests_near_ones_or_lists_all() -> None:
    near = UnknownNameError("rule", "match", ["matches", "ids"])
    assert (str(near), near.name) == ("unknown rule 'match': did you mean matches?", "match")
    assert str(UnknownNameError("rule", "zzz", ["b", "a"])) == "unknown rule 'zzz': known: a, b"
