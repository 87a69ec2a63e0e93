"""TREC files: scored or refused with a message, and never beyond what a measure can be."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import cranfield
from cranfield.errors import CranfieldError
from mutations import spoil

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

_MEASURES = ("nDCG@10", "RR@10", "AP", "P@5", "R@100", "Judged@10")


def attack(random: Random, folder: Path) -> None:
    """Score a spoilt run, with spoilt judgments now and then."""
    qrels, run = folder / "qrels.txt", folder / "run.txt"
    judged = _make_qrels(random)
    qrels.write_bytes(spoil(random, judged) if random.random() < 0.5 else judged)
    ranked = _make_run(random)
    run.write_bytes(spoil(random, ranked) if random.random() < 0.8 else ranked)
    with suppress(CranfieldError):
        for scored in cranfield.score(qrels, [run], _MEASURES).runs:
            for measure in scored.columns:
                value = scored.value(measure)
                if isinstance(value, float) and not 0 <= value <= 1:
                    raise AssertionError(f"{measure} is {value}")


def _make_qrels(random: Random) -> bytes:
    lines = (
        f"{query} 0 d{document} {random.randint(-1, 3)}\n"
        for query in range(301, 305)
        for document in random.sample(range(40), 10)
    )
    return "".join(lines).encode()


def _make_run(random: Random) -> bytes:
    between = random.choice((" ", "\t", "  "))
    lines = []
    for query in range(301, 305):
        for rank, document in enumerate(random.sample(range(40), 15), 1):
            fields = (str(query), "Q0", f"d{document}", str(rank), f"{20 - rank}.5", "tag")
            lines.append(between.join(fields) + "\n")
    return "".join(lines).encode()
