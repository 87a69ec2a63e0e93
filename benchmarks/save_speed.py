"""How long real documentation takes to save: Swift's four sources, Python's standard library.

The Swift corpora are read from the folder that `real_data.py` names; if they are not
there, only Python is saved.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from real_data import COLLECTIONS, reason_to_skip
from stacks.index import Request, save

SWIFT = COLLECTIONS / "swift"
CORPORA = {
    "Swift: DocC, evolution, book, swift.org": (
        90.0,
        [
            f"apple-docs={SWIFT / 'stdlib_docc.tar.gz'}",
            f"swift-evolution={SWIFT / 'evolution'}",
            f"swift-book={SWIFT / 'book'}",
            f"swift-org={SWIFT / 'org'}",
        ],
    ),
    "Python: the standard library": (60.0, ["pydoc=stdlib"]),
}


def main() -> int:
    """Print the table; exit with 1 where a promise is not kept."""
    kept = True
    for name, (most, locations) in CORPORA.items():
        if "Swift" in name and not SWIFT.exists():
            print(f"not measured: {name}: {reason_to_skip('swift')}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            (saved,) = save([Request.parse(each) for each in locations], Path(folder))
            seconds = time.perf_counter() - began
            size = saved.path.stat().st_size / 1e6
        verdict = "kept" if seconds < most else "NOT KEPT"
        kept = kept and seconds < most
        print(
            f"{verdict}: {name}: {saved.documents:,} documents, {size:.1f} MB, {seconds:.1f} s,",
            end=" ",
        )
        print(f"under {most:g}", flush=True)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
