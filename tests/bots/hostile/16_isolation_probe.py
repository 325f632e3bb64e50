# mypy: ignore-errors
# hostile bot 16: isolation_probe
# what: tries (harmlessly) to see, signal and eavesdrop on others and reports on stderr; plays well
# expect: ok
# note: each isolation level has its own expected table; see research/faults.md section 1c
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
            send({"type": "hello", "id": m["id"], "protocol": 1, "name": "16_isolation_probe"})
        yield m


import os, socket
def probe(name, f):
    try:
        f()
        sys.stderr.write("PROBE %s POSSIBLE\n" % name)
    except Exception as e:
        sys.stderr.write("PROBE %s blocked (%s)\n" % (name, getattr(e, "strerror", None) or type(e).__name__))
probe("signal_parent", lambda: 1 / 0 if os.getppid() in (0, 1) else os.kill(os.getppid(), 0))
probe("read_parent_environ", lambda: 1 / 0 if os.getppid() in (0, 1) else open("/proc/%d/environ" % os.getppid(), "rb").read(1))
probe("list_home", lambda: 1 / 0 if not os.listdir(os.path.expanduser("~")) else None)
probe("write_home", lambda: (open(os.path.join(os.path.expanduser("~"), ".hostile_probe"), "w").close(), os.unlink(os.path.join(os.path.expanduser("~"), ".hostile_probe"))))
probe("write_own_dir", lambda: (open(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".probe"), "w").close(), os.unlink(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".probe"))))
probe("open_tty", lambda: os.close(os.open("/dev/tty", os.O_RDWR)))
probe("bind_tcp", lambda: socket.socket().bind(("127.0.0.1", 0)))
probe("nested_userns", lambda: os.unshare(0x10000000) if hasattr(os, "unshare") else 1 / 0)
probe("extra_fds", lambda: 1 / 0 if len(os.listdir("/proc/self/fd")) <= 4 else None)
sys.stderr.flush()
for m in messages():
    if m["type"] == "turn":
        reply(m)
