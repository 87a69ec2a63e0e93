"""What holds for every text: nothing is raised, no line is lost or told twice, hashes stay."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stacks.sources.code_chunks import Chunk, chunk_code, hash_chunk

LANGUAGES = ("python", "typescript", "tsx", "javascript", "swift", "go", "")
LENGTH = "    def __len__(self):\n        return len(self._data)"
TWO_CLASSES = f"class Stack:\n{LENGTH}\n\n\nclass Queue:\n{LENGTH}\n"

LINES = st.sampled_from(
    [
        "import os",
        "",
        "    ",
        "x = 1",
        '"""Text."""',
        "# note",
        "// note",
        "/** doc */",
        "/// doc",
        "@wrap",
        "def f(a):",
        "    def g(self): return 1",
        "        return 2",
        "class A:",
        "    class B(A):",
        "class C {",
        "  m(a) {",
        "  n = () => {",
        "  };",
        "  }",
        "}",
        "} function h() {",
        "export const k = (x) => x",
        "func p() {",
        "    var q: Int {",
        "extension R.S { func t() {} }",
        "namespace N {",
        "é = '😀",
        "\tyield (",
    ]
)
CODE = st.lists(LINES, max_size=40).map("\n".join) | st.text(max_size=300)


def find_inner(chunk: Chunk, chunks: list[Chunk]) -> list[Chunk]:
    """Find the chunks that stand directly in another: behind it in order, within its lines."""
    inner: list[Chunk] = []
    for other in chunks[chunks.index(chunk) + 1 :]:
        is_within = other.end_line <= chunk.end_line
        if is_within and (not inner or other.start_line > inner[-1].end_line):
            inner.append(other)
    return inner


def own_lines(chunk: Chunk, chunks: list[Chunk], lines: list[str]) -> list[int]:
    """Check the text of a chunk against the file, and return the lines that are its own."""
    expected: list[str | None] = []
    own: list[int] = []
    number = chunk.start_line
    for inner in find_inner(chunk, chunks):
        own += range(number, inner.start_line)
        expected += [*lines[number - 1 : inner.start_line - 1], None]
        number = inner.end_line + 1
    own += range(number, chunk.end_line + 1)
    expected += lines[number - 1 : chunk.end_line]
    written = chunk.text.split("\n")
    assert len(written) == len(expected)
    for line, source in zip(written, expected, strict=True):
        assert line.endswith(" ...") if source is None else line == source
    return own


@pytest.mark.corpus
@settings(max_examples=400, deadline=None)
@given(code=CODE, language=st.sampled_from(LANGUAGES))
def test_each_line_is_the_own_line_of_exactly_one_chunk(code: str, language: str) -> None:
    chunks = list(chunk_code(code, language, "a/b.x"))
    lines = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    own = [number for chunk in chunks for number in own_lines(chunk, chunks, lines)]
    assert len(own) == len(set(own))
    has_module = any(not chunk.parents for chunk in chunks)
    for number in set(range(1, len(lines) + 1)) - set(own):
        # Only a module that is left out leaves lines behind: imports and comments.
        line = lines[number - 1].strip()
        assert not line or (not has_module and language in LANGUAGES[:5])


@pytest.mark.corpus
@settings(max_examples=200, deadline=None)
@given(code=CODE, language=st.sampled_from(LANGUAGES))
def test_hashes_are_those_of_the_texts_and_cutting_again_gives_the_same(
    code: str, language: str
) -> None:
    chunks = chunk_code(code, language, "a/b.x")
    assert chunk_code(code, language, "a/b.x") == chunks
    assert [hash_chunk("a/b.x", c.parents, c.text) for c in chunks] == [c.hash for c in chunks]


def test_a_hash_is_the_md5_of_file_names_around_and_text() -> None:
    # Each from md5sum, over `# pkg/stack.py`, `# stack Stack` and the text.
    assert (
        hash_chunk("pkg/stack.py", ("stack", "Stack"), LENGTH) == "3d5d0be58959d7ad59bcc7cc192328ab"
    )
    assert (
        hash_chunk("pkg/stack.py", ("stack", "Queue"), LENGTH) == "a144e2569185b23665e7811d9ef6b190"
    )
    assert hash_chunk("a/b.py", ("b", "Ä"), 'x = "é"') == "30f9ea75166176f9f1c5b51e0562e343"


def test_the_second_line_of_a_module_is_a_sign_and_a_blank() -> None:
    (module,) = chunk_code("LIMIT = 10\n", "python", "pkg/stack.py")
    assert module.hash == "0c7c2b8cee67880cdac8de5f44f9aa38"


def test_the_same_text_in_two_classes_has_two_hashes() -> None:
    chunks = chunk_code(TWO_CLASSES, "python", "pkg/stack.py")
    lengths = [chunk for chunk in chunks if chunk.name == "__len__"]
    assert [chunk.text for chunk in lengths] == [LENGTH, LENGTH]
    assert [chunk.hash for chunk in lengths] == [
        "3d5d0be58959d7ad59bcc7cc192328ab",
        "a144e2569185b23665e7811d9ef6b190",
    ]


def test_the_same_text_in_two_files_has_two_hashes() -> None:
    first = chunk_code(TWO_CLASSES, "python", "a/stack.py")
    second = chunk_code(TWO_CLASSES, "python", "b/stack.py")
    assert not {chunk.hash for chunk in first} & {chunk.hash for chunk in second}


def test_a_function_added_above_changes_no_other_hash() -> None:
    before = {chunk.hash for chunk in chunk_code(TWO_CLASSES, "python", "pkg/stack.py")}
    added = f"def early(x):\n    return x\n\n\n{TWO_CLASSES}"
    after = {chunk.hash: chunk.name for chunk in chunk_code(added, "python", "pkg/stack.py")}
    assert before <= set(after)
    assert [name for key, name in after.items() if key not in before] == ["early"]


def test_a_change_inside_a_method_changes_its_hash_alone() -> None:
    changed = TWO_CLASSES.replace("len(self._data)", "self._count", 1)
    before = chunk_code(TWO_CLASSES, "python", "pkg/stack.py")
    after = chunk_code(changed, "python", "pkg/stack.py")
    assert [
        (a.name, a.parents) for a, b in zip(before, after, strict=True) if a.hash != b.hash
    ] == [("__len__", ("stack", "Stack"))]


def test_other_languages_are_one_module_or_pieces_at_blank_lines() -> None:
    short = "package main\n\nfunc main() {\n}\n"
    (chunk,) = chunk_code(short, "go", "cmd/main.go")
    assert (chunk.name, chunk.kind, chunk.parents) == ("main", "module", ())
    assert (chunk.text, chunk.start_line, chunk.end_line) == (short.rstrip("\n"), 1, 4)

    paragraph = "\n".join(f"line {number}" for number in range(30))
    chunks = chunk_code("\n\n".join([paragraph] * 5) + "\n", "go", "cmd/main.go")
    assert [(c.name, c.parents) for c in chunks] == [
        ("1-61", ("main",)),
        ("63-123", ("main",)),
        ("125-154", ("main",)),
    ]
    assert chunks[0].text == f"{paragraph}\n\n{paragraph}"
    assert chunks[0].hash == hash_chunk("cmd/main.go", ("main",), chunks[0].text)


def test_a_paragraph_that_is_too_long_is_cut_in_itself() -> None:
    chunks = chunk_code("x\n" * 170, "sql", "q.sql")
    assert [chunk.name for chunk in chunks] == ["1-80", "81-160", "161-170"]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("function f(){\n" * 3_000, "typescript"),
        ("func f() {\n" * 3_000 + "}\n" * 3_000, "swift"),
        ("(" * 50_000, "python"),
        ("[ { func / [ } enum ( { enum | ]\n" * 500, "typescript"),
        ("\udc80 = 1\n", "python"),
        ("x = '" + "a" * 20_000 + "'\n", "python"),
        ("class A:\n    x = 1\n" * 15_000, "python"),
    ],
)
def test_hostile_texts_are_cut_to_an_end(code: str, language: str) -> None:
    chunks = chunk_code(code, language, "a.x")
    assert chunks
    assert max(len(chunk.parents) for chunk in chunks) <= 32
