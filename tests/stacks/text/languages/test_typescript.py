"""TypeScript and JavaScript: types, functions, markup, and grammars that loop."""

from __future__ import annotations

import pytest

from stacks.model import Parsed, Symbol
from stacks.text import parse_code, parse_declaration

CODE = """\
import React, { useState } from "react";
import "./side-effect";
import type { T } from './types';
import fs = require("fs");
const path = require("path"), { join } = require("node:path");

@Component({ selector: "app" })
export abstract class Widget<T extends Base = Thing, U> extends View<T> implements A, B.C {
  static readonly #count: number = 1;
  @Input() label?: string;
  constructor(private store: Store) { super(); }
  protected async load<K>(key: K): Promise<void> { const local = 1; }
  get size(): number { return 1; }
  set size(value) { }
  @HostListener("click")
  onClick = (event: Event) => { };
  abstract draw(): void;
  [key: string]: unknown;
}
export interface Props<T> extends Base, Other<T> {
  readonly name: string;
  toggle?(on: boolean): void;
  new (name: string): Props<T>;
}
export type Id = string | number;
enum Color { Red, Green = "g", "dark-blue" }
export const add = async <N extends number>(a: N, b: N): Promise<N> => a, LIMIT = 3;
export default function () { }
export function* walk(/* from */ root: Node, // down
  depth = 1) { }
declare function ambient(a: string): void;
namespace Inner { export const hidden = 1; }
let { one, two: renamed, ...others } = thing;
print("x");
"""


def by_name() -> dict[str, Symbol]:
    return {symbol.name: symbol for symbol in parse_code(CODE, "typescript").symbols}


def test_a_file_gives_its_declarations_in_order_and_no_locals() -> None:
    assert [(s.kind, s.name) for s in parse_code(CODE, "ts").symbols] == [
        ("property", "path"),
        ("property", "join"),
        ("class", "Widget"),
        ("property", "#count"),
        ("property", "label"),
        ("initializer", "constructor"),
        ("method", "load"),
        ("property", "size"),
        ("method", "onClick"),
        ("method", "draw"),
        ("subscript", "subscript"),
        ("protocol", "Props"),
        ("property", "name"),
        ("method", "toggle"),
        ("initializer", "new"),
        ("typealias", "Id"),
        ("enum", "Color"),
        ("case", "Red"),
        ("case", "Green"),
        ("case", "dark-blue"),
        ("function", "add"),
        ("property", "LIMIT"),
        ("function", "default"),
        ("function", "walk"),
        ("function", "ambient"),
        ("property", "hidden"),
        ("property", "one"),
        ("property", "renamed"),
        ("property", "others"),
    ]


def test_imports_are_modules_as_written_each_once() -> None:
    assert parse_code(CODE, "ts").imports == (
        "react",
        "./side-effect",
        "./types",
        "fs",
        "path",
        "node:path",
    )


def test_a_class_carries_all_it_says() -> None:
    assert by_name()["Widget"] == Symbol(
        name="Widget",
        kind="class",
        signature="abstract class Widget<T extends Base = Thing, U> extends View<T> "
        "implements A, B.C",
        line=7,
        column=1,
        is_public=True,
        attributes=('@Component({ selector: "app" })',),
        conformances=("View<T>", "A", "B.C"),
        generic_parameters=("T", "U"),
        generic_constraints=("T: Base",),
    )


def test_a_function_behind_a_name_is_a_function() -> None:
    add = by_name()["add"]

    assert add.is_async
    assert add.signature == "const add = async <N extends number>(a: N, b: N): Promise<N>"
    assert add.generic_constraints == ("N: number",)
    assert by_name()["onClick"].attributes == ('@HostListener("click")',)
    assert by_name()["onClick"].line == 15


def test_comments_are_left_out_of_a_signature() -> None:
    assert by_name()["walk"].signature == "function* walk(root: Node, depth = 1)"


def test_public_is_what_is_exported_and_members_that_are_not_hidden() -> None:
    hidden = {name for name, symbol in by_name().items() if not symbol.is_public}

    assert hidden == {
        "path",
        "join",
        "#count",
        "load",
        "Color",
        "ambient",
        "one",
        "renamed",
        "others",
    }
    assert by_name()["#count"].is_static


MARKUP = """\
import React from 'react'
export function Greeting(props) { const x = 1; return <p className="a">it's {props.x}</p> }
const Short = () => <br/>
"""


@pytest.mark.parametrize("language", ["jsx", "tsx", "js", "ts"])
def test_markup_in_code_is_read_whatever_the_language_is_called(language: str) -> None:
    assert [(s.kind, s.name) for s in parse_code(MARKUP, language).symbols] == [
        ("function", "Greeting"),
        ("function", "Short"),
    ]


@pytest.mark.parametrize(
    ("declaration", "is_member", "kind", "name"),
    [
        ("interface Foo extends Bar", False, "protocol", "Foo"),
        ("class Foo<T>", False, "class", "Foo"),
        ("enum Foo", False, "enum", "Foo"),
        ("function foo(a: string): void", False, "function", "foo"),
        ("export declare const foo: number", False, "property", "foo"),
        ("type Foo = string", False, "typealias", "Foo"),
        ("constructor(a: string)", True, "initializer", "constructor"),
        ("foo(a: string): string", True, "method", "foo"),
        ("foo(a: string): string", False, "method", "foo"),
        ("readonly foo: number", True, "property", "foo"),
        ("static async foo<T>(): Promise<T>", True, "method", "foo"),
    ],
)
def test_a_declaration_alone_says_what_it_is(
    declaration: str, is_member: bool, kind: str, name: str
) -> None:
    (symbol,) = parse_declaration(declaration, "ts", is_member=is_member)

    assert (symbol.kind, symbol.name, symbol.line, symbol.column) == (kind, name, 1, 1)


@pytest.mark.parametrize(
    "code",
    [
        "[ { func / [ } enum ( { enum | ]",
        "type + { } * [ static ... / async } ; - { `t`",
        "<a {{b:>c:d(e f)",
        "{ try { } catch { (, e",
        "<div style={{ textAlign:>Note: This is important. (And this)</div>",
    ],
)
@pytest.mark.parametrize("language", ["typescript", "tsx", "javascript"])
def test_code_on_which_the_grammars_loop_for_ever_is_left_behind(code: str, language: str) -> None:
    assert isinstance(parse_code(code, language), Parsed)
    assert isinstance(parse_declaration(code, language), tuple)
