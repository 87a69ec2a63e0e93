"""What a file is by its name: its type, its language, and how its text is had."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from stacks.sources.samples import LANGUAGES

__all__ = ["FileKind", "How", "get_kind"]


class How(StrEnum):
    """How the text of a file is had."""

    DECODE = "decode"
    EXTRACT = "extract"
    NAME = "name"
    NOTEBOOK = "notebook"
    SNIFF = "sniff"  # decoded if it turns out to be text


@dataclass(frozen=True, slots=True)
class FileKind:
    """What files with a name of one kind are.

    - `type` is the word for it in the facts of a document.
    - `language` is that of its source code, empty for everything else.
    - `media_type` is what it is called where its text is extracted.
    - `reason` says why nothing but the name is indexed, where that is so.
    """

    type: str
    how: How
    language: str = ""
    media_type: str = ""
    reason: str = ""


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
"""Formats whose text another process extracts, by the ending of the name."""

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
    "is a video": (
        "video",
        "3gp avi flv m2ts m4v mkv mov mp4 mpeg mpg mts ogv vob webm wmv",
    ),
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
"""Formats of which only the name is indexed: why, the type, the endings of the names."""

_TEXTS = {
    "spreadsheet": "csv tsv",
    "text": (
        "adoc asciidoc bib cfg conf desktop diff ics ini json json5 jsonc jsonl ldif lock log "
        "markdown md mdown mdx mbox ndjson nfo opml org patch plist po properties rst service "
        "srt sub tex text textile toml txt vcf vtt wiki xml yaml yml"
    ),
}
_MORE_LANGUAGES = {
    "bash": "shell",
    "bat": "batch",
    "clj": "clojure",
    "cljs": "clojure",
    "cjs": "javascript",
    "cmake": "cmake",
    "css": "css",
    "cts": "typescript",
    "dart": "dart",
    "el": "elisp",
    "erl": "erlang",
    "ex": "elixir",
    "exs": "elixir",
    "fs": "fsharp",
    "gradle": "groovy",
    "graphql": "graphql",
    "groovy": "groovy",
    "hs": "haskell",
    "hxx": "cpp",
    "jl": "julia",
    "ksh": "shell",
    "less": "css",
    "lisp": "lisp",
    "lua": "lua",
    "mk": "make",
    "ml": "ocaml",
    "mli": "ocaml",
    "mts": "typescript",
    "nim": "nim",
    "nix": "nix",
    "pas": "pascal",
    "pl": "perl",
    "pm": "perl",
    "proto": "protobuf",
    "ps1": "powershell",
    "pyw": "python",
    "pyx": "python",
    "r": "r",
    "rake": "ruby",
    "rmd": "r",
    "sass": "css",
    "scss": "css",
    "svelte": "javascript",
    "tcl": "tcl",
    "tf": "terraform",
    "v": "verilog",
    "vb": "basic",
    "vim": "vim",
    "vue": "javascript",
    "zig": "zig",
}
_NAMED = {
    "brewfile": "ruby",
    "cmakelists.txt": "cmake",
    "containerfile": "dockerfile",
    "dockerfile": "dockerfile",
    "gemfile": "ruby",
    "gnumakefile": "make",
    "jenkinsfile": "groovy",
    "justfile": "make",
    "makefile": "make",
    "podfile": "ruby",
    "rakefile": "ruby",
    "vagrantfile": "ruby",
    ".bash_aliases": "shell",
    ".bash_logout": "shell",
    ".bash_profile": "shell",
    ".bashrc": "shell",
    ".gvimrc": "vim",
    ".profile": "shell",
    ".vimrc": "vim",
    ".zlogin": "shell",
    ".zprofile": "shell",
    ".zshenv": "shell",
    ".zshrc": "shell",
}
"""Files of source code that are known by their whole name."""


def _list_endings() -> dict[str, FileKind]:
    """Put the tables together; a later one decides where two have the same ending."""
    kinds = {
        ending: FileKind(kind, How.NAME, reason=reason)
        for reason, (kind, endings) in _UNREAD.items()
        for ending in endings.split()
    }
    for ending, language in {**_MORE_LANGUAGES, **LANGUAGES}.items():
        kinds[ending] = FileKind("code", How.DECODE, language)
    for kind, endings in _TEXTS.items():
        kinds |= dict.fromkeys(endings.split(), FileKind(kind, How.DECODE))
    for ending, (kind, media_type) in _EXTRACTED.items():
        kinds[ending] = FileKind(kind, How.EXTRACT, media_type=media_type)
    kinds["ipynb"] = FileKind("document", How.NOTEBOOK)
    return kinds


_BY_ENDING = _list_endings()
_BY_NAME = {name: FileKind("code", How.DECODE, language) for name, language in _NAMED.items()}
_UNKNOWN = FileKind("other", How.SNIFF)


def get_kind(name: str) -> FileKind:
    """Say what a file is by its name; the ending of a hidden file's name is not its whole name."""
    folded = name.lower()
    _, dot, ending = folded.lstrip(".").rpartition(".")
    return _BY_NAME.get(folded) or (_BY_ENDING.get(ending) if dot else None) or _UNKNOWN
