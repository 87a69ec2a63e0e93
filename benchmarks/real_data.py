"""Where the public collections are that benchmarks and some tests measure on.

They are not part of the repository. The environment variable CRANFIELD_COLLECTIONS names their
folder; without it they are looked for in `../shared/data`. What needs them is skipped if they are
not there, and says so.
"""

from __future__ import annotations

import os
from pathlib import Path

COLLECTIONS = Path(
    os.environ.get("CRANFIELD_COLLECTIONS")
    or Path(__file__).resolve().parents[2] / "shared" / "data"
)


def reason_to_skip(name: str = "") -> str:
    """Say why something is skipped that needs a collection: it is not there."""
    return f"there is no {COLLECTIONS / name}; CRANFIELD_COLLECTIONS names the folder"
