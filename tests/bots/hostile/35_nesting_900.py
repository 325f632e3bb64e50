# hostile bot 35: nesting_900
# what: sends 900 nested arrays in a field that nobody reads, beside a legal action
# expect: malformed
# note: some decoders accept it, and copying the value fails later
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "35_nesting_900"})
        yield m


for m in messages():
    if m["type"] == "turn":
        sys.stdout.write('{"type":"action","id":%d,"action":%s,"junk":%s}\n' % (m["id"], json.dumps(choose(m)), "[" * 900 + "]" * 900))
        sys.stdout.flush()
