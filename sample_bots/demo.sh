#!/usr/bin/env bash
# Plays the sample bots against each other, checks the logs, says what to try next (`make demo`).
set -euo pipefail
cd "$(dirname "$0")/.."

command -v croupier >/dev/null || { echo "demo: no croupier on PATH; run: make demo" >&2; exit 2; }
typed="${VENV:+$VENV/bin/}croupier" # what the reader can type without activating anything

greedy=sample_bots/greedy_bot.py python=sample_bots/random_bot.py js=sample_bots/random_bot.js c=demo/random_bot
mkdir -p demo
rm -f demo/*.jsonl "$c"
if command -v cc >/dev/null; then
  cc -O2 -o "$c" sample_bots/random_bot.c
else
  c="" && echo "No C compiler (cc) here: the C bot is left out."
fi
command -v node >/dev/null || { js="" && echo "No node here: the JavaScript bot is left out."; }

play() { # NAME BOT NAME BOT; a bot that was left out is an empty word
  if [[ -n $2 && -n $4 ]]; then
    local words=(match svoyi-koziri "$1=$2" "$3=$4" -n 10 --log "demo/$1-$3.jsonl")
    printf '\n$ %s\n' "$typed ${words[*]}"
    croupier "${words[@]}" --quiet
  fi
}
play greedy "$greedy" c "$c"
play greedy "$greedy" js "$js"
play js "$js" c "$c"
play python "$python" c "$c"
[[ -n $c$js ]] || play greedy "$greedy" python "$python"

logs=(demo/*.jsonl)
printf '\n$ %s\n' "$typed verify demo/*.jsonl"
croupier verify "${logs[@]}"

cat <<END

Next, look at a game, or let your own bot play:
  $typed replay ${logs[0]} --game 1
  $typed match svoyi-koziri yourbot.py builtin:greedy -n 20
END
