"""Which layers of isolation work on this machine: found out by starting something, not by looking."""

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from typing import Final, Literal, TypeAlias

import msgspec

from referee.channels import IsolationError
from referee.channels.isolation import BWRAP, POSIX, Inside, Launch, Layer

IsolationMode: TypeAlias = Literal["posix", "bwrap", "auto", "strict"]

_SECONDS: Final = 10.0
_WORD: Final = "croupier-probe"
INSTALL_BWRAP: Final = (
    "install bubblewrap 0.8 or newer (Debian, Ubuntu: sudo apt-get install bubblewrap)"
)
_ALLOW_NAMESPACES: Final = (
    "let users make namespaces: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 "
    "(Ubuntu 23.10 and newer), or kernel.unprivileged_userns_clone=1 (older Debian)"
)
# What bubblewrap says, and what helps.
_REMEDIES: Final = {
    "Unknown option": INSTALL_BWRAP,
    "uid map": _ALLOW_NAMESPACES,
    "RTM_NEWADDR": _ALLOW_NAMESPACES,
    "new namespace": (
        "let users make namespaces: sudo sysctl -w user.max_user_namespaces=10000; in a container: "
        "run it with the right to make them"
    ),
    "proc": "the container must let processes mount /proc; on the machine itself this works",
}


class Probed(msgspec.Struct, frozen=True):
    """Why a layer does not work, and what helps; `why` is empty when it works."""

    why: str = ""
    remedy: str = ""

    @property
    def works(self) -> bool:
        """Whether bots can be started in it."""
        return not self.why


@cache
def probe(layer: Layer) -> Probed:
    """Starts a program in the layer. Takes some milliseconds, once."""
    if layer is BWRAP and not sys.platform.startswith("linux"):
        return Probed("bubblewrap exists for Linux only", "use --isolation posix")
    if layer is BWRAP and shutil.which("bwrap") is None:
        return Probed("bubblewrap (bwrap) is not installed", INSTALL_BWRAP)
    with tempfile.TemporaryDirectory() as home:
        launch = layer.launch(["/bin/sh", "-c", f"echo {_WORD}"], home, {})
        try:
            done = subprocess.run(
                launch.argv,
                env=launch.env,
                cwd=home,
                pass_fds=launch.pass_fds,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                start_new_session=True,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as exc:
            return Probed(str(exc))
        finally:
            for descriptor in launch.pass_fds:
                os.close(descriptor)
            _bury(launch)
    if done.returncode == 0 and done.stdout.decode().strip() == _WORD:
        return Probed()
    why = done.stderr.decode(errors="replace").strip().splitlines() or ["it did not answer"]
    remedy = next((words for sign, words in _REMEDIES.items() if sign in why[0]), "")
    return Probed(why[0], remedy)


def _bury(launch: Launch) -> None:
    """The sandbox's first process is our child where we adopt orphans."""
    if launch.info is None:
        return
    inside = Inside(launch.info)
    for pid in inside.wrappers():
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)
    inside.close()


def choose(mode: IsolationMode) -> tuple[Layer, str]:
    """The layer, and one line of warning when `auto` had to take a weaker one.

    Raises `IsolationError` when the one that was asked for does not work.
    """
    if mode == "posix":
        return POSIX, ""
    found = probe(BWRAP)
    if found.works:
        return BWRAP, ""
    sentence = f"{found.why}; {found.remedy}" if found.remedy else found.why
    if mode != "auto":
        raise IsolationError(
            f"--isolation {mode}: bubblewrap does not work here: {sentence}; "
            "or --isolation posix, for bots that you trust"
        )
    return (
        POSIX,
        f"warning: bots run without a sandbox ({sentence}); --isolation posix accepts that",
    )
