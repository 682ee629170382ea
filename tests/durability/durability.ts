import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { readFlags } from "../../runtime/read-flags.ts";
import { whyNoShim } from "./build-shim.ts";
import { runFaultPoints } from "./fault-points.ts";
import { runKillCycles } from "./kill-cycles.ts";
import { SHELLS, tryLines } from "./shell-lines.ts";

/*
 * What takes too long for the tests. `kill` kills writers and `faults` makes their disk fail, on the real
 * store as docs/durability.md claims; `command-lines` runs made lines in real shells. Prints its progress
 * as lines of JSON, ending with a summary; exit code 1: something was lost, or ran unforeseen.
 */

const USAGE = `Usage: npm run durability -- kill [--cycles N] [--records M] [--seed S] [--lanes L]
       npm run durability -- faults [--points N]
       npm run durability -- command-lines [--lines N] [--seed S]
       npm run durability -- hub-fleet [--messages N] [--seconds S]`;

const { values, positionals } = readFlags(USAGE, {
  allowPositionals: true,
  options: {
    cycles: { type: "string", default: "1000" },
    records: { type: "string", default: "0" },
    seed: { type: "string", default: "consentry" },
    lanes: { type: "string", default: "2" },
    points: { type: "string", default: "1000" },
    lines: { type: "string", default: "100000" },
    messages: { type: "string", default: "100000" },
    seconds: { type: "string", default: "600" },
  },
});

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const began = performance.now();
const seconds = (): number => Math.round((performance.now() - began) / 1000);

async function kill(): Promise<boolean> {
  const report = await runKillCycles(
    {
      cycles: Number(values.cycles),
      records: Number(values.records),
      seed: values.seed,
      lanes: Number(values.lanes),
    },
    ({ cycles, acknowledged, checked, faults }) => {
      if (cycles % 100 === 0) print({ seconds: seconds(), cycles, acknowledged, checked, faults });
    },
  );
  print({ summary: "kill", seconds: seconds(), cores: availableParallelism(), ...report });
  return report.faults.length === 0;
}

async function faults(): Promise<boolean> {
  const missing = whyNoShim();
  if (missing !== null) throw new Error(`faults cannot be injected here: ${missing}`);
  const summary = await runFaultPoints(Number(values.points), ({ points, faults }) => {
    if (points % 100 === 0) print({ seconds: seconds(), points, faults });
  });
  print({ summary: "faults", seconds: seconds(), ...summary });
  return summary.faults.length === 0;
}

async function commandLines(): Promise<boolean> {
  const report = await tryLines({ lines: Number(values.lines), seed: values.seed }, (so_far) =>
    print({ seconds: seconds(), ...so_far }),
  );
  print({ summary: "command-lines", seconds: seconds(), shells: SHELLS, ...report });
  return report.unforeseen.length === 0;
}

/** In the hub's own folder, with the nodes that it starts. */
function hubFleet(): boolean {
  const program = fileURLToPath(new URL("../../hub/testing/fleet/main.ts", import.meta.url));
  const { messages, seconds } = values;
  const { status } = spawnSync(process.execPath, [program, messages, seconds], {
    stdio: "inherit",
  });
  return status === 0;
}

switch (positionals[0]) {
  case "kill":
    process.exitCode = (await kill()) ? 0 : 1;
    break;
  case "faults":
    process.exitCode = (await faults()) ? 0 : 1;
    break;
  case "command-lines":
    process.exitCode = (await commandLines()) ? 0 : 1;
    break;
  case "hub-fleet":
    process.exitCode = hubFleet() ? 0 : 1;
    break;
  default:
    console.error(USAGE);
    process.exitCode = 2;
}
