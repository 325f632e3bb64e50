# hostile bot 28: debug_print
# what: prints a line for its author to stdout in mid game
# expect: malformed
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "28_debug_print"})
        yield m


turns = 0
for m in messages():
    if m["type"] == "turn":
        turns += 1
        if turns == 3:
            print("thinking about", m["legal"], flush=True)
        reply(m)
