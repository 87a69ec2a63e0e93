"""The config parser, seen from outside through its small command line."""

import json
import subprocess

import pytest


def parse(path):
    run = subprocess.run(["build/parse_config", str(path)], capture_output=True, text=True)
    if run.returncode:
        raise ValueError(run.stderr.strip())
    return json.loads(run.stdout)


def test_defaults_fill_an_empty_file(tmp_path):
    path = tmp_path / "empty.json"
    path.write_text("{}")
    assert parse(path)["port"] == 8080


def test_yaml_and_json_give_the_same_config(tmp_path):
    (tmp_path / "a.json").write_text('{"workers": 2}')
    (tmp_path / "a.yml").write_text("workers: 2\n")
    assert parse(tmp_path / "a.json") == parse(tmp_path / "a.yml")


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_out_of_range_is_refused(tmp_path, port):
    path = tmp_path / "port.json"
    path.write_text(json.dumps({"port": port}))
    with pytest.raises(ValueError, match="between 1 and 65535"):
        parse(path)


def test_an_unknown_key_is_named(tmp_path):
    path = tmp_path / "typo.json"
    path.write_text('{"prot": 80}')
    with pytest.raises(ValueError, match="prot"):
        parse(path)
