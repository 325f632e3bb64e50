"""Layers between a bot and everything else: how its program is started.

`posix`: a session, a working directory and limits of its own; a faulty bot cannot hurt a tournament.
`bwrap`: beside that, namespaces by bubblewrap: a bot has no network and no view of other processes, a
private /tmp, a read-only system, and of other files only its own folder; for bots that nobody trusts.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

import msgspec

from referee.channels import procfs, seccomp

LayerName: TypeAlias = Literal["posix", "bwrap"]

FILE_BLOCKS: Final = 64 * 1024 * 1024 // 512  # no file of a bot grows larger than 64 MiB
PRIVATE_BYTES: Final = 64 * 1024 * 1024  # /tmp, where a bot works, and /dev/shm
# Limits are set by a shell that becomes the bot. A preexec_fn is not safe beside threads.
_LIMITED: Final = (
    "/bin/sh",
    "-c",
    f'ulimit -c 0; ulimit -f {FILE_BLOCKS}; ulimit -n 256 2>/dev/null; exec "$@"',
    "sh",
)
_INSIDE: Final = "/tmp"  # noqa: S108 (a private one, inside the sandbox)
_SYSTEM: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# What programs need of /etc; no users, no names of this machine, no secrets.
_ETC: Final = ("alternatives", "ld.so.cache", "ssl/certs", "ssl/openssl.cnf", "localtime", "fonts")
_SHEBANG_BYTES: Final = 256


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """What to start. The channel closes `pass_fds` after the start.

    `info` is the read end of a pipe where bubblewrap says, in JSON, the `child-pid` of the sandbox's
    first process, whose child is the bot; None when the started process is the bot itself.
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    pass_fds: tuple[int, ...] = ()
    info: int | None = None


class Inside:
    """Finds the bot in its sandbox, from what bubblewrap tells. Never waits."""

    def __init__(self, info: int) -> None:
        self._info: int | None = info
        self._told = b""
        self._pid: int | None = None

    def bot_pid(self) -> int | None:
        """None while it is not there yet."""
        if self._pid is None and (init := self._first_process()) is not None:
            self._pid = next(iter(procfs.children(init)), None)
        return self._pid

    def close(self) -> None:
        """Nothing more is read."""
        if self._info is not None:
            os.close(self._info)
            self._info = None

    def _first_process(self) -> int | None:
        """Of the sandbox; its child is the bot. What is told comes in pieces."""
        if self._info is not None:
            with suppress(BlockingIOError):
                while data := os.read(self._info, 4096):
                    self._told += data
                self.close()
        try:
            return int(json.loads(self._told)["child-pid"])
        except (ValueError, KeyError):
            return None


class Layer(Protocol):
    """A way to start bots."""

    @property
    def name(self) -> LayerName:
        """As in logs and on the command line."""
        ...

    def launch(self, argv: Sequence[str], home: str, extra_env: Mapping[str, str]) -> Launch:
        """How to start a bot whose private folder is `home`."""
        ...


def environment(home: str, extra: Mapping[str, str]) -> dict[str, str]:
    """All that a bot sees of our environment. PYTHONUNBUFFERED repairs the commonest mistake."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "HOME": home,
        "TMPDIR": home,
        "PYTHONUNBUFFERED": "1",
        **extra,
    }


class Posix:
    """Limits, a session and a folder; no walls."""

    name: LayerName = "posix"

    def launch(self, argv: Sequence[str], home: str, extra_env: Mapping[str, str]) -> Launch:
        return Launch(argv=[*_LIMITED, *argv], env=environment(home, extra_env))


class Bwrap:
    """A sandbox of namespaces."""

    name: LayerName = "bwrap"

    def launch(
        self,
        argv: Sequence[str],
        home: str,  # noqa: ARG002 (inside, the bot has another one that goes with the sandbox)
        extra_env: Mapping[str, str],
    ) -> Launch:
        info, tell = os.pipe()
        os.set_blocking(info, False)
        fds = [tell]
        filtered: tuple[str, ...] = ()
        if program := seccomp.program():
            fds.append(_file_with(program))
            filtered = ("--seccomp", str(fds[-1]))
        return Launch(
            argv=[
                *_LIMITED,
                *("bwrap", *_WALLS, *_system(), *_private()),
                *_bound(files_of(argv)),
                *("--remount-ro", "/dev", "--chdir", _INSIDE, "--info-fd", str(tell)),
                *filtered,
                "--",
                *argv,
            ],
            env=environment(_INSIDE, extra_env),
            pass_fds=tuple(fds),
            info=info,
        )


POSIX: Final = Posix()
BWRAP: Final = Bwrap()
LAYERS: Final[dict[LayerName, Layer]] = {"posix": POSIX, "bwrap": BWRAP}

# Never --as-pid-1: the first process of a namespace is immune to SIGSTOP.
_WALLS: Final = (
    *("--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net", "--unshare-ipc"),
    *("--unshare-uts", "--unshare-cgroup-try", "--die-with-parent", "--new-session"),
    *("--cap-drop", "ALL", "--hostname", "bot"),
)


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in _SYSTEM:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    java = [entry.name for entry in Path("/etc").glob("java*")]
    for name in (*_ETC, *sorted(java)):
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def _private() -> Iterator[str]:
    size = ("--size", str(PRIVATE_BYTES))
    yield from ("--proc", "/proc", "--dev", "/dev", *size, "--tmpfs", "/dev/shm")  # noqa: S108
    yield from (*size, "--tmpfs", _INSIDE)


def _bound(paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        yield from ("--ro-bind", str(path), str(path))


def files_of(argv: Sequence[str]) -> list[Path]:
    """What a bot may read beside the system: its folder, and its interpreter's installation.

    A program's folder is the bot's, but never the home folder or what is above it: of a program that
    lies there only the file is shown. Outer folders come first.
    """
    wanted: set[Path] = set()
    for word in argv:
        path = Path(word)
        if path.is_absolute() and path.exists():
            wanted |= set(_needed_by(path))
    return sorted(path for path in wanted if not _is_in_system(path))


def _needed_by(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield _unless_home(path, path)
        return
    for link in _chain(path):
        # bin/python needs the lib beside its bin.
        folder = link.parent.parent if link.parent.name == "bin" else link.parent
        yield _unless_home(folder, link)
    if interpreter := _interpreter_of(path):
        yield from _needed_by(interpreter)


def _chain(path: Path) -> Iterator[Path]:
    """The path, and what it links to, link by link."""
    yield path
    for _ in range(40):  # as many links as the kernel follows
        if not path.is_symlink():
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
        yield path
    if path.resolve() != path:
        yield path.resolve()


def _unless_home(folder: Path, instead: Path) -> Path:
    home = Path.home().resolve()
    is_above = folder.resolve() in {home, *home.parents, Path(tempfile.gettempdir()).resolve()}
    return instead if is_above else folder


def _is_in_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in ("/usr", "/proc", "/dev", *_SYSTEM))


def _interpreter_of(path: Path) -> Path | None:
    """The program named in the first line of a script."""
    try:
        with path.open("rb") as file:
            first = file.read(_SHEBANG_BYTES).split(b"\n")[0].decode(errors="replace")
    except OSError:
        return None
    words = first.removeprefix("#!").split() if first.startswith("#!") else []
    if words and Path(words[0]).name == "env":
        words = [found for word in words[1:2] if (found := shutil.which(word))]
    return Path(words[0]) if words and Path(words[0]).is_file() else None


def _file_with(data: bytes) -> int:
    """A descriptor to read the data from; nothing is left when it is closed."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        file.seek(0)
        return os.dup(file.fileno())
