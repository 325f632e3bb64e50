# hostile bot 125: deep_folders
# what: leaves 1,500 folders in one another in its working directory, and plays well
# expect: ok
# note: a clean-up that calls itself for every folder fails, and their path is too long to name
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "125_deep_folders"})
        yield m


import os
for _ in range(1500):
    os.mkdir("d")
    os.chdir("d")
for m in messages():
    if m["type"] == "turn":
        reply(m)
