#!/bin/sh
# hostile bot 130: shell_command_fails
# what: a script that answers in a loop until a command in it fails (set -e)
# expect: crashed
# note: the last words of the shell are on stderr
set -e
turns=0
while read -r line; do
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    legal=${line#*\"legal\":[\"}
    case $line in
    '{"type":"hello"'*) echo "{\"type\":\"hello\",\"id\":$id,\"protocol\":1,\"name\":\"130_shell_command_fails\"}" ;;
    '{"type":"turn"'*)
        turns=$((turns + 1))
        [ $turns -lt 3 ] # false in the third turn
        echo "{\"type\":\"action\",\"id\":$id,\"action\":\"${legal%%\"*}\"}"
        ;;
    esac
done
