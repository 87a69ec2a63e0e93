"""Find files with the same content, whatever their name."""

import hashlib
import sys
from collections import defaultdict
from pathlib import Path


def digest(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def twins(folder):
    by_size = defaultdict(list)
    for path in Path(folder).rglob("*"):
        if path.is_file():
            by_size[path.stat().st_size].append(path)
    by_digest = defaultdict(list)
    for paths in by_size.values():
        if len(paths) > 1:
            for path in paths:
                by_digest[digest(path)].append(path)
    return [paths for paths in by_digest.values() if len(paths) > 1]


if __name__ == "__main__":
    for group in twins(sys.argv[1]):
        print(*group, sep="\n", end="\n\n")
