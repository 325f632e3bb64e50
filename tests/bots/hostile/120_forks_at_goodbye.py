# hostile bot 120: forks_at_goodbye
# what: leaves a sleeping child behind when it is told to leave
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "120_forks_at_goodbye"})
        yield m


import os, time
for m in messages():
    if m["type"] == "turn":
        reply(m)
    if m["type"] == "bye" and os.fork() == 0:
        time.sleep(30)
        os._exit(0)
