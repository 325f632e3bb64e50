# hostile bot 53: exits_child_holds_pipe
# what: exits in mid game, but a child holds its pipes open
# expect: exited
# note: the exit must be noticed although there is no end of file
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "53_exits_child_holds_pipe"})
        yield m


import os, time
turns = 0
for m in messages():
    if m["type"] == "turn":
        turns += 1
        if turns == 2:
            if os.fork() == 0:
                time.sleep(30)
                os._exit(0)
            os._exit(0)
        reply(m)
