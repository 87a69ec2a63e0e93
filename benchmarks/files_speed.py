"""How long a desktop's files take to save, and how much memory: 10,000 of mixed kinds.

The files are the same every time. Each is text in words that follow no language; documents are
made from a template of their format with other text in its place, so making them does not
take longer than reading them. A few are hostile: a zip bomb, a password, half a document, a sparse
file of 2 GB, a pipe, a name that is not UTF-8. A quarter of the files is saved first, in a process
of its own, then all of them: where memory is flat, the peak grows by no more than the cache that
SQLite fills.

Run as `python files_speed.py FOLDER` it saves a folder that is there and prints what it took.
"""

from __future__ import annotations

import io
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docx
import fpdf
import openpyxl
import pptx

from stacks.index import Request, save

if TYPE_CHECKING:
    from collections.abc import Callable

FILES, QUARTERS = 10_000, 4
MOST_SECONDS = 180.0
MOST_GROWTH = 128.0  # MB from a quarter of the files to all: what SQLite may keep of its file
WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
MARK = "PLACEHOLDER"
LINE, LINES = 80, 90  # of a PDF
SYLLABLE_TEXT = "ba co di fu ge ha ji ko lu ma ne po qua re si to vu wa xi yo za ster ment pro con"
SYLLABLES = SYLLABLE_TEXT.split()


class Words:
    """Words of a vocabulary, common ones more often, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - repeatable, not secret
        self.words = ["".join(self.random.choices(SYLLABLES, k=1 + i % 4)) for i in range(20_000)]

    def draw(self, count: int) -> list[str]:
        """Draw that many words."""
        return [self.words[int(20_000 * self.random.random() ** 3)] for _ in range(count)]

    def paragraphs(self, least: int, most: int) -> list[str]:
        """Make paragraphs of 50 words."""
        return [" ".join(self.draw(50)) for _ in range(self.random.randint(least, most))]


def make_text(words: Words) -> bytes:
    """Make a Markdown or plain text of 1 to 8 kB."""
    return ("# " + "\n\n".join(words.paragraphs(3, 25))).encode()


def make_code(words: Words) -> bytes:
    """Make a module of functions."""
    names = words.draw(60)
    functions = [
        f"def {a}_{b}(value):\n    # {' '.join(words.draw(8))}\n    return {b}{a.title()}(value)\n"
        for a, b in zip(names[::2], names[1::2], strict=True)
    ]
    return "\n".join(functions).encode()


def make_table(words: Words) -> bytes:
    """Make a CSV of 100 rows."""
    return "\n".join(",".join(words.draw(6)) for _ in range(100)).encode()


def make_json(words: Words) -> bytes:
    """Make an object of 100 pairs."""
    return json.dumps(dict(zip(words.draw(100), words.draw(100), strict=True)), indent=1).encode()


def make_page(words: Words) -> bytes:
    """Make a web page."""
    body = "".join(f'<div class="x"><p>{text}</p></div>' for text in words.paragraphs(5, 25))
    title = " ".join(words.draw(4))
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode()


def make_image(words: Words) -> bytes:
    """Make bytes that look like a picture."""
    return b"\x89PNG\r\n\x1a\n" + words.random.randbytes(2000)


def make_pdf_template(password: str = "") -> bytes:
    """Make a PDF whose text can be replaced in place."""
    document = fpdf.FPDF()
    document.set_compression(False)
    if password:
        document.set_encryption("owner", password)
    document.add_page()
    document.set_font("courier", size=9)
    for number in range(LINES):
        document.cell(0, 5, f"{MARK}{number:04d}".ljust(LINE, "x"), new_x="LMARGIN", new_y="NEXT")
    return bytes(document.output())


def make_pdf(template: bytes) -> Callable[[Words], bytes]:
    """Return what makes a PDF; no place in the file moves."""

    def make(words: Words) -> bytes:
        data = template
        for number in range(LINES):
            mark = f"{MARK}{number:04d}".ljust(LINE, "x")
            data = data.replace(mark.encode(), " ".join(words.draw(12))[:LINE].ljust(LINE).encode())
        return data

    return make


def make_packed(document: Any, member: str, parts: int) -> Callable[[Words], bytes]:
    """Return what makes an office file from one that holds the mark."""
    buffer = io.BytesIO()
    document.save(buffer)
    with zipfile.ZipFile(buffer) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}

    def make(words: Words) -> bytes:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, data in members.items():
                text = data
                for number in range(parts if name == member else 0):
                    mark = f"{MARK}{number:04d}".encode()
                    text = text.replace(mark, " ".join(words.draw(12)).encode())
                archive.writestr(name, text)
        return packed.getvalue()

    return make


def make_makers() -> dict[str, tuple[int, Callable[[Words], bytes]]]:
    """Say how many of a hundred files have which ending, and how one is made."""
    letter = docx.Document()
    for number in range(40):
        letter.add_paragraph(f"{MARK}{number:04d}")
    book = openpyxl.Workbook()
    for number in range(0, 300, 6):
        book.active.append([f"{MARK}{number + column:04d}" for column in range(6)])
    slides = pptx.Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text = f"{MARK}0000"
    slide.placeholders[1].text = "\n".join(f"{MARK}{number:04d}" for number in range(1, 10))
    return {
        "md": (15, make_text),
        "txt": (15, make_text),
        "py": (8, make_code),
        "go": (7, make_code),
        "csv": (8, make_table),
        "json": (7, make_json),
        "html": (10, make_page),
        "pdf": (8, make_pdf(make_pdf_template())),
        "docx": (6, make_packed(letter, "word/document.xml", 40)),
        "xlsx": (4, make_packed(book, "xl/sharedStrings.xml", 300)),
        "pptx": (3, make_packed(slides, "ppt/slides/slide1.xml", 10)),
        "png": (6, make_image),
        "unknown": (3, make_image),
    }


def write_files(folder: Path) -> None:
    """Write the files, a quarter of them in each of four folders, and the hostile ones."""
    makers = make_makers()
    endings = [ending for ending, (share, _) in makers.items() for _ in range(share)]
    hostile = make_hostile(makers)
    for quarter in range(QUARTERS):
        words = Words(quarter)
        below = folder / f"quarter-{quarter}"
        for number in range(FILES // QUARTERS - len(hostile) - 2):
            ending = endings[number % 100]
            place = below / f"{words.draw(1)[0]}-{number % 50}"
            place.mkdir(parents=True, exist_ok=True)
            name = f"{'-'.join(words.draw(2))}-{number}.{ending}"
            (place / name).write_bytes(makers[ending][1](words))
        for raw, data in hostile.items():
            with open(os.fsencode(below) + b"/" + raw, "wb") as file:  # noqa: PTH123 - bytes
                file.write(data)
        os.mkfifo(below / "pipe.txt")
        with (below / "sparse.txt").open("wb") as file:
            file.truncate(2 * 2**30)


def make_hostile(makers: dict[str, tuple[int, Callable[[Words], bytes]]]) -> dict[bytes, bytes]:
    """Make the files that must stop nothing."""
    letter, book = (makers[ending][1](Words(0)) for ending in ("docx", "xlsx"))
    bomb = io.BytesIO(book)
    with (
        zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("xl/worksheets/sheet2.xml", "w", force_zip64=True) as stream,
    ):
        for _ in range(1024):
            stream.write(bytes(2**20))
    return {
        b"bomb.xlsx": bomb.getvalue(),
        b"half.docx": letter[: len(letter) // 2],
        b"locked.pdf": make_pdf_template("secret"),
        b"garbage.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 40,
        b"caf\xe9.txt": b"a name that is not UTF-8",
        b".env": b"TOKEN=secret\n",
    }


def save_folder(folder: Path) -> dict[str, float]:
    """Save a folder, and say what that took."""
    with tempfile.TemporaryDirectory() as to:
        began = time.perf_counter()
        (saved,) = save([Request.parse(f"files={folder}")], Path(to))
        seconds = time.perf_counter() - began
    peaks = [resource.getrusage(who).ru_maxrss for who in WHO]
    names = saved.audit.counts["name-only"]
    return {
        "documents": saved.documents,
        "by name": names,
        "skipped": saved.audit.counts["unreadable"],
        "seconds": seconds,
        "peak": peaks[0] / 1024,
        "helper": peaks[1] / 1024,
    }


def measure(folder: Path) -> dict[str, float]:
    """Save a folder in a process of its own, since a peak stays, and print what that took."""
    run = subprocess.run(
        [sys.executable, __file__, str(folder)], check=True, stdout=subprocess.PIPE, text=True
    )
    took: dict[str, float] = json.loads(run.stdout)
    print(
        f"{took['documents']:,.0f} documents ({took['by name']:,.0f} by name alone), "
        f"{took['skipped']:.0f} skipped: {took['seconds']:.1f} s, "
        f"{took['documents'] / took['seconds']:,.0f} files/s, peak {took['peak']:.0f} MB, "
        f"of the process that extracts text {took['helper']:.0f} MB",
        flush=True,
    )
    return took


def main() -> int:
    """Print both measurements; exit with 1 where a promise is not kept."""
    if len(sys.argv) > 1:
        print(json.dumps(save_folder(Path(sys.argv[1]))))
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "desktop"
        began = time.perf_counter()
        write_files(folder)
        print(f"{FILES:,} files made in {time.perf_counter() - began:.1f} s", flush=True)
        quarter, whole = measure(folder / "quarter-0"), measure(folder)
    growth = whole["peak"] - quarter["peak"]
    kept = whole["seconds"] < MOST_SECONDS and growth < MOST_GROWTH
    print(
        f"{'kept' if kept else 'NOT KEPT'}: {FILES:,} files in {whole['seconds']:.1f} s, "
        f"under {MOST_SECONDS:g}; the peak grows by {growth:.0f} MB, under {MOST_GROWTH:g}"
    )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
