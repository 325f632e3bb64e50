#!/bin/sh
# hostile bot 106: not_executable
# what: a script without execute permission
# expect: no_start
# note: the message must carry the remedy
exit 0
