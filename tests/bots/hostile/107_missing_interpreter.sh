#!/usr/bin/env no-such-interpreter-3.99
# hostile bot 107: missing_interpreter
# what: a script for an interpreter that does not exist
# expect: no_start
# note: the message must name the interpreter, not the script
exit 0
