"""What the package offers, and what importing it costs."""

import dataclasses
import inspect
import subprocess
import sys
from enum import Enum

import pytest

import cranfield.statistics


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    for name in cranfield.statistics.__all__:
        thing = getattr(cranfield.statistics, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__doc__, name


def test_every_result_is_a_frozen_dataclass() -> None:
    for name in cranfield.statistics.__all__:
        thing = getattr(cranfield.statistics, name)
        if inspect.isclass(thing) and not issubclass(thing, Enum):
            assert dataclasses.is_dataclass(thing), name
            assert thing.__dataclass_params__.frozen, name  # type: ignore[attr-defined]


@pytest.mark.process
def test_importing_the_package_does_not_import_scipy() -> None:
    program = (
        "import sys, cranfield.statistics;"
        "sys.exit(any(name.split('.')[0] == 'scipy' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
