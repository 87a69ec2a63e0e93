"""How soon `cranfield --help` answers, against a Python that does nothing and one with numpy."""

from __future__ import annotations

import subprocess
import sys
import time

LIMIT = 0.3
"""Seconds within which the help page must be there."""


def best_of(command: list[str], rounds: int = 7) -> float:
    """Return the fastest of several runs of a command."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Time the three and exit with 1 if the promise was not kept."""
    help_page = best_of([sys.executable, "-m", "cranfield", "--help"])
    print(f"python -c pass          {best_of([sys.executable, '-c', 'pass']):.3f} s")
    print(f"python -c import numpy  {best_of([sys.executable, '-c', 'import numpy']):.3f} s")
    kept = "yes" if help_page < LIMIT else "NO"
    print(f"cranfield --help        {help_page:.3f} s  (promised {LIMIT:g} s: {kept})")
    sys.exit(help_page >= LIMIT)


if __name__ == "__main__":
    main()
