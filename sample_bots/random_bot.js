// Plays a random legal action of any game. Runs with node, no packages.

let state = 0; // of the generator (mulberry32): the same seed plays the same game again
function below(n) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % n;
}

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const handlers = {
  hello: ({ id }) => send({ type: "hello", id, protocol: 1, name: "random-js", version: "1.0" }),
  start: ({ seed }) => { state = seed | 0; },
  turn: ({ id, legal }) => send({ type: "action", id, action: legal[below(legal.length)] }),
  bye: () => process.exit(),
};

// Not node:readline: it also ends a line at U+2028, which may stand in the name of a player.
let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines.filter((text) => text.trim())) {
    const message = JSON.parse(line);
    if (Object.hasOwn(handlers, message.type)) handlers[message.type](message);
  }
});
