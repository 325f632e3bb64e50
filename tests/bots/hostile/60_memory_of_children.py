# hostile bot 60: memory_of_children
# what: has four children that use 100 MiB each
# expect: memory
# note: no single process is over the limit of 256 MiB; bounded on purpose
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "60_memory_of_children"})
        yield m


import os, time
turns = 0
for m in messages():
    if m["type"] == "turn":
        turns += 1
        if turns == 2:
            for _ in range(4):
                if os.fork() == 0:
                    hog = bytearray(100 << 20)
                    hog[::4096] = b"x" * len(hog[::4096])
                    time.sleep(20)
                    os._exit(0)
            time.sleep(20)
        reply(m)
