# hostile bot 123: odd_line_ends
# what: has U+2028, U+0085 and an escaped newline in its note
# expect: ok
# note: only a newline ends a line
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "123_odd_line_ends"})
        yield m


for m in messages():
    if m["type"] == "turn":
        line = {"type": "action", "id": m["id"], "action": choose(m), "note": "a\u2028b\u0085c\nd"}
        sys.stdout.buffer.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        sys.stdout.flush()
