"""Swift: heads of every kind, whole and broken code, and the declarations of a real reference."""

from __future__ import annotations

import json
import re
import tarfile
import time
from typing import TYPE_CHECKING, Any

import pytest

from real_data import COLLECTIONS, reason_to_skip
from stacks.text import parse_code, parse_declaration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stacks.model import Symbol

ARCHIVE = COLLECTIONS / "swift" / "stdlib_docc.tar.gz"
KINDS = {
    "associatedtype": "associatedtype",
    "case": "case",
    "class": "class",
    "enum": "enum",
    "func": "function",
    "init": "initializer",
    "macro": "macro",
    "method": "method",
    "op": "operator",
    "property": "property",
    "protocol": "protocol",
    "struct": "struct",
    "subscript": "subscript",
    "typealias": "typealias",
    "var": "property",
}


def declared(declaration: str, *, is_member: bool = False) -> Symbol:
    (symbol,) = parse_declaration(declaration, "swift", is_member=is_member)
    return symbol


def outline(code: str) -> list[tuple[str, str]]:
    return [(symbol.kind, symbol.name) for symbol in parse_code(code, "swift").symbols]


@pytest.mark.parametrize(
    ("declaration", "kind", "name"),
    [
        ("protocol Hashable : Equatable", "protocol", "Hashable"),
        ("func hash(into hasher: inout Hasher)", "function", "hash"),
        ("static func == (lhs: Self, rhs: Self) -> Bool", "operator", "=="),
        ("init<S>(_ elements: S) where Element == S.Element, S : Sequence", "initializer", "init"),
        ("init?(exactly: Int)", "initializer", "init"),
        ("subscript(index: Int) -> Element { get set }", "subscript", "subscript"),
        ("associatedtype Element", "associatedtype", "Element"),
        ("case some(Wrapped)", "case", "some"),
        ("@frozen struct Array<Element>", "struct", "Array"),
        ("macro Observable()", "macro", "Observable"),
        ("prefix static func ! (a: Bool) -> Bool", "operator", "!"),
        ("mutating func append(_ newElement: consuming Element)", "method", "append"),
        ("func next() async throws -> Element?", "function", "next"),
        ("var count: Int { get }", "property", "count"),
        ("enum Optional<Wrapped> where Wrapped : ~Copyable", "enum", "Optional"),
        ("static func ... (minimum: Self, maximum: Self) -> ClosedRange<Self>", "operator", "..."),
        ("static func < <T>(a: T, b: T) -> Bool", "operator", "<"),
        ("func ==<T>(a: T, b: T) -> Bool", "operator", "=="),
        ("func ∪ (a: Set, b: Set) -> Set", "operator", "∪"),
        ("infix operator **: MultiplicationPrecedence", "operator", "**"),
        ("class func make() -> Self", "method", "make"),
        ("class var shared: Self { get }", "property", "shared"),
        ("final class Box<T>", "class", "Box"),
        ("@globalActor final actor MainActor", "actor", "MainActor"),
        ("extension Unicode.Scalar : Codable", "extension", "Unicode.Scalar"),
        ("typealias Codable = Decodable & Encodable", "typealias", "Codable"),
        ("indirect case node(Tree, Tree)", "case", "node"),
        ("let `default`: Int", "property", "default"),
        ("func `repeat`()", "function", "repeat"),
        ("func 🎉(😀: Int)", "function", "🎉"),
    ],
)
def test_a_declaration_without_a_body_says_what_it_is(
    declaration: str, kind: str, name: str
) -> None:
    symbol = declared(declaration)

    assert (symbol.kind, symbol.name) == (kind, name)
    assert (symbol.line, symbol.column) == (1, 1)


def test_a_function_is_a_method_where_a_type_is_said_to_be_around_it() -> None:
    assert declared("func hash(into hasher: inout Hasher)", is_member=True).kind == "method"
    assert declared("func == (a: Self, b: Self) -> Bool", is_member=True).kind == "operator"


def test_the_signature_is_the_declaration_without_its_attributes() -> None:
    symbol = declared("@MainActor @available(iOS 17, *)\npublic func f(\n  a: Int,\n  b: Int\n)")

    assert symbol.signature == "public func f(a: Int, b: Int)"
    assert symbol.attributes == ("@MainActor", "@available(iOS 17, *)")
    assert symbol.is_public


def test_attributes_with_strange_arguments_do_not_hide_the_declaration() -> None:
    symbol = declared("@lifetime(self: copy self) mutating func append(_ value: UInt8)")

    assert symbol.attributes == ("@lifetime(self: copy self)",)
    assert symbol.name == "append"
    assert declared("@OptionSet<Int> struct Toppings").attributes == ("@OptionSet<Int>",)


@pytest.mark.parametrize(
    ("declaration", "is_async", "is_throws"),
    [
        ("func f() async throws -> Int", True, True),
        ("func f() throws(MyError) -> Int", False, True),
        ("func f(body: () throws -> Void) rethrows", False, True),
        ("func f(body: () async throws -> Void)", False, False),
        ("func f() -> () async throws -> Void", False, False),
        ("init() async", True, False),
        ("var x: Int { get async throws }", True, True),
        ("subscript(i: Int) -> Int { get async }", True, False),
        ("var x: Int { get set }", False, False),
    ],
)
def test_effects_are_those_of_the_declaration_not_of_its_parameters(
    declaration: str, is_async: bool, is_throws: bool
) -> None:
    symbol = declared(declaration)

    assert (symbol.is_async, symbol.is_throws) == (is_async, is_throws)


def test_generics_come_from_angle_brackets_and_where_clauses() -> None:
    symbol = declared("func f<T: View & Sendable, each U, let N: Int>(t: T) where T.Body == Text")

    assert symbol.generic_parameters == ("T", "U", "N")
    assert symbol.generic_constraints == ("T: View & Sendable", "N: Int", "T.Body == Text")


def test_constraints_are_written_the_same_however_the_source_spaces_them() -> None:
    spaced = declared("struct Set<Element> where Element : Hashable, Element : ~Copyable")

    assert spaced.generic_constraints == ("Element: Hashable", "Element: ~Copyable")
    assert spaced.generic_parameters == ("Element",)


def test_conformances_are_the_types_behind_the_colon() -> None:
    symbol = declared("class A<T>: Base<T, Int>, P & Q, @unchecked Sendable where T: Hashable")

    assert symbol.conformances == ("Base<T, Int>", "P", "Q", "Sendable")
    assert declared("associatedtype E : Collection = [Int] where E.A == B").conformances == (
        "Collection",
    )
    assert declared("typealias A<T> = B<T> where T : C").generic_constraints == ("T: C",)


def test_several_names_in_one_declaration_are_several_symbols() -> None:
    code = "enum E {\n  case a, b(Int, c: Pair<A, B>)\n}\nvar x = 1, y: Int\nlet (p, _, q) = t"
    found = parse_code(code, "swift").symbols

    assert [(s.name, s.line, s.column) for s in found] == [
        ("E", 1, 1),
        ("a", 2, 3),
        ("b", 2, 11),
        ("x", 4, 1),
        ("y", 4, 12),
        ("p", 5, 1),
        ("q", 5, 12),
    ]
    assert found[2].signature == "case b(Int, c: Pair<A, B>)"


def test_the_commas_of_type_arguments_name_nothing() -> None:
    assert outline("let map = Dictionary<String, Int>()") == [("property", "map")]


def test_a_short_value_stays_in_the_signature_and_a_long_one_does_not() -> None:
    code = f"let x = 5\nlet y = [{', '.join(['1'] * 60)}]\nlet f = {{ (a: Int) in a }}"

    assert [s.signature for s in parse_code(code, "swift").symbols] == [
        "let x = 5",
        "let y",
        "let f",
    ]


WHOLE = """\
import SwiftUI
@testable import struct Foundation.Date
import SwiftUI
import UIKit.UIView

@Observable
public final class Model: ObservableObject {
    @Published private(set) var items: [Item] = []
    public static let shared = Model()
    var total: Int { items.reduce(0) { $0 + $1.count } }
    init() { let local = 1; func inner() {} }
    deinit { }
    func load() async throws { for x in items { let y = x } }
    subscript(i: Int) -> Item { items[i] }
    enum Kind: String, CaseIterable { case a = "x", b }
}
public protocol Store<Key> { associatedtype Key: Hashable; func get(_ key: Key) -> Int }
public extension Model { func more() {} ; private func less() {} }
#if DEBUG
let debug = true
#endif
if debug { let hidden = 1 }
"""
OUTLINE = [
    ("class", "Model"),
    ("property", "items"),
    ("property", "shared"),
    ("property", "total"),
    ("initializer", "init"),
    ("method", "load"),
    ("subscript", "subscript"),
    ("enum", "Kind"),
    ("case", "a"),
    ("case", "b"),
    ("protocol", "Store"),
    ("associatedtype", "Key"),
    ("method", "get"),
    ("extension", "Model"),
    ("method", "more"),
    ("method", "less"),
    ("property", "debug"),
]


def test_a_file_gives_its_declarations_in_order_and_no_locals() -> None:
    assert outline(WHOLE) == OUTLINE


def test_imports_are_modules_as_written_each_once() -> None:
    assert parse_code(WHOLE, "swift").imports == ("SwiftUI", "Foundation", "UIKit.UIView")


def test_code_with_errors_gives_the_same_as_code_without() -> None:
    broken = WHOLE + "\nfunc without(body: Int) -> Int\n...\n"

    assert outline(broken) == [*OUTLINE, ("function", "without")]
    assert parse_code(broken, "swift").symbols[:-1] == parse_code(WHOLE, "swift").symbols


def test_a_head_ends_before_a_statement_and_code_left_out() -> None:
    for below in ("async let x = load()", "...", "..< 3"):
        go = parse_code(f"func go() -> Int\n{below}\n", "swift").symbols[0]
        assert go.signature == "func go() -> Int"
    assert declared("func go()\nasync throws -> Int").is_async


def test_lines_may_end_as_on_windows() -> None:
    there = parse_code(WHOLE.replace("\n", "\r\n"), "swift")

    assert there == parse_code(WHOLE, "swift")


def test_members_of_a_public_protocol_and_extension_are_public_unless_they_say_otherwise() -> None:
    public = {s.name for s in parse_code(WHOLE, "swift").symbols if s.is_public}

    assert public == {"Model", "shared", "Store", "Key", "get", "more"}


def test_static_members_are_told_from_others() -> None:
    assert declared("static let zero: Self").is_static
    assert declared("class func make()").is_static
    assert not declared("func make()", is_member=True).is_static


@pytest.mark.parametrize(
    "code",
    [
        "switch x {\ncase .a: break\ncase let b: break\n}",
        "case .a:\n  print(1)",
        "case a:\n  print(1)",
        "if case let x? = y { let z = 1 }",
        "if let a = b,\n   let c = d {\n}",
        "guard\n  let a = b,\n  let c = d else {\n  return\n}",
        "items.map { let x = $0; return x }",
        "print(open(file), prefix(3))",
        "// func commented() {}\n/* struct /* Nested */ Out {} */",
        '"""\nstruct InText {}\n"""',
        "return class",
        "func",
        "struct 5 {}",
    ],
)
def test_what_is_no_declaration_gives_none(code: str) -> None:
    assert outline(code) == []


def test_a_body_that_never_ends_hides_its_locals_and_keeps_its_members() -> None:
    assert outline("struct A {\n  func f() {\n    let x = 1") == [("struct", "A"), ("method", "f")]


def test_lines_of_dashes_take_no_time() -> None:
    begin = time.process_time()

    assert outline("---\n" * 3_000) == []
    assert time.process_time() - begin < 2


def test_a_long_interface_is_read_to_its_end() -> None:
    code = "extension A {\n" + "  public func f(a: Int) -> Int\n" * 3_000 + "}"

    assert len(outline(code)) == 3_001


def some_pages() -> Iterator[dict[str, Any]]:
    """Every seventh page of the first few thousand."""
    with tarfile.open(ARCHIVE, "r|gz") as archive:
        for number, member in enumerate(archive):
            if number > 6_000:
                return
            file = archive.extractfile(member) if member.isfile() and number % 7 == 0 else None
            if file is not None:
                yield json.load(file)


def some_declarations() -> Iterator[tuple[str, str, str, bool]]:
    """The kind, the title, the declaration, and whether it stands in a type."""
    for page in some_pages():
        metadata = page.get("metadata", {})
        kind = metadata.get("symbolKind")
        depth = page["identifier"]["url"].count("/")
        for section in page.get("primaryContentSections", []):
            if section["kind"] == "declarations" and kind in KINDS:
                text = "".join(token["text"] for token in section["declarations"][0]["tokens"])
                yield kind, metadata["title"], text, depth > 5


@pytest.mark.skipif(not ARCHIVE.exists(), reason=reason_to_skip("swift"))
def test_the_declarations_of_the_standard_library_are_read_right() -> None:
    total, wrong = 0, []
    for kind, title, declaration, is_member in some_declarations():
        name = re.sub(r"(?<=.)\(.*\)$", "", title)
        name = name if kind == "op" else name.split(".")[-1]
        found = parse_declaration(declaration, "swift", is_member=is_member)
        total += 1
        if [(s.kind, s.name) for s in found] != [(KINDS[kind], name)]:
            wrong.append((kind, title, declaration, found))

    assert total > 500
    assert len(wrong) <= total / 100, wrong[:5]
