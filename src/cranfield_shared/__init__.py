"""What cranfield and stacks share and neither owns: names, registries, the terminal."""

from cranfield_shared.completion import add_completion
from cranfield_shared.names import near_names, unknown_name
from cranfield_shared.registry import Registry
from cranfield_shared.retry_after import read_retry_after
from cranfield_shared.terminal import (
    CLEAR_LINE,
    discard_output,
    draw_bar,
    has_colour,
    make_app,
    paint,
)

__all__ = [
    "CLEAR_LINE",
    "Registry",
    "add_completion",
    "discard_output",
    "draw_bar",
    "has_colour",
    "make_app",
    "near_names",
    "paint",
    "read_retry_after",
    "unknown_name",
]
