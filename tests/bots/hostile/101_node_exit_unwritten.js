// hostile bot 101: node_exit_unwritten
// what: writes its reply asynchronously and calls process.exit() at once
// expect: exited
// note: the reply may or may not arrive; the exit is noticed with this turn or with the next one
const fs = require("node:fs");

let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines.filter((text) => text.trim())) {
    const { type, id, legal } = JSON.parse(line);
    if (type === "hello")
      fs.writeSync(1, JSON.stringify({ type, id, protocol: 1, name: "101_node_exit_unwritten" }) + "\n");
    if (type === "turn") {
      fs.write(1, JSON.stringify({ type: "action", id, action: legal[0] }) + "\n", () => {});
      process.exit();
    }
  }
});
