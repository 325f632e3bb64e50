"""Hypothesis profiles, options of the test run, and the check that no process is left behind."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, settings

RULES: Final = Path(__file__).parent / "rules"
RATINGS: Final = Path(__file__).parent / "unit" / "ratings.json"
HOSTILE: Final = Path(__file__).parent / "bots" / "hostile"
GRACE_S: Final = 2.0
COMPUTING: Final = {"dialogue", "golden", "laws", "rules", "unit"}

# How long an example takes says more about the machine than about the code.
_SLOW_MACHINE = [HealthCheck.too_slow]
settings.register_profile(
    "dev", max_examples=25, deadline=None, suppress_health_check=_SLOW_MACHINE
)
settings.register_profile(
    "ci",
    max_examples=200,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=_SLOW_MACHINE,
)
# A mutant is dead at the first failure, whatever the smallest one is.
settings.register_profile(
    "mutants",
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=_SLOW_MACHINE,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="rewrite generated files")
    parser.addoption("--run-slow", action="store_true", help="run the tests marked `slow` too")
    parser.addoption(
        "--cases",
        type=Path,
        default=RULES,
        metavar="DIR",
        help="folder of rules cases, one <game>.json a game (default: tests/rules)",
    )
    parser.addoption(
        "--rating-cases",
        type=Path,
        default=RATINGS,
        metavar="FILE",
        help="cases of statistics (default: tests/unit/ratings.json)",
    )
    parser.addoption(
        "--bots",
        type=Path,
        default=HOSTILE,
        metavar="DIR",
        help="folder of hostile bots with an INDEX.tsv (default: tests/bots/hostile)",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.pluginmanager.hasplugin("xdist"):
        # Tests that look at clocks or processes run one after the other, beside those that compute.
        for item in items:
            kind = "computing" if item.path.parent.name in COMPUTING else "waiting"
            item.add_marker(pytest.mark.xdist_group(kind))
    if config.getoption("--run-slow"):
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow: runs only with --run-slow"))


@pytest.fixture(scope="session", autouse=True)
def no_process_is_left_behind() -> Iterator[None]:
    """At the very end: a test that leaves a bot or a zombie behind has cleaned up badly."""
    before = set(_children())
    yield
    deadline = time.monotonic() + GRACE_S
    while (left := set(_children()) - before) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, f"left behind: {', '.join(_described(pid) for pid in sorted(left))}"


def _children() -> list[int]:
    """The children of this process, zombies included (Linux; elsewhere nothing is checked)."""
    pids: list[int] = []
    for task in Path("/proc/self/task").glob("*"):
        try:
            pids += map(int, (task / "children").read_text().split())
        except OSError:  # the thread has just ended
            continue
    return pids


def _described(pid: int) -> str:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        return f"{pid} (just gone)"
    return f"{pid} ({'zombie' if state == 'Z' else command or 'without a command line'})"
