# hostile bot 43: unknown_type
# what: replies with a type that does not exist
# expect: malformed
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "43_unknown_type"})
        yield m


for m in messages():
    if m["type"] == "turn":
        send({"type": "move", "id": m["id"], "action": choose(m)})
