"""A channel to a bot that is a process: spawn, pipes, exit, stderr, and an end that leaves nothing.

The process is started by plain `subprocess.Popen` in the main thread. Not by `trio.open_process`: it
forks in a cached thread, and a death signal tied to that thread would kill the bot after ten quiet
seconds. Exit and end of file are two different things (a child may hold the pipe, a living bot may
close it): both are waited for, and both waits are bounded.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio

from protocol.faults import FaultCode
from referee.channels import ChannelClosedError, Silence, Usage, Waits, diagnosis, runaways, sweep
from referee.channels.excerpt import Excerpt
from referee.channels.isolation import POSIX, Inside, Layer
from referee.channels.watch import Budget, Watch

FAREWELL_SECONDS: Final = 0.2
GRACE_SECONDS: Final = 0.5
REAP_SECONDS: Final = 2.0
EXIT_NOTICE_SECONDS: Final = 0.25  # between the end of the output and the exit of a dying program

_READ_BYTES: Final = 64 * 1024
_STDERR_READS: Final = 16  # at most 1 MiB at a time: a flood on stderr must not hold up the game
_BUDGET: Final = Budget()


class ProcessChannel:
    """One running bot. Made by `start`; the nursery holds its watchers until `close`."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        home: str,
        number: int,
        budget: Budget,
        inside: Inside | None,
    ) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._process = process
        self._home = home
        self._inside = inside
        self._pipes = (process.stdin, process.stdout, process.stderr)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in self._pipes)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._kept = Excerpt()
        self._exited = trio.Event()
        self._waiting: trio.CancelScope | None = None
        self._watchers = trio.CancelScope()
        self._watched = trio.Event()  # set when all watchers have ended
        self._closed = False
        self._tree = sweep.enter(number, process.pid, lambda: self.bot_pid)
        self._watch = Watch(self._tree, budget)
        self._asked = diagnosis.Asked()

    @classmethod
    def start(
        cls,
        nursery: trio.Nursery,
        argv: Sequence[str],
        extra_env: Mapping[str, str],
        budget: Budget = _BUDGET,
        layer: Layer = POSIX,
    ) -> "ProcessChannel":
        """Starts the program in a session and a fresh, private folder of its own.

        `argv` must have been checked: a program that cannot be executed shows as exit status 126.
        """
        number = sweep.next_number()
        mark = {runaways.MARK: runaways.bot_mark(number)}
        home = tempfile.mkdtemp(prefix="croupier-bot-")
        launch = layer.launch(argv, home, {**extra_env, **mark})
        inside = None if launch.info is None else Inside(launch.info)
        try:
            process = subprocess.Popen(
                launch.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                umask=0o077,
                cwd=home,
                env=launch.env,
                pass_fds=launch.pass_fds,
            )
        except BaseException:
            shutil.rmtree(home, ignore_errors=True)
            if inside:
                inside.close()
            raise
        finally:
            for descriptor in launch.pass_fds:
                os.close(descriptor)
        channel = cls(process, home, number, budget, inside)
        nursery.start_soon(channel._run_watchers)
        return channel

    @property
    def pid(self) -> int:
        """Of the bot, which leads its process group."""
        return self._process.pid

    @property
    def bot_pid(self) -> int | None:
        """Of the process that is to be paused, measured and diagnosed; None while it is unknown."""
        return self._inside.bot_pid() if self._inside else self._process.pid

    @property
    def strays(self) -> int:
        return self._tree.strays

    def write(self, data: bytes) -> int:
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0

    def read(self) -> bytes | None:
        try:
            return os.read(self._stdout, _READ_BYTES)
        except BlockingIOError:
            # After the exit, an open but empty pipe is held by somebody else: it is the end, too.
            return b"" if self._exited.is_set() else None

    async def wait_writable(self) -> None:
        await trio.lowlevel.wait_writable(self._stdin)

    async def wait_readable(self) -> None:
        with trio.CancelScope() as self._waiting:
            if self._exited.is_set():
                self._waiting.cancel()
            await trio.lowlevel.wait_readable(self._stdout)
        self._waiting = None

    async def ending(self) -> ChannelClosedError:
        with trio.move_on_after(EXIT_NOTICE_SECONDS):
            await self._exited.wait()
        if self._watch.breach:
            return self._watch.breach
        if not self._exited.is_set():
            return ChannelClosedError(
                FaultCode.CLOSED, "the bot closed its input or output, but is still running"
            )
        status = _status_of(self.pid)
        assert status is not None
        return _ended(status, in_sandbox=self._inside is not None)

    def take_stderr(self) -> tuple[bytes, int]:
        if not self._closed:
            self._drain_stderr()
        return self._kept.take()

    def pause(self) -> None:
        if not self._closed:
            self._tree.signal(signal.SIGSTOP)
            self._watch.is_running = False

    def resume(self) -> None:
        if not self._closed:
            self._watch.is_running = self._watch.has_run = True
            self._tree.signal(signal.SIGCONT)
            self._asked.now(self._tree)

    def begin_game(self) -> None:
        if not self._closed:
            self._watch.begin_game()

    def usage(self) -> Usage | None:
        if not self._closed:
            self._watch.measure()
        return self._watch.usage()

    def silence(self) -> Silence | None:
        if self._closed:
            return None
        stdio = {Waits.STDIN: self._stdin, Waits.STDOUT: self._stdout, Waits.STDERR: self._stderr}
        return diagnosis.silence(self._tree, self._asked, stdio)

    async def close(self, farewell: bytes) -> None:
        if self._closed:
            return
        self._watch.measure()  # while it is there: it may leave by itself
        self.resume()
        self._closed = True
        with trio.CancelScope(shield=True):
            await self._say(farewell)
            self._pipes[0].close()
            # The watchers may be cancelled already: here the exit is waited for anew.
            with trio.move_on_after(GRACE_SECONDS):
                await _exit_of(self.pid)
            self._watchers.cancel()
            self._watch.measure()
            if self._inside:
                self._tree.wrappers |= self._inside.wrappers()
            sweep.count_lost(self._tree)
            self._tree.kill()
            with trio.move_on_after(REAP_SECONDS):
                await self._reap_group()
            await sweep.sweep(self._tree)
            await self._watched.wait()  # who was just woken must not read a closed descriptor
            self._drain_stderr()
            for pipe in self._pipes:
                pipe.close()
            if self._inside:
                self._inside.close()
            await trio.to_thread.run_sync(_remove, self._home)

    async def _say(self, farewell: bytes) -> None:
        with trio.move_on_after(FAREWELL_SECONDS), suppress(BrokenPipeError):
            while farewell := farewell[self.write(farewell) :]:
                await self.wait_writable()

    async def _reap_group(self) -> None:
        """Waits for every child of ours in the bot's group, the bot itself and adopted orphans."""
        while True:
            try:
                pid, status = os.waitpid(-self.pid, os.WNOHANG)  # noqa: ASYNC222 (never blocks)
            except ChildProcessError:
                return
            if pid == self.pid:
                self._process.returncode = os.waitstatus_to_exitcode(status)
            elif pid:
                self._tree.strays += 1
            else:
                await trio.sleep(0.002)

    async def _run_watchers(self) -> None:
        try:
            with self._watchers:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._watch_exit)
                    nursery.start_soon(self._watch_stderr)
                    nursery.start_soon(self._watch_budget)
                    nursery.start_soon(_watch_orphans)
        finally:
            self._watched.set()

    async def _watch_exit(self) -> None:
        await _exit_of(self.pid)
        self._exited.set()
        if self._waiting:
            self._waiting.cancel()

    async def _watch_budget(self) -> None:
        await self._watch.run()
        self._tree.is_doomed = True
        self._tree.kill()

    async def _watch_stderr(self) -> None:
        while not self._drain_stderr():
            await trio.lowlevel.wait_readable(self._stderr)

    def _drain_stderr(self) -> bool:
        """Keeps what lies in the pipe; whether it has ended."""
        for _ in range(_STDERR_READS):
            try:
                data = os.read(self._stderr, _READ_BYTES)
            except BlockingIOError:
                return False
            if not data:
                return True
            self._kept.add(data)
        return False


def _remove(folder: str) -> None:
    """The folder of a bot, however it was left: too deep for Python, or closed to its owner."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    for command in ("chmod", "-R", "u+rwx"), ("rm", "-rf"):
        if Path(folder).exists():
            subprocess.run([*command, "--", folder], stderr=subprocess.DEVNULL, check=False)


def _ended(status: os.waitid_result, *, in_sandbox: bool) -> ChannelClosedError:
    """In a sandbox it is the wrapper that has ended, and it tells a signal as a shell does."""
    signalled = status.si_code != os.CLD_EXITED
    number = status.si_status if signalled else status.si_status - 128 if in_sandbox else 0
    if signalled or number in set(signal.Signals):
        name = signal.Signals(number).name
        return ChannelClosedError(FaultCode.CRASHED, f"the bot was killed by {name}")
    code = FaultCode.CRASHED if status.si_status else FaultCode.EXITED
    return ChannelClosedError(code, f"the bot exited with status {status.si_status}")


async def _watch_orphans() -> None:
    """At a pace of its own: the more processes a bot has, the slower it is measured."""
    while True:
        await trio.sleep(sweep.COLLECT_SECONDS)
        sweep.collect()


async def _exit_of(pid: int) -> None:
    """Returns when the process has ended, without reaping it."""
    if not hasattr(os, "pidfd_open"):  # macOS
        while _status_of(pid) is None:  # noqa: ASYNC110 (nothing tells us)
            await trio.sleep(0.02)
        return
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:  # who closed the channel at once was quicker than its watchers
        return
    try:
        await trio.lowlevel.wait_readable(descriptor)
    finally:
        os.close(descriptor)


def _status_of(pid: int) -> os.waitid_result | None:
    """How the process ended; None while it runs. It stays a zombie, so its number stays taken."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
