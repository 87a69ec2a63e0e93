"""The document of a file: its name, its folder, what it is and its content.

Many file names are conventions that mean nothing to people who do not know them, so a document
also says in words what its file is: a spreadsheet, a shell's configuration.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from stacks.model import Document
from stacks.sources.uris import make_slug, quote_segment
from stacks.text import FileType, TextAccess, find_identifiers, get_file_type

if TYPE_CHECKING:
    from stacks.sources.files.file_contents import FileContent

__all__ = ["FileCorpus", "describe_file", "make_file_document"]

_MOST_IDENTIFIERS = 2000
_LOOKED_THROUGH = 500_000  # characters; longer code is data or made by a program

_CONVENTIONS = {
    "shell configuration": (
        ".bashrc .bash_profile .bash_aliases .bash_login .bash_logout .profile .zshrc .zshenv "
        ".zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .inputrc config.fish"
    ),
    "Git version control configuration": ".gitconfig .gitattributes .gitmodules .git-blame-ignore*",
    "Git version control ignore rules": ".gitignore .git/info/exclude",
    "Mercurial version control configuration": ".hgrc .hgignore",
    "environment variables, configuration and secrets": ".env .env.* *.env",
    "SSH configuration": "sshd_config ssh_config",
    "SSH key": (
        "id_rsa id_rsa.* id_ed25519 id_ed25519.* id_ecdsa id_ecdsa.* known_hosts authorized_keys"
    ),
    "certificate or key": "*.pem *.key *.crt *.cer *.p12 *.pfx *.csr",
    "passwords of programs": ".netrc .pgpass .git-credentials .htpasswd *.kdbx",
    "editor configuration": (
        ".vimrc .gvimrc init.vim .emacs init.el .nanorc .editorconfig .ideavimrc"
    ),
    "terminal configuration": (
        ".tmux.conf tmux.conf .screenrc alacritty.yml alacritty.toml kitty.conf wezterm.lua "
        ".wezterm.lua .Xresources"
    ),
    "package manager configuration": (
        ".npmrc .yarnrc .yarnrc.yml .pypirc pip.conf .condarc .gemrc Brewfile"
    ),
    "linter or formatter configuration": (
        ".eslintrc .eslintrc.* .prettierrc .prettierrc.* .pylintrc .flake8 .rubocop.yml "
        ".clang-format .clang-tidy ruff.toml .stylelintrc biome.json"
    ),
    "compiler configuration": "tsconfig.json tsconfig.*.json jsconfig.json babel.config.*",
    "build rules": (
        "Makefile makefile GNUmakefile CMakeLists.txt *.cmake build.gradle build.gradle.kts "
        "meson.build BUILD BUILD.bazel WORKSPACE Rakefile justfile Justfile SConstruct pom.xml "
        "build.xml webpack.config.* vite.config.* rollup.config.*"
    ),
    "package manifest and dependencies": (
        "package.json pyproject.toml setup.py setup.cfg requirements.txt requirements-*.txt "
        "Pipfile Cargo.toml go.mod Gemfile composer.json Package.swift Podfile *.gemspec *.csproj "
        "environment.yml deno.json"
    ),
    "locked dependencies": "*.lock package-lock.json go.sum pnpm-lock.yaml",
    "container image build": "Dockerfile Dockerfile.* *.dockerfile Containerfile .dockerignore",
    "container services": (
        "docker-compose.yml docker-compose.yaml docker-compose.*.yml compose.yml compose.yaml"
    ),
    "continuous integration": (
        ".gitlab-ci.yml Jenkinsfile .travis.yml azure-pipelines.yml .drone.yml"
    ),
    "infrastructure definition": "*.tf *.tfvars Vagrantfile Procfile serverless.yml *.nomad",
    "scheduled jobs": "crontab *.cron",
    "system service": "*.service *.timer *.socket",
    "introduction to a project": "README README.* readme.*",
    "license terms": "LICENSE LICENSE.* LICENCE LICENCE.* COPYING COPYING.*",
    "history of changes": "CHANGELOG CHANGELOG.* HISTORY HISTORY.* NEWS NEWS.* CHANGES CHANGES.*",
    "how to contribute": "CONTRIBUTING CONTRIBUTING.*",
    "database queries": "*.sql",
    "database configuration": ".psqlrc .my.cnf my.cnf .sqliterc",
    "Jupyter notebook": "*.ipynb",
    "configuration": "*.conf *.cfg *.ini *.rc *.properties *.plist",
    "log of a program": "*.log",
    "mail": "*.eml *.msg *.mbox",
    "calendar": "*.ics",
    "contacts": "*.vcf",
    "subtitles": "*.srt *.vtt",
    "font": "*.otf *.ttf *.ttc *.woff *.woff2",
    "database": "*.db *.sqlite *.sqlite3 *.mdb *.realm",
    "e-book": "*.epub *.mobi *.azw *.azw3",
    "web page": "*.html *.htm *.xhtml",
    "PDF document": "*.pdf",
    "bibliography": "*.bib",
}
"""What file names mean by convention; the first match counts."""

_BY_PATTERN = [
    (pattern, description)
    for description, patterns in _CONVENTIONS.items()
    for pattern in patterns.split()
]
_EXACT = {pattern: description for pattern, description in _BY_PATTERN if "*" not in pattern}
_FITTING = [(pattern, description) for pattern, description in _BY_PATTERN if "*" in pattern]

_TYPES = {
    "document": "document",
    "spreadsheet": "spreadsheet",
    "presentation": "presentation slides",
    "image": "image",
    "audio": "sound",
    "video": "video",
    "archive": "archive",
    "installer": "installer",
    "design": "design",
}


@dataclass(frozen=True, slots=True)
class FileCorpus:
    """The folder that files come from, by its name in their URIs."""

    name: str

    @property
    def slug(self) -> str:
        """The name as a framework: in lower case with hyphens."""
        return make_slug(self.name) or quote_segment(self.name)

    def make_uri(self, key: str) -> str:
        """Return the URI of a file."""
        parts = (self.name, *key.split("/"))
        return "files://" + "/".join(quote_segment(part) for part in parts)


def make_file_document(corpus: FileCorpus, key: str, size: int, content: FileContent) -> Document:
    """Make the document of a file; without content if there is a reason not to read it."""
    folder, _, name = key.rpartition("/")
    kind = get_file_type(name)
    # A file that could not be read as its name says may be anything.
    is_code = kind.type == "code" and not content.reason
    # Some systems store names decomposed; people type them composed.
    title = unicodedata.normalize("NFC", name)
    stem, extension = _split_name(title)
    seen = content.text[:_LOOKED_THROUGH] if is_code else ""
    return Document(
        uri=corpus.make_uri(key),
        title=title,
        content=content.text,
        summary=_summarise(name, unicodedata.normalize("NFC", folder), kind),
        framework=corpus.slug,
        module=corpus.name,
        language=kind.language if is_code else "",
        kind="file",
        names=(stem,) if stem != title else (),
        identifiers=find_identifiers(seen, _MOST_IDENTIFIERS),
        facts={
            **content.facts,
            "extension": extension.lower(),
            "folder": folder,
            "size": str(size),
            "type": _get_type(kind, content),
            "content": f"name only: {content.reason}" if content.reason else content.extent,
        },
    )


def _summarise(name: str, folder: str, kind: FileType) -> str:
    """Describe in one line what a file is and which folder it is in."""
    described = describe_file(name, folder, kind)
    return " in ".join(part for part in (described, folder) if part)


def _split_name(name: str) -> tuple[str, str]:
    """Split a name into stem and extension; leading dots start no extension."""
    bare = name.lstrip(".")
    stem, dot, extension = bare.rpartition(".")
    if not dot or not stem:
        return name, ""
    return name[: -len(extension) - 1], extension


def _get_type(kind: FileType, content: FileContent) -> str:
    """Say what a file is; an unknown one that was read as text is a text."""
    if kind.access is TextAccess.SNIFF:
        return "other" if content.reason else "text"
    return kind.type


def describe_file(name: str, folder: str, kind: FileType) -> str:
    """Describe what a file is in a few words; empty if its name says only that it is text.

    By convention, `.config` holds configuration, in folders named after programs.
    """
    owner = _find_program(folder)
    if owner:
        return f"{owner} configuration"
    if name in _EXACT:
        return _EXACT[name]
    for pattern, description in _FITTING:
        if fnmatchcase(name.lower(), pattern.lower()):
            return description
    if kind.type == "code":
        return f"{kind.language} source code"
    return _TYPES.get(kind.type, "")


def _find_program(folder: str) -> str:
    """Return the program whose configuration is in a folder."""
    first, *rest = folder.split("/")
    return rest[0] if first == ".config" and rest else first.lstrip(".") if first == ".ssh" else ""
