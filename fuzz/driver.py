"""Attacks the readers with mutated input, and the writers with kills, for a bounded time.

    make fuzz                                             ten minutes, another seed every time
    make fuzz FUZZ_SECONDS=60
    .venv/bin/python fuzz/driver.py pages --seconds 30    one fuzzer
    .venv/bin/python fuzz/driver.py pages --seed 7 --case 123    one case again

A fuzzer is a file `fuzz_NAME.py` beside this one with a function `attack(random, folder)`: one
case, whose choices all come from `random`. It raises if something does not hold. A file with
`CASES` has that many cases, whatever the time; the others share the time equally. Each fuzzer
runs in a process of its own, so a crash of the interpreter is a failure and not the end.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).resolve().parent
HANG = 180
"""Seconds after which a case is a failure; no case takes a tenth of that on an idle machine."""
MOST_FAILURES = 5


def list_fuzzers() -> list[str]:
    """List the names of all fuzzers; those that count their cases come first."""
    names = sorted(path.stem.removeprefix("fuzz_") for path in FOLDER.glob("fuzz_*.py"))
    return sorted(names, key=lambda name: not name.startswith("kill"))


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("fuzzers", nargs="*", help=f"some of: {', '.join(list_fuzzers())}")
    parser.add_argument("--seconds", type=float, default=600, help="for all of them together")
    parser.add_argument("--seed", type=int, default=None, help="that of an earlier attack")
    parser.add_argument("--case", type=int, default=None, help="only this case, shown in full")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Run the fuzzers; exits with 1 if any case failed."""
    arguments = read_arguments()
    unknown = sorted(set(arguments.fuzzers) - set(list_fuzzers()))
    if unknown:
        sys.exit(f"there is no fuzzer {', '.join(unknown)}; there are {', '.join(list_fuzzers())}")
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(10**9)
    if arguments.inside:
        return attack_for(arguments.fuzzers[0], seed, arguments.seconds, arguments.case)
    names = arguments.fuzzers or list_fuzzers()
    print(f"seed {seed}, {arguments.seconds:g} s for {', '.join(names)}", flush=True)
    end = time.monotonic() + arguments.seconds
    failed = []
    for number, name in enumerate(names):
        share = max(end - time.monotonic(), 1) / (len(names) - number)
        if start(name, seed, share, arguments.case):
            failed.append(name)
    print(f"failed: {', '.join(failed)}; seed {seed}" if failed else "nothing failed", flush=True)
    return bool(failed)


def start(name: str, seed: int, seconds: float, case: int | None) -> int:
    """Run one fuzzer in a process of its own, in a folder that is removed afterwards."""
    folder = tempfile.mkdtemp(prefix=f"fuzz-{name}-")
    command = [sys.executable, __file__, "--inside", name, "--seed", str(seed)]
    command += ["--seconds", str(seconds), *(["--case", str(case)] if case is not None else [])]
    try:
        code = subprocess.run(command, check=False, cwd=folder).returncode
        if code < 0:
            at = (Path(folder) / "case").read_text()
            print(f"{name}: {signal.Signals(-code).name} in case {at}", flush=True)
            print(describe_again(name, seed, int(at)), flush=True)
        return code
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def attack_for(name: str, seed: int, seconds: float, only: int | None) -> int:
    """Attack until the time is over, or with the cases that the fuzzer counts."""
    fuzzer = importlib.import_module(f"fuzz_{name}")
    cases = getattr(fuzzer, "CASES", sys.maxsize)
    began = time.monotonic()
    failures = number = 0
    while number < cases and failures < MOST_FAILURES:
        if cases == sys.maxsize and time.monotonic() - began > seconds and number:
            break
        case = number if only is None else only
        failures += not survives(fuzzer.attack, name, seed, case)
        number += 1
        if only is not None:
            break
    passed = time.monotonic() - began
    summary = getattr(fuzzer, "summarise", lambda: "")()
    print(f"{name}: {number:,} cases, {failures} failed, {passed:.0f} s{summary}", flush=True)
    return bool(failures)


def survives(
    attack: Callable[[random.Random, Path], None], name: str, seed: int, case: int
) -> bool:
    """Run one case; a failure is shown with the command that repeats it."""
    Path("case").write_text(str(case))
    folder = Path("work")
    folder.mkdir(exist_ok=True)
    faulthandler.dump_traceback_later(HANG, exit=True)
    try:
        attack(random.Random(f"{seed} {name} {case}"), folder)
    except Exception:  # noqa: BLE001 - this is what is looked for
        traceback.print_exc()
        print(describe_again(name, seed, case), flush=True)
        return False
    finally:
        faulthandler.cancel_dump_traceback_later()
    return True


def describe_again(name: str, seed: int, case: int) -> str:
    """Say how a case is repeated."""
    return f"again: .venv/bin/python {FOLDER.name}/driver.py {name} --seed {seed} --case {case}"


if __name__ == "__main__":
    sys.exit(main())
