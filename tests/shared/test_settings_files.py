"""Files that people write are bounded before they are parsed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cranfield_shared.settings_files import parse_toml, read_limited, read_settings

LONG_KEY = ".".join(["a"] * 50_000) + " = 1\n"

# Each reads a hostile file in a process that may not have more than 1.5 GB.
READERS = {
    "suite": """
from cranfield.suites import load_suite
load_suite(place / "x.toml")
""",
    "systems": """
from cranfield.systems import load_systems
load_systems(place / "x.toml")
""",
    "configuration": """
from cranfield.systems.programs import ConfigCheck
ConfigCheck("x.toml", "a", 1).check(place)
""",
    "routing": """
from stacks.guidance import read_routing
read_routing([place / "x.toml"])
""",
    "vocabulary": """
from stacks.guidance import read_vocabulary
read_vocabulary(place / "x.toml")
""",
    "package": """
from stacks.sources.python_distributions import read_pyproject
read_pyproject((place / "x.toml").read_bytes())
""",
    "page": """
from stacks.sources.front_matter import split_front_matter
split_front_matter("+++\\n" + (place / "x.toml").read_text() + "+++\\n")
""",
}


@pytest.mark.process
@pytest.mark.parametrize("name", READERS)
def test_a_key_of_fifty_thousand_parts_takes_no_memory(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.toml").write_text(LONG_KEY)
    code = (
        "import resource, sys\nfrom pathlib import Path\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))\n"
        "place = Path(sys.argv[1])\n"
        f"try:\n    {READERS[name].strip().replace(chr(10), chr(10) + '    ')}\n"
        "except MemoryError:\n    raise\n"
        "except Exception as problem:\n    print(problem)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-500:]
    # A page with a bad block has no fields; everything else says what is wrong.
    assert ("50,000 parts, the limit is 100" in done.stdout) == (name != "page")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LONG_KEY, "a key has 50,000 parts, the limit is 100; write fewer dots (at line 1, col"),
        ("x = 1\n [" + "'a' . " * 200 + "b]\n", "a key has 201 parts, the limit is 100; write"),
        ("x = {" + '"a b".' * 200 + "b = 1}\n", "a key has 201 parts"),
        (r'"\"".' * 200 + "b = 1\n", "a key has 201 parts"),
        ("\n".join(f"{'a.' * 98}k{n} = 1" for n in range(1100)), "too many keys have many parts"),
        ("x = " + "[" * 5000, "it is nested too deeply"),
        ("x = " + "9" * 5000, "Exceeds the limit"),
        ("#" * (9 << 20), "it has more than 8 MiB, the limit; split it"),
        ("x = ", "Invalid value"),
    ],
    ids=range(9),
)
def test_what_cannot_be_parsed_safely_is_a_mistake_in_the_file(text: str, message: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        parse_toml(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "a.b.c.d = 1\n[x.y]\nz = 'one.two.three.four'\n",
        ".".join(["a"] * 100) + " = 1\n",
        "x = 'a.b.c. Some. Sentences. With. Dots. And. More. Of. Them. Until. It. Is. Long. Now.'",
    ],
)
def test_what_people_write_is_parsed_as_by_the_library(text: str) -> None:
    assert parse_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize("text", ["a" * 4_000_000, '"' * 4_000_000, "a " * 2_000_000, "'a'." * 14])
def test_looking_for_long_keys_takes_linear_time(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        parse_toml(f"x = {text}")


def test_a_file_is_not_read_beyond_its_limit(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    with large.open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(OSError, match="more than 8 MiB, the limit; split it") as caught:
        read_settings(large)
    assert caught.value.strerror
    with pytest.raises(OSError, match="more than 1 MiB"):
        read_limited(Path("/dev/zero"), 1 << 20)


def test_line_ends_of_every_system_are_one(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_settings(tmp_path / "x") == "a\nb\nc\n"


def test_every_toml_file_is_parsed_here() -> None:
    source = Path(__file__).parents[2] / "src"
    users = [
        path.name
        for path in source.rglob("*.py")
        if "tomllib.load" in path.read_text(encoding="utf-8")
    ]
    assert users == ["settings_files.py"]
