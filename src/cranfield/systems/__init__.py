"""Systems: commands, servers, callables and recordings, all asked the same way."""

from cranfield.systems import command as _command  # noqa: F401 - registers its kind
from cranfield.systems import http as _http  # noqa: F401 - registers its kind
from cranfield.systems import mcp as _mcp  # noqa: F401 - registers its kind
from cranfield.systems import recorded as _recorded  # noqa: F401 - registers its kind
from cranfield.systems import runfile as _runfile  # noqa: F401 - registers its kind
from cranfield.systems import stacks as _stacks  # noqa: F401 - registers its kind
from cranfield.systems.config import CONFIG_NAME, find_config, get_system, load_systems
from cranfield.systems.extraction import Extraction, ReadingSettings
from cranfield.systems.files import FileFingerprint, changed_files, fingerprint_files
from cranfield.systems.paths import JsonPath
from cranfield.systems.preparing import prepare_system
from cranfield.systems.presets import PRESETS, Preset
from cranfield.systems.python import PythonSystem
from cranfield.systems.system import (
    SYSTEMS,
    Settings,
    Surroundings,
    System,
    SystemKind,
    SystemSpec,
    open_system,
)

__all__ = [
    "CONFIG_NAME",
    "PRESETS",
    "SYSTEMS",
    "Extraction",
    "FileFingerprint",
    "JsonPath",
    "Preset",
    "PythonSystem",
    "ReadingSettings",
    "Settings",
    "Surroundings",
    "System",
    "SystemKind",
    "SystemSpec",
    "changed_files",
    "find_config",
    "fingerprint_files",
    "get_system",
    "load_systems",
    "open_system",
    "prepare_system",
]
