#!/bin/sh
# hostile bot 103: shell_wrapper
# what: starts the real bot without exec and waits for it; the bot lingers after the goodbye
# expect: ok
# needs: perl
# note: the process that was started is a shell: its child must be gone, too
perl "$(dirname "$0")/bot.pl"
echo "the bot has ended with status $?" >&2
