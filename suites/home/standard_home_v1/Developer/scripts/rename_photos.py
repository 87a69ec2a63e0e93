"""Give photos the date they were taken as their name."""

import sys
from pathlib import Path

from PIL import Image

TAKEN = 36867


def new_name(path):
    with Image.open(path) as image:
        taken = image.getexif().get(TAKEN)
    return None if not taken else taken.replace(":", "-").replace(" ", "_") + path.suffix.lower()


for folder in sys.argv[1:]:
    for path in sorted(Path(folder).glob("*.jp*g")):
        name = new_name(path)
        if name and not path.with_name(name).exists():
            print(path.name, "->", name)
            path.rename(path.with_name(name))
