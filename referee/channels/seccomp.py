"""A filter for the kernel: system calls that no bot needs and that others have broken out through.

A classic BPF program, as `bwrap --seccomp` takes it: eight bytes an instruction (struct sock_filter).
What is denied fails with an error, so that a runtime that merely tries goes on; calls of another
architecture (32 bit) end the process, as their numbers mean something else. The numbers are the
kernel's (asm/unistd_64.h for x86-64, asm-generic/unistd.h for AArch64).
"""

import errno
import platform
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

Instruction: TypeAlias = tuple[int, int, int, int]  # what, jump if so, jump if not, with what

# Instructions work on one register, `A`. Jumps count the instructions to leave out.
_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS: into A
_IF_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_IF_ANY_BIT: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN: Final = 0x06  # BPF_RET | BPF_K

ALLOW: Final = 0x7FFF_0000
KILL: Final = 0x8000_0000  # the whole process, by SIGSYS
_FAIL: Final = 0x0005_0000  # with the error in the lower half
DENY: Final = _FAIL | errno.EPERM

# Offsets in struct seccomp_data, on machines with the lower half first.
_NUMBER: Final = 0
_ARCHITECTURE: Final = 4
_FIRST_ARGUMENT: Final = 16

_X32_CALLS: Final = 0x4000_0000  # the same architecture for the kernel, other numbers
_CLONE3: Final = 435  # its flags lie in memory, where no filter sees them; runtimes fall back
# CLONE_NEWNS, …CGROUP, …UTS, …IPC, …USER, …PID, …NET
_NEW_NAMESPACES: Final = 0x7E02_0000
# AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Not AF_VSOCK, which reaches the host of a virtual machine,
# nor the many that are rarely used and rarely looked at.
_FAMILIES: Final = (1, 2, 10, 16)


class Machine(NamedTuple):
    """The numbers of one architecture."""

    audit_architecture: int
    clone: int
    sockets: tuple[int, int]  # socket, socketpair
    denied: dict[str, int]


# Since Linux 5 new calls have the same number everywhere.
_EVERYWHERE: Final = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
    "memfd_secret": 447,
}
MACHINES: Final = {
    "x86_64": Machine(
        0xC000_003E,
        56,
        (41, 53),
        _EVERYWHERE
        | {
            "ptrace": 101,
            "syslog": 103,
            "pivot_root": 155,
            "chroot": 161,
            "acct": 163,
            "mount": 165,
            "umount2": 166,
            "swapon": 167,
            "swapoff": 168,
            "reboot": 169,
            "init_module": 175,
            "delete_module": 176,
            "quotactl": 179,
            "kexec_load": 246,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "fanotify_init": 300,
            "open_by_handle_at": 304,
            "setns": 308,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "kcmp": 312,
            "finit_module": 313,
            "kexec_file_load": 320,
            "bpf": 321,
            "userfaultfd": 323,
        },
    ),
    "aarch64": Machine(
        0xC000_00B7,
        220,
        (198, 199),
        _EVERYWHERE
        | {
            "umount2": 39,
            "mount": 40,
            "pivot_root": 41,
            "chroot": 51,
            "quotactl": 60,
            "acct": 89,
            "unshare": 97,
            "kexec_load": 104,
            "init_module": 105,
            "delete_module": 106,
            "syslog": 116,
            "ptrace": 117,
            "reboot": 142,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "swapon": 224,
            "swapoff": 225,
            "perf_event_open": 241,
            "fanotify_init": 262,
            "open_by_handle_at": 265,
            "setns": 268,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "kcmp": 272,
            "finit_module": 273,
            "bpf": 280,
            "userfaultfd": 282,
            "kexec_file_load": 294,
        },
    ),
}


@cache
def program(machine: str | None = None) -> bytes | None:
    """The filter for this kind of machine; None where the numbers are not known."""
    kind = MACHINES.get(machine or platform.machine())
    if kind is None:
        return None
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in _filter(kind))


def _filter(kind: Machine) -> Iterator[Instruction]:
    yield (_LOAD, 0, 0, _ARCHITECTURE)
    yield (_IF_EQUAL, 1, 0, kind.audit_architecture)
    yield (_RETURN, 0, 0, KILL)
    yield (_LOAD, 0, 0, _NUMBER)
    yield from _where(_IF_AT_LEAST, _X32_CALLS, [(_RETURN, 0, 0, DENY)])
    for number in sorted(kind.denied.values()):
        yield from _where(_IF_EQUAL, number, [(_RETURN, 0, 0, DENY)])
    yield from _where(_IF_EQUAL, _CLONE3, [(_RETURN, 0, 0, _FAIL | errno.ENOSYS)])
    yield from _where(_IF_EQUAL, kind.clone, list(_no_namespaces()))
    for number in kind.sockets:
        yield from _where(_IF_EQUAL, number, list(_known_families()))
    yield (_RETURN, 0, 0, ALLOW)


def _where(test: int, value: int, then: Sequence[Instruction]) -> Iterator[Instruction]:
    """What is done where the test of A holds; it must return. Else A is as before."""
    yield (test, 0, len(then), value)
    yield from then


def _no_namespaces() -> Iterator[Instruction]:
    yield (_LOAD, 0, 0, _FIRST_ARGUMENT)
    yield from _where(_IF_ANY_BIT, _NEW_NAMESPACES, [(_RETURN, 0, 0, DENY)])
    yield (_RETURN, 0, 0, ALLOW)


def _known_families() -> Iterator[Instruction]:
    yield (_LOAD, 0, 0, _FIRST_ARGUMENT)
    for family in _FAMILIES:
        yield from _where(_IF_EQUAL, family, [(_RETURN, 0, 0, ALLOW)])
    yield (_RETURN, 0, 0, _FAIL | errno.EAFNOSUPPORT)
