"""What probably went wrong in a bot and what to do, in plain words for its author. Never decides.

`looks` is about bots that do not answer, `about` about all other faults. Both give "" when there is
nothing worth saying.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec

from protocol.faults import FaultCode
from referee.channels import Silence, Waits

_SHOWN: Final = 60  # characters of what the bot said
_ALL_LANGUAGES: Final = ("c", "c++", "rust")  # when a compiled program does not tell

FLUSH: Final[dict[str, str]] = {
    "python": "print(line, flush=True)",
    "c": "fflush(stdout);",
    "c++": "std::cout << line << std::endl;",
    "rust": "std::io::stdout().flush().unwrap();",
    "go": "writer.Flush()",
    "java": "System.out.flush();",
    "javascript": 'process.stdout.write(line + "\\n");',
    "perl": "$| = 1;",
    "ruby": "$stdout.sync = true",
    "lua": "io.stdout:flush()",
    "php": "fflush(STDOUT);",
    "c#": "Console.Out.Flush();",
    "haskell": "hFlush stdout",
    "awk": "fflush()",
}
TO_STDERR: Final[dict[str, str]] = {
    "python": "print(words, file=sys.stderr)",
    "c": 'fprintf(stderr, "%s\\n", words);',
    "c++": "std::cerr << words << std::endl;",
    "rust": 'eprintln!("{words}");',
    "go": "fmt.Fprintln(os.Stderr, words)",
    "java": "System.err.println(words);",
    "javascript": "console.error(words);",
    "perl": "print STDERR $words;",
    "ruby": "warn words",
    "shell": 'echo "$words" >&2',
}
_SAID_WRONG: Final = {FaultCode.NO_START, FaultCode.MALFORMED, FaultCode.FLOOD}
_LEFT: Final = {FaultCode.NO_START, FaultCode.CRASHED, FaultCode.EXITED, FaultCode.MEMORY}
# By the name of the program that runs, or the end of a file's name among its arguments.
_LANGUAGES: Final[dict[str, str]] = {
    r"(python|pypy|uv\b|.*\.py$)": "python",
    r"(node|nodejs|deno|bun)$|.*\.[cm]?[jt]s$": "javascript",
    r"java$|.*\.(jar|java|kt)$": "java",
    r"perl|.*\.pl$": "perl",
    r"ruby|.*\.rb$": "ruby",
    r"lua|.*\.lua$": "lua",
    r"php|.*\.php$": "php",
    r"(dotnet|mono)$|.*\.(exe|dll)$": "c#",
    r"[mg]?awk$|.*\.awk$": "awk",
    r"(rust|cargo)$|.*\.rs$": "rust",
    r"go$|.*\.go$": "go",
    r"(runghc|runhaskell)$|.*\.hs$": "haskell",
    r"(ba|da|z|k)?sh$|.*\.sh$": "shell",
}


def looks(silence: Silence | None, heard: bytes, argv: Sequence[str]) -> str:
    """Of a bot that did not answer in time; `heard` is what it said since it was asked."""
    if silence and silence.state == "T":
        return "It is stopped (SIGSTOP or a debugger): a bot must not stop itself."
    if heard:
        return _unfinished(heard)
    if silence is None:
        return ""
    return next(tell for is_so, tell in _SILENT if is_so(silence))(silence, argv)


def about(code: FaultCode, heard: bytes, stderr: bytes, argv: Sequence[str]) -> str:
    """Of a bot at fault; `heard` is what it said, `stderr` the end of what it complained of."""
    words = _about_line(heard, argv) if code in _SAID_WRONG else ""
    if not words and code in _LEFT:
        return next((words for trace, words in _COMPLAINTS.items() if re.search(trace, stderr)), "")
    return words


def language_of(argv: Sequence[str], silence: Silence | None = None) -> str | None:
    """In which language a bot was probably written."""
    program = silence.program if silence else None
    # What really runs tells more than the command: that may be a script around it.
    for word in [program or "", *argv]:
        name = word.rpartition("/")[2]
        for pattern, language in _LANGUAGES.items():
            if re.match(pattern, name) and not (language == "shell" and word != program):
                return language
    return silence.language if silence else None


# -- silence --


def _unfinished(heard: bytes) -> str:
    line = heard.rpartition(b"\n")[2]
    if not line.strip():
        return "It sent no answer to this request, only blanks or answers to earlier ones."
    if _is_object(line):
        return (
            f"It sent a whole message without the newline at its end: {_quoted(line)}. "
            "End every line with \\n."
        )
    return (
        f"It sent {len(line):,} bytes of a line that has no end: {_quoted(line)}. "
        "Write the whole line at once, with \\n at its end, and flush."
    )


def _flush(silence: Silence, argv: Sequence[str]) -> str:
    """Has read all and waits for more. A reader of whole blocks looks the same."""
    line = _line_for(FLUSH, argv, silence)
    return (
        "It has read all that we sent and waits for more, but nothing came from it: "
        f"it has probably answered into a buffer. Flush after every line: {line}"
    )


def _computing(silence: Silence, _argv: Sequence[str]) -> str:
    return (
        f"It was still computing: {silence.cpu_ms:,} ms of computing time in "
        f"{silence.asked_ms:,} ms. Each turn says in move_ms how long it may take."
    )


def _not_read(silence: Silence, _argv: Sequence[str]) -> str:
    does = f" It {_DOES[silence.waits]}." if silence.waits in _DOES else ""
    return (
        f"It has not read its input: {silence.unread:,} bytes of ours lie unread.{does} "
        "Read a line from standard input after every answer."
    )


def _waiting(silence: Silence, _argv: Sequence[str]) -> str:
    if silence.state == "Z":
        return ""
    does = _DOES.get(silence.waits, "waits for a disk" if silence.state == "D" else "sleeps")
    return f"It {does}, after {silence.cpu_ms:,} ms of computing time."


_DOES: Final[dict[Waits | None, str]] = {
    Waits.STDOUT: "is stuck writing to standard output: it writes more than is read",
    Waits.STDERR: "is stuck writing to standard error: it complains faster than can be read",
    Waits.WRITE: "is stuck writing to a file, socket or pipe of its own",
    Waits.READ: "waits for input from elsewhere than standard input",
    Waits.EVENTS: "waits for an event",
    Waits.SLEEP: "sleeps (sleep, or a timer)",
    Waits.CHILD: "waits for a child process to end",
    Waits.LOCK: "waits for a lock or for another thread: perhaps a deadlock",
}
_Tell: TypeAlias = Callable[[Silence, Sequence[str]], str]
# The first that is so is told.
_SILENT: Final[list[tuple[Callable[[Silence], bool], _Tell]]] = [
    (lambda s: s.waits in {Waits.STDOUT, Waits.STDERR}, _waiting),
    (lambda s: s.state == "R" or 2 * s.cpu_ms >= max(s.asked_ms, 2), _computing),
    (lambda s: bool(s.unread), _not_read),
    (lambda s: s.waits in {Waits.STDIN, Waits.EVENTS}, _flush),
    (lambda _: True, _waiting),
]


# -- other faults --


def _about_line(heard: bytes, argv: Sequence[str]) -> str:
    if heard.startswith((b"\xff\xfe", b"\xfe\xff")) or heard[1::2].count(0) > len(heard) // 4:
        return "That is UTF-16. Write UTF-8."
    lines = [line.strip() for line in heard.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    line = next((line for line in lines if line and not _is_object(line)), None)
    if line is None:
        return ""
    for pattern, words in _LINES.items():
        if re.search(pattern, line):
            return words
    if line.startswith(b"{"):
        return ""
    return (
        f"{_quoted(line)} is no message. Standard output is for messages only; whatever else a bot "
        f"has to say goes to standard error: {_line_for(TO_STDERR, argv, None)}"
    )


_LINES: Final[dict[bytes, str]] = {
    rb"^[{\[]$|^\"\w+\":.*,?$|^[}\]],?$": (
        "That is JSON over several lines. Each message is one line: "
        "json.dumps without indent, JSON.stringify with one argument."
    ),
    rb"^\{'": "That is a Python dict, not JSON. Write json.dumps(message).",
    rb"\}\s*\{": "Those are two messages on one line. End every message with \\n.",
    rb"\b(NaN|Infinity)\b": "NaN and Infinity are not JSON. Write null or leave the field out.",
}
# The first that is found in what came on stderr.
_COMPLAINTS: Final[dict[bytes, str]] = {
    rb"ModuleNotFoundError|ImportError": (
        "A Python module is missing: install it for the interpreter that runs the bot, "
        "or name that one in the command."
    ),
    rb"Cannot find module": "A module of node is missing: run npm install beside the bot.",
    rb"Could not find or load main class|Unable to access jarfile": (
        "Java does not find the class: bots run in an empty folder, so give whole paths."
    ),
    rb"\\r['\xe2]|\r: (not found|No such file)": (
        "The first line of the script ends with CRLF. Convert it: sed -i 's/\\r$//' FILE"
    ),
    rb"Exec format error": "The file has no #! line, or was built for another machine.",
    rb"[Pp]ermission denied": (
        "Something may not be read or run: chmod +x FILE, or ask who owns it."
    ),
    rb"No such file or directory|FileNotFoundError|ENOENT": (
        "A file is missing: bots run in an empty folder, so give whole paths or look beside "
        "the program itself."
    ),
    rb"MemoryError|heap out of memory|bad_alloc|OutOfMemoryError": "It ran out of memory.",
    rb"EOFError": "It read beyond the end of its input. At the end, or after `bye`, a bot leaves.",
    rb"BrokenPipeError|EPIPE": "It wrote after we had closed its output. After `bye` a bot leaves.",
}


def _line_for(table: dict[str, str], argv: Sequence[str], silence: Silence | None) -> str:
    language = language_of(argv, silence)
    if language in table:
        return table[language]
    return " or ".join(f"{table[name]} ({name})" for name in _ALL_LANGUAGES)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return False


def _quoted(line: bytes) -> str:
    """As JSON, so that nothing in it can harm a terminal."""
    words = line.decode(errors="replace")
    return ascii(words[:_SHOWN] + ("…" if len(words) > _SHOWN else "")).replace("\\u2026", "…")
