"""What the operator writes for a bot, turned into something that can be started.

BOT is `builtin:NAME`, a folder with `bot.toml`, a file, a quoted command, or any of them as
`NAME=SPEC`. All that can be wrong with it is found here, before anything is played, so that the
message is the same however the bot is run later.
"""

import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from referee.builtin import POLICIES

MAX_NAME: Final = 64

_NAMED: Final = re.compile(r"(?P<name>[^\s=/]+)=(?P<spec>.+)", re.DOTALL)
_MAGIC: Final = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")  # Linux, macOS programs


class BotError(Exception):
    """A bot cannot be started as it was given; the message says what to do."""


class BotSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that can be started.

    `version` is the first 8 digits of its program's SHA-256, where there is a program.
    """

    name: str
    spec: str
    builtin: str | None = None
    argv: tuple[str, ...] = ()
    version: str | None = None


class BotFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of a bot.toml."""

    run: tuple[str, ...]
    name: str | None = None
    build: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    author: str = ""


def parse_bots(texts: Sequence[str]) -> list[BotSpec]:
    """The bots, with names that differ."""
    return with_different_names([parse_bot(text) for text in texts])


def with_different_names(given: Sequence[BotSpec]) -> list[BotSpec]:
    """The second of a name gets `_2`."""
    specs: list[BotSpec] = []
    for spec in given:
        name, number = spec.name, 1
        while name in {other.name for other in specs}:
            number += 1
            name = f"{spec.name}_{number}"
        specs.append(msgspec.structs.replace(spec, name=name))
    return specs


def parse_bot(text: str, base: Path | None = None) -> BotSpec:
    """The bot of one BOT argument; paths start at `base`, by default where we are.

    Raises `BotError`.
    """
    base = base or Path()
    named = _NAMED.fullmatch(text)
    if named and not (base / text).exists():
        spec = _parse_spec(named["spec"], base)
        return msgspec.structs.replace(spec, name=checked_name(named["name"]), spec=text)
    return _parse_spec(text, base)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?`, or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" Did you mean '{close[0]}'?" if close else ""


def checked_name(name: str) -> str:
    """The name of a bot as it is; raises `BotError` when it cannot be one."""
    if not name.isprintable() or len(name) > MAX_NAME or not name.strip():
        raise BotError(
            f"the name {name!r} of a bot must be 1 to {MAX_NAME} printable characters long"
        )
    return name


def _parse_spec(text: str, base: Path) -> BotSpec:
    if text.startswith("builtin:"):
        return _builtin(text)
    path = base / Path(text).expanduser()
    if path.is_dir():
        return _folder(path, text)
    if path.is_file():
        argv = _argv_of_file(path.resolve())
        return _program(path.stem, text, argv, path)
    if len(words := _split(text)) > 1 or shutil.which(text):
        argv = _argv_of_command(words, base)
        script = next((Path(word) for word in argv[1:] if Path(word).is_file()), Path(argv[0]))
        return _program(script.stem, text, argv, script)
    raise BotError(f"bot {text!r} does not exist{_near(path)}")


def _builtin(text: str) -> BotSpec:
    name = text.removeprefix("builtin:")
    if name not in POLICIES:
        raise BotError(
            f"unknown built-in bot {name!r}.{did_you_mean(name, POLICIES)}"
            f" (built-in bots: {', '.join(POLICIES)})"
        )
    return BotSpec(name=text, spec=text, builtin=name)


def _near(path: Path) -> str:
    """What the operator may have meant by a path that is not there, with what BOT can be."""
    try:
        there = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f": there is no folder {path.parent}"
    hint = did_you_mean(path.name, [*there, *(f"builtin:{name}" for name in POLICIES)])
    return f": no such file, folder or command.{hint}"


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as exc:
        raise BotError(f"bot {text!r} is no command: {exc}") from exc


def _program(name: str, text: str, argv: Sequence[str], file: Path) -> BotSpec:
    version = sha256(file.read_bytes()).hexdigest()[:8]
    return BotSpec(name=checked_name(name), spec=text, argv=tuple(argv), version=version)


def _argv_of_file(path: Path) -> list[str]:
    """How a file is run: by its ending, else by itself."""
    if path.suffix == ".py":
        return [sys.executable, str(path)]
    if path.suffix in {".js", ".mjs", ".cjs"}:
        node = shutil.which("node")
        if node is None:
            raise BotError(f"{path.name} needs node, which is not on the PATH: install Node.js")
        return [node, str(path)]
    check_executable(path)
    return [str(path)]


def _argv_of_command(words: Sequence[str], base: Path) -> list[str]:
    """The command with its program found and its files made absolute: bots run elsewhere."""
    program = base / words[0]
    if "/" in words[0] or program.is_file():
        if not program.is_file():
            raise BotError(f"command {shlex.join(words)!r}: there is no program {words[0]!r}")
        check_executable(program)
    elif found := shutil.which(words[0]):
        program = Path(found)
    else:
        raise BotError(f"command {shlex.join(words)!r}: {words[0]!r} is not on the PATH")
    # A symbolic link must stay one: a virtual environment's python is known by its own path.
    return [str(program.absolute()), *(_absolute(base, word) for word in words[1:])]


def _absolute(base: Path, word: str) -> str:
    """An argument that names a file or a path below `base`, in full; any other as it is."""
    path = base / word
    is_path = path.is_file() or ((word in {".", ".."} or "/" in word) and path.exists())
    return str(path.absolute()) if is_path else word


def check_executable(path: Path) -> None:
    """Raises `BotError` unless the system can execute the file."""
    if not os.access(path, os.X_OK):
        raise BotError(f"{path} has no execute permission: chmod +x {shlex.quote(str(path))}")
    with path.open("rb") as file:
        first = file.readline(1024)
    if first.startswith(_MAGIC):
        return
    if not first.startswith(b"#!"):
        raise BotError(f"{path} is neither a program nor a script: its first line must be #!…")
    if first.rstrip(b"\n").endswith(b"\r"):
        raise BotError(
            f"{path} has Windows line ends, which spoil its first line: "
            f"sed -i 's/\\r$//' {shlex.quote(str(path))}"
        )
    words = first[2:].decode(errors="replace").split()
    if not words or not os.access(words[0], os.X_OK):
        raise BotError(f"{path} wants the interpreter {' '.join(words)!r}, which is not there")
    if Path(words[0]).name == "env":
        wanted = next((word for word in words[1:] if not word.startswith("-")), "")
        if not shutil.which(wanted):
            raise BotError(f"{path} wants the interpreter {wanted!r}, which is not on the PATH")


def _folder(path: Path, text: str) -> BotSpec:
    file = path / "bot.toml"
    if not file.is_file():
        raise BotError(f"folder {text!r} has no bot.toml (it says how to run the bot)")
    try:
        told = msgspec.toml.decode(file.read_bytes(), type=BotFile)
    except msgspec.MsgspecError as exc:
        raise BotError(f"{file}: {exc}") from exc
    if not told.run:
        raise BotError(f"{file}: `run` is empty; it lists the program and its arguments")
    if told.build and _is_stale(path, told.run[0]):
        _build(path, told.build)
    argv = _argv_of_command(told.run, path.resolve())
    program = next((Path(word) for word in argv[1:] if Path(word).is_file()), Path(argv[0]))
    return _program(told.name or path.resolve().name, text, argv, program)


def _is_stale(folder: Path, program: str) -> bool:
    """Whether the program is not there, or older than a file of the folder."""
    built = folder / program
    if not built.exists():
        return True
    made = built.stat().st_mtime
    return any(file.stat().st_mtime > made for file in folder.iterdir() if file.is_file())


def _build(folder: Path, command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as exc:
        raise BotError(f"{folder}: cannot run {shlex.join(command)!r}: {exc.strerror}") from exc
    if done.returncode:
        output = (done.stdout + done.stderr).strip()
        raise BotError(
            f"{folder}: {shlex.join(command)!r} failed with status {done.returncode}:\n{output}"
        )
