"""Fetch a large file in pieces and go on where the last attempt stopped."""

import sys
import urllib.request
from pathlib import Path

PIECE = 1 << 20


def fetch(url, target):
    path = Path(target)
    have = path.stat().st_size if path.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"})
    with urllib.request.urlopen(request) as answer, path.open("ab") as file:
        while piece := answer.read(PIECE):
            file.write(piece)
            print(f"\r{file.tell() >> 20} MB", end="", file=sys.stderr)


if __name__ == "__main__":
    fetch(*sys.argv[1:3])
