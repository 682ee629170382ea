import { availableParallelism } from "node:os";
import { runFleet } from "./run-fleet.ts";

/** What `npm run durability -- hub-fleet` runs: messages, then seconds. */
const [messages = "100000", seconds = "600"] = process.argv.slice(2);
const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const began = performance.now();
const at = (): number => Math.round((performance.now() - began) / 1_000);
const report = await runFleet(
  { messages: Number(messages), seconds: Number(seconds), faultEveryMs: 2_000 },
  (so_far) => print({ at_seconds: at(), ...so_far }),
);
print({ summary: "hub-fleet", seconds: at(), cores: availableParallelism(), ...report });
process.exitCode = report.wrong.length === 0 ? 0 : 1;
