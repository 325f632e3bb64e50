# hostile bot 121: debug_print_after
# what: prints a line for its author to stdout after its reply
# expect: malformed
# note: the line is judged with the next turn, however it came
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "121_debug_print_after"})
        yield m


for m in messages():
    if m["type"] == "turn":
        reply(m)
        print("I hope that was good", flush=True)
