"""What a person calls a file of some kind, beside its name: a spreadsheet, a shell's configuration.

Many names are conventions that say nothing of their purpose to who does not know them.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stacks.text import FileType

__all__ = ["describe_file"]

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
"""What names mean by convention; the first that fits is told."""

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


def describe_file(name: str, folder: str, kind: FileType) -> str:
    """Say what a file is in a few words; empty where its name says no more than text.

    What lies below `.config` is configuration by convention, of the program its folder is
    called after.
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
    """Name the program whose configuration lies in a folder."""
    first, *rest = folder.split("/")
    return rest[0] if first == ".config" and rest else first.lstrip(".") if first == ".ssh" else ""
