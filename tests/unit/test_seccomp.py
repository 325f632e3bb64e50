"""The filter of system calls, run as the kernel runs it."""

import errno
import re
import struct
from pathlib import Path

import pytest

from referee.channels.seccomp import ALLOW, DENY, KILL, MACHINES, program
from tests.tools import lack

FAIL = 0x0005_0000
X86, ARM = MACHINES["x86_64"], MACHINES["aarch64"]
CLONE3 = 435
THREAD = 0x003D_0F00  # what pthread_create asks clone for
NEW_USER, NEW_PID = 0x1000_0000, 0x2000_0000
HEADERS = {
    "x86_64": [Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")],
    "aarch64": [Path("/usr/include/asm-generic/unistd.h")],
}


def verdict(filtered: bytes, architecture: int, number: int, first: int = 0) -> int:
    """What the program says to a call."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, first, 0, 0, 0, 0, 0)
    code: list[tuple[int, int, int, int]] = list(struct.iter_unpack("=HBBI", filtered))
    register, at = 0, 0
    while True:
        what, so, not_so, value = code[at]
        at += 1
        match what:
            case 0x20:
                (register,) = struct.unpack_from("=I", data, value)
            case 0x06:
                return value
            case 0x15:
                at += so if register == value else not_so
            case 0x35:
                at += so if register >= value else not_so
            case 0x45:
                at += so if register & value else not_so
            case _:
                raise AssertionError(what)


@pytest.fixture(params=MACHINES)
def machine(request):
    return MACHINES[request.param], program(request.param)


def test_what_is_on_the_list_is_denied_and_what_is_not_is_allowed(machine):
    kind, filtered = machine
    special = {kind.clone, CLONE3, *kind.sockets}
    listed = set(kind.denied.values())
    for number in set(range(600)) - special:
        wanted = DENY if number in listed else ALLOW
        assert verdict(filtered, kind.audit_architecture, number) == wanted


def test_threads_and_processes_may_be_made_but_no_namespaces(machine):
    kind, filtered = machine
    call = kind.audit_architecture, kind.clone
    assert verdict(filtered, *call, THREAD) == ALLOW
    assert verdict(filtered, *call, 17) == ALLOW  # SIGCHLD: fork
    assert verdict(filtered, *call, NEW_USER | 17) == DENY
    assert verdict(filtered, *call, NEW_PID) == DENY
    assert verdict(filtered, kind.audit_architecture, CLONE3) == FAIL | errno.ENOSYS


@pytest.mark.parametrize("family", range(50))
def test_sockets_are_unix_internet_or_netlink(machine, family):
    kind, filtered = machine
    wanted = ALLOW if family in {1, 2, 10, 16} else FAIL | errno.EAFNOSUPPORT
    for number in kind.sockets:
        assert verdict(filtered, kind.audit_architecture, number, family) == wanted


def test_calls_of_another_architecture_end_the_process_and_those_of_x32_fail():
    filtered = program("x86_64")
    assert filtered
    assert verdict(filtered, 0x4000_0003, 20) == KILL  # 32 bit
    assert verdict(filtered, ARM.audit_architecture, 0) == KILL
    assert verdict(filtered, X86.audit_architecture, 0x4000_0000) == DENY


def test_no_filter_is_made_for_a_machine_whose_numbers_are_not_known():
    assert program("riscv64") is None


@pytest.mark.parametrize("name", MACHINES)
def test_the_numbers_are_those_of_the_kernel(name):
    texts = [header.read_text() for header in HEADERS[name] if header.exists()]
    if not texts:
        lack("the headers of the kernel are not installed")
    known = {
        call: int(number)
        for call, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", "".join(texts))
    }
    kind = MACHINES[name]
    calls = kind.denied | {"clone": kind.clone, "clone3": CLONE3}
    calls |= dict(zip(("socket", "socketpair"), kind.sockets, strict=True))
    # Headers that are older than a call do not know it.
    assert {call: known[call] for call in calls if call in known} == {
        call: number for call, number in calls.items() if call in known
    }
    assert len(calls.keys() & known.keys()) > 30
