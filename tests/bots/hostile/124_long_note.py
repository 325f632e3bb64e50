# hostile bot 124: long_note
# what: sends a note of 60,000 characters
# expect: ok
# note: it is cut, with a warning
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "124_long_note"})
        yield m


for m in messages():
    if m["type"] == "turn":
        send({"type": "action", "id": m["id"], "action": choose(m), "note": "x" * 60_000})
