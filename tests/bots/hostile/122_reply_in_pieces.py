# hostile bot 122: reply_in_pieces
# what: sends its reply in many small writes
# expect: ok
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "122_reply_in_pieces"})
        yield m


for m in messages():
    if m["type"] == "turn":
        line = json.dumps({"type": "action", "id": m["id"], "action": choose(m)}) + "\n"
        for byte in line:
            sys.stdout.write(byte)
            sys.stdout.flush()
