# hostile bot 24: drip_bytes
# what: sends its reply a byte at a time, too slowly
# expect: timeout
# note: a deadline that starts again with each byte is never reached
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "24_drip_bytes"})
        yield m


import time
for m in messages():
    if m["type"] == "turn":
        for byte in "{" + " " * 600:
            sys.stdout.write(byte)
            sys.stdout.flush()
            time.sleep(0.05)
