# hostile bot 117: old_protocol
# what: says hello in version 0 of the protocol
# expect: protocol
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "117_old_protocol"})
        yield m


m = json.loads(sys.stdin.readline())
send({"type": "hello", "id": m["id"], "protocol": 0, "name": "117_old_protocol"})
sys.stdin.read()
