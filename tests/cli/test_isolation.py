"""`--isolation` and `croupier doctor`."""

import re
from pathlib import Path

import pytest

from referee.checkup import Checkup, LayerReport, Tool
from referee.cli.doctor import told
from referee.logbook import read_lines
from tests.cli.running import croupier, match, naughty
from tests.tools import need, need_sandbox

RANDOM = "builtin:random"


@pytest.fixture
def bare(tmp_path) -> str:
    """A PATH without bubblewrap."""
    folder = tmp_path / "path"
    folder.mkdir()
    for tool in ("sh", "python3"):
        (folder / tool).symlink_to(need(tool))
    return str(folder)


def header(log: Path) -> bytes:
    return next(iter(read_lines(log)))


@pytest.mark.parametrize(
    ("mode", "layer"), [("auto", "bwrap"), ("strict", "bwrap"), ("posix", "posix")]
)
def test_the_layer_is_in_the_table_the_log_and_the_report(tmp_path, mode, layer):
    need_sandbox()
    ran = match(naughty(), RANDOM, "--isolation", mode, "--log", "a.jsonl", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert f"\nisolation {layer}: " in ran.out
    assert ("trusted bots only" in ran.out) == (layer == "posix")
    assert f'"isolation":"{layer}"'.encode() in header(tmp_path / "a.jsonl")
    ran = match(naughty(), RANDOM, "--isolation", mode, "--no-log", "--json", cwd=tmp_path)
    assert ran.json["isolation"] == layer


def test_without_a_sandbox_auto_plays_and_warns(tmp_path, bare):
    ran = croupier("match", "svoyi-koziri", naughty(), RANDOM, "--no-log", cwd=tmp_path, PATH=bare)
    assert ran.status == 0
    assert ran.err.startswith("warning: bots run without a sandbox (bubblewrap (bwrap) is not ")
    assert "isolation posix: trusted bots only" in ran.out


def test_without_a_sandbox_strict_does_not_begin(tmp_path, bare):
    arguments = ("--isolation", "strict", "--log", "a.jsonl")
    ran = croupier("match", "svoyi-koziri", naughty(), RANDOM, *arguments, cwd=tmp_path, PATH=bare)
    assert (ran.status, ran.out) == (3, "")
    assert "apt-get install bubblewrap" in ran.err
    assert not (tmp_path / "a.jsonl").exists()


def test_built_in_bots_need_no_layer(tmp_path, bare):
    arguments = ("--isolation", "strict", "--no-log")
    ran = croupier("match", "svoyi-koziri", RANDOM, RANDOM, *arguments, cwd=tmp_path, PATH=bare)
    assert (ran.status, ran.err) == (0, "")
    assert "isolation" not in ran.out


SPY = """
import json, pathlib, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "id": message["id"], "protocol": 1, "name": "spy"}
    elif message["type"] == "turn":
        answer = {"type": "action", "id": message["id"], "action": message["legal"][0]}
    else:
        continue
    try:
        print(len(pathlib.Path(__file__).with_name("a.jsonl").read_bytes()), file=sys.stderr)
    except OSError as exc:
        print(exc.strerror, file=sys.stderr)
    print(json.dumps(answer), flush=True)
"""


def test_a_bot_beside_the_log_cannot_read_it(tmp_path):
    need_sandbox()
    (tmp_path / "spy.py").write_text(SPY)
    ran = match("spy.py", RANDOM, "-n", "2", "--log", "a.jsonl", cwd=tmp_path)
    assert ran.status == 0
    log = b"".join(read_lines(tmp_path / "a.jsonl"))
    assert log.count(b"Permission denied") >= 2
    assert not re.search(rb'"stderr":"[^"]*\d', log)


def test_the_doctor_tells_what_works(tmp_path):
    need_sandbox()
    ran = croupier("doctor", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert re.search(
        r"^  ✓ posix +bots that you trust; starts in [\d.]+ ms$", ran.out, re.MULTILINE
    )
    assert re.search(r"^  ✓ bwrap +bots of strangers; starts in [\d.]+ ms$", ran.out, re.MULTILINE)
    assert re.search(r"^  ✓ Python +python3 3\.[\d.]+$", ran.out, re.MULTILINE)
    assert ran.out.endswith("\nready\n")


def test_the_doctor_tells_how_to_get_what_is_missing(tmp_path, bare):
    ran = croupier("doctor", cwd=tmp_path, PATH=bare)
    assert (ran.status, ran.err) == (0, "")
    assert "  ✗ bwrap       bubblewrap (bwrap) is not installed\n" in ran.out
    assert "  - JavaScript  no node (Debian: sudo apt-get install nodejs)\n" in ran.out
    assert "  - Rust        no rustc, cargo (Debian: sudo apt-get install rustc cargo)\n" in ran.out
    last = ran.out.splitlines()[-1]
    assert last.startswith("ready for bots that you trust; for those of strangers: install ")


def test_the_doctor_answers_in_json(tmp_path):
    report = croupier("doctor", "--json", cwd=tmp_path).json
    assert (report["schema"], report["ready"]) == (1, True)
    assert [layer["name"] for layer in report["layers"]] == ["posix", "bwrap"]
    assert report["layers"][0]["why_not"] == ""
    assert report["cores"] >= report["matches"] >= report["matches_pondering"] >= 1


def test_the_doctor_says_what_to_do_when_no_bot_starts():
    found = Checkup(
        croupier="1",
        python="3.11",
        system="x",
        layers=[
            LayerReport("posix", "no process", "", None),
            LayerReport("bwrap", "no namespaces", "allow them", None),
        ],
        features=[],
        tools=[Tool("Java", "java", "17.0", "jdk"), Tool("Java", "javac", None, "jdk")],
        cores=1,
        matches=1,
        matches_pondering=1,
    )
    assert not found.ready
    lines = list(told(found))
    assert "  - Java        java 17.0; no javac (Debian: sudo apt-get install jdk)" in lines
    assert lines[-2:] == [
        "1 core: 1 match at a time, with --ponder 1",
        "not ready: no process; allow them",
    ]
