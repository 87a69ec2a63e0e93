"""Move what has been lying in Downloads for a month into folders by kind."""

import shutil
import time
from pathlib import Path

DOWNLOADS = Path.home() / "Downloads"
KINDS = {
    ".dmg": "old installers",
    ".pkg": "old installers",
    ".jpg": "pictures",
    ".png": "pictures",
    ".pdf": "papers",
}
MONTH = 30 * 24 * 3600


def main():
    for path in DOWNLOADS.iterdir():
        folder = KINDS.get(path.suffix.lower())
        if path.is_file() and folder and time.time() - path.stat().st_mtime > MONTH:
            target = DOWNLOADS / folder
            target.mkdir(exist_ok=True)
            shutil.move(path, target / path.name)


if __name__ == "__main__":
    main()
