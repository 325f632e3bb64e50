# hostile bot 126: kills_its_group
# what: kills its own process group in mid game
# expect: crashed
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "126_kills_its_group"})
        yield m


import os, signal
turns = 0
for m in messages():
    if m["type"] == "turn":
        turns += 1
        if turns == 2:
            os.killpg(0, signal.SIGKILL)
        reply(m)
