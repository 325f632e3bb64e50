# hostile bot 62: fork_rabbit
# what: hops from process to process, each in a session of its own
# expect: timeout
# note: whoever looks for it by number finds nothing; it tires after 20 s
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "62_fork_rabbit"})
        yield m


import os, time


def hop():
    ends = time.monotonic() + 20
    while time.monotonic() < ends:
        if os.fork():
            os._exit(0)
        os.setsid()
        time.sleep(0.001)
    os._exit(0)


turns = 0
for m in messages():
    if m["type"] == "turn":
        turns += 1
        if turns == 2:
            if os.fork() == 0:
                hop()
            time.sleep(30)
        reply(m)
