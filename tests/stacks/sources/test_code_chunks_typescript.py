"""TypeScript and JavaScript are cut into types, functions, methods and namespaces."""

from __future__ import annotations

import pytest

from stacks.sources.code_chunks import Chunk, chunk_code

MODULE = """\
/** About the file. */

import a from "b";

/**
 * Adds.
 *
 * @param x one
 */
export const add = async (x: number, y = 2): Promise<number> => {
  const local = () => 1;
  function helper(z) {
    return z;
  }
  return x;
};

export const one = (x) => x + 1;

/** Doc of A. */
@dec({ a: 1 })
export default class A<T extends B> extends C implements D {
  count = 0;
  /** The m. */
  @log()
  public async m(): Promise<void> {
    return;
  }
  handler = (e: Event) => {
    go();
  };
  get z() { return 1 }
  over(a: string): void;
  over(a: any): void {}
  constructor(private x: number) {
    super();
  }
}

export interface I extends J {
  m(): void;
}
enum E { A, B }
namespace N.M {
  export function k() {
    return 1;
  }
}
exports.last = function () {
  return 1;
};
describe("x", () => {
  const hidden = () => {
    return 2;
  };
});
"""


def cut(code: str, language: str = "typescript") -> list[Chunk]:
    return list(chunk_code(code, language, "lib/a.ts"))


def texts(code: str, language: str = "typescript") -> dict[str, str]:
    return {chunk.name: chunk.text for chunk in cut(code, language)}


def test_a_module_is_cut_in_the_order_of_its_lines() -> None:
    assert [(c.name, c.kind, c.parents, c.start_line, c.end_line) for c in cut(MODULE)] == [
        ("a", "module", (), 1, 56),
        ("add", "function", ("a",), 5, 16),
        ("helper", "function", ("a", "add"), 12, 14),
        ("one", "function", ("a",), 18, 18),
        ("A", "class", ("a",), 20, 38),
        ("m", "method", ("a", "A"), 24, 28),
        ("handler", "method", ("a", "A"), 29, 31),
        ("z", "property", ("a", "A"), 32, 32),
        ("over", "method", ("a", "A"), 33, 33),
        ("over", "method", ("a", "A"), 34, 34),
        ("constructor", "initializer", ("a", "A"), 35, 37),
        ("I", "protocol", ("a",), 40, 42),
        ("E", "enum", ("a",), 43, 43),
        ("N.M", "module", ("a",), 44, 48),
        ("k", "function", ("a", "N.M"), 45, 47),
        ("last", "function", ("a",), 49, 51),
    ]


def test_the_module_keeps_one_line_of_each_chunk_in_it() -> None:
    assert (
        cut(MODULE)[0].text
        == """\
/** About the file. */

import a from "b";

export const add = async (x: number, y = 2): Promise<number> => { ...

export const one = (x) => ...

export default class A<T extends B> extends C implements D { ...

export interface I extends J { ...
enum E ...
namespace N.M { ...
exports.last = function () { ...
describe("x", () => {
  const hidden = () => {
    return 2;
  };
});"""
    )


def test_comments_and_decorators_belong_to_the_declaration_below_them() -> None:
    chunks = {chunk.name: chunk for chunk in cut(MODULE)}
    assert (
        chunks["A"].text
        == """\
/** Doc of A. */
@dec({ a: 1 })
export default class A<T extends B> extends C implements D {
  count = 0;
  public async m(): Promise<void> { ...
  handler = (e: Event) => { ...
  get z() ...
  over(a: string): void; ...
  over(a: any): void ...
  constructor(private x: number) { ...
}"""
    )
    assert (
        chunks["m"].text
        == """\
  /** The m. */
  @log()
  public async m(): Promise<void> {
    return;
  }"""
    )
    assert chunks["m"].documentation == "The m."
    assert chunks["m"].symbols[0].attributes == ("@log()",)
    assert chunks["add"].documentation == "Adds.\n\n@param x one"
    assert chunks["a"].documentation == "About the file."


def test_signatures_stand_on_one_line_without_bodies() -> None:
    assert [chunk.signature for chunk in cut(MODULE)] == [
        "",
        "const add = async (x: number, y = 2): Promise<number>",
        "function helper(z)",
        "const one = (x)",
        "class A<T extends B> extends C implements D",
        "public async m(): Promise<void>",
        "handler = (e: Event)",
        "get z()",
        "over(a: string): void",
        "over(a: any): void",
        "constructor(private x: number)",
        "interface I extends J",
        "enum E",
        "namespace N.M",
        "function k()",
        "last = function ()",
    ]


def test_functions_that_a_function_gives_a_name_stay_in_it() -> None:
    assert "  const local = () => 1;\n" in texts(MODULE)["add"]
    code = "function outer() {\n  const f = function () {\n    return 1;\n  };\n  return f;\n}\n"
    assert list(texts(code)) == ["outer"]


def test_classes_in_functions_are_chunks_with_their_methods() -> None:
    code = (
        "function make() {\n  return 1;\n  class L {\n    f = () => {\n      g();\n    };\n  }\n}\n"
    )
    assert [(c.name, c.kind, c.parents) for c in cut(code)] == [
        ("make", "function", ("a",)),
        ("L", "class", ("a", "make")),
        ("f", "method", ("a", "make", "L")),
    ]


@pytest.mark.parametrize(
    ("code", "name", "kind"),
    [
        ("export default function () {\n}\n", "default", "function"),
        ("export default class {\n}\n", "default", "class"),
        ("export default () => {\n};\n", "default", "function"),
        ("const C = class {\n  x = 1;\n};\n", "C", "class"),
        ("function* g() {\n}\n", "g", "function"),
        ("A.prototype.run = function () {\n};\n", "run", "function"),
        ("declare function d(a: string): void;\n", "d", "function"),
        ("export declare class K {\n}\n", "K", "class"),
        ("abstract class Q {\n  abstract m(): void;\n}\n", "Q", "class"),
    ],
)
def test_every_way_to_name_something_gives_a_chunk(code: str, name: str, kind: str) -> None:
    first = cut(code)[0]
    assert (first.name, first.kind, first.start_line) == (name, kind, 1)


def test_what_shares_a_line_with_what_is_around_it_stays_there() -> None:
    assert texts("class A { m() { return 1 } }\n") == {"A": "class A { m() { return 1 } }"}
    chunks = cut("function one() {\n} function two() {\n}\nx();\n")
    assert [(chunk.name, chunk.text) for chunk in chunks] == [
        ("a", "function one() { ...\n}\nx();"),
        ("one", "function one() {\n} function two() {"),
    ]


def test_a_comment_behind_a_blank_line_is_not_the_declarations() -> None:
    code = "x();\n/** far */\n\nfunction f() {\n}\n"
    assert texts(code) == {"a": "x();\n/** far */\n\nfunction f() { ...", "f": "function f() {\n}"}


def test_javascript_with_markup_is_read() -> None:
    code = "export function View(props) {\n  return <div onClick={() => go()}>{props.x}</div>;\n}\n"
    for language in ("javascript", "jsx", "tsx", "typescript"):
        assert list(texts(code, language)) == ["View"]


def test_a_module_of_imports_alone_is_left_out() -> None:
    assert cut('import a from "b";\nimport "c";\n') == []


def test_broken_code_gives_the_module_at_least() -> None:
    assert cut("class { { function (")[0].kind == "module"
    chunks = cut("function good() {\n  return 1;\n}\nconst = = ;\n")
    assert [chunk.name for chunk in chunks] == ["a", "good"]
