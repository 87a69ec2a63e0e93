"""Build the binary files of the home fixture from the readable sources beside this script.

Documents are written in a light markup: the first line is the title, then paragraphs, `# `
headings, `- ` list items, `| a | b |` table rows and `----` for a new page. The path below
`sources/documents` is the path in the fixture with `.txt` after it. Sheets, images, sounds and
opaque files stand in TOML tables. The same sources give the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import re
import tomllib
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docx
import fpdf
import openpyxl
import pptx
from openpyxl.styles import Font
from PIL import Image, ImageDraw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
HOME = HERE / "standard_home_v1"

AUTHOR = "Rex Marsh"
WRITTEN = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
_ZIP_TIME = (2026, 2, 1, 9, 0, 0)
_MODIFIED = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")

# MPEG 1 layer III, 128 kbit/s, 44.1 kHz, stereo: such a frame is 417 bytes, and zeros are silence.
_SILENT_FRAME = b"\xff\xfb\x90\x00" + bytes(413)
_ID3_FIELDS = {"title": b"TIT2", "artist": b"TPE1", "album": b"TALB", "year": b"TYER"}


@dataclass(frozen=True)
class Block:
    """One piece of a document: heading, item, row, page or text."""

    kind: str
    text: str

    @property
    def cells(self) -> list[str]:
        """The cells of a table row."""
        return [cell.strip() for cell in self.text.strip().strip("|").split("|")]


@dataclass(frozen=True)
class Document:
    """A title and what follows it."""

    title: str
    blocks: tuple[Block, ...]

    @classmethod
    def parse(cls, text: str) -> Document:
        """Read the light markup; lines of one paragraph are joined."""
        title, _, body = text.partition("\n")
        return cls(title.strip(), tuple(_blocks(body)))


_MARKS = (("# ", "heading"), ("- ", "item"), ("|", "row"), ("----", "page"))


def _blocks(body: str) -> Iterator[Block]:
    for paragraph in re.split(r"\n\s*\n", body.strip()):
        plain: list[str] = []
        for line in paragraph.splitlines():
            marked = next(((mark, kind) for mark, kind in _MARKS if line.startswith(mark)), None)
            if marked is None:
                plain.append(line.strip())
            else:
                mark, kind = marked
                yield Block(kind, line if kind == "row" else line[len(mark) :].strip())
        if plain:
            yield Block("text", " ".join(plain))


def write_pdf(document: Document) -> bytes:
    """Set the document in the fonts every reader has."""
    pdf = fpdf.FPDF(format="A4")
    pdf.set_creation_date(WRITTEN)
    pdf.set_title(document.title)
    pdf.set_author(AUTHOR)
    pdf.set_producer("home fixture")
    pdf.set_margin(20)
    pdf.add_page()
    _pdf_line(pdf, document.title, 18, "B")
    for block in document.blocks:
        if block.kind == "page":
            pdf.add_page()
        elif block.kind == "row":
            _pdf_row(pdf, block.cells)
        else:
            text = f"- {block.text}" if block.kind == "item" else block.text
            _pdf_line(pdf, text, *((13, "B") if block.kind == "heading" else (11, "")))
    return bytes(pdf.output())


def _pdf_line(pdf: fpdf.FPDF, text: str, size: int, style: str) -> None:
    pdf.set_font("Helvetica", style, size)
    pdf.multi_cell(0, size * 0.5, text, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(size * 0.2)


def _pdf_row(pdf: fpdf.FPDF, cells: list[str]) -> None:
    pdf.set_font("Helvetica", "", 10)
    width = pdf.epw / len(cells)
    for cell in cells:
        pdf.cell(width, 6, cell, border=1)
    pdf.ln(6)


def write_docx(document: Document) -> bytes:
    """Write a Word document with its title, headings, lists and tables."""
    word: Any = docx.Document()
    _describe(word.core_properties, document.title)
    word.add_heading(document.title, level=0)
    for block in document.blocks:
        if block.kind == "heading":
            word.add_heading(block.text, level=1)
        elif block.kind == "item":
            word.add_paragraph(block.text, style="List Bullet")
        elif block.kind == "page":
            word.add_page_break()
        elif block.kind == "row":
            _docx_row(word, block.cells)
        else:
            word.add_paragraph(block.text)
    return _saved(word)


def _docx_row(word: Any, cells: list[str]) -> None:
    table = word.add_table(rows=1, cols=len(cells))
    for cell, text in zip(table.rows[0].cells, cells, strict=True):
        cell.text = text


def write_pptx(document: Document) -> bytes:
    """Write one slide for the title and one for each heading."""
    show = pptx.Presentation()
    _describe(show.core_properties, document.title)
    first = show.slides.add_slide(show.slide_layouts[0])
    first.shapes.title.text = document.title
    lines: list[str] = []
    body = first.placeholders[1].text_frame
    for block in document.blocks:
        if block.kind == "heading":
            slide = show.slides.add_slide(show.slide_layouts[1])
            slide.shapes.title.text = block.text
            body, lines = slide.placeholders[1].text_frame, []
        else:
            lines = [*lines, block.text]
            body.text = "\n".join(lines)
    return _saved(show)


def write_xlsx(book: dict[str, Any]) -> bytes:
    """Write the sheets of a table file; the first row of each is its header."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    workbook.properties.creator = AUTHOR
    workbook.properties.title = book["title"]
    for sheet in book["sheets"]:
        page = workbook.create_sheet(sheet["name"])
        for row in sheet["rows"]:
            page.append(row)
        for cell in page[1]:
            cell.font = Font(bold=True)
        page.freeze_panes = "A2"
    return _saved(workbook)


def _describe(properties: Any, title: str) -> None:
    properties.title = title
    properties.author = AUTHOR
    properties.last_modified_by = AUTHOR


def _saved(document: Any) -> bytes:
    """Save an Office file with the same times in it on every day."""
    raw, even = io.BytesIO(), io.BytesIO()
    document.save(raw)
    stamp = WRITTEN.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(even, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "docProps/core.xml":
                content = _MODIFIED.sub(rb"\g<1>" + stamp, content)
            plain = zipfile.ZipInfo(entry.filename, _ZIP_TIME)
            plain.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(plain, content)
    return even.getvalue()


def draw_image(picture: dict[str, Any]) -> bytes:
    """Draw a landscape, a screen or a scanned page, different for every path."""
    size = (picture.get("width", 320), picture.get("height", 240))
    image = Image.new("RGB", size)
    _DRAWINGS[picture["kind"]](ImageDraw.Draw(image), size, _noise(picture["path"], 64))
    out = io.BytesIO()
    form = {".png": "PNG", ".jpg": "JPEG", ".gif": "GIF"}[Path(picture["path"]).suffix]
    image.save(out, form, **({"quality": 70} if form == "JPEG" else {}))
    return out.getvalue()


def _landscape(draw: ImageDraw.ImageDraw, size: tuple[int, int], noise: bytes) -> None:
    width, height = size
    sky = (120 + noise[0] // 2, 140 + noise[1] // 3, 180 + noise[2] // 4)
    for row in range(height):
        draw.line((0, row, width, row), tuple(min(255, part + row // 6) for part in sky))
    sun = width * noise[3] // 255
    draw.ellipse((sun - 18, 20, sun + 18, 56), (255, 236, 170))
    for hill in range(4):
        ground = height * (5 + hill) // 9
        peaks = [(width * step // 6, ground + noise[hill * 8 + step] // 5) for step in range(7)]
        colour = (40 + hill * 15, 70 + noise[40 + hill] // 4, 50 + hill * 10)
        draw.polygon([(0, height), *peaks, (width, height)], colour)


def _screen(draw: ImageDraw.ImageDraw, size: tuple[int, int], noise: bytes) -> None:
    width, height = size
    draw.rectangle((0, 0, width, height), (noise[0] // 4, noise[1] // 4, 60 + noise[2] // 4))
    for window in range(3):
        left, top = noise[window + 3] * width // 600, 16 + noise[window + 6] * height // 600
        draw.rectangle((left, top, left + width // 2, top + height // 2), (236, 236, 240))
        draw.rectangle((left, top, left + width // 2, top + 10), (90, 96, 110))
        for line in range(6):
            length = width * (20 + noise[line + 10] // 4) // 220
            draw.line((left + 8, top + 20 + line * 9, left + length, top + 20 + line * 9), 0)


def _scan(draw: ImageDraw.ImageDraw, size: tuple[int, int], noise: bytes) -> None:
    width, height = size
    draw.rectangle((0, 0, width, height), (248, 246, 238))
    for line in range(min(60, (height - 40) // 12)):
        end = width - 24 - noise[line] * width // 900
        draw.line((24, 24 + line * 12, end, 24 + line * 12), (70, 70, 80), 2)


_DRAWINGS: dict[str, Callable[[ImageDraw.ImageDraw, tuple[int, int], bytes], None]] = {
    "landscape": _landscape,
    "screen": _screen,
    "scan": _scan,
}


def _noise(seed: str, length: int) -> bytes:
    """The same bytes for the same seed, on every machine."""
    return hashlib.shake_256(seed.encode()).digest(length)


def write_mp3(sound: dict[str, Any]) -> bytes:
    """Write an ID3 tag and a little silence."""
    frames = b"".join(
        name + (len(text) + 1).to_bytes(4, "big") + b"\0\0\0" + text
        for field, name in _ID3_FIELDS.items()
        if (text := str(sound.get(field, "")).encode("latin-1"))
    )
    size = bytes(len(frames) >> shift & 0x7F for shift in (21, 14, 7, 0))
    silence = _SILENT_FRAME * int(sound.get("frames", 12))
    return b"ID3\x03\0\0" + size + frames + silence


def write_opaque(blob: dict[str, Any]) -> bytes:
    """Write a file that no extractor reads: its mark, then noise."""
    return str(blob["mark"]).encode("latin-1") + _noise(blob["path"], blob["bytes"])


_DOCUMENTS: dict[str, Callable[[Document], bytes]] = {
    ".pdf": write_pdf,
    ".docx": write_docx,
    ".pptx": write_pptx,
}
_TABLES: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "sheets": write_xlsx,
    "images": draw_image,
    "sounds": write_mp3,
    "opaque": write_opaque,
}


def built_files() -> Iterator[tuple[str, bytes]]:
    """Every binary file of the fixture: its path and its content."""
    documents = SOURCES / "documents"
    for source in sorted(documents.rglob("*.txt")):
        path = source.relative_to(documents).as_posix().removesuffix(".txt")
        document = Document.parse(source.read_text(encoding="utf-8"))
        yield path, _DOCUMENTS[Path(path).suffix](document)
    for name, write in _TABLES.items():
        table = tomllib.loads((SOURCES / f"{name}.toml").read_text(encoding="utf-8"))
        for entry in table["files"]:
            yield entry["path"], write(entry)


def main() -> None:
    """Write the binary files into the fixture; the text files there are left as they are."""
    for path, content in built_files():
        target = HOME / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


if __name__ == "__main__":
    main()
