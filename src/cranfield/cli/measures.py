"""`cranfield measures`: what can be measured."""

from __future__ import annotations

from cranfield.cli.output import write

__all__ = ["measures"]


def measures() -> None:
    """List the measures, with an example and the parameters of each.

    \b
    cranfield measures
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import align
    from cranfield.measures import FAMILIES

    rows = [["measure", "parameters", "what it is"]]
    for name in FAMILIES.names():
        family = FAMILIES.get(name)
        # A default of 0 stands for "not used"; it cannot be asked for.
        settings = [f"{key}={each.default or '…'}" for key, each in family.parameters.items()]
        optional = family.cutoff is not None and not family.needs_cutoff
        spelled = f"{family.name}, {family.example}" if optional else family.example
        rows.append([spelled, " ".join(settings), family.summary])
    write(align(rows, left=3))
