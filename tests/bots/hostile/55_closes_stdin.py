# hostile bot 55: closes_stdin
# what: closes its stdin after a correct reply, but lives on
# expect: closed|timeout
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "55_closes_stdin"})
        yield m


import os, time
turns = 0
for m in messages():
    if m["type"] == "turn":
        turns += 1
        reply(m)
        if turns == 2:
            os.close(0)
            time.sleep(30)
