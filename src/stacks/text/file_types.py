"""The one table of file types: what a file is by its name, its language, how its text is read.

Languages whose code can be parsed bring their file extensions themselves (`text/languages`);
everything else is listed here. A language has one name in every index. What people call it
otherwise is an alias, in code blocks and in filters alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from stacks.text.languages.language import LANGUAGES, find_language

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "FileType",
    "TextAccess",
    "get_file_type",
    "language_names",
    "language_of_file",
    "list_stored_names",
    "resolve_language",
    "source_extensions",
    "stored_language",
]


class TextAccess(StrEnum):
    """How the text of a file is read."""

    DECODE = "decode"
    EXTRACT = "extract"
    NAME = "name"  # not at all: only the name is indexed
    NOTEBOOK = "notebook"
    SNIFF = "sniff"  # decoded if it turns out to be text


@dataclass(frozen=True, slots=True)
class FileType:
    """What files with a name of one kind are.

    - `type` is the word for it in the facts of a document.
    - `language` is what it is written in, for code and for formats of text.
    - `media_type` is given to the extractor, if its text is extracted.
    - `reason` says why only the name is indexed, if that is so.
    """

    type: str
    access: TextAccess
    language: str = ""
    media_type: str = ""
    reason: str = ""


_PROGRAMS = {
    "c": "c h",
    "clojure": "clj cljs",
    "cpp": "cc cpp cxx hh hpp hxx",
    "csharp": "cs",
    "dart": "dart",
    "elixir": "ex exs",
    "go": "go",
    "graphql": "gql graphql",
    "haskell": "hs",
    "java": "java",
    "julia": "jl",
    "kotlin": "kt kts",
    "lua": "lua",
    "metal": "metal",
    "objc": "m mm",
    "ocaml": "ml mli",
    "perl": "pl pm",
    "php": "php",
    "powershell": "ps1",
    "protobuf": "proto",
    "r": "r",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala",
    "shell": "bash fish sh zsh",
    "sql": "sql",
    "zig": "zig",
}
"""Source code that is read in pieces: language and file extensions."""

_OTHER_CODE = {
    "basic": "vb",
    "batch": "bat",
    "cmake": "cmake",
    "css": "css less sass scss",
    "elisp": "el",
    "erlang": "erl",
    "fsharp": "fs",
    "groovy": "gradle groovy",
    "javascript": "svelte vue",
    "lisp": "lisp",
    "make": "mk",
    "nim": "nim",
    "nix": "nix",
    "pascal": "pas",
    "python": "pyx",
    "r": "rmd",
    "ruby": "rake",
    "shell": "ksh",
    "tcl": "tcl",
    "terraform": "tf",
    "verilog": "v",
    "vim": "vim",
}
"""Code among somebody's own files that a folder of source code is not searched for."""

_NAMED_CODE = {
    "cmake": "cmakelists.txt",
    "dockerfile": "containerfile dockerfile",
    "groovy": "jenkinsfile",
    "make": "gnumakefile justfile makefile",
    "ruby": "brewfile gemfile podfile rakefile vagrantfile",
    "shell": (
        ".bash_aliases .bash_logout .bash_profile .bashrc .profile .zlogin .zprofile .zshenv .zshrc"
    ),
    "vim": ".gvimrc .vimrc",
}
"""Files of code that are known by their whole name."""

_TEXTS = {
    "": (
        "adoc asciidoc bib conf desktop ics ldif lock log mbox nfo opml org po properties service "
        "srt sub textile vcf vtt wiki"
    ),
    "diff": "diff patch",
    "ini": "cfg ini",
    "json": "json json5 jsonc jsonl ndjson",
    "latex": "tex",
    "markdown": "markdown md mdown mdx",
    "plist": "plist",
    "restructuredtext": "rst",
    "text": "text txt",
    "toml": "toml",
    "xml": "xml",
    "yaml": "yaml yml",
}
_SPREADSHEETS = {"csv": "csv tsv"}
"""Spreadsheets that are text; others are extracted."""

_OFFICE = "application/vnd.openxmlformats-officedocument"
_EXTRACTED = {
    "doc": ("document", "application/msword"),
    "docm": ("document", "application/vnd.ms-word.document.macroEnabled.12"),
    "docx": ("document", f"{_OFFICE}.wordprocessingml.document"),
    "eml": ("document", "message/rfc822"),
    "epub": ("document", "application/epub+zip"),
    "htm": ("document", "text/html"),
    "html": ("document", "text/html"),
    "msg": ("document", "application/vnd.ms-outlook"),
    "ods": ("spreadsheet", "application/vnd.oasis.opendocument.spreadsheet"),
    "odt": ("document", "application/vnd.oasis.opendocument.text"),
    "pdf": ("document", "application/pdf"),
    "ppt": ("presentation", "application/vnd.ms-powerpoint"),
    "pptm": ("presentation", "application/vnd.ms-powerpoint.presentation.macroEnabled.12"),
    "pptx": ("presentation", f"{_OFFICE}.presentationml.presentation"),
    "rtf": ("document", "application/rtf"),
    "xhtml": ("document", "text/html"),
    "xls": ("spreadsheet", "application/vnd.ms-excel"),
    "xlsm": ("spreadsheet", "application/vnd.ms-excel.sheet.macroEnabled.12"),
    "xlsx": ("spreadsheet", f"{_OFFICE}.spreadsheetml.sheet"),
}
"""Formats whose text another process extracts, by file extension."""

_UNREAD = {
    "is an image": (
        "image",
        (
            "apng arw avif bmp cr2 cr3 dng exr gif heic heif icns ico jfif jp2 jpeg jpg jxl nef "
            "orf png pnm ppm qoi raf raw svg tga tif tiff webp"
        ),
    ),
    "is a sound file": (
        "audio",
        "aac aif aiff amr ape au caf flac m4a m4b mid midi mka mp3 oga ogg opus wav wma",
    ),
    "is a video": ("video", "3gp avi flv m2ts m4v mkv mov mp4 mpeg mpg ogv vob webm wmv"),
    "is an archive": (
        "archive",
        (
            "7z ar bz2 cab cpio ear gz jar lz lz4 lzma rar sit sitx tar tbz2 tgz txz war whl xz z "
            "zip zst"
        ),
    ),
    "is an installer or a disk image": (
        "installer",
        (
            "apk app appimage crx deb dmg exe flatpak img ipa iso msi msix pkg qcow2 rpm snap vdi "
            "vhd vmdk xpi"
        ),
    ),
    "is a design file": (
        "design",
        (
            "afdesign afphoto afpub ai blend c4d cdr dwg dxf eps fbx fig glb indd max psb psd "
            "sketch skp stl xcf xd"
        ),
    ),
    "is of a format whose text is not read": (
        "other",
        (
            "a bin class dat db dll dylib icc lib lnk mdb o obj otf parquet pdb pickle pkl pyc "
            "pyd pyo realm so sqlite sqlite3 swp ttc ttf wasm woff woff2"
        ),
    ),
    "is a document of an office program whose text is not read": (
        "document",
        "accdb azw azw3 djvu mobi numbers odg odp one pages pub vsd vsdx",
    ),
}
"""Formats of which only the name is indexed: why, the type, the file extensions."""

_ALIASES = {
    "cpp": "c++ cxx",
    "csharp": "c# cs",
    "go": "golang",
    "kotlin": "kt",
    "make": "makefile",
    "markdown": "md",
    "objc": "obj-c objective-c objectivec occ",
    "python": "py3",
    "ruby": "rb",
    "rust": "rs",
    "shell": "bash console sh shell-session shellscript terminal zsh",
    "swift": "swifttest",
    "text": "plaintext txt",
    "yaml": "yml",
}
"""What people call a language; those that can be parsed have further aliases of their own."""
_BY_ALIAS = {alias: name for name, aliases in _ALIASES.items() for alias in aliases.split()}

_FORMER_NAMES = {"shell": ("bash",)}
"""Names that a language had in indexes saved by earlier versions."""

_UNKNOWN = FileType("other", TextAccess.SNIFF)


def get_file_type(name: str) -> FileType:
    """Return the type of a file by its name; `.zip` alone is a hidden file, not an archive."""
    folded = name.lower()
    _, dot, extension = folded.lstrip(".").rpartition(".")
    found = _by_name().get(folded) or (_by_extension().get(extension) if dot else None)
    return found or _UNKNOWN


def language_of_file(path: str) -> str:
    """Return the language to parse a file with, by its name; empty if that is unknown."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    _, dot, extension = name.rpartition(".")
    found = _by_name().get(name) or (_by_extension().get(extension) if dot else None)
    return _parsed().get(extension, found.language) if found else ""


@cache
def source_extensions() -> tuple[str, ...]:
    """Return the extensions of source files, sorted, each with its dot."""
    programs = [extension for words in _PROGRAMS.values() for extension in words.split()]
    return tuple(sorted(f".{extension}" for extension in {*programs, *_parsed()}))


def resolve_language(name: str) -> str:
    """Return the one name of a language: `shell` for `bash`; an unknown name is its own."""
    folded = name.lower()
    known = find_language(folded)
    return _BY_ALIAS.get(folded) or (known.name if known else folded)


def stored_language(name: str) -> str:
    """Return the name that documents of a language are stored under: `typescript` for `tsx`."""
    resolved = resolve_language(name)
    known = find_language(resolved)
    return known.family or resolved if known else resolved


def language_names(name: str) -> tuple[str, ...]:
    """Return every name that documents of a language can be stored under, the current one first.

    The name as given is among them: `cs` is also the code of a natural language.
    """
    return tuple(dict.fromkeys((*list_stored_names(stored_language(name)), name.lower())))


def list_stored_names(language: str) -> tuple[str, ...]:
    """Return the name that documents of a language are stored under, then its former ones."""
    return (language, *_FORMER_NAMES.get(language, ()))


@cache
def _parsed() -> Mapping[str, str]:
    """Map file extensions to the languages that can be parsed."""
    return {extension: each.name for each in LANGUAGES.values() for extension in each.extensions}


@cache
def _by_name() -> Mapping[str, FileType]:
    """Map whole names of files to their types."""
    return {
        name: FileType("code", TextAccess.DECODE, language)
        for language, names in _NAMED_CODE.items()
        for name in names.split()
    }


@cache
def _by_extension() -> Mapping[str, FileType]:
    """Put the tables together; a later one decides if two have the same extension."""
    types = {
        extension: FileType(kind, TextAccess.NAME, reason=reason)
        for reason, (kind, extensions) in _UNREAD.items()
        for extension in extensions.split()
    }
    for kind, table in (
        ("code", _OTHER_CODE),
        ("code", _PROGRAMS),
        ("text", _TEXTS),
        ("spreadsheet", _SPREADSHEETS),
    ):
        for language, extensions in table.items():
            decoded = FileType(kind, TextAccess.DECODE, language)
            types |= dict.fromkeys(extensions.split(), decoded)
    for extension, language in _parsed().items():
        types[extension] = FileType("code", TextAccess.DECODE, stored_language(language))
    for extension, (kind, media_type) in _EXTRACTED.items():
        types[extension] = FileType(kind, TextAccess.EXTRACT, media_type=media_type)
    types["ipynb"] = FileType("document", TextAccess.NOTEBOOK)
    return types
