# hostile bot 09: ignores_goodbye
# what: plays well, but ignores the goodbye, the end of its input and SIGTERM
# expect: ok
# note: killed half a second after the goodbye
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "09_ignores_goodbye"})
        yield m


import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for m in messages():
    if m["type"] == "turn":
        reply(m)
time.sleep(30)
