"""What is said to the author of a bot that does not answer, or answers badly."""

from typing import Any

import msgspec
import pytest

from protocol.faults import FaultCode
from referee.advice import FLUSH, about, language_of, looks
from referee.channels import Silence, Waits


def silence(**facts: Any) -> Silence:
    """A bot that waits for its next line, having read all."""
    plain = Silence(
        asked_ms=500,
        cpu_ms=2,
        state="S",
        waits=Waits.STDIN,
        unread=0,
        threads=1,
        program=None,
        language=None,
    )
    return msgspec.structs.replace(plain, **facts)


BUFFERED = (
    "It has read all that we sent and waits for more, but nothing came from it: "
    "it has probably answered into a buffer. Flush after every line: "
)


@pytest.mark.parametrize(
    ("argv", "program", "made_in", "line"),
    [
        (["python3", "bot.py"], "/usr/bin/python3.11", "c", "print(line, flush=True)"),
        (["./run.sh"], "/usr/bin/python3.11", "c", "print(line, flush=True)"),
        (["./bot"], "/home/ada/bot", "c", "fflush(stdout);"),
        (["./bot"], "/home/ada/bot", "c++", "std::cout << line << std::endl;"),
        (["./bot"], "/home/ada/bot", "rust", "std::io::stdout().flush().unwrap();"),
        (["perl", "bot"], "/usr/bin/perl", "c", "$| = 1;"),
        (["java", "-jar", "bot.jar"], "/usr/lib/jvm/bin/java", "c++", "System.out.flush();"),
        (["./bot.js"], "/usr/bin/node", "c++", FLUSH["javascript"]),
        (["./run.sh", "bot.rb"], None, None, "$stdout.sync = true"),
        (["/bin/sh", "run.sh"], "/home/ada/cardsharp", "go", "writer.Flush()"),
        (
            ["./bot"],
            None,
            None,
            (
                "fflush(stdout); (c) or std::cout << line << std::endl; (c++) "
                "or std::io::stdout().flush().unwrap(); (rust)"
            ),
        ),
    ],
)
def test_who_has_read_all_and_waits_has_forgotten_to_flush(argv, program, made_in, line):
    facts = silence(program=program, language=made_in)
    assert looks(facts, b"", argv) == BUFFERED + line


SILENT = [
    ({"state": "T"}, b"", "It is stopped (SIGSTOP or a debugger): a bot must not stop itself."),
    (
        {"state": "R", "cpu_ms": 480, "waits": None},
        b"",
        (
            "It was still computing: 480 ms of computing time in 500 ms. "
            "Each turn says in move_ms how long it may take."
        ),
    ),
    (
        {"cpu_ms": 400},  # one thread reads, another computes and was just not running
        b"",
        (
            "It was still computing: 400 ms of computing time in 500 ms. "
            "Each turn says in move_ms how long it may take."
        ),
    ),
    (
        {"unread": 1234, "waits": Waits.SLEEP},
        b"",
        (
            "It has not read its input: 1,234 bytes of ours lie unread. It sleeps (sleep, or a timer). "
            "Read a line from standard input after every answer."
        ),
    ),
    (
        {"waits": Waits.SLEEP},
        b"",
        "It sleeps (sleep, or a timer), after 2 ms of computing time.",
    ),
    (
        {"waits": Waits.LOCK},
        b"",
        (
            "It waits for a lock or for another thread: perhaps a deadlock, "
            "after 2 ms of computing time."
        ),
    ),
    (
        {"waits": Waits.STDERR, "unread": 10},
        b"",
        (
            "It is stuck writing to standard error: it complains faster than can be read, "
            "after 2 ms of computing time."
        ),
    ),
    ({"waits": None}, b"", "It sleeps, after 2 ms of computing time."),
    ({"waits": None, "state": "Z"}, b"", ""),
    (
        {},
        b'{"type":"action","id":2,"action":"take"}',
        (
            "It sent a whole message without the newline at its end: "
            '\'{"type":"action","id":2,"action":"take"}\'. End every line with \\n.'
        ),
    ),
    (
        {},
        b'\n\n{"type":"act',
        (
            'It sent 12 bytes of a line that has no end: \'{"type":"act\'. '
            "Write the whole line at once, with \\n at its end, and flush."
        ),
    ),
    (
        {},
        b"\x1b[31m" + b"x" * 100,
        (
            f"It sent 105 bytes of a line that has no end: '\\x1b[31m{'x' * 55}…'. "
            "Write the whole line at once, with \\n at its end, and flush."
        ),
    ),
    ({}, b"\n\n", "It sent no answer to this request, only blanks or answers to earlier ones."),
]


@pytest.mark.parametrize(("facts", "heard", "words"), SILENT)
def test_what_a_silent_bot_does_is_told_with_a_remedy(facts, heard, words):
    assert looks(silence(**facts), heard, ["./bot"]) == words


def test_where_nothing_is_known_nothing_is_guessed():
    assert looks(None, b"", ["python3", "bot.py"]) == ""
    assert looks(None, b"{}", ["./bot"]).startswith("It sent a whole message without the newline")


TO_STDERR = (
    " is no message. Standard output is for messages only; whatever else a bot has to say goes to "
    "standard error: "
)
SEVERAL_LINES = (
    "That is JSON over several lines. Each message is one line: json.dumps without indent, "
    "JSON.stringify with one argument."
)
LINES = [
    (b"Hm, let me think.\n", "'Hm, let me think.'" + TO_STDERR + "print(words, file=sys.stderr)"),
    (b'{"id":2}\nDEBUG 3\n', "'DEBUG 3'" + TO_STDERR + "print(words, file=sys.stderr)"),
    (b"{\n", SEVERAL_LINES),
    (b'{\n  "type": "action",\n', SEVERAL_LINES),
    (b'  "id": 2\n', SEVERAL_LINES),
    (b"{'type': 'action'}\n", "That is a Python dict, not JSON. Write json.dumps(message)."),
    (b'{"id":1}{"id":2}\n', "Those are two messages on one line. End every message with \\n."),
    (
        b'{"id":1,"note":NaN}\n',
        "NaN and Infinity are not JSON. Write null or leave the field out.",
    ),
    ('{"id":1}\n'.encode("utf-16"), "That is UTF-16. Write UTF-8."),
    ('{"id":1}\n'.encode("utf-16-le"), "That is UTF-16. Write UTF-8."),
    (b'{"id":"1"}\n', ""),
    (b"[" * 5000 + b"\n", f"'{'[' * 60}…'" + TO_STDERR + "print(words, file=sys.stderr)"),
]


@pytest.mark.parametrize(("heard", "words"), LINES)
def test_a_line_that_is_no_message_is_explained(heard, words):
    assert about(FaultCode.MALFORMED, heard, b"", ["python3", "bot.py"]) == words


COMPLAINTS = [
    (
        b"ModuleNotFoundError: No module named 'numpy'\n",
        (
            "A Python module is missing: install it for the interpreter that runs the bot, "
            "or name that one in the command."
        ),
    ),
    (
        b"/usr/bin/env: 'python3\\r': No such file or directory\n",
        "The first line of the script ends with CRLF. Convert it: sed -i 's/\\r$//' FILE",
    ),
    (
        b"FileNotFoundError: [Errno 2] No such file or directory: 'book.json'\n",
        (
            "A file is missing: bots run in an empty folder, so give whole paths or look beside "
            "the program itself."
        ),
    ),
    (b"ZeroDivisionError: division by zero\n", ""),
]


@pytest.mark.parametrize(("stderr", "words"), COMPLAINTS)
def test_a_common_complaint_on_stderr_is_explained(stderr, words):
    assert about(FaultCode.CRASHED, b"", stderr, ["./bot"]) == words
    assert about(FaultCode.ILLEGAL, b"", stderr, ["./bot"]) == ""


def test_a_shell_around_a_bot_is_not_its_language():
    assert language_of(["/bin/sh", "run.sh", "bot.pl"]) == "perl"
    assert language_of(["/bin/sh", "run.sh"]) is None
    assert language_of(["./bot.sh"], silence(program="/usr/bin/dash", language="c")) == "shell"
