# hostile bot 49: future_id
# what: answers the next question too, before it was asked
# expect: protocol
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "49_future_id"})
        yield m


for m in messages():
    if m["type"] == "turn":
        send({"type": "action", "id": m["id"] + 1, "action": choose(m)})
        reply(m)
