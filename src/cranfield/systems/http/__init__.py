"""Systems that are HTTP servers."""

from cranfield.systems.http.presets import PRESETS, Preset

__all__ = ["PRESETS", "Preset"]
