"""Systems: commands, servers, callables and recordings, all behind one `search`."""

from cranfield.systems.extraction import Extraction, ReadingSettings, keep_first
from cranfield.systems.fingerprints import FileFingerprint, changed_files, fingerprint_files
from cranfield.systems.json_paths import JsonPath
from cranfield.systems.line_process import LineProcess, LineProcessError, ProcessPool
from cranfield.systems.masked_secrets import mask_literal_secrets, mask_response
from cranfield.systems.preparation import prepare_system
from cranfield.systems.presets import PRESETS, Preset
from cranfield.systems.programs import check_program
from cranfield.systems.python_system import PythonSystem
from cranfield.systems.remote_system import find_opener, refuse_other_build
from cranfield.systems.system import (
    SYSTEMS,
    InitOption,
    Settings,
    System,
    SystemContext,
    SystemKind,
    SystemSpec,
    find_tool_server,
    open_system,
)
from cranfield.systems.system_config import (
    CONFIG_NAME,
    find_config,
    get_system,
    list_searched_folders,
    load_systems,
)
from cranfield.systems.templates import fill_known, placeholder_names, write_value
from cranfield.systems.tool_server import ToolReading, ToolServer

__all__ = [
    "CONFIG_NAME",
    "PRESETS",
    "SYSTEMS",
    "Extraction",
    "FileFingerprint",
    "InitOption",
    "JsonPath",
    "LineProcess",
    "LineProcessError",
    "Preset",
    "ProcessPool",
    "PythonSystem",
    "ReadingSettings",
    "Settings",
    "System",
    "SystemContext",
    "SystemKind",
    "SystemSpec",
    "ToolReading",
    "ToolServer",
    "changed_files",
    "check_program",
    "fill_known",
    "find_config",
    "find_opener",
    "find_tool_server",
    "fingerprint_files",
    "get_system",
    "keep_first",
    "list_searched_folders",
    "load_systems",
    "mask_literal_secrets",
    "mask_response",
    "open_system",
    "placeholder_names",
    "prepare_system",
    "refuse_other_build",
    "write_value",
]
