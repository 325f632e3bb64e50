import pytest

from protocol.codec import encode
from protocol.faults import (
    FloodError,
    MalformedError,
    OversizeError,
    ProtocolError,
    VersionError,
)
from protocol.messages import (
    Action,
    BotHello,
    BotMessage,
    Bye,
    End,
    Error,
    ServerHello,
    ServerMessage,
    Start,
    Turn,
)
from protocol.session import (
    BOT_MAY_SAY,
    WE_MAY_SAY,
    BotSession,
    SessionState,
)

S = SessionState
HELLO = ServerHello(id=1, protocol=1, server="croupier 0.1.0")
START = Start(game="g1", rules="svoyi-koziri", options={}, seat=0, players=["ada", "bob"])
END = End(game="g1", scores=[1, 0], places=[1, 2], reason="out", events=[])
ERROR = Error(code="illegal", message="not legal", fatal=False)
BYE = Bye(reason="match over")
BOT_HELLO = BotHello(id=1, protocol=1, name="ada")
SAID: dict[type[ServerMessage], ServerMessage] = {
    ServerHello: HELLO,
    Start: START,
    End: END,
    Error: ERROR,
    Bye: BYE,
}


def turn(number):
    return Turn(id=number, game="g1", seat=0, legal=["take"], state={}, events=[])


def act(number, action="take"):
    return Action(id=number, action=action)


def session_in(state: SessionState) -> BotSession:
    """A session that has come to this state in the usual way."""
    session = BotSession()
    usual: dict[SessionState, list[ServerMessage | BotHello]] = {
        S.NEW: [],
        S.GREETED: [HELLO],
        S.IDLE: [HELLO, BOT_HELLO],
        S.PLAYING: [HELLO, BOT_HELLO, START],
        S.ASKED: [HELLO, BOT_HELLO, START, turn(2)],
        S.LEAVING: [HELLO, BOT_HELLO, BYE],
        S.BROKEN: [HELLO, ERROR],
    }
    for step in usual[state]:
        if isinstance(step, BotHello):
            session.receive(encode(step))
        else:
            session.send(step)
    assert session.state is state
    return session


@pytest.fixture
def asked():
    return session_in(S.ASKED)


def said(session: BotSession, message: type[ServerMessage]) -> ServerMessage:
    return turn(session.next_id()) if message is Turn else SAID[message]


OURS = [(state, message) for state in S for message in (*SAID, Turn)]


@pytest.mark.parametrize(("state", "message"), OURS)
def test_we_may_say_what_the_table_says_and_nothing_else(state, message):
    session = session_in(state)
    if message in WE_MAY_SAY[state]:
        assert session.send(said(session, message)) == encode(said(session_in(state), message))
        assert session.state is WE_MAY_SAY[state][message]
    else:
        with pytest.raises(KeyError):
            session.send(said(session, message))


ANSWERS: list[tuple[SessionState, type[BotMessage]]] = [
    (state, message) for state in (S.GREETED, S.ASKED) for message in (BotHello, Action)
]


@pytest.mark.parametrize(("state", "message"), ANSWERS)
def test_the_bot_may_answer_a_request_as_the_table_says_and_not_otherwise(state, message):
    session = session_in(state)
    number = session.last_id
    answer = act(number) if message is Action else BotHello(id=number, protocol=1, name="ada")
    if message in BOT_MAY_SAY[state]:
        assert session.receive(encode(answer)) == answer
        assert session.state is BOT_MAY_SAY[state][message]
    else:
        word = "action" if message is Action else "hello"
        with pytest.raises(MalformedError, match=rf"^an? {word} does not answer id {number}$"):
            session.receive(encode(answer))


def test_only_a_request_may_be_answered():
    answered = {state for state in S if BOT_MAY_SAY[state]}
    assert answered == {S.GREETED, S.ASKED}
    assert set(WE_MAY_SAY) == set(BOT_MAY_SAY) == set(S)


def test_ids_count_per_connection_through_all_games():
    session = session_in(S.ASKED)
    assert session.receive(encode(act(2))) == act(2)
    session.send(END)
    session.send(START)
    assert session.next_id() == 3
    session.send(turn(3))
    assert session.receive(encode(act(3))) == act(3)


@pytest.mark.parametrize("number", [1, 2, 4])
def test_a_request_with_another_id_than_the_next_is_a_bug_of_ours(number):
    session = session_in(S.ASKED)
    with pytest.raises(AssertionError):
        session.send(turn(number))


@pytest.mark.parametrize("state", [S.NEW, S.GREETED, S.IDLE, S.PLAYING, S.ASKED])
def test_an_id_that_was_never_asked_breaks_the_protocol(state):
    session = session_in(state)
    number = session.last_id
    with pytest.raises(
        ProtocolError, match=f"^answer to id {number + 1}, but the last one asked is {number}$"
    ):
        session.receive(encode(act(number + 1)))
    assert session.state is S.BROKEN


def test_a_late_answer_is_dropped_and_the_next_one_counts(asked):
    asked.send(turn(3))
    assert asked.receive(encode(act(2))) is None
    assert (asked.state, asked.stale) == (S.ASKED, 1)
    assert asked.receive(encode(act(3))) == act(3)


def test_a_late_and_a_timely_answer_in_one_read_give_the_timely_one(asked):
    asked.send(turn(3))
    assert asked.receive(encode(act(2)) + encode(act(3))) == act(3)


def test_a_second_answer_is_dropped_whether_read_with_the_first_or_after_it(asked):
    assert asked.receive(encode(act(2, "play QC")) + encode(act(2, "take"))) == act(2, "play QC")
    assert asked.receive(encode(act(2, "take"))) is None
    assert (asked.state, asked.stale) == (S.PLAYING, 2)


def test_sixteen_stale_answers_are_dropped_and_the_seventeenth_breaks_the_protocol(asked):
    assert asked.receive(encode(act(1)) * 16) is None
    assert (asked.state, asked.stale) == (S.ASKED, 16)
    with pytest.raises(ProtocolError, match=r"^more than 16 stale answers in one game$"):
        asked.receive(encode(act(1)))
    assert asked.state is S.BROKEN


def test_stale_answers_are_counted_by_game(asked):
    asked.receive(encode(act(1)) * 16)
    asked.send(END)
    asked.send(START)
    asked.send(turn(3))
    assert asked.receive(encode(act(1)) * 16 + encode(act(3))) == act(3)


def test_256_lines_in_a_turn_are_read_and_257_are_a_flood(asked):
    assert asked.receive(b"\n" * 256) is None
    with pytest.raises(FloodError, match=r"^more than 256 lines in one turn$"):
        asked.receive(b"\n")
    assert asked.state is S.BROKEN


def test_an_answer_as_line_257_comes_too_late(asked):
    with pytest.raises(FloodError):
        asked.receive(b"\n" * 256 + encode(act(2)))


def test_one_mebibyte_in_a_turn_is_read_and_one_byte_more_is_a_flood(asked):
    for _ in range(32):
        assert asked.receive(b" " * (32 * 1024 - 1) + b"\n") is None
    with pytest.raises(FloodError, match=r"^1048577 bytes in one turn$"):
        asked.receive(b" ")


def test_lines_and_bytes_are_counted_from_one_request_to_the_next(asked):
    asked.receive(b"\n" * 255 + encode(act(2)))
    asked.send(turn(3))
    assert (asked.lines, asked.bytes) == (0, 0)
    assert asked.receive(b"\n" * 255 + encode(act(3))) == act(3)


def test_what_comes_between_turns_counts_too(asked):
    asked.receive(encode(act(2)))
    asked.receive(b"\n" * 255)
    with pytest.raises(FloodError):
        asked.receive(b"\n")


def test_a_line_of_more_than_64_kib_is_oversize_ended_or_not():
    for end in (b"", b"\n"):
        session = session_in(S.ASKED)
        with pytest.raises(OversizeError):
            session.receive(b" " * 65_537 + end)
        assert session.state is S.BROKEN


def test_a_line_of_64_kib_is_read(asked):
    line = encode(act(2))[:-1]
    assert asked.receive(line + b" " * (65_536 - len(line)) + b"\n") == act(2)


@pytest.mark.parametrize("space", [b"\n", b"\r\n", b" \t\n", b"\n\n \r\n"])
def test_lines_of_white_space_are_ignored(asked, space):
    assert asked.receive(space + encode(act(2))) == act(2)


def test_a_carriage_return_before_the_newline_is_ignored(asked):
    assert asked.receive(encode(act(2))[:-1] + b"\r\n") == act(2)


def test_a_byte_order_mark_is_dropped_at_the_start_of_the_connection_alone():
    session = session_in(S.GREETED)
    assert session.receive(b"\xef\xbb\xbf" + encode(BOT_HELLO)) == BOT_HELLO
    assert session.had_bom
    session.send(START)
    session.send(turn(2))
    with pytest.raises(MalformedError):
        session.receive(b"\xef\xbb\xbf" + encode(act(2)))


def test_an_answer_may_come_in_pieces_and_its_beginning_can_be_looked_at(asked):
    line = encode(act(2))
    assert asked.receive(line[:10]) is None
    assert asked.partial_line == line[:10]
    assert asked.receive(line[10:]) == act(2)
    assert asked.partial_line == b""


def test_a_hello_of_another_version_is_refused():
    session = session_in(S.GREETED)
    with pytest.raises(VersionError, match=r"^the bot speaks protocol 2, we speak 1$") as refused:
        session.receive(encode(BotHello(id=1, protocol=2, name="ada")))
    assert (session.state, refused.value.code) == (S.BROKEN, "protocol")


def test_a_hello_that_is_malformed_breaks_the_session():
    session = session_in(S.GREETED)
    with pytest.raises(MalformedError):
        session.receive(b"Hello, I am Ada!\n")
    assert session.state is S.BROKEN


def test_a_malformed_line_stands_for_the_answer_and_the_game_can_go_on(asked):
    with pytest.raises(MalformedError):
        asked.receive(b"thinking...\n")
    assert asked.state is S.PLAYING
    asked.send(ERROR)
    asked.send(turn(3))
    # What the bot says to the spoiled turn after all is a second answer.
    assert asked.receive(encode(act(2)) + encode(act(3))) == act(3)
    assert asked.stale == 1


def test_what_follows_an_answer_is_judged_in_the_next_turn_whether_read_with_it_or_after_it():
    """Where a pipe cuts is chance: the verdict must not be."""
    answer, noise = encode(act(2)), b"debug: done\n"
    for reads in ([answer + noise, b""], [answer, noise]):
        session = session_in(S.ASKED)
        assert session.receive(reads[0]) == act(2)
        session.send(turn(3))
        with pytest.raises(MalformedError):
            session.receive(reads[1])


def test_noise_behind_the_last_answer_of_a_game_is_no_fault_in_it(asked):
    assert asked.receive(encode(act(2)) + b"good game!\n") == act(2)
    asked.send(END)
    assert asked.state is S.IDLE


def test_nothing_is_expected_of_a_bot_that_was_told_to_leave():
    session = session_in(S.LEAVING)
    assert session.receive(encode(BOT_HELLO)) is None
    with pytest.raises(KeyError):
        session.send(turn(2))


def test_a_report_has_the_whole_line_though_it_came_in_pieces():
    session = session_in(S.IDLE)
    session.send(START)
    session.send(turn(2))
    line = encode(act(2))
    assert session.receive(line[:-1]) is None
    assert session.receive(line[-1:]) == act(2)
    assert session.heard == line
    session.send(turn(3))
    assert session.heard == b""


def test_a_report_has_no_more_than_the_beginning_of_a_flood():
    session = session_in(S.IDLE)
    session.send(START)
    session.send(turn(2))
    for _ in range(500):
        session.receive(b" " * 100)
    assert len(session.heard) < 5000
