"""The bytes of our lines: bots without a JSON library search them, so they are a promise."""

from typing import Any

import msgspec
import pytest

from protocol.codec import decode_bot_message, encode
from protocol.messages import (
    Action,
    BotHello,
    Bye,
    End,
    Error,
    FaultEvent,
    Moved,
    ServerHello,
    ServerMessage,
    Start,
    Took,
    Turn,
)
from referee.games.svoyi_koziri import Options, SvoyiKoziri, deal_from_code

GAME = SvoyiKoziri()
OPTIONS = Options(cards=8)
LED = GAME.play(GAME.start(deal_from_code(1, 8), 2, OPTIONS), "play KS")

LINES: dict[str, tuple[ServerMessage, bytes]] = {
    "hello": (
        ServerHello(id=1, protocol=1, server="croupier 0.1.0"),
        b'{"type":"hello","id":1,"protocol":1,"server":"croupier 0.1.0"}\n',
    ),
    "hello over TCP": (
        ServerHello(id=1, protocol=1, server="croupier 0.1.0", auth="token"),
        b'{"type":"hello","id":1,"protocol":1,"server":"croupier 0.1.0","auth":"token"}\n',
    ),
    "start": (
        Start(
            game="g1",
            rules="svoyi-koziri",
            options=OPTIONS,
            seat=0,
            players=["ada", "bob"],
            move_ms=1000,
            clock_ms=60000,
            seed=8127365,
            commitment="08b2",
        ),
        (
            b'{"type":"start","game":"g1","rules":"svoyi-koziri","options":{"cards":8,"take":"forced",'
            b'"after_take":"leader","repetition":3,"max_plies":480},"seat":0,"players":["ada","bob"],'
            b'"move_ms":1000,"clock_ms":60000,"seed":8127365,"commitment":"08b2"}\n'
        ),
    ),
    "start without limits": (
        Start(game="g1", rules="svoyi-koziri", options={}, seat=1, players=["ada", "bob"]),
        (
            b'{"type":"start","game":"g1","rules":"svoyi-koziri","options":{},"seat":1,'
            b'"players":["ada","bob"]}\n'
        ),
    ),
    "turn": (
        Turn(
            id=14,
            game="g1",
            seat=1,
            move_ms=1000,
            clock_ms=57210,
            legal=GAME.legal_actions(LED),
            state=GAME.view(LED, 1),
            events=[Moved(0, "play KS"), Took(0, ("KC", "AC")), FaultEvent(0, "timeout")],
        ),
        (
            b'{"type":"turn","id":14,"game":"g1","seat":1,"move_ms":1000,"clock_ms":57210,'
            b'"legal":["play KD","play AS"],"state":{"phase":"reply","leader":0,"trumps":["S","D"],'
            b'"hands":[["AD","KH","AH"],["KC","AC","KD","AS"]],"pile":["KS"],"led":"KS","plies":1,'
            b'"max_plies":480,"position_count":1},"events":[{"seat":0,"action":"play KS"},'
            b'{"event":"took","seat":0,"cards":["KC","AC"]},'
            b'{"event":"fault","seat":0,"code":"timeout"}]}\n'
        ),
    ),
    "turn without a clock": (
        Turn(id=2, game="g1", seat=0, legal=["take"], state={}, events=[]),
        b'{"type":"turn","id":2,"game":"g1","seat":0,"legal":["take"],"state":{},"events":[]}\n',
    ),
    "end": (
        End(
            game="g1",
            scores=[0, 1],
            places=[2, 1],
            reason="out",
            events=[Moved(1, "play KC")],
            deal=deal_from_code(1, 8),
            salt="9f1c",
        ),
        (
            b'{"type":"end","game":"g1","scores":[0,1],"places":[2,1],"reason":"out",'
            b'"events":[{"seat":1,"action":"play KC"}],"deal":{"code":1,"hands":'
            b'[["AD","KH","AH","KS"],["KC","AC","KD","AS"]]},"salt":"9f1c"}\n'
        ),
    ),
    "end of a deal that comes again": (
        End(game="g1", scores=[0, 0], places=[1, 1], reason="repetition", events=[]),
        (
            b'{"type":"end","game":"g1","scores":[0,0],"places":[1,1],"reason":"repetition",'
            b'"events":[]}\n'
        ),
    ),
    "error": (
        Error(re=14, code="illegal", message="not in the legal list", fatal=True),
        (
            b'{"type":"error","re":14,"code":"illegal","message":"not in the legal list",'
            b'"fatal":true}\n'
        ),
    ),
    "error about no id": (
        Error(code="flood", message="257 lines", fatal=False),
        b'{"type":"error","code":"flood","message":"257 lines","fatal":false}\n',
    ),
    "bye": (Bye(reason="match over"), b'{"type":"bye","reason":"match over"}\n'),
}


@pytest.mark.parametrize(("message", "line"), LINES.values(), ids=LINES)
def test_a_line_of_the_server_has_exactly_these_bytes(message, line):
    assert encode(message) == line


@pytest.mark.parametrize(("message", "line"), LINES.values(), ids=LINES)
def test_type_is_first_then_id_and_legal_is_before_state(message, line):
    keys = list(msgspec.json.decode(line, type=dict[str, Any]))
    assert keys[0] == "type"
    assert "id" not in keys or keys[1] == "id"
    assert "state" not in keys or keys.index("legal") < keys.index("state")


@pytest.mark.parametrize(("message", "line"), LINES.values(), ids=LINES)
def test_what_does_not_apply_is_left_out_and_never_null(message, line):
    assert b"null" not in line


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            b'{"type":"hello","id":1,"protocol":1,"name":"greedy"}',
            BotHello(id=1, protocol=1, name="greedy"),
        ),
        (
            b'{"games":["cuttle"],"version":"1.2","name":"greedy","protocol":1,"id":1,"type":"hello"}',
            BotHello(id=1, protocol=1, name="greedy", version="1.2", games=["cuttle"]),
        ),
        (
            b'{"type":"hello","id":1,"protocol":1,"name":"greedy","token":"s3cret"}',
            BotHello(id=1, protocol=1, name="greedy", token="s3cret"),
        ),
        (
            b' { "type" : "action" , "id" : 14 , "action" : "take" , "mood" : {"good":[1]} } ',
            Action(id=14, action="take"),
        ),
    ],
)
def test_a_bot_may_order_space_and_extend_its_fields_as_it_likes(line, message):
    assert decode_bot_message(line) == message
