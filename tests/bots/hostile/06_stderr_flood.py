# hostile bot 06: stderr_flood
# what: writes 20 MB to stderr in each of its first three turns
# expect: ok
# note: it must neither block nor fill the log: 8 KiB of the head and of the tail are kept
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "06_stderr_flood"})
        yield m


turns = 0
for m in messages():
    if m["type"] == "turn":
        turns += 1
        if turns <= 3:
            for _ in range(20):
                sys.stderr.write("x" * 1_000_000)
        reply(m)
