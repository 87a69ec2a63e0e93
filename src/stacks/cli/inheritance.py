"""`stacks inheritance`: what stands above a type, and what below."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from stacks.cli.options import DbOption, FormatOption, default_folder
from stacks.cli.output import choose_format, write, write_json
from stacks.query import explain_no_family, open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.query import TypeFamily

__all__ = ["inheritance"]


def inheritance(
    symbol: Annotated[str, typer.Argument(metavar="SYMBOL", help="A name or a URI.")],
    direction: Annotated[str, typer.Option(help="up, down or both.")] = "both",
    depth: Annotated[int, typer.Option(min=1, help="How many steps.")] = 3,
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Walk the inheritance of a type.

    Example: stacks inheritance OSError --direction down --depth 1
    """
    render = choose_format(_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        family = index.inheritance(symbol, direction, depth)
        remark = "" if family.relatives else explain_no_family(index, family, direction)
    write(render(_Shown(family, remark)))


class _Shown(NamedTuple):
    """A family, and why it has no members where it has none."""

    family: TypeFamily
    remark: str


def _as_text(shown: _Shown) -> str:
    family = shown.family
    if not family.relatives:
        return shown.remark
    above = [each for each in family.relatives if each.direction == "up"]
    below = [each for each in family.relatives if each.direction == "down"]
    lines = [f"{'  ' * each.steps}↑ {each.title}  {each.uri}" for each in above]
    lines.append(f"{family.title}  {family.uri}")
    lines += [f"{'  ' * each.steps}↓ {each.title}  {each.uri}" for each in below]
    return "\n".join(lines)


_FORMATS: Mapping[str, Callable[[_Shown], str]] = {
    "text": _as_text,
    "json": lambda shown: write_json(asdict(shown.family) | {"remark": shown.remark}),
    "markdown": lambda shown: "\n".join(f"    {line}" for line in _as_text(shown).splitlines()),
}
