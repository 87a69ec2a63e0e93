"""The public API: what `import cranfield` offers, and the page that documents it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cranfield
from cranfield.comparisons import Bucket

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "api.md").read_text()


@pytest.mark.parametrize("name", cranfield.__all__)
def test_every_name_is_there_and_on_the_page(name: str) -> None:
    assert getattr(cranfield, name) is not None
    assert re.search(rf"`{name}\b", PAGE), f"docs/api.md does not describe {name}"


def test_the_page_uses_no_other_name() -> None:
    assert set(re.findall(r"cranfield\.(\w+)\(", PAGE)) <= set(cranfield.__all__)


def test_a_misspelt_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'comapre'"):
        cranfield.comapre  # noqa: B018 - the access is the test


@pytest.mark.process
def test_importing_cranfield_imports_nothing_heavy() -> None:
    script = "import sys, cranfield; sys.exit('numpy' in sys.modules or 'typer' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_the_version_is_written_once() -> None:
    written = [
        path
        for path in (ROOT / "src").rglob("*.py")
        if f'"{cranfield.__version__}"' in path.read_text()
    ]
    assert [path.name for path in written] == ["version.py"]
    assert not re.search(r"^version = ", (ROOT / "pyproject.toml").read_text(), re.M)


@pytest.mark.process
def test_the_examples_of_the_page_run_and_print_what_they_should(tmp_path: Path) -> None:
    for file in (ROOT / "examples" / "stdlib").iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.S))
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    verdict, title, board, bucket, stored, systems, passed, accepted, means, better, error, dots = (
        shown.stdout.splitlines()
    )
    assert verdict.startswith("cannot tell") or verdict in ("better", "worse", "equivalent")
    assert title.startswith("# ")
    assert len(board.split(", ")) == 3
    assert bucket in set(Bucket)
    assert stored == "weighted 1"
    assert systems == "True"
    assert passed in ("True", "False")
    assert re.fullmatch(r"\S+\.main\.json (True|False)", accepted)
    assert re.fullmatch(r"\['0\.\d{4}', '0\.\d{4}'\]", means)
    assert better in ("True", "False")
    assert "did you mean nDCG" in error
    assert dots == "2"
