import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import envPaths from "env-paths";

/**
 * Runs the built sample agent with the Consentry on this machine, found through `--data-dir` (by
 * default the usual folder), or with the hub named by `--hub`. Other flags are passed on to the
 * agent.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const USAGE =
  "Usage: npm run sample-agent -- [--hub URL | --data-dir DIR] [--name NAME] [--folder DIR] [--json]";
const { values, tokens } = parseArgs({
  strict: false,
  tokens: true,
  options: { hub: { type: "string" }, "data-dir": { type: "string" } },
});

function hubAddress(): string | undefined {
  if (typeof values.hub === "string") return values.hub;
  const asked = values["data-dir"];
  const folder =
    typeof asked === "string" ? resolve(asked) : envPaths("Consentry", { suffix: "" }).data;
  const file = join(folder, "hub.url");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

/** The arguments without the two flags of this script. */
function agentFlags(): readonly string[] {
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== "option" || (token.name !== "hub" && token.name !== "data-dir")) continue;
    taken.add(token.index);
    if (!token.inlineValue) taken.add(token.index + 1);
  }
  return process.argv.slice(2).filter((_, index) => !taken.has(index));
}

function run(): number {
  if (process.argv.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  const hub = hubAddress();
  if (hub === undefined) {
    console.error("Consentry does not run on this data folder. Start it with: npm start");
    return 1;
  }
  const build = spawnSync(process.execPath, ["scripts/build.ts"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (build.status !== 0) return 1;
  const agent = join(root, "dist/sample-agent/main.js");
  const { status } = spawnSync(process.execPath, [agent, "--hub", hub, ...agentFlags()], {
    stdio: "inherit",
  });
  return status ?? 1;
}

process.exitCode = run();
