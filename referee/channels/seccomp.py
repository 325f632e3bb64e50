"""A filter for the kernel: system calls that no bot needs and that others have broken out through.

A classic BPF program, as `bwrap --seccomp` takes it: eight bytes an instruction (struct sock_filter).
It denies with EPERM, so that a runtime that merely tries goes on. The numbers are the kernel's
(asm/unistd_64.h for x86-64, asm-generic/unistd.h for AArch64).
"""

import platform
import struct
from collections.abc import Sequence
from typing import Final, NamedTuple

_LOAD_WORD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_JUMP_IF_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_JUMP_IF_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_RETURN: Final = 0x06  # BPF_RET | BPF_K
_ALLOW: Final = 0x7FFF_0000
_DENY: Final = 0x0005_0001  # SECCOMP_RET_ERRNO | EPERM

# Offsets in struct seccomp_data.
_NUMBER: Final = 0
_ARCHITECTURE: Final = 4
_FIRST_ARGUMENT: Final = 16

_X32_CALLS: Final = 0x4000_0000
_AF_VSOCK: Final = 40  # to the host of a virtual machine


class _Machine(NamedTuple):
    audit_architecture: int
    socket: int
    denied: dict[str, int]


# Since Linux 5 new calls have the same number everywhere.
_EVERYWHERE: Final = {
    "pidfd_getfd": 438,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "mount_setattr": 442,
}
MACHINES: Final = {
    "x86_64": _Machine(
        0xC000_003E,
        41,
        _EVERYWHERE
        | {
            "ptrace": 101,
            "pivot_root": 155,
            "mount": 165,
            "umount2": 166,
            "init_module": 175,
            "kexec_load": 246,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "open_by_handle_at": 304,
            "setns": 308,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "bpf": 321,
            "userfaultfd": 323,
        },
    ),
    "aarch64": _Machine(
        0xC000_00B7,
        198,
        _EVERYWHERE
        | {
            "umount2": 39,
            "mount": 40,
            "pivot_root": 41,
            "unshare": 97,
            "kexec_load": 104,
            "init_module": 105,
            "ptrace": 117,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "perf_event_open": 241,
            "open_by_handle_at": 265,
            "setns": 268,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "bpf": 280,
            "userfaultfd": 282,
        },
    ),
}


def program(machine: str | None = None) -> bytes | None:
    """The filter for this kind of machine; None where the numbers are not known.

    Calls of another architecture (32 bit, x32) are denied: their numbers mean something else.
    """
    kind = MACHINES.get(machine or platform.machine())
    if kind is None:
        return None
    numbers = sorted(kind.denied.values())
    # Jumps count the instructions to leave out. The last one denies, the last but one allows.
    length = 4 + len(numbers) + 3 + 2
    code: list[tuple[int, int, int, int]] = []

    def to_deny() -> int:
        return length - 1 - len(code) - 1

    code.append((_LOAD_WORD, 0, 0, _ARCHITECTURE))
    code.append((_JUMP_IF_EQUAL, 0, to_deny(), kind.audit_architecture))
    code.append((_LOAD_WORD, 0, 0, _NUMBER))
    code.append((_JUMP_IF_AT_LEAST, to_deny(), 0, _X32_CALLS))
    for number in numbers:
        code.append((_JUMP_IF_EQUAL, to_deny(), 0, number))  # noqa: PERF401 (to_deny counts them)
    code.append((_JUMP_IF_EQUAL, 0, 2, kind.socket))
    code.append((_LOAD_WORD, 0, 0, _FIRST_ARGUMENT))
    code.append((_JUMP_IF_EQUAL, to_deny(), 0, _AF_VSOCK))
    code.append((_RETURN, 0, 0, _ALLOW))
    code.append((_RETURN, 0, 0, _DENY))
    return _packed(code)


def _packed(code: Sequence[tuple[int, int, int, int]]) -> bytes:
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)
