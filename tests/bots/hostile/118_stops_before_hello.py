# hostile bot 118: stops_before_hello
# what: stops itself with SIGSTOP before it has said hello
# expect: no_start
# note: the end of its input does not wake it, and SIGTERM does not end it
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "118_stops_before_hello"})
        yield m


import os, signal
os.kill(os.getpid(), signal.SIGSTOP)
for m in messages():
    if m["type"] == "turn":
        reply(m)
