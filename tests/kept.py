"""What is dear to make and always comes out the same, kept between workers and between runs.

An index of a bundled corpus depends on the corpus, on the engine, and on what both stand on: the
hash of these names the folder in which it is kept. A changed byte makes it again.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["ENGINE", "make_once"]

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".pytest_cache" / "indexes"
ENGINE = (ROOT / "src" / "stacks", ROOT / "src" / "cranfield_shared", ROOT / "constraints.txt")
"""What decides how a corpus is made into an index."""
_SPARED = 3  # folders of one name: those of the branches one goes back and forth between


def make_once(name: str, made_of: Iterable[Path], make: Callable[[Path], object]) -> Path:
    """Return the folder that `make` filled; it is read by all, and nobody writes to it.

    Whoever comes first makes it, in this run or an earlier one, and all others wait.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    whole = hashlib.sha256(sys.version.encode())
    for path in (*ENGINE, *made_of):
        whole.update(_hash(path))
    kept = FOLDER / f"{name}-{whole.hexdigest()[:16]}"
    with (FOLDER / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            making = FOLDER / f"{name}.making"
            shutil.rmtree(making, ignore_errors=True)
            make(making)
            making.rename(kept)
            _remove_older(name)
    return kept


def _remove_older(name: str) -> None:
    kept = [path for path in FOLDER.glob(f"{name}-*") if len(path.name) == len(name) + 17]
    kept.sort(key=lambda path: path.stat().st_mtime)
    for path in kept[:-_SPARED]:
        shutil.rmtree(path, ignore_errors=True)


@cache
def _hash(path: Path) -> bytes:
    """Hash a file, or all files of a folder but for what tests and runs leave there."""
    whole = hashlib.sha256()
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    for file in files:
        if file.is_file() and "__pycache__" not in file.parts:
            whole.update(str(file.relative_to(path)).encode() + b"\0")
            whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.digest()
