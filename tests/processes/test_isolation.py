"""What a bot can do in each layer: as docs/security.md says, tried by real bots."""

import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from ctypes import CDLL
from pathlib import Path
from typing import Any

import pytest
import trio

from protocol.faults import FaultCode
from referee.bots import parse_bot
from referee.channels.isolation import POSIX, Layer
from referee.channels.process import ProcessChannel
from tests.bots.probe import ATTEMPTS
from tests.processes.acting import ACTOR, PATIENCE_S, bury_orphans, end_of, order, state
from tests.processes.playing import BOTS, RANDOM, children, play_match
from tests.tools import need, need_sandbox

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_bots"
WORDS = {"**yes**": {True}, "no": {False}, "**often**": {True, False}}
LIBC = CDLL(None)
FOLDERS = {
    "leave something in /tmp for another bot or game": "/tmp",
    "leave something in /dev/shm": "/dev/shm",
}
SHARED = shutil.which("env") or "/usr/bin/env"


@pytest.fixture(params=["posix", "bwrap"])
def layer(request) -> Layer:
    return POSIX if request.param == "posix" else need_sandbox()


@pytest.fixture
def sandbox() -> Layer:
    return need_sandbox()


@asynccontextmanager
async def started(argv: Sequence[str], layer: Layer) -> AsyncIterator[ProcessChannel]:
    """A running bot in a layer."""
    with trio.fail_after(3 * PATIENCE_S):
        async with trio.open_nursery() as nursery:
            channel = ProcessChannel.start(nursery, argv, {}, layer=layer)
            try:
                yield channel
            finally:
                await channel.close(b"")


async def answer_of(channel: ProcessChannel, question: object) -> bytes:
    """The line that a bot answers to an object."""
    channel.write(json.dumps(question).encode() + b"\n")
    said = b""
    with trio.fail_after(PATIENCE_S):
        while not said.endswith(b"\n"):
            data = channel.read()
            assert data != b"", channel.take_stderr()
            if data is None:
                await channel.wait_readable()
            said += data or b""
    return said


def promised(layer: Layer) -> dict[str, set[bool]]:
    """The page's table, for one layer."""
    page = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    table = page.partition("| a bot could |")[2].partition("\n\n")[0]
    column = {"posix": 1, "bwrap": 2}[layer.name]
    rows = [re.split(r"\s*\|\s*", line.strip("| ")) for line in table.splitlines()[2:]]
    return {row[0]: WORDS[row[column]] for row in rows}


def echo_once(sender: socket.socket) -> None:
    data, address = sender.recvfrom(16)
    if address:
        sender.sendto(data, address)


@contextmanager
def services(token: str) -> Iterator[dict[str, Any]]:
    """What listens on this machine, and a file that somebody has locked."""
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        echo = threading.Thread(target=echo_once, args=[udp])
        echo.start()
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(f"\0{token}")
        unix.listen()
        locked = stack.enter_context(Path(SHARED).open("rb"))
        fcntl.flock(locked, fcntl.LOCK_EX)
        port = udp.getsockname()[1]
        yield {
            "tcp": tcp.getsockname()[1],
            "udp": port,
            "abstract": f"\0{token}",
            "shared": SHARED,
        }
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as waker:
            waker.sendto(b"", ("127.0.0.1", port))
        echo.join()


def found_outside(token: str, key: int) -> dict[str, bool]:
    """What a bot left on the machine, which is cleared away."""
    left = {}
    for name, folder in FOLDERS.items():
        left[name] = Path(folder, token).exists()
        Path(folder, token).unlink(missing_ok=True)
    number = LIBC.shmget(key, 0, 0)
    left["leave System V shared memory"] = number != -1
    LIBC.shmctl(number, 0, None)
    return left


@pytest.fixture
def probe_bot(tmp_path) -> list[str]:
    """In a folder of its own."""
    folder = tmp_path / "bot"
    folder.mkdir()
    shutil.copy(BOTS / "probe.py", folder)
    return [sys.executable, "-I", "-S", str(folder / "probe.py")]


async def test_a_bot_can_do_what_the_page_says_and_nothing_else(layer, probe_bot, tmp_path):
    token, key = f"croupier-probe-{os.getpid()}", 0x4352_0000 | os.getpid() & 0xFFFF
    results, log = tmp_path / "results.json", tmp_path / "bot" / "log.jsonl"
    for file in (results, log):
        file.write_text("secret\n")
        file.chmod(0o600)
    walls = layer.hiding([log])
    with services(token) as listening:
        async with (
            started([*ACTOR, token], walls) as opponent,
            started(probe_bot, walls) as prober,
        ):
            await order(opponent, "echo")
            targets = listening | {
                "opponent": opponent.bot_pid,
                "referee": os.getpid(),
                "token": token,
                "key": key,
                "results": str(results),
                "log": str(log),
                "project": str(ROOT / "pyproject.toml"),
                "home": str(Path.home()),
                "at_home": [entry.name for entry in Path.home().iterdir()],
            }
            tried = json.loads(await answer_of(prober, targets))
            forged = opponent.read()
    left = found_outside(token, key)
    done = {name: result and left.get(name, True) for name, result in tried.items()}
    wanted = promised(layer)
    assert list(done) == list(ATTEMPTS) == list(wanted)
    assert {name: result for name, result in done.items() if result not in wanted[name]} == {}
    assert forged == (b"forged\n" if layer is POSIX else None)
    assert results.read_text() == log.read_text() == "secret\n"


LOOK = """
import json, os, sys
def writable(folder):
    try:
        open(os.path.join(folder, "x"), "w").close()
    except OSError:
        return False
    os.remove(os.path.join(folder, "x"))
    return True
sys.stdin.readline()
found = {
    "cwd": os.getcwd(), "home": os.environ["HOME"], "tmp": os.environ["TMPDIR"],
    "files": os.listdir(), "mode": os.stat(".").st_mode & 0o777, "fds": os.listdir("/proc/self/fd"),
    "writable": [f for f, _, _ in os.walk("/") if not f.startswith("/proc") and writable(f)],
    "others": sorted(int(p) for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()),
    "beside": sorted(os.listdir(sys.argv[1])), "top": sorted(os.listdir("/")),
}
print(json.dumps(found), flush=True)
sys.stdin.read()
"""


async def test_a_bot_in_a_sandbox_finds_its_own_files_and_little_else(sandbox, tmp_path):
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "look.py").write_text(LOOK)
    argv = ["/usr/bin/python3", "-I", "-S", str(folder / "look.py"), str(folder)]
    need("/usr/bin/python3")
    async with started(argv, sandbox) as channel:
        found = json.loads(await answer_of(channel, {}))
    assert found["cwd"] == found["home"] == found["tmp"] == "/bot"
    assert (found["files"], found["mode"]) == ([], 0o700)
    assert len(found["fds"]) == 4  # and the one with which it looked
    assert set(found["writable"]) <= {"/bot", "/dev/shm", "/tmp"} | {
        str(outer) for outer in folder.parents if outer.is_relative_to("/tmp")
    }
    assert found["others"] == [1]
    assert found["beside"] == ["look.py"]
    assert {"home", "root", "var", "opt", "work", "srv", "mnt", "sys"} & set(found["top"]) <= {
        folder.parts[1]
    }


async def plays(log: Path, bot: str, layer: Layer) -> None:
    match = await play_match(log, bot, RANDOM, layer=layer, start_ms=20_000)
    assert match.verdicts == [("ok", "ok")], match.results
    assert match.log[0]["isolation"] == layer.name


def by_python(tmp_path: Path) -> str:
    return f"{SAMPLES / 'random_bot.py'}"


def by_a_python_with_a_model(tmp_path: Path) -> str:
    """Its files lie in different folders, one is a module beside it."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "net.bin").write_bytes(b"weights")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "beside.py").write_text((SAMPLES / "random_bot.py").read_text())
    (tmp_path / "bot" / "main.py").write_text(
        "import pathlib, runpy, sys, beside\n"
        "assert pathlib.Path(sys.argv[2]).read_bytes() == b'weights'\n"
        "runpy.run_path(beside.__file__, run_name='__main__')\n"
    )
    return f"{sys.executable} {tmp_path}/bot/main.py --model {tmp_path}/models/net.bin"


def by_a_folder(tmp_path: Path) -> str:
    """The program is deep in the folder, and what it needs lies elsewhere in it."""
    folder = tmp_path / "a bot"
    (folder / "source").mkdir(parents=True)
    (folder / "source" / "main.py").write_text((SAMPLES / "random_bot.py").read_text())
    (folder / "book.txt").write_text("opening book")
    (folder / "start.sh").write_text(
        '#!/bin/sh\nhere=${0%/*}\ntest -s "$here/book.txt" || exit 9\n'
        'exec python3 "$here/source/main.py"\n'
    )
    (folder / "start.sh").chmod(0o755)
    (folder / "bot.toml").write_text('run = ["./start.sh"]\n')
    return str(folder)


def by_a_link(tmp_path: Path) -> str:
    (tmp_path / "real").mkdir()
    shutil.copy(SAMPLES / "random_bot.py", tmp_path / "real" / "bot.py")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "bot.py").symlink_to("../real/bot.py")
    return f"{sys.executable} {tmp_path}/links/bot.py"


def by_c(tmp_path: Path) -> str:
    compiled = tmp_path / "random_bot"
    subprocess.run([need("cc"), "-O1", "-o", compiled, SAMPLES / "random_bot.c"], check=True)
    return str(compiled)


def by_node(tmp_path: Path) -> str:
    need("node")
    return str(SAMPLES / "random_bot.js")


PERL = r"""#!/usr/bin/env perl
$| = 1;
while (<STDIN>) {
    my ($id) = /"id":(\d+)/;
    if (/"type":"hello"/) { print qq({"type":"hello","id":$id,"protocol":1,"name":"camel"}\n) }
    if (/"type":"turn".*"legal":\["([^"]*)"/) { print qq({"type":"action","id":$id,"action":"$1"}\n) }
}
"""


def by_perl(tmp_path: Path) -> str:
    need("perl")
    (tmp_path / "camel").write_text(PERL)
    (tmp_path / "camel").chmod(0o755)
    return str(tmp_path / "camel")


JAVA = r"""
import java.util.Scanner;
import java.util.regex.*;

public class Bot {
    public static void main(String[] arguments) {
        Pattern id = Pattern.compile("\"id\":(\\d+)"), legal = Pattern.compile("\"legal\":\\[\"([^\"]*)\"");
        for (Scanner lines = new Scanner(System.in); lines.hasNextLine();) {
            String line = lines.nextLine();
            Matcher number = id.matcher(line), first = legal.matcher(line);
            if (!number.find()) continue;
            String begin = "{\"id\":" + number.group(1) + ",\"type\":";
            if (first.find()) System.out.println(begin + "\"action\",\"action\":\"" + first.group(1) + "\"}");
            else System.out.println(begin + "\"hello\",\"protocol\":1,\"name\":\"bean\"}");
        }
    }
}
"""


def by_java(tmp_path: Path) -> str:
    (tmp_path / "Bot.java").write_text(JAVA)
    subprocess.run([need("javac"), "Bot.java"], cwd=tmp_path, check=True)
    return f"java -Xshare:auto -cp {tmp_path} Bot"


KINDS = [
    by_python,
    by_a_python_with_a_model,
    by_a_folder,
    by_a_link,
    by_c,
    by_node,
    by_perl,
    by_java,
]


@pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
async def test_a_bot_plays_in_every_layer(layer, make, tmp_path):
    await plays(tmp_path / "match.jsonl", f"it={make(tmp_path)}", layer)


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("exit", FaultCode.EXITED, "the bot exited with status 0"),
        ("raise", FaultCode.CRASHED, "the bot exited with status 1"),
        ("die", FaultCode.CRASHED, "the bot was killed by SIGSEGV"),
    ],
)
async def test_an_end_is_told_alike_in_every_layer(layer, line, code, words):
    ends = {"exit": "", "raise": "1/0", "die": "import os; os.kill(os.getpid(), 11)"}
    argv = [sys.executable, "-I", "-S", "-c", ends[line]]
    async with started(argv, layer) as channel:
        end = await end_of(channel)
    assert (end.code, str(end)) == (code, words)


async def test_a_bot_in_a_sandbox_is_paused_and_resumed(sandbox):
    async with started(ACTOR, sandbox) as channel:
        await order(channel, "burn")
        pid = channel.bot_pid
        assert pid not in {None, channel.pid}
        channel.pause()
        await trio.sleep(0.02)
        assert state(pid) == "T"
        channel.resume()
        await order(channel, "echo")


async def test_before_a_sandbox_is_there_its_bot_is_not_known_and_a_pause_does_no_harm(sandbox):
    async with started(ACTOR, sandbox) as channel:
        channel.pause()
        channel.resume()
        await order(channel, "echo")
        assert channel.bot_pid


async def test_of_a_sandbox_nothing_is_left_whatever_the_bot_started(sandbox):
    before = children()
    async with started(ACTOR, sandbox) as channel:
        for how in ("session", "session-orphan", "orphan-bare"):
            await order(channel, f"child {how}")
        inside = everyone_below(channel.pid)
        assert len(inside) >= 5
    assert [pid for pid in inside if state(pid) not in {None, "Z"}] == []
    assert children() == before


def everyone_below(pid: int) -> list[int]:
    found = [
        int(child)
        for task in Path(f"/proc/{pid}/task").glob("*")
        for child in (task / "children").read_text().split()
    ]
    return found + [deeper for child in found for deeper in everyone_below(child)]


async def test_a_large_file_ends_the_bot_and_not_the_disk(layer):
    write = "open('x', 'wb').write(bytes(65 << 20))"
    async with started([sys.executable, "-I", "-S", "-c", write], layer) as channel:
        end = await end_of(channel)
        stderr, _ = channel.take_stderr()
    assert end.code is FaultCode.CRASHED
    assert re.search(rb"File too large|No space left", stderr)


@pytest.fixture
def program_of_32_bit(tmp_path) -> str:
    if os.uname().machine != "x86_64":
        pytest.skip("only x86-64 runs programs of 32 bit")
    program = tmp_path / "old"
    source = tmp_path / "old.c"
    # 20 is getpid of 32 bit, which needs no 32-bit library.
    source.write_text('int main(void) { int n = 20; __asm__ volatile("int $0x80" : "+a"(n)); }')
    subprocess.run([need("cc"), "-o", program, source], check=True)
    return str(program)


async def test_a_program_of_another_architecture_is_killed(sandbox, program_of_32_bit):
    async with started([program_of_32_bit], sandbox) as channel:
        end = await end_of(channel)
    assert str(end) == f"the bot was killed by {signal.SIGSYS.name}"


def test_a_bot_of_a_command_keeps_its_words_in_every_layer(sandbox, tmp_path):
    (tmp_path / "bot.py").touch()
    spec = parse_bot(f"{sys.executable} {tmp_path}/bot.py --level 3")
    launch = sandbox.launch(spec.argv, str(tmp_path), {})
    for descriptor in (*launch.pass_fds, launch.info):
        os.close(descriptor)
    assert tuple(launch.argv[-len(spec.argv) :]) == spec.argv


REFEREE = """
import sys, trio
from referee.channels.isolation import BWRAP
from referee.channels.process import ProcessChannel
from tests.processes.acting import ACTOR, order

async def main():
    async with trio.open_nursery() as nursery:
        channel = ProcessChannel.start(nursery, ACTOR, {}, layer=BWRAP)
        await order(channel, "child session-orphan")
        print(channel.bot_pid, flush=True)
        await trio.sleep_forever()

trio.run(main)
"""


def test_a_sandbox_ends_with_its_referee_though_nobody_guards_it(sandbox, tmp_path):
    before = children()
    referee = subprocess.Popen(
        [sys.executable, "-c", REFEREE],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    with referee:
        assert referee.stdout
        bot = int(referee.stdout.readline())
        inside = [bot, *everyone_below(bot)]
        assert state(bot)
        referee.kill()
    deadline = time.monotonic() + 1
    while (any(map(state, inside)) or children() != before) and time.monotonic() < deadline:
        bury_orphans()
        time.sleep(0.01)
    assert ([pid for pid in inside if state(pid)], children()) == ([], before)


@pytest.mark.slow
async def test_a_sandbox_lives_longer_than_a_thread_of_trio_sleeps(sandbox):
    async with started(ACTOR, sandbox) as channel:
        await trio.sleep(12)
        await order(channel, "echo")
