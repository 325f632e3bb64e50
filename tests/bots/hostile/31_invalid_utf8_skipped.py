# hostile bot 31: invalid_utf8_skipped
# what: sends bytes which are not UTF-8 in a field that nobody reads
# expect: malformed
# note: a decoder that skips the field accepts it, and the log could not repeat the line
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "31_invalid_utf8_skipped"})
        yield m


for m in messages():
    if m["type"] == "turn":
        sys.stdout.buffer.write(b'{"type":"action","id":%d,"action":%s,"junk":"\xff"}\n' % (m["id"], json.dumps(choose(m)).encode()))
        sys.stdout.flush()
