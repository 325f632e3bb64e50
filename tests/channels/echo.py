"""A program for the contract of channels: does what each line says, in order."""

import os
import sys
import time

if __name__ == "__main__":
    for line in sys.stdin.buffer:
        verb, _, rest = line.rstrip(b"\n").partition(b" ")
        if verb == b"echo":
            sys.stdout.buffer.write(rest + b"\n")
            sys.stdout.buffer.flush()
        elif verb == b"stderr":
            os.write(2, rest)
            os.write(1, b"said\n")
        elif verb == b"hold":
            time.sleep(float(rest))
        elif verb == b"mute":
            os.close(1)
        elif verb == b"exit":
            os._exit(int(rest))
        elif verb == b"die":
            os.kill(os.getpid(), int(rest))
