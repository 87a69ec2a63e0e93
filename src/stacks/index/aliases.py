"""What people call a framework: its import name, its written name, and the short forms.

The short forms are common knowledge, kept as a table; only those of frameworks that an index
holds are written into it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

__all__ = ["SYNONYMS", "write_aliases"]

SYNONYMS: dict[str, tuple[str, ...]] = {
    # Apple
    "accelerate": ("vdsp", "blas", "lapack"),
    "appintents": ("shortcuts", "siri shortcuts", "intents"),
    "appkit": ("cocoa", "mac ui"),
    "arkit": ("ar", "augmented reality"),
    "avfoundation": ("av", "audio video"),
    "cloudkit": ("icloud",),
    "combine": ("reactive",),
    "coreaudio": ("audio",),
    "corebluetooth": ("ble", "bluetooth"),
    "coredata": ("cd", "core data"),
    "coregraphics": ("cg", "quartz"),
    "coreimage": ("ci",),
    "corelocation": ("gps", "location", "geolocation"),
    "coremedia": ("cm",),
    "coreml": ("ml", "machine learning"),
    "coremotion": ("accelerometer", "gyroscope"),
    "corenfc": ("nfc",),
    "createml": ("training",),
    "cryptokit": ("crypto",),
    "dispatch": ("gcd", "grand central dispatch"),
    "eventkit": ("calendar", "reminders"),
    "foundation": ("nsfoundation",),
    "gamekit": ("game center",),
    "healthkit": ("health",),
    "homekit": ("home automation",),
    "localauthentication": ("face id", "touch id", "biometrics"),
    "mapkit": ("maps",),
    "metal": ("gpu", "mtl"),
    "multipeerconnectivity": ("peer to peer",),
    "musickit": ("apple music",),
    "passkit": ("apple pay", "wallet"),
    "pencilkit": ("apple pencil",),
    "photokit": ("photos",),
    "quartzcore": ("ca", "core animation"),
    "realitykit": ("rk",),
    "regexbuilder": ("regex builder",),
    "scenekit": ("scn",),
    "spritekit": ("sk",),
    "storekit": ("iap", "in-app purchase"),
    "swiftdata": ("persistence",),
    "swiftui": ("sui",),
    "synchronization": ("atomics",),
    "uikit": ("cocoa touch",),
    "usernotifications": ("push", "push notifications", "notifications"),
    "vision": ("ocr",),
    "watchconnectivity": ("wc",),
    "webkit": ("wk", "web view"),
    "widgetkit": ("widgets",),
    # Python
    "argparse": ("cli arguments", "command line arguments"),
    "ast": ("syntax tree",),
    "asyncio": ("aio", "event loop"),
    "base64": ("b64",),
    "bisect": ("binary search",),
    "bz2": ("bzip2",),
    "configparser": ("ini", "cfg"),
    "csv": ("comma separated",),
    "ctypes": ("ffi",),
    "difflib": ("diff",),
    "email": ("mime",),
    "fnmatch": ("wildcards",),
    "gettext": ("i18n", "translations"),
    "gzip": ("gz",),
    "hashlib": ("md5", "sha", "checksum"),
    "heapq": ("heap", "priority queue"),
    "http": ("web server",),
    "importlib": ("importing",),
    "ipaddress": ("ip address", "ipv4", "ipv6"),
    "locale": ("l10n",),
    "lzma": ("xz",),
    "mimetypes": ("mime types",),
    "multiprocessing": ("mp", "multi processing"),
    "pdb": ("debugger",),
    "pickle": ("serialization", "serialize"),
    "re": ("regex", "regexp", "regular expression", "regular expressions"),
    "sched": ("scheduler",),
    "shlex": ("shell quoting",),
    "smtplib": ("smtp",),
    "sqlite3": ("sqlite",),
    "ssl": ("tls",),
    "subprocess": ("shell out", "child process"),
    "tempfile": ("temporary files", "tmp"),
    "threading": ("threads",),
    "tkinter": ("tk", "gui"),
    "tomllib": ("toml",),
    "typing": ("type hints", "type annotations"),
    "unittest": ("unit testing",),
    "urllib": ("url fetching",),
    "uuid": ("guid",),
    "venv": ("virtualenv", "virtual environment"),
    "zipfile": ("zip",),
    "zoneinfo": ("timezone", "time zone", "tz"),
}
"""Short forms and everyday names of frameworks and modules, by their slug."""


def write_aliases(connection: sqlite3.Connection) -> None:
    """Write the names of every framework that the index holds."""
    rows = connection.execute(
        """
        SELECT m.framework,
               coalesce(max(CASE WHEN m.uri LIKE '%://' || m.framework THEN s.module END),
                        min(nullif(s.module, ''))),
               coalesce(max(CASE WHEN m.uri LIKE '%://' || m.framework THEN s.title END),
                        min(nullif(s.module, ''))),
               count(*)
        FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
        WHERE m.framework <> '' GROUP BY m.framework
        """
    ).fetchall()
    connection.execute("DELETE FROM framework_aliases")
    connection.executemany(
        "INSERT INTO framework_aliases VALUES (?, ?, ?, ?, ?)",
        [
            (slug, module or slug, display or slug, ", ".join(SYNONYMS.get(slug, ())), documents)
            for slug, module, display, documents in rows
        ],
    )
