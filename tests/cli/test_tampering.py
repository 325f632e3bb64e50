"""Whatever is changed in a log, `verify` says so, names the line and says in words what is wrong."""

import gzip
import json
from hashlib import sha256
from pathlib import Path

import pytest
import trio

from protocol.log import commitment
from referee import chance
from referee.bots import parse_bots
from referee.clock import Clock
from referee.conduct import Conduct
from referee.games.svoyi_koziri import Options, SvoyiKoziri, deal_from_code
from referee.logbook import Logbook, read_lines
from referee.replay import LogError, verify
from referee.series import Plan, play_series
from tests.cli.running import croupier, naughty, quick

EXAMPLE = Path(__file__).parents[1] / "unit" / "example_log.jsonl"
GAMES = 3


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    """A log of three games of eight cards, with notes and stderr in its asides."""
    path: Path = tmp_path_factory.mktemp("log") / "match.jsonl"
    plan = Plan(
        game=SvoyiKoziri(),
        options=Options(cards=8),
        bots=parse_bots([naughty("""--note '{"win":0.5}' --say hm"""), "builtin:random"]),
        games=GAMES,
        secret=chance.secret_from_seed(7),
        seed=7,
        start_ms=5000,
        clock=Clock(),
        conduct=Conduct(),
        restart="never",
    )
    trio.run(play_series, plan, Logbook(path), lambda _: None)
    return path


@pytest.fixture(scope="module")
def lines(log) -> list[bytes]:
    found = list(read_lines(log))
    assert verify(found).games == GAMES
    return found


def kind(line: bytes) -> str:
    return str(json.loads(line)["type"])


def number_of(lines: list[bytes], wanted: str, nth: int = 0) -> int:
    """The index of the nth line of a type."""
    return [index for index, line in enumerate(lines) if kind(line) == wanted][nth]


def error_of(lines: list[bytes], seal: str | None = None) -> LogError:
    with pytest.raises(LogError) as caught:
        verify(lines, seal)
    return caught.value


def with_line(lines: list[bytes], index: int, line: bytes) -> list[bytes]:
    return [*lines[:index], line, *lines[index + 1 :]]


def changed(line: bytes, **fields: object) -> bytes:
    told = json.loads(line) | fields
    told = {key: value for key, value in told.items() if value is not None}
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def resealed(lines: list[bytes]) -> list[bytes]:
    """The log as somebody leaves it who changed lines and can compute hashes, too."""
    seal = sha256(lines[0]).hexdigest()
    done, game, asides = [lines[0]], b"", sha256()
    for line in lines[1:]:
        match kind(line):
            case "aside":
                asides.update(line)
                done.append(line)
            case "seal":
                digest = asides.hexdigest()
                after = sha256(f"{seal}\n{digest}\n".encode() + game).hexdigest()
                done.append(changed(line, previous=seal, seal=after, asides=digest))
                seal, game, asides = after, b"", sha256()
            case "close":
                done.append(changed(line, seal=seal))
            case _:
                game += line
                done.append(line)
    return done


def test_sealing_anew_without_a_change_gives_the_same_log(lines):
    assert resealed(lines) == lines


@pytest.mark.parametrize("bit", [0x01, 0x20, 0x80])
@pytest.mark.parametrize("wanted", ["act", "game", "result", "seal", "close"])
def test_every_changed_byte_is_noticed(lines, wanted, bit):
    index = number_of(lines, wanted)
    line = lines[index]
    for position in range(len(line)):
        spoilt = bytearray(line)
        spoilt[position] ^= bit
        # The changed byte may be a newline: lines are what a file gives.
        whole = b"".join(with_line(lines, index, bytes(spoilt)))
        assert error_of(whole.splitlines(keepends=True)).line > index - 1


def test_every_changed_byte_of_the_header_is_noticed(lines):
    for position in range(len(lines[0])):
        spoilt = bytearray(lines[0])
        spoilt[position] ^= 0x01
        error_of(b"".join(with_line(lines, 0, bytes(spoilt))).splitlines(keepends=True))


def test_every_changed_byte_of_an_aside_is_noticed(lines):
    index = number_of(lines, "aside", -1)
    for position in range(len(lines[index])):
        spoilt = bytearray(lines[index])
        spoilt[position] ^= 0x01
        error_of(b"".join(with_line(lines, index, bytes(spoilt))).splitlines(keepends=True))


def test_every_deleted_line_is_noticed_unless_all_asides_of_its_game_go(lines):
    for index in range(len(lines)):
        error_of(lines[:index] + lines[index + 1 :])


def test_every_line_said_twice_is_noticed(lines):
    for index in range(len(lines)):
        error_of([*lines[:index], lines[index], *lines[index:]])


def test_every_two_neighbours_that_were_exchanged_are_noticed(lines):
    for index in range(len(lines) - 1):
        kinds = kind(lines[index]), kind(lines[index + 1])
        if ("aside" in kinds and kinds != ("aside", "aside")) and "seal" not in kinds:
            continue  # where an aside stands among its game's lines is not promised
        error_of([*lines[:index], lines[index + 1], lines[index], *lines[index + 2 :]])


def test_two_exchanged_games_are_noticed(lines):
    first, second, third = (number_of(lines, "game", nth) for nth in range(3))
    error = error_of(lines[:first] + lines[second:third] + lines[first:second] + lines[third:])
    assert error.why == "this is game 2, but game 1 must come here"


def test_a_log_that_was_cut_anywhere_is_noticed(lines):
    whole = b"".join(lines)
    for length in range(0, len(whole), 7):
        error_of(whole[:length].splitlines(keepends=True))


def test_a_log_that_was_cut_between_lines_says_how_much_of_it_is_good(lines):
    second, third = (number_of(lines, "seal", nth) for nth in (0, 1))
    error = error_of(lines[: second + 1])
    assert str(error) == f"line {second + 1}: log ends after game 1; game 1 is good"
    error = error_of(lines[: third + 1])
    assert str(error) == f"line {third + 1}: log ends after game 2; 1 to 2 are good"
    error = error_of(lines[:third])
    assert error.why == "log ends in game 2, before the seal of game 2; game 1 is good"
    error = error_of(lines[:-2])
    assert error.why == "log ends in game 3, before the seal of game 3; 1 to 2 are good"


def test_a_line_that_was_cut_is_told(lines):
    error = error_of([*lines[:-1], lines[-1][:-3]])
    words = f"line {len(lines)}: the log is cut off in the middle of this line"
    assert str(error) == words


def test_a_line_after_the_end_is_noticed(lines):
    for line in (lines[0], lines[number_of(lines, "aside")], lines[-1], b"\n", b"more\n"):
        assert error_of([*lines, line]).line == len(lines) + 1


def test_an_empty_log_is_no_log():
    assert error_of([]).why == "a log begins with its header, a line of type `log`"
    assert error_of([b'{"type":"close","games":0,"seal":"' + b"0" * 64 + b'"}\n']).line == 1


def test_another_header_breaks_the_chain_of_the_first_game(lines):
    header = lines[0].replace(b'"seed":7', b'"seed":8')
    error = error_of(with_line(lines, 0, header))
    assert error.line == number_of(lines, "seal") + 1
    assert error.why == "the chain is broken: `previous` is not the seal before this game"


def test_a_header_that_this_program_cannot_read_says_so(lines):
    later = error_of(with_line(lines, 0, changed(lines[0], format=2)))
    assert later.why.startswith("log format 2; this program reads 1: use the version that wrote it")
    other = error_of(with_line(lines, 0, changed(lines[0], game="whist")))
    assert str(other) == "line 1: unknown game 'whist'"


def test_a_changed_aside_is_told(lines):
    index = number_of(lines, "aside", 3)
    error = error_of(with_line(lines, index, changed(lines[index], stderr="well")))
    assert error.why == "the asides of game 1 are not those that were sealed"


def test_another_deal_is_not_the_one_that_was_committed_to(lines):
    index = number_of(lines, "game")
    deal = deal_from_code(3, 8)
    line = changed(lines[index], deal={"code": deal.code, "hands": deal.hands})
    error = error_of(with_line(lines, index, line))
    assert str(error) == (f"line {index + 1}: the deal is not the one that was committed to")


def test_a_wrong_published_seal_is_told(lines):
    error = error_of(lines, "0" * 64)
    seal = json.loads(lines[-1])["seal"]
    assert error.why == f"the last seal is {seal}, not the published {'0' * 64}"
    assert verify(lines, seal).seal == seal


def game_line(lines: list[bytes]) -> dict[str, object]:
    told: dict[str, object] = json.loads(lines[number_of(lines, "game")])
    return told


FORGED = [
    ("act", {"action": "play 2C"}, "action 'play 2C' is not legal here; bad_card: "),
    ("act", {"step": 2}, "this is step 2, but step 1 must come here"),
    ("act", {"seat": 1}, "seat 1 moves, but it is the turn of seat 0"),
    ("act", {"id": 5}, "request id 5 of bot 0: 2 must come here"),
    ("act", {"ms": 1021}, "`fault` of step 1 is left out, but the rules give \"timeout\""),
    ("act", {"clock_ms": 5}, "`clock_ms` of step 1 is 5, but the rules give left out"),
    ("act", {"by": "substitute"}, "`by` of step 1 is \"substitute\", but the rules give left out"),
    ("result", {"scores": [5, 5]}, "`scores` of the result: [5,5], but the rules give ["),
    ("result", {"places": [1, 1]}, "`places` of the result: [1,1], but the rules give ["),
    ("result", {"reason": "ply_limit"}, "`reason` of the result: \"ply_limit\", but the rules "),
    (
        "result",
        {"verdicts": ["ok", "timeout"]},
        "`verdicts` of the result: [\"ok\",\"timeout\"], but the rules give [\"ok\",\"ok\"]",
    ),
    ("result", {"void": "the lights went out"}, "a void game has no scores"),
    ("game", {"seats": [0, 0]}, "seats [0, 0] do not seat the 2 bots"),
    ("game", {"game": 2}, "this is game 2, but game 1 must come here"),
    ("game", {"seeds": [1]}, "seats [0, 1] do not seat the 2 bots"),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "fields", "words"), FORGED, ids=range(len(FORGED)))
def test_what_was_changed_and_sealed_anew_is_found_by_the_rules(lines, wanted, fields, words):
    index = number_of(lines, wanted)
    error = error_of(resealed(with_line(lines, index, changed(lines[index], **fields))))
    assert error.why.startswith(words)
    assert error.line == index + 1


def test_a_deal_that_the_rules_cannot_make_is_told_though_it_was_committed_to(lines):
    index = number_of(lines, "game")
    told = json.loads(lines[index])
    deal = {"code": 1, "hands": [["AD", "KH", "AH", "KS"], ["KC", "AC", "KD", "AD"]]}
    deal_json = json.dumps(deal, separators=(",", ":")).encode()
    promise = commitment(told["salt"], deal_json)
    line = changed(lines[index], deal=deal, commitment=promise)
    error = error_of(resealed(with_line(lines, index, line)))
    assert error.why.startswith("the rules could not have made this deal: ")
    assert error.line == index + 1


def test_a_step_that_is_missing_is_told_though_all_was_sealed_anew(lines):
    index = number_of(lines, "result") - 1
    while kind(lines[index]) != "act":
        index -= 1
    error = error_of(resealed(lines[:index] + lines[index + 1 :]))
    assert error.why == "here is a result, but the game is not over: steps are missing"


def test_a_public_copy_without_any_aside_still_verifies(lines):
    public = [line for line in lines if kind(line) != "aside"]
    assert len(public) < len(lines)
    assert verify(public) == verify(lines)


def test_the_example_of_the_documentation_verifies(tmp_path):
    seal = "9d1a2ec1cdd8a2764b570c6e030bff1404c6fd7229806c37d5f668e7cbf0b7d2"
    ran = croupier("verify", EXAMPLE, "--seal", seal, cwd=tmp_path)
    assert (ran.status, ran.out) == (0, f"✓ {EXAMPLE}: 1 game, seal {seal}\n")


def test_the_command_names_the_first_wrong_line_and_exits_with_1(lines, tmp_path):
    index = number_of(lines, "act", 1)
    spoilt = with_line(lines, index, changed(lines[index], action="play 2C"))
    (tmp_path / "bad.jsonl").write_bytes(b"".join(spoilt))
    ran = quick("verify", "bad.jsonl", cwd=tmp_path)
    assert ran.status == 1
    assert ran.out.startswith(f"✗ bad.jsonl: line {index + 1}: action 'play 2C' is not legal here")
    assert ran.err == ""


def test_the_command_checks_a_published_seal(log, tmp_path):
    ran = quick("verify", log, "--seal", "0" * 64, cwd=tmp_path)
    assert ran.status == 1
    assert f"not the published {'0' * 64}\n" in ran.out
    both = quick("verify", log, EXAMPLE, "--seal", "0" * 64, cwd=tmp_path)
    assert (both.status, both.out) == (2, "")
    assert both.err == "--seal belongs to one log, but 2 are given\n"


def test_a_folder_stands_for_all_logs_below_it_also_compressed_ones(lines, tmp_path):
    data = b"".join(lines)
    (tmp_path / "logs" / "more").mkdir(parents=True)
    (tmp_path / "logs" / "a.jsonl").write_bytes(data)
    (tmp_path / "logs" / "notes.txt").write_text("no log")
    (tmp_path / "logs" / "more" / "b.jsonl.gz").write_bytes(gzip.compress(data))
    ran = quick("verify", "logs", cwd=tmp_path)
    assert ran.status == 0
    seal = verify(lines).seal
    assert ran.out == (
        f"✓ logs/a.jsonl: 3 games, seal {seal}\n✓ logs/more/b.jsonl.gz: 3 games, seal {seal}\n"
    )


def test_one_wrong_log_of_many_makes_the_status_1_and_all_are_checked(lines, tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"".join(lines[:-1]))
    (tmp_path / "b.jsonl").write_bytes(b"".join(lines))
    ran = quick("verify", ".", cwd=tmp_path)
    assert ran.status == 1
    assert [line[0] for line in ran.out.splitlines()] == ["✗", "✓"]


def test_a_folder_without_logs_is_a_wrong_use(tmp_path):
    ran = quick("verify", ".", cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "folder . holds no logs (*.jsonl, *.jsonl.gz)\n"


@pytest.mark.parametrize("length", [0, 10, 100, -10])
def test_a_compressed_log_that_was_cut_is_told_in_one_line(lines, tmp_path, length):
    data = gzip.compress(b"".join(lines))[:length]
    (tmp_path / "a.jsonl.gz").write_bytes(data)
    ran = quick("verify", "a.jsonl.gz", cwd=tmp_path)
    assert ran.status in {1, 2}
    assert (ran.out + ran.err).count("\n") == 1
    assert "a.jsonl.gz" in ran.out + ran.err


@pytest.mark.parametrize("data", [b"\xff\xfe\n", b"{}\n", b"[" * 100_000 + b"\n", b"\x00" * 10])
def test_what_is_no_log_is_told_in_one_line(tmp_path, data):
    (tmp_path / "a.jsonl").write_bytes(data)
    ran = quick("verify", "a.jsonl", cwd=tmp_path)
    assert ran.status == 1
    assert ran.out.startswith("✗ a.jsonl: line 1: ")
    assert ran.out.count("\n") == 1
