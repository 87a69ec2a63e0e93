"""Swift is cut into types, extensions, functions and computed properties."""

from __future__ import annotations

from stacks.sources.code_chunks import Chunk, chunk_code

MODULE = """\
import SwiftUI

/// A view.
///
/// With more to say.
@MainActor
public struct Card<T>: View where T: P {
    var short: Int { 1 }
    /// The body.
    var body: some View {
        Text("a")
    }
    init?(x: Int) {
        self.x = x
    }
    static func == (a: S, b: S) -> Bool {
        true
    }
    subscript(i: Int) -> Int {
        1
    }
    deinit {
    }
    func `for`() async throws {
        func inner() {
        }
    }
}
extension Array<Int>.Inner {
    func z() { 1 }
}
protocol P {
    func a()
    init()
}
/** Block. */
enum E {
    case a
    actor Q {
    }
}
let constant = 1
"""


def cut(code: str) -> list[Chunk]:
    return list(chunk_code(code, "swift", "Sources/Card.swift"))


def test_a_file_is_cut_in_the_order_of_its_lines() -> None:
    assert [(c.name, c.kind, c.parents, c.start_line, c.end_line) for c in cut(MODULE)] == [
        ("Card", "module", (), 1, 42),
        ("Card", "struct", ("Card",), 3, 28),
        ("body", "property", ("Card", "Card"), 9, 12),
        ("init", "initializer", ("Card", "Card"), 13, 15),
        ("==", "operator", ("Card", "Card"), 16, 18),
        ("subscript", "subscript", ("Card", "Card"), 19, 21),
        ("deinit", "method", ("Card", "Card"), 22, 23),
        ("for", "method", ("Card", "Card"), 24, 27),
        ("inner", "function", ("Card", "Card", "for"), 25, 26),
        ("Array", "extension", ("Card",), 29, 31),
        ("z", "method", ("Card", "Array"), 30, 30),
        ("P", "protocol", ("Card",), 32, 35),
        ("E", "enum", ("Card",), 36, 41),
        ("Q", "actor", ("Card", "E"), 39, 40),
    ]


def test_texts_hold_their_own_lines() -> None:
    chunks = cut(MODULE)
    assert (
        chunks[0].text
        == """\
import SwiftUI

public struct Card<T>: View where T: P { ...
extension Array<Int>.Inner { ...
protocol P { ...
enum E { ...
let constant = 1"""
    )
    assert (
        chunks[1].text
        == """\
/// A view.
///
/// With more to say.
@MainActor
public struct Card<T>: View where T: P {
    var short: Int { 1 }
    var body: some View { ...
    init?(x: Int) { ...
    static func == (a: S, b: S) -> Bool { ...
    subscript(i: Int) -> Int { ...
    deinit { ...
    func `for`() async throws { ...
}"""
    )
    assert (
        chunks[2].text
        == """\
    /// The body.
    var body: some View {
        Text("a")
    }"""
    )


def test_heads_are_read() -> None:
    chunks = cut(MODULE)
    assert chunks[1].signature == "public struct Card<T>: View where T: P"
    assert chunks[1].symbols[0].conformances == ("View",)
    assert chunks[1].documentation == "A view.\n\nWith more to say."
    assert chunks[7].signature == "func `for`() async throws"
    assert chunks[7].symbols[0].is_throws
    assert chunks[12].documentation == "Block."


def test_an_imports_only_file_has_no_chunk_and_a_broken_one_has_its_module() -> None:
    assert cut("// Created\nimport A\n") == []
    assert cut("struct { func (((")[0].kind == "module"
    assert "good" in [c.name for c in cut("func good() {\n}\n\nfunc bad( {\n")]
