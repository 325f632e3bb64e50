# hostile bot 03: blank_lines
# what: puts blank lines and lines of white space round its replies
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "03_blank_lines"})
        yield m


for m in messages():
    if m["type"] == "turn":
        sys.stdout.write("\n \t\r\n")
        reply(m)
        sys.stdout.write("\n\n")
        sys.stdout.flush()
