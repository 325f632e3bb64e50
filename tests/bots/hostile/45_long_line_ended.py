# hostile bot 45: long_line_ended
# what: sends a correct reply in a line of 70,000 bytes
# expect: oversize
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "45_long_line_ended"})
        yield m


for m in messages():
    if m["type"] == "turn":
        sys.stdout.write(json.dumps({"type": "action", "id": m["id"], "action": choose(m)}) + " " * 70_000 + "\n")
        sys.stdout.flush()
