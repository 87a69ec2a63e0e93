"""Text is decoded; everything else is indexed by its name."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from stacks.model import Document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.stacks.sources.files.conftest import Outcome

NOISE = random.Random(1).randbytes(20_000)  # noqa: S311 - repeatable, not secret
CODE = """\
import json

def load_settings(path, HTTPServer):
    readJsonFile(path)
    return load_settings
"""


def test_a_source_file_is_its_code(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    outcome = read(write({"My Project/src/config_parser.py": CODE}))
    assert outcome.documents == {
        "My Project/src/config_parser.py": Document(
            uri="files://home/My%20Project/src/config_parser.py",
            title="config_parser.py",
            content=CODE,
            summary="python source code in My Project/src",
            framework="home",
            module="home",
            language="python",
            kind="file",
            names=("config_parser",),
            identifiers=("load_settings", "HTTPServer", "readJsonFile"),
            facts={
                "extension": "py",
                "folder": "My Project/src",
                "size": str(len(CODE)),
                "type": "code",
                "content": "whole",
            },
        )
    }


@pytest.mark.parametrize(
    ("name", "stem", "facts"),
    [
        ("main.cpp", "main", "cpp code cpp"),
        ("auth_handler.ts", "auth_handler", "ts code typescript"),
        ("routes.go", "routes", "go code go"),
        ("utils.js", "utils", "js code javascript"),
        ("logger.rs", "logger", "rs code rust"),
        ("backup.sh", "backup", "sh code shell"),
        ("log_analyzer.rb", "log_analyzer", "rb code ruby"),
        ("view.swift", "view", "swift code swift"),
        ("init.lua", "init", "lua code lua"),
        ("Makefile", "", " code make"),
        (".zshrc", "", " code shell"),
        (".gitconfig", "", " text "),
        ("config", "", " text "),
        ("docker-compose.yml", "docker-compose", "yml text "),
        ("README.MD", "README", "md text "),
        ("guests.csv", "guests", "csv spreadsheet "),
        ("test_auth.spec.ts", "test_auth.spec", "ts code typescript"),
        ("unknown.zzz", "unknown", "zzz text "),
        (".hidden.txt", ".hidden", "txt text "),
        ("ends.", "ends", " text "),
    ],
)
def test_a_file_is_known_by_its_name(
    name: str, stem: str, facts: str, write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    document = read(write({name: "a few words\n"})).documents[name]
    assert document.title == name
    assert document.names == ((stem,) if stem else ())
    found = (document.facts["extension"], document.facts["type"], document.language)
    assert found == tuple(facts.split(" "))
    assert document.content == "a few words\n"


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("photo.jpg", "image", "is an image"),
        ("Screenshot.PNG", "image", "is an image"),
        ("episode.mp3", "audio", "is a sound file"),
        ("film.mov", "video", "is a video"),
        ("backup.zip", "archive", "is an archive"),
        ("setup.dmg", "installer", "is an installer or a disk image"),
        ("mockup.fig", "design", "is a design file"),
        ("app.sqlite", "other", "is of a format whose text is not read"),
    ],
)
def test_pictures_sounds_and_the_like_are_found_by_name(
    name: str, kind: str, reason: str, write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    outcome = read(write({f"Downloads/{name}": "words that are not read"}))
    document = outcome.documents[f"Downloads/{name}"]
    assert outcome.reasons == {f"Downloads/{name}": reason}
    assert document.content == ""
    assert document.title == name
    assert document.facts == {
        "extension": name.rpartition(".")[2].lower(),
        "folder": "Downloads",
        "size": "23",
        "type": kind,
        "content": f"name only: {reason}",
    }


def test_a_text_in_any_unicode_is_decoded(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    text = "Grüße, wörldwide 🙂\nline two"
    outcome = read(
        write(
            {
                "eight.txt": text.encode(),
                "marked.txt": b"\xef\xbb\xbf" + text.encode(),
                "sixteen": text.encode("utf-16"),
                "thirtytwo.txt": text.encode("utf-32"),
                "windows.txt": text.replace("\n", "\r\n").encode(),
            }
        )
    )
    assert outcome.reasons == {}
    assert {document.content for document in outcome.documents.values()} == {text}


def test_latin_text_is_kept_but_for_its_accents(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    outcome = read(write({"old.txt": "une fenêtre ouverte".encode("latin-1")}))
    assert outcome.documents["old.txt"].content == "une fen\ufffdtre ouverte"


@pytest.mark.parametrize("name", ["unknown", "code.py", "notes.txt", "video.ts", ".env", "x.ipynb"])
@pytest.mark.parametrize("data", [bytes(5000), NOISE])
def test_binary_is_found_by_its_name_whatever_that_says(
    name: str, data: bytes, write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    outcome = read(write({name: data}))
    assert outcome.reasons == {name: "is binary, or text in an unknown encoding"}
    assert outcome.documents[name].content == ""
    assert outcome.documents[name].language == ""


def test_a_nul_makes_an_unknown_file_binary_and_a_known_text_not(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    data = b"words " * 300 + b"\0" + b"words " * 300
    outcome = read(write({"unknown.zzz": data, "notes.txt": data}))
    assert list(outcome.reasons) == ["unknown.zzz"]
    assert "\ufffd" in outcome.documents["notes.txt"].content


@pytest.mark.parametrize("name", ["empty.txt", "empty", "empty.pdf", "empty.docx", ".env"])
def test_an_empty_file_is_read_whole(
    name: str, write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    outcome = read(write({name: b""}))
    assert outcome.reasons == {}
    assert outcome.documents[name].facts["content"] == "whole"


def test_a_text_that_is_too_long_is_cut_and_that_is_said(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    document = read(write({"long.log": "0123456789" * 300_000})).documents["long.log"]
    assert len(document.content) == 2_000_000
    assert document.facts["content"] == "first 2,000,000 of 3,000,000 characters"


def test_a_name_in_decomposed_letters_is_found_as_it_is_typed(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    (document,) = read(write({"re\u0301sume\u0301.txt": "x"})).documents.values()
    assert document.title == "résumé.txt"
    assert document.names == ("résumé",)


def test_a_notebook_is_its_cells(write: Callable[..., Path], read: Callable[..., Outcome]) -> None:
    notebook = {
        "metadata": {"kernelspec": {"language": "python"}},
        "nbformat": 4,
        "cells": [
            {"cell_type": "markdown", "source": ["# Analysis\n", "of data"]},
            {"cell_type": "code", "source": "plot(x)", "outputs": [{"text": "NOISE"}]},
            {"cell_type": "code", "source": []},
        ],
    }
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["a = 1"]}]}]}
    outcome = read(write({"new.ipynb": json.dumps(notebook), "old.ipynb": json.dumps(old)}))
    content = outcome.documents["new.ipynb"].content
    assert content == "# Analysis\nof data\n\n```python\nplot(x)\n```"
    assert outcome.documents["old.ipynb"].content == "```\na = 1\n```"


@pytest.mark.parametrize(
    "text", ["just text", '{"cells": 5}', "[" * 100_000, "{", '{"cells": [1]}']
)
def test_a_notebook_that_is_none_is_the_text_that_it_is(
    text: str, write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    assert read(write({"x.ipynb": text})).documents["x.ipynb"].content == text


def test_identifiers_are_bounded(write: Callable[..., Path], read: Callable[..., Outcome]) -> None:
    code = "\n".join(f"some_name_{number} = plain" for number in range(10_000))
    identifiers = read(write({"many.py": code})).documents["many.py"].identifiers
    assert len(identifiers) == 2000
    assert identifiers[0] == "some_name_0"


@pytest.mark.parametrize(
    "name", ["report.pdf", "letter.docx", "sheet.xlsx", "book.epub", "old.doc"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_under_the_name_of_a_document_is_read_as_text(
    write: Callable[..., Path], read: Callable[..., Outcome], name: str, encoding: str
) -> None:
    text = "Ships in the harbor.\nÜber die Häfen.\n"
    outcome = read(write({name: text.encode(encoding)}))
    assert outcome.documents[name].content == text
    assert outcome.documents[name].facts["content"] == "whole"


@pytest.mark.process
@pytest.mark.parametrize(
    "data",
    [b"%PDF-1.7\nthe rest is lost", b"PK\x03\x04\x00\x00", NOISE],
    ids=["pdf", "zip", "noise"],
)
def test_a_damaged_document_is_not_taken_for_text(
    write: Callable[..., Path], read: Callable[..., Outcome], data: bytes
) -> None:
    outcome = read(write({"report.pdf": data}))
    assert not outcome.documents["report.pdf"].content
