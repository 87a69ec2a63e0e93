"""Public collections, and the markers of tests that need more than this process."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer.main
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from hypothesis import HealthCheck, settings

from real_data import COLLECTIONS, reason_to_skip
from tests import cpu_time
from tests.databases import postgres_server

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from tests.databases import PostgresServer

# Shared machines stall for seconds at times; a slow example is not a wrong one.
settings.register_profile(
    "test", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25
)
settings.register_profile("quick", settings.get_profile("test"), max_examples=15)
settings.register_profile("thorough", settings.get_profile("test"), max_examples=300)
settings.load_profile("test")

# A shell that starts the tests in the background, or `nohup`, has them ignore signals, and so do
# the processes that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# What a project calls python3 is the Python of the tests, and no script that first looks for one.
os.environ["PATH"] = os.pathsep.join(
    [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
)
# A machine that stalls for seconds is not a broken server: by default httpx waits 5 s.
for _part in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, _part, 60.0)
# Ray's workers would wait for all other tests.
os.environ.setdefault("RAY_worker_niceness", "0")


# A command is made of its functions once, and not for each of the thousands that tests run here.
typer.main.get_command = cache(typer.main.get_command)

_LONGEST_ID = 40


def pytest_addoption(parser: pytest.Parser) -> None:
    cpu_time.add_option(parser)
    parser.addoption("--golden", action="store_true", help="write tests/golden/texts again")
    parser.addoption(
        "--thorough",
        action="store_true",
        help="run cases marked thorough too, laws with 300 examples, simulations with all draws",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(cpu_time.CpuTime(config), "cpu_time")
    if config.getoption("--thorough"):
        settings.load_profile("thorough")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a law that names its number of examples no more than the profile has, or no fewer."""
    test = getattr(item, "obj", None)
    law: Any = getattr(test, "__func__", test)
    own: settings | None = getattr(law, "_hypothesis_internal_use_settings", None)
    if own is None:
        return
    usual = _usual_settings().max_examples
    choose = max if item.config.getoption("--thorough") else min
    count = choose(own.max_examples, usual)
    if count != own.max_examples:
        law._hypothesis_internal_use_settings = settings(own, max_examples=count)


def _usual_settings() -> settings:
    """Those of the profile that was chosen."""
    assert settings.default is not None
    return settings.default


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only nights and releases wait for."""
    if config.getoption("--thorough"):
        return
    kept = [item for item in items if item.get_closest_marker("thorough") is None]
    left = [item for item in items if item.get_closest_marker("thorough") is not None]
    config.hook.pytest_deselected(items=left)
    items[:] = kept


@pytest.fixture(scope="session")
def draws(pytestconfig: pytest.Config) -> Callable[[int], int]:
    """Say how often a simulation draws: a fifth of what `make thorough` does."""
    return (lambda count: count) if pytestconfig.getoption("--thorough") else (lambda n: n // 5)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a long text by its beginning: workers send each other the names of all tests."""
    if isinstance(val, str | bytes) and len(val) > _LONGEST_ID:
        return f"{argname} of {len(val)}: {val[: _LONGEST_ID // 2]!r}"
    return None


def pytest_collection_finish() -> None:
    """Spare the collector the tests themselves: they stay until the end."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _process_as_it_was() -> Iterator[None]:
    """Take back what commands run in this process leave in it, so tests keep to no order.

    A system in Python adds its folder to where modules are found, and its modules to those loaded;
    Inspect and `stacks serve` set levels of logging.
    """
    path, modules = list(sys.path), len(sys.modules)
    loggers = [logging.getLogger(name) for name in ("", "cranfield", "stacks")]
    levels = [logger.level for logger in loggers]
    yield
    added = set(sys.path) - set(path)
    sys.path[:] = path
    for name in list(islice(sys.modules, modules, None)):  # the last are those loaded since
        origin = getattr(sys.modules[name], "__file__", None)
        if origin is not None and str(Path(origin).parent) in added:
            del sys.modules[name]
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@pytest.fixture(scope="session")
def collections() -> Path:
    if not COLLECTIONS.is_dir():
        pytest.skip(reason_to_skip())
    return COLLECTIONS


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server for all tests of a session, which mark themselves `xdist_group("postgres")`."""
    with postgres_server() as server:
        yield server


# `make quick` runs the tests that are not marked. So that a marker is not forgotten, a test that
# starts a process or listens on a port without saying so fails there.
_MARKERS = {
    "subprocess.Popen": "process",
    "os.fork": "process",
    "os.posix_spawn": "process",
    "socket.bind": "server",
}
_used: set[str] = set()


def _watch(event: str, _: tuple[Any, ...]) -> None:
    if event in _MARKERS:
        _used.add(_MARKERS[event])


sys.addaudithook(_watch)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    _used.clear()
    yield
    missing = sorted(name for name in _used if item.get_closest_marker(name) is None)
    if missing and item.config.option.markexpr:
        marks = " ".join(f"@pytest.mark.{name}" for name in missing)
        pytest.fail(f"this test needs more than its own process; mark it: {marks}")


@pytest.fixture(scope="session")
def cluster() -> Iterator[None]:
    """A Ray cluster on this machine, with two workers at a time.

    One for all tests of a session, which mark themselves `xdist_group("ray")`.
    """
    os.environ.setdefault("RAY_TQDM_PATCH_PRINT", "0")  # what other tests print is their own
    ray = pytest.importorskip("ray", reason="the extra ray is not installed")
    ray.init(
        num_cpus=2, object_store_memory=80_000_000, include_dashboard=False, log_to_driver=False
    )
    yield
    ray.shutdown()
