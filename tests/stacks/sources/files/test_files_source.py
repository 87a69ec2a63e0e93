"""What a file is called beside its name."""

from __future__ import annotations

import pytest

from stacks.sources.files.files_source import describe_file
from stacks.text import get_file_type


@pytest.mark.parametrize(
    ("path", "description"),
    [
        (".zshrc", "shell configuration"),
        (".gitconfig", "Git version control configuration"),
        ("a/Cargo.lock", "locked dependencies"),
        ("a/Site.KEY", "certificate or key"),
        (".env.example", "environment variables, configuration and secrets"),
        ("a/Makefile", "build rules"),
        ("a/README.md", "introduction to a project"),
        (".config/nvim/init.lua", "nvim configuration"),
        (".config/deep/er/x.yml", "deep configuration"),
        (".ssh/config", "ssh configuration"),
        ("a/tool.py", "python source code"),
        ("a/budget.xlsx", "spreadsheet"),
        ("a/slides.PPTX", "presentation slides"),
        ("a/scan.pdf", "PDF document"),
        ("a/photo.jpg", "image"),
        ("a/notes.txt", ""),
        ("a/.config", ""),
        ("configs/.config/x", ""),
    ],
)
def test_a_file_is_described_by_what_its_name_means(path: str, description: str) -> None:
    folder, _, name = path.rpartition("/")
    assert describe_file(name, folder, get_file_type(name)) == description
