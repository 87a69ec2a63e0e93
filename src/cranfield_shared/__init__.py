"""What cranfield and stacks share and neither owns: names, files, text, secrets, signals."""

from cranfield_shared.completion import add_completion
from cranfield_shared.files import file_name, held_file, replace_bytes, replace_file, sqlite_uri
from cranfield_shared.names import near_names, unknown_name
from cranfield_shared.packed_bodies import ACCEPTED_PACKINGS, BodyUnpacker, PackedBodyError
from cranfield_shared.plain_text import escape_json, printable, printable_lines
from cranfield_shared.registry import Registry
from cranfield_shared.repeated_options import refuse_repeated_options
from cranfield_shared.retry_after import read_retry_after
from cranfield_shared.secret_kinds import find_secrets, mask_secrets
from cranfield_shared.settings_files import parse_toml, read_limited, read_settings
from cranfield_shared.signals import (
    STOPPING_SIGNALS,
    Stopped,
    heard_signals,
    kept_handlers,
    loop_stoppable,
    stoppable,
)
from cranfield_shared.terminal import (
    CLEAR_LINE,
    discard_output,
    draw_bar,
    has_colour,
    make_app,
    outlast_closed_errors,
    paint,
)
from cranfield_shared.toml_values import render_key, render_value

__all__ = [
    "ACCEPTED_PACKINGS",
    "CLEAR_LINE",
    "STOPPING_SIGNALS",
    "BodyUnpacker",
    "PackedBodyError",
    "Registry",
    "Stopped",
    "add_completion",
    "discard_output",
    "draw_bar",
    "escape_json",
    "file_name",
    "find_secrets",
    "has_colour",
    "heard_signals",
    "held_file",
    "kept_handlers",
    "loop_stoppable",
    "make_app",
    "mask_secrets",
    "near_names",
    "outlast_closed_errors",
    "paint",
    "parse_toml",
    "printable",
    "printable_lines",
    "read_limited",
    "read_retry_after",
    "read_settings",
    "refuse_repeated_options",
    "render_key",
    "render_value",
    "replace_bytes",
    "replace_file",
    "sqlite_uri",
    "stoppable",
    "unknown_name",
]
