"""What cranfield and stacks share and neither owns: names, registries, the terminal."""

from cranfield_shared.names import near_names, unknown_name
from cranfield_shared.registry import Registry
from cranfield_shared.retry_after import read_retry_after
from cranfield_shared.terminal import CLEAR_LINE, discard_output, draw_bar, make_app

__all__ = [
    "CLEAR_LINE",
    "Registry",
    "discard_output",
    "draw_bar",
    "make_app",
    "near_names",
    "read_retry_after",
    "unknown_name",
]
