"""Names in Swift answers, as far as symbol graphs reach."""

from cranfield.agents.swift.swift_names import resolve_swift
from cranfield.agents.swift.swift_symbols import SwiftModules
from cranfield.agents.swift.swift_syntax import find_errors, parse_swift, place
from cranfield.agents.swift.symbol_graphs import load_symbol_graphs

__all__ = [
    "SwiftModules",
    "find_errors",
    "load_symbol_graphs",
    "parse_swift",
    "place",
    "resolve_swift",
]
