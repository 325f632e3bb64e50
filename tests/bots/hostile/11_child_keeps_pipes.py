# hostile bot 11: child_keeps_pipes
# what: plays well, but a child in a session of its own keeps all its pipes open
# expect: ok
# note: there is no end of file when the bot has gone, and its group does not hold the child
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "11_child_keeps_pipes"})
        yield m


import os, time
if os.fork() == 0:
    os.setsid()
    time.sleep(30)
    os._exit(0)
for m in messages():
    if m["type"] == "turn":
        reply(m)
