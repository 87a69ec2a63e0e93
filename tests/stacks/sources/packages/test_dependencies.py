"""Dependencies, as manifests write them."""

from __future__ import annotations

import pytest

from stacks.model import Dependency
from stacks.sources.packages.dependencies import read_requirements, read_swift_dependencies


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("requests", Dependency("requests")),
        ("Typing_Extensions>=4.0", Dependency("typing-extensions", ">=4.0")),
        ("requests[socks,use] (>=2.0,<3)", Dependency("requests", ">=2.0,<3")),
        ("tool @ https://example.com/t.zip", Dependency("tool", "", "https://example.com/t.zip")),
    ],
)
def test_a_python_requirement_is_a_name_and_versions(written: str, expected: Dependency) -> None:
    assert list(read_requirements([written])) == [expected]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "https://github.com/apple/Swift-NIO.git 2.0.0",
            Dependency("swift-nio", "2.0.0", "https://github.com/apple/Swift-NIO.git"),
        ),
        ("../Local", Dependency("local", "", "../Local")),
        ("mona.LinkedList 1.0.0", Dependency("mona.linkedlist", "1.0.0")),
    ],
)
def test_a_swift_dependency_is_named_by_its_address(written: str, expected: Dependency) -> None:
    assert list(read_swift_dependencies([written])) == [expected]


def test_what_names_nothing_is_no_dependency() -> None:
    assert not list(read_requirements(["", "  ", ">=2"]))
    assert not list(read_swift_dependencies(["", "/"]))
