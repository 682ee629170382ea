import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { homeEnv } from "./testing/keys-at-home.ts";
import { LivedInHub } from "./testing/lived-in-hub.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const EXAMPLES = ["pair", "call-tool"] as const;
const OLDEST_NODE = 20;
/** A program that hangs is ended, and fails. */
const RUN_MS = 50_000;

interface Runtime {
  readonly name: string;
  readonly program: string;
}

/** A Node of another major than this one, and Bun, where the machine has them. */
function otherRuntimes(): readonly Runtime[] {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  const versionOf = (program: string): string => {
    try {
      return execFileSync(program, ["--version"], { stdio: ["ignore", "pipe", "ignore"] })
        .toString()
        .trim();
    } catch {
      return "";
    }
  };
  const found: Runtime[] = [];
  for (const folder of new Set(folders)) {
    const node = versionOf(join(folder, "node"));
    const major = Number(/^v(\d+)\./.exec(node)?.[1] ?? 0);
    const isOther = major >= OLDEST_NODE && !process.version.startsWith(`v${major}.`);
    if (isOther) found.push({ name: `Node ${node}`, program: join(folder, "node") });
    const bun = versionOf(join(folder, "bun"));
    if (bun !== "") found.push({ name: `Bun ${bun}`, program: join(folder, "bun") });
  }
  return found.filter(({ name }, at) => found.findIndex((each) => each.name === name) === at);
}

const RUNTIMES = otherRuntimes();

let folder = "";
const hub = new LivedInHub();

beforeAll(async () => {
  if (RUNTIMES.length === 0) return;
  folder = mkdtempSync(join(tmpdir(), "sdk-runtimes-"));
  execFileSync("npm", ["run", "--silent", "pack-sdk", "--", folder], { cwd: here("..") });
  const [tarball = ""] = readdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const install = ["install", "--offline", "--omit=peer", "--legacy-peer-deps", `./${tarball}`];
  execFileSync("npm", install, { cwd: folder });
  // Node 20 has no WebSocket of its own, and takes this package's (sdk/README.md).
  cpSync(here("../node_modules/ws"), join(folder, "node_modules/ws"), { recursive: true });
  for (const name of EXAMPLES) {
    const source = readFileSync(here(`./examples/${name}.ts`), "utf8");
    writeFileSync(join(folder, `${name}.mjs`), stripTypeScriptTypes(source));
  }
  await hub.start();
  await hub.arrived(() => ({ status: "ok", result: { content: "# Notes" } }));
}, 180_000);

afterAll(async () => {
  await hub.end();
  if (folder !== "") rmSync(folder, { recursive: true });
});

test.skipIf(RUNTIMES.length === 0)(
  "the packed SDK pairs and calls a tool in every other runtime this machine has",
  async () => {
    for (const { name, program } of RUNTIMES) {
      const home = mkdtempSync(join(folder, "home-"));
      const run = async (example: string) => {
        const env = { ...process.env, ...homeEnv(home), HASHEE_BASE_URL: hub.url };
        const options = { cwd: folder, timeout: RUN_MS, env };
        return (await promisify(execFile)(program, [`${example}.mjs`], options)).stdout;
      };
      expect(await run("pair"), name).toContain("Added as");
      expect(await run("call-tool"), name).toContain("# Notes");
    }
  },
  120_000,
);

test.skipIf(RUNTIMES.length === 0)(
  "the package's command serves MCP and answers a hook in every other runtime this machine has",
  () => {
    const script = join(folder, "node_modules/@consentry/agent-sdk/consentry.js");
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    for (const { name, program } of RUNTIMES) {
      const run = (input: object, ...words: readonly string[]) => {
        const args = [script, ...words, "--data-dir", join(folder, "nothing-runs-here")];
        return spawnSync(program, args, { input: `${JSON.stringify(input)}\n`, timeout: RUN_MS });
      };
      expect(run(initialize, "mcp").stdout.toString(), name).toContain('"serverInfo"');
      const asked = {
        session_id: "s",
        cwd: folder,
        tool_name: "Bash",
        tool_input: { command: "ls" },
      };
      expect(run(asked, "hook", "claude-code").stderr.toString(), name).toContain("(unreachable)");
    }
  },
  120_000,
);

test.skipIf(RUNTIMES.length === 0)(
  "no runtime's collector gets in the way of making keys",
  async () => {
    await build({
      configFile: false,
      logLevel: "silent",
      build: { ssr: here("../runtime/crypto/node-primitives.ts"), outDir: join(folder, "crypto") },
    });
    const make = `for (let made = 0; made < 8_000; made += 1) nodePrimitives.x25519Pair();`;
    const source = `import { nodePrimitives } from "./crypto/node-primitives.js"; ${make}`;
    const program = `${source} console.log("made");`;
    writeFileSync(join(folder, "make-pairs.mjs"), program);
    for (const { name, program: runtime } of RUNTIMES) {
      // Little room for what is new: it is collected all the time.
      const flags = name.startsWith("Node") ? ["--max-semi-space-size=1"] : [];
      const options = { cwd: folder, timeout: RUN_MS };
      const { stdout } = await promisify(execFile)(runtime, [...flags, "make-pairs.mjs"], options);
      expect(stdout, name).toContain("made");
    }
  },
  120_000,
);
