#!/usr/bin/env bash
# Plays the sample bots against each other, a small tournament for each game (`make demo`).
set -euo pipefail
cd "$(dirname "$0")/.."

command -v croupier >/dev/null || { echo "demo: no croupier on PATH; run: make demo" >&2; exit 2; }
typed="${VENV:+$VENV/bin/}croupier" # what the reader can type without activating anything

mkdir -p demo
rm -rf demo/*.d demo/*.toml demo/*.html demo/random_bot
more="" # bots in other languages, where these are there
if command -v cc >/dev/null; then
  cc -O2 -o demo/random_bot sample_bots/random_bot.c
  more+=$'\n[[bots]]\nname = "c"\nrun = "random_bot"\n'
else
  echo "No C compiler (cc) here: the C bot is left out."
fi
if command -v node >/dev/null; then
  more+=$'\n[[bots]]\nname = "js"\nrun = "../sample_bots/random_bot.js"\n'
else
  echo "No node here: the JavaScript bot is left out."
fi

for game in svoyi-koziri cuttle wizard; do
  league=demo/$game.toml
  { sed 's|"\.\./\.\./|"../|' "tournaments/examples/$game.toml" && printf '%s' "$more"; } >"$league"
  printf '\n$ %s tournament %s\n' "$typed" "$league"
  croupier tournament "$league" --quiet
  croupier verify "demo/$game.d"
  croupier standings "demo/$game.d" --html "demo/$game.html"
done

cat <<END

Next, look at a page (demo/wizard.html), at a game, or let your own bot play:
  $typed standings demo/svoyi-koziri.d
  $typed match svoyi-koziri yourbot.py builtin:greedy -n 20
END
