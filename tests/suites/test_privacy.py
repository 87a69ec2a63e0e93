"""What points at a person is seen, also where it hides; names of programs are not taken for it."""

from __future__ import annotations

import pytest

from cranfield.suites.privacy import find_personal


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("mail to jane.doe+x@example.org please", "an e-mail address"),
        ("jane%40example.org", "an e-mail address"),
        ("ｊane＠example.org", "an e-mail address"),
        ("ja\u200bne@exam\u200bple.org", "an e-mail address"),
        ("jane (at) example (dot) org", "an e-mail address"),
        ("https://jane:secret@host/path", "an address with a user"),
        ("who is 192.168.10.7", "a network address"),
        ("192.168.10.7:8080 refused", "a network address"),
        ("ping fe80::1ff:fe23:4567:890a", "a network address"),
        ("+49 (30) 901820-0", "a telephone number"),
        ("call 555-1234", "a telephone number"),
        ("078-05-1120", "a telephone number"),
        ("4111 1111 1111 1111", "a telephone number"),
        ("account 12345678", "a long number"),
        ("९८७६५४३२१०", "a long number"),
        ("token 0a1b2c3d0a1b2c3dxx0a1b2c3d0a1b2c3d", "a key or token"),
        ("where does Dr. Ana live", "a name with a title"),
        ("frau müller Frau Müller", "a name with a title"),
        ("mr smith", "a name with a title"),
        ("x" * 201, "a pasted text"),
    ],
)
def test_what_is_personal_is_named(text: str, what: str) -> None:
    assert find_personal(text) == what


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hashable",
        "std::vector",
        "@State property wrapper",
        "npm @types/node",
        "python 3.11.4",
        "version 1.2.3 notes",
        "release of 2024-01-15",
        "http 404 after 301",
        "12:30:45 utc",
        "100% cpu",
        "MS Word 2019",
        "dr java",
        "don quixote",
        "https://example.org/path?q=1",
        "ध्यान क्या है",
        "a::b",
        "1.2.3.4.5",
    ],
)
def test_what_programs_and_people_commonly_write_is_kept(text: str) -> None:
    assert find_personal(text) is None
