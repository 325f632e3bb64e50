"""Layers between a bot and everything else: how its program is started.

`posix`: a session, a working directory and limits of its own; a faulty bot cannot hurt a tournament.
`bwrap`: beside that, namespaces by bubblewrap: a bot has no network and no view of other processes, a
private /tmp, a read-only system, and of other files only its own folder; for bots that nobody trusts.
What each layer promises is in docs/security.md.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

import msgspec

from referee.channels import procfs, seccomp

LayerName: TypeAlias = Literal["posix", "bwrap"]

FILE_BLOCKS: Final = 64 * 1024 * 1024 // 512  # no file of a bot grows larger than 64 MiB
PRIVATE_BYTES: Final = 64 * 1024 * 1024  # each of the folders that a bot may write to in a sandbox
# Limits are set by a shell that becomes the bot. A preexec_fn is not safe beside threads.
_LIMITED: Final = (
    "/bin/sh",
    "-c",
    f'ulimit -c 0; ulimit -f {FILE_BLOCKS}; ulimit -n 256 2>/dev/null; exec "$@"',
    "sh",
)
_HOME: Final = "/bot"  # where a bot works and may write, inside the sandbox
_WRITABLE: Final = (_HOME, "/tmp", "/dev/shm")  # noqa: S108 (private ones, inside the sandbox)
_SYSTEM: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# What programs need of /etc; no users, no names of this machine, no secrets.
_ETC: Final = ("alternatives", "ld.so.cache", "ssl/certs", "ssl/openssl.cnf", "localtime", "fonts")
# Folders of programs in an installation. A version manager's shims need the manager around them.
_INSTALLED: Final = ("bin", "shims")
_SHARED: Final = (".local", ".cargo")  # installations in a home folder that hold secrets, too
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

    def wrappers(self) -> set[int]:
        """The sandbox's first process: it is bubblewrap's, not the bot's."""
        init = self._first_process()
        return set() if init is None else {init}

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

    def __hash__(self) -> int:
        """What is found out about a layer is remembered."""
        ...

    def launch(self, argv: Sequence[str], home: str, extra_env: Mapping[str, str]) -> Launch:
        """How to start a bot whose private folder is `home`."""
        ...

    def hiding(self, paths: Sequence[Path]) -> "Layer":
        """The same, but bots do not see these files and folders, even in a folder of their own.

        They must be there when a bot starts. Does nothing in a layer without walls.
        """
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

    def hiding(self, paths: Sequence[Path]) -> Layer:  # noqa: ARG002 (there are no walls)
        return self


class Bwrap:
    """A sandbox of namespaces."""

    name: LayerName = "bwrap"

    def __init__(self, hidden: Sequence[Path] = ()) -> None:
        self._hidden = [path.resolve() for path in hidden]

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
                *_own(files_of(tuple(argv)), self._hidden),
                *_CLOSED,
                *("--chdir", _HOME, "--info-fd", str(tell), *filtered),
                "--",
                *argv,
            ],
            env=environment(_HOME, extra_env),
            pass_fds=tuple(fds),
            info=info,
        )

    def hiding(self, paths: Sequence[Path]) -> Layer:
        return Bwrap([*self._hidden, *paths])


POSIX: Final = Posix()
BWRAP: Final = Bwrap()
LAYERS: Final[dict[LayerName, Layer]] = {"posix": POSIX, "bwrap": BWRAP}

# Never --as-pid-1: the first process of a namespace is immune to SIGSTOP.
_WALLS: Final = (
    *("--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net", "--unshare-ipc"),
    *("--unshare-uts", "--unshare-cgroup-try", "--die-with-parent", "--new-session"),
    *("--cap-drop", "ALL", "--hostname", "bot"),
)
# Last, when all is in its place. The root folder is memory without a limit. In /proc are settings of
# the machine that belong to root, and a bot of root's is root for them, namespaces or not.
_CLOSED: Final = ("--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/")


@cache
def _system() -> tuple[str, ...]:
    return tuple(_system_binds())


def _system_binds() -> Iterator[str]:
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
    yield from ("--proc", "/proc", "--dev", "/dev")
    for folder in _WRITABLE:
        yield from ("--perms", "0700", "--size", str(PRIVATE_BYTES), "--tmpfs", folder)


def _own(shown: Sequence[Path], hidden: Sequence[Path]) -> Iterator[str]:
    for path in shown:
        yield from ("--ro-bind", str(path), str(path))
    for path in hidden:
        if not path.exists() or not {path, *path.parents} & {*shown}:
            continue
        if path.is_dir():
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
        else:
            yield from ("--ro-bind", os.devnull, str(path))


@lru_cache
def files_of(argv: tuple[str, ...]) -> list[Path]:
    """What a bot may read beside the system: its folder, its interpreter, and files that it is given.

    The first file after the program is taken for the bot: of what comes after it, only that is shown
    which is named. Asked anew for each game, and always answered as the first time.
    """
    paths = [path for word in argv if (path := Path(word)).is_absolute() and path.exists()]
    wanted = set(paths)
    scripts = (path for path in paths[1:] if path.is_file())
    for path in (*paths[:1], *islice(scripts, 1)):
        wanted |= set(_needed_by(path))
    return sorted(path for path in wanted if not (_is_in_system(path) or wanted & {*path.parents}))


def _needed_by(path: Path) -> Iterator[Path]:
    for link in _chain(path):
        yield from _around(link)
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


def _around(program: Path) -> Iterator[Path]:
    """The installation or the folder of a program, never one that holds much else."""
    yield program
    folder = program.parent
    if folder.name in _INSTALLED:  # bin/python needs the lib beside its bin
        folder = folder.parent
    folder = next((outer for outer in (folder, *folder.parents) if _is_bots(outer)), folder)
    home = Path.home().resolve()
    if folder.resolve() in {home / name for name in _SHARED}:
        yield folder / "lib"
    elif folder.resolve() not in {home, *home.parents, Path(tempfile.gettempdir()).resolve()}:
        yield folder


def _is_bots(folder: Path) -> bool:
    return (folder / "bot.toml").is_file()


def _is_in_system(path: Path) -> bool:
    folders = ("/usr", "/proc", "/dev", "/etc/alternatives", *_SYSTEM)
    return any(path.is_relative_to(folder) for folder in folders)


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
