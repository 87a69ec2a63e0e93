"""Text is extracted from documents; one that hangs, crashes or lies never stops the rest."""

from __future__ import annotations

import gc
import io
import os
import signal
import subprocess
import sys
import time
import zipfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docx
import fpdf
import openpyxl
import pptx
import pytest

from stacks.errors import SourceError
from stacks.model import Page
from stacks.sources.files.extractor import Extractor
from stacks.sources.files.files_source import FilesSource
from stacks.text import get_file_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.stacks.sources.files.conftest import Outcome

pytestmark = [pytest.mark.corpus, pytest.mark.process]

PASSWORD = "is protected by a password"  # noqa: S105 - a reason, not one
HTML = (
    "<html><head><title>Saved</title><script>var x</script></head>"
    "<body><h1>Hi</h1><p>tea &amp; milk</p></body></html>"
)
MOST_UNPACKED = "at most 268,435,456 in 20,000"
DAMAGED = "is damaged, or not what its name says"


def saved(document: Any) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def make_docx() -> bytes:
    document = docx.Document()
    document.add_heading("Resume", 1)
    document.add_paragraph("Rex kept lions at the zoo.")
    document.add_table(1, 1).cell(0, 0).text = "salary expectations"
    document.core_properties.author = "Rex"
    document.core_properties.title = "Curriculum"
    return saved(document)


def make_xlsx() -> bytes:
    book = openpyxl.Workbook()
    book.active.title = "Plan"
    book.active.append(["Revenue", "Expenses", "Profit"])
    book.active.append([100, 60.5, 39.5])
    book.create_sheet("Später").append(["Müller & Söhne"])
    return saved(book)


def make_pptx() -> bytes:
    slides = pptx.Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text = "Quarterly targets"
    slide.placeholders[1].text = "grow"
    slide.notes_slide.notes_text_frame.text = "pause here"
    return saved(slides)


def make_pdf(text: str = "Executive summary of the timeline", password: str = "") -> bytes:
    document = fpdf.FPDF()
    document.set_title("Proposal")
    document.set_author("Max")
    if password:
        document.set_encryption("owner", password)
    document.add_page()
    document.set_font("helvetica")
    if text:
        document.multi_cell(0, 5, text)
    document.add_page()
    return bytes(document.output())


def with_member(data: bytes, name: str, chunks: Iterator[bytes] | list[bytes]) -> bytes:
    """Put other bytes in the place of a member of an archive."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for member in old.namelist():
            with new.open(member, "w", force_zip64=True) as stream:
                for chunk in chunks if member == name else [old.read(member)]:
                    stream.write(chunk)
    return buffer.getvalue()


def make_laughs() -> bytes:
    entities = '<!ENTITY e0 "ha"><!ENTITY file SYSTEM "file:///etc/passwd">'
    entities += "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    xml = (
        f'<?xml version="1.0"?><!DOCTYPE d [{entities}]><w:document '
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p>'
        "<w:r><w:t>&e9;&file;</w:t></w:r></w:p></w:body></w:document>"
    )
    return with_member(make_docx(), "word/document.xml", [xml.encode()])


def test_documents_of_every_kind_give_their_text_and_what_they_are_known_by(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    home = write(
        {
            "resume.docx": make_docx(),
            "budget.xlsx": make_xlsx(),
            "slides.pptx": make_pptx(),
            "proposal.pdf": make_pdf(),
            "page.html": HTML,
            "letter.rtf": r"{\rtf1\ansi{\b Dear} Ann\par}",
            "mail.eml": "From: a@b.c\nSubject: Lunch\n\nlet us eat\n",
        }
    )
    outcome = read(home)
    assert outcome.reasons == {}
    texts = {key: document.content for key, document in outcome.documents.items()}
    assert texts == {
        "budget.xlsx": "Plan\n\nRevenue Expenses Profit\n100 60.5 39.5\n\nSpäter\n\nMüller & Söhne",
        "letter.rtf": "Dear Ann",
        "mail.eml": texts["mail.eml"],
        "page.html": "Hi\n\ntea & milk",
        "proposal.pdf": "Executive summary of the timeline",
        "resume.docx": "Resume\n\nRex kept lions at the zoo.\n\nsalary expectations",
        "slides.pptx": "Quarterly targets\n\ngrow\n\nNotes:\n\npause here",
    }
    assert "Lunch" in texts["mail.eml"]
    assert "let us eat" in texts["mail.eml"]
    facts = outcome.documents["proposal.pdf"].facts
    assert (facts["title"], facts["author"], facts["pages"]) == ("Proposal", "Max", "2")
    assert outcome.documents["resume.docx"].facts["author"] == "Rex"
    assert outcome.documents["budget.xlsx"].facts["sheets"] == "2"
    assert outcome.documents["page.html"].facts["title"] == "Saved"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252"])
def test_a_page_is_decoded_as_it_says(
    encoding: str, write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    page = f'<html><head><meta charset="{encoding}"></head><body><p>le café noir</p></body></html>'
    outcome = read(write({"page.html": page.encode(encoding)}))
    assert outcome.documents["page.html"].content == "le café noir"


@cache
def make_bomb() -> bytes:
    """A sheet of a gigabyte of zeros."""
    return with_member(make_xlsx(), "xl/worksheets/sheet1.xml", [bytes(2**20)] * 1024)


def make_hostile() -> dict[str, tuple[str | bytes, str]]:
    locked = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    whole = make_docx()
    bomb = make_bomb()
    return {
        "locked.pdf": (make_pdf(password="user"), PASSWORD),  # noqa: S106 - to be kept out by it
        "locked.docx": (locked, PASSWORD),
        "older.xlsx": (locked[:600], "is of an older format than it says"),
        "half.docx": (whole[: len(whole) // 2], DAMAGED),
        "garbage.pdf": (b"%PDF-1.7\n" + bytes(range(256)) * 40, DAMAGED),
        "empty-zip.docx": (b"PK\x05\x06" + bytes(18), DAMAGED),
        "laughs.docx": (make_laughs(), "declares XML entities, as no such document needs to"),
        "scanned.pdf": (make_pdf(text=""), "holds no text, only pictures of it or nothing"),
        "bomb.xlsx": (
            bomb,
            f"unpacks to {unpacked_size(bomb):,} bytes in 10 files; {MOST_UNPACKED} are read",
        ),
    }


def unpacked_size(data: bytes) -> int:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return sum(member.file_size for member in archive.infolist())


def test_each_broken_or_hostile_document_has_its_name_and_the_rest_their_text(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    hostile = make_hostile()
    files = {name: data for name, (data, _) in hostile.items()}
    outcome = read(write({**files, "aaa.pdf": make_pdf(), "zzz.docx": make_docx()}))
    assert outcome.reasons == {name: reason for name, (_, reason) in hostile.items()}
    assert outcome.errors == []
    for name in hostile:
        document = outcome.documents[name]
        assert document.content == ""
        assert document.title == name
        assert document.facts["content"] == f"name only: {outcome.reasons[name]}"
    assert outcome.documents["scanned.pdf"].facts["title"] == "Proposal"
    assert "Executive summary" in outcome.documents["aaa.pdf"].content
    assert "lions" in outcome.documents["zzz.docx"].content


def test_an_archive_that_lies_about_its_size_is_stopped(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    bomb = make_bomb()
    for size in (2**30).to_bytes(4, "little"), (2**30).to_bytes(8, "little"):
        bomb = bomb.replace(size, (1000).to_bytes(len(size), "little"))
    outcome = read(write({"lying.xlsx": bomb, "other.pdf": make_pdf()}))
    assert list(outcome.reasons) == ["lying.xlsx"]
    assert "Executive" in outcome.documents["other.pdf"].content


def test_a_document_whose_text_is_too_long_is_cut(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    page = "<p>" + "0123456789" * 250_000 + "</p>"
    document = read(write({"long.html": page})).documents["long.html"]
    assert len(document.content) == 2_000_000
    assert document.facts["content"] == "first 2,000,000 of 2,500,000 characters"


# A double that keeps to the protocol: what it does with a file is written in the file.
DOUBLE = """
import os, sys, time
from stacks.sources.files.extractor import READY, Extracted, Job, read_message, write_message
import msgspec
out = sys.stdout.buffer
write_message(out, READY)
while message := read_message(sys.stdin.buffer):
    what = msgspec.msgpack.decode(message, type=Job).data
    if what == b"hang":
        time.sleep(1000)
    if what == b"die":
        os.abort()
    if what == b"leave":
        sys.exit(3)
    if what == b"babble":
        out.write(b"x" * 50); out.flush(); continue
    if what == b"lie":
        write_message(out, b"no message"); continue
    if what == b"half":
        out.write((100).to_bytes(4, "big") + b"x"); out.flush(); os._exit(0)
    write_message(out, msgspec.msgpack.encode(Extracted(what.decode(), len(what))))
"""


@pytest.fixture
def extractor(tmp_path: Path) -> Iterator[Extractor]:
    double = tmp_path / "double.py"
    double.write_text(DOUBLE)
    made = Extractor(60, (sys.executable, str(double)))
    yield made
    made.close()


FAILS = "makes its reader fail ({}): it is damaged, hostile or needs too much memory"


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("die", FAILS.format("SIGABRT")),
        ("leave", FAILS.format("it ended with 3")),
        ("babble", ""),
        ("lie", ""),
        ("half", ""),
    ],
)
def test_a_file_that_stops_its_reader_is_named_and_the_next_one_read(
    what: str,
    reason: str,
    extractor: Extractor,
    write: Callable[..., Path],
    read: Callable[..., Outcome],
) -> None:
    outcome = read(write({"1.html": "one", "2.html": what, "3.html": "three"}), extractor=extractor)
    assert list(outcome.reasons) == ["2.html"]
    if reason:
        assert outcome.reasons["2.html"] == reason
    assert outcome.documents["1.html"].content == "one"
    assert outcome.documents["3.html"].content == "three"


def test_a_file_that_hangs_is_named_in_time_and_the_next_one_read(extractor: Extractor) -> None:
    assert extractor.extract(b"one", "").text == "one"
    extractor.seconds = 0.2
    assert extractor.extract(b"hang", "").fault == "takes longer than 0.2 s to read"
    extractor.seconds = 60
    assert extractor.extract(b"three", "").text == "three"


def process_of(extractor: Extractor) -> int:
    assert extractor._process is not None
    return extractor._process.popen.pid


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_process_serves_many_files_and_ends_with_the_pages(
    extractor: Extractor, write: Callable[..., Path]
) -> None:
    home = write({f"{number}.html": "text" for number in range(5)})
    source = FilesSource(str(home), extractor=extractor)
    processes = set()
    for page in source.pages():
        assert isinstance(page, Page)
        list(source.read(page))
        processes.add(process_of(extractor))
    (process,) = processes
    assert not is_running(process)


def test_pages_that_are_abandoned_take_their_process_with_them(
    extractor: Extractor, write: Callable[..., Path]
) -> None:
    source = FilesSource(str(write({"1.html": "a", "2.html": "b"})), extractor=extractor)
    pages = source.pages()
    page = next(pages)
    assert isinstance(page, Page)
    list(source.read(page))
    process = process_of(extractor)
    del page, pages
    gc.collect()
    assert not is_running(process)


def test_a_source_that_is_forgotten_takes_its_process_with_it(write: Callable[..., Path]) -> None:
    source = FilesSource(str(write({})))
    list(source.read(Page("x.rtf", b"content\n{\\rtf1 words}")))
    process = process_of(source._extractor)
    del source
    gc.collect()
    assert not is_running(process)


def test_a_process_that_ended_between_two_files_is_no_files_fault(extractor: Extractor) -> None:
    assert extractor.extract(b"one", "").text == "one"
    assert extractor._process is not None
    extractor._process.popen.kill()
    extractor._process.popen.wait()
    assert extractor.extract(b"two", "").text == "two"


def test_an_interrupt_ends_the_process(
    extractor: Extractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    extractor.extract(b"one", "")
    process = process_of(extractor)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("stacks.sources.files.extractor.read_message", interrupt)
    with pytest.raises(KeyboardInterrupt):
        extractor.extract(b"two", "")
    assert not is_running(process)
    monkeypatch.undo()
    assert extractor.extract(b"three", "").text == "three"


def test_the_process_ends_when_its_starter_is_killed(tmp_path: Path) -> None:
    script = (
        "from stacks.sources.files.extractor import Extractor\n"
        "extractor = Extractor(20)\n"
        "extractor.extract(b'{\\\\rtf1 words}', 'application/rtf')\n"
        "print(extractor._process.popen.pid, flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as starter:
        assert starter.stdout is not None
        process = int(starter.stdout.readline())
        assert is_running(process)
        starter.send_signal(signal.SIGKILL)
    for _ in range(500):
        if not is_running(process) or is_zombie(process):
            return
        time.sleep(0.02)
    pytest.fail("the process is still there")


def is_zombie(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize("script", ["", "import sys; sys.exit(1)", "print('hello')"])
def test_a_process_that_does_not_start_is_an_error_that_names_the_remedy(script: str) -> None:
    broken = Extractor(5, (sys.executable, "-c", script))
    with pytest.raises(SourceError, match=r"pip install 'cranfield\[stacks\]'"):
        broken.extract(b"x", "application/pdf")
    assert broken._process is None


def test_every_extracted_kind_is_one_that_the_library_reads() -> None:
    endings = "doc docm docx eml epub htm html msg ods odt pdf ppt pptm pptx rtf xls xlsm xlsx"
    extractor = Extractor(20)
    for ending in endings.split():
        extracted = extractor.extract(b"garbage", get_file_type(f"x.{ending}").media_type)
        assert extracted.fault != "is of a format whose text is not read", ending
    extractor.close()
