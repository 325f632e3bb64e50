# hostile bot 116: exits_before_hello
# what: exits with status 0 before it has said hello
# expect: no_start
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "116_exits_before_hello"})
        yield m


sys.exit(0)
