# hostile bot 46: flood_of_bytes
# what: sends 20 lines of 60,000 spaces before a correct reply
# expect: flood
# note: fewer than 256 lines, none too long, but more than 1 MiB
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "46_flood_of_bytes"})
        yield m


for m in messages():
    if m["type"] == "turn":
        for _ in range(20):
            sys.stdout.write(" " * 60_000 + "\n")
        reply(m)
