# hostile bot 08: exits_at_end
# what: exits at the end of the game, before it is told to leave
# expect: ok
# note: after a game is decided nothing is a fault any more; the pipe is broken for the goodbye
import json, sys


def send(obj):
    sys.stdout.write(json.dumps(obj) + "\n")
    sys.stdout.flush()


def choose(req):
    legal = req.get("legal")
    return legal[0] if legal else "pass"


def reply(req, action=None):
    send({"type": "action", "id": req["id"], "action": choose(req) if action is None else action})


def messages():
    for line in sys.stdin:
        if not line.strip():
            continue
        m = json.loads(line)
        if m["type"] == "hello":
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "08_exits_at_end"})
        yield m


for m in messages():
    if m["type"] == "turn":
        reply(m)
    if m["type"] == "end":
        sys.exit(0)
