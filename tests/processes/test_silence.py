"""What is seen of a bot that does not answer, and what its author is told."""

import os
import sys

import pytest
import trio

from referee.advice import looks
from referee.channels import Silence, Waits, procfs
from referee.connection import Connection, NoStartError, TooSlowError
from tests.processes.acting import acting
from tests.processes.playing import BOTS
from tests.processes.test_pausing import START, ask
from tests.tools import need

PROGRAM = os.path.realpath(sys.executable)
PYTHON = [sys.executable, "-I", "-S", "-c"]
QUESTION = b'{"type":"turn"}\n'


async def seen(argv: list[str], wait_s: float = 0.5, cpu_ms: int = 0) -> Silence:
    """A bot a while after it was asked, without an answer, when it has computed for `cpu_ms`."""
    async with acting(argv) as channel:
        channel.resume()
        channel.write(QUESTION)
        await trio.sleep(wait_s)
        while (  # noqa: ASYNC110 (nothing tells us)
            (silence := channel.silence()) and silence.cpu_ms < cpu_ms and silence.asked_ms < 2500
        ):
            await trio.sleep(0.1)
        assert silence
        return silence


BLOCKED = [
    ("import sys\nfor line in sys.stdin: sys.stdout.write(line)", "S", Waits.STDIN, 0),
    ("import time; time.sleep(60)", "S", Waits.SLEEP, len(QUESTION)),
    ("input(); import time; time.sleep(60)", "S", Waits.SLEEP, 0),
    ("while True: pass", "R", None, len(QUESTION)),
    ("import os, signal; os.kill(0, signal.SIGSTOP)", "T", None, len(QUESTION)),
    ("import threading as t; x = t.Lock(); x.acquire(); x.acquire()", "S", Waits.LOCK, 16),
    ("import os; os.read(os.pipe()[0], 1)", "S", Waits.READ, len(QUESTION)),
    ("import os; w = os.pipe()[1]; os.write(w, bytes(99999))", "S", Waits.WRITE, 16),
    ("from select import select; input(); select([0], [], [])", "S", Waits.EVENTS, 0),
    ("import os; os.fork() and os.wait(); input(); input()", "S", Waits.STDIN, 0),
    ("import os; os.fork() and os.wait(); import time; time.sleep(60)", "S", Waits.SLEEP, 16),
    ("import os; os.write(1, bytes(10**6))", "S", Waits.STDOUT, len(QUESTION)),
]


@pytest.mark.parametrize(("code", "state", "waits", "unread"), BLOCKED)
async def test_it_is_seen_what_a_silent_bot_waits_for(code, state, waits, unread):
    # Half a second of a busy machine may leave a bot little of it.
    silence = await seen([*PYTHON, code], cpu_ms=201 if state == "R" else 0)
    assert silence.state == state
    assert waits is None or silence.waits is waits
    assert silence.unread == unread
    assert (silence.cpu_ms > 200) == (state == "R")
    assert 450 <= silence.asked_ms < 3000
    assert silence.program == PROGRAM
    assert looks(silence, b"", [sys.executable])


async def test_a_bot_that_computes_in_another_thread_than_it_reads_in_computes():
    code = "import threading as t, sys; t.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()"
    silence = await seen([*PYTHON, f"{code}; sys.stdin.read()"])
    assert (silence.state, silence.threads) == ("R", 2)
    assert silence.waits is Waits.STDIN
    assert looks(silence, b"", ["./bot"]).startswith("It was still computing")


async def test_through_a_script_that_starts_the_bot_the_bot_is_seen(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.stdout = open(1, 'w', 9999)\nfor x in sys.stdin: print(x)\n")
    silence = await seen(["/bin/sh", "-c", f"{sys.executable} {bot}; true"])
    assert silence.waits is Waits.STDIN
    assert looks(silence, b"", ["./run.sh"]).endswith("print(line, flush=True)")


C_BOT = """
#include <stdio.h>
int main(void) {
    char line[100000];
    while (fgets(line, sizeof line, stdin)) printf("{}\\n");
}
"""
COMPILED = [("cc", "c", C_BOT, "fflush(stdout);")]
COMPILED += [("c++", "cc", f"#include <iostream>\n{C_BOT}static std::string s;", "std::endl;")]


@pytest.mark.parametrize(("compiler", "suffix", "source", "remedy"), COMPILED)
async def test_a_compiled_bot_that_does_not_flush_is_told_how(
    tmp_path, compiler, suffix, source, remedy
):
    program, code = tmp_path / "bot", tmp_path / f"bot.{suffix}"
    code.write_text(source)
    await trio.run_process([need(compiler), "-o", str(program), str(code)], capture_stderr=True)
    silence = await seen([str(program)])
    assert (silence.state, silence.waits, silence.unread) == ("S", Waits.STDIN, 0)
    assert looks(silence, b"", [str(program)]).endswith(remedy)


async def test_a_bot_in_perl_that_does_not_flush_is_told_how():
    silence = await seen([need("perl"), "-e", 'print "{}\n" while <>;'])
    assert looks(silence, b"", ["perl", "bot"]).endswith("$| = 1;")


async def test_node_waits_for_events_when_it_has_read_all():
    silence = await seen([need("node"), "-e", "process.stdin.on('data', () => {})"], 1.5)
    assert (silence.waits, silence.unread) == (Waits.EVENTS, 0)
    assert looks(silence, b"", ["bot.js"]).endswith('process.stdout.write(line + "\\n");')


HOSTILE = [
    ("17_no_flush.py", "probably answered into a buffer. Flush after every line: print(line, f"),
    ("18_never_reads.py", "It has not read its input: "),
    ("22_partial_line_hang.py", "bytes of a line that has no end: "),
    ("23_complete_json_no_newline.py", "It sent a whole message without the newline at its end"),
    ("25_drip_lines.py", "It sent no answer to this request, only blanks"),
]


@pytest.mark.parametrize(("bot", "words"), HOSTILE)
async def test_the_author_of_a_silent_bot_is_told_what_to_do(bot, words):
    argv = [sys.executable, str(BOTS / "hostile" / bot)]
    async with acting(argv) as channel:
        connection = Connection(channel)
        await connection.greet("croupier 0.1.0", 10)
        connection.tell(START)
        with pytest.raises(TooSlowError) as caught:
            await ask_for_ever(connection)
        assert words in looks(caught.value.silence, connection.heard, argv)


async def ask_for_ever(connection: Connection) -> None:
    while True:
        await ask(connection, 0.4)


async def test_a_bot_without_a_hello_is_looked_at_too():
    argv = [*PYTHON, "import time; time.sleep(60)"]
    async with acting(argv) as channel:
        with pytest.raises(NoStartError) as caught:
            await Connection(channel).greet("croupier 0.1.0", 0.4)
        assert caught.value.silence
        assert caught.value.silence.waits is Waits.SLEEP


async def test_where_system_calls_may_not_be_read_the_kernel_still_tells(monkeypatch):
    monkeypatch.setattr(procfs, "system_call", lambda pid, tid: None)
    silence = await seen([*PYTHON, "import time; time.sleep(60)"])
    assert silence.waits is Waits.SLEEP
    monkeypatch.setattr(procfs, "wait_channel", lambda pid, tid: None)
    silence = await seen([*PYTHON, "import time; time.sleep(60)"])
    assert (silence.state, silence.waits) == ("S", None)
    assert looks(silence, b"", ["./bot"]).startswith("It has not read its input")


async def test_of_a_bot_that_has_gone_nothing_is_seen():
    async with acting([*PYTHON, ""]) as channel:
        await trio.sleep(0.3)
        gone = channel.silence()
        assert gone is None or gone.state == "Z"
        await channel.close(b"")
        assert channel.silence() is None
