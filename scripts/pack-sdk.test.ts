import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { scratchFolder } from "../main/testing/scratch-folder.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

test("the packed SDK installs alone, without the network, and is what its README imports", () => {
  const folder = scratchFolder();
  execFileSync("npm", ["run", "--silent", "pack-sdk", "--", folder], { cwd: root });
  const [tarball = ""] = readdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  execFileSync("npm", ["install", "--offline", "--omit=optional", `./${tarball}`], {
    cwd: folder,
  });
  const exported = (entry: string) => {
    const program = `import("${entry}").then((it) => console.log(Object.keys(it).join()))`;
    const run = execFileSync(process.execPath, ["-e", program], { cwd: folder });
    return run.toString().trim().split(",");
  };
  expect(exported("@consentry/agent-sdk")).toEqual(
    expect.arrayContaining(["HasheeAgent", "PairingError", "ToolDeniedError", "ToolFailedError"]),
  );
  expect(exported("@consentry/agent-sdk/models")).toEqual(
    expect.arrayContaining(["modelTools", "ToolRunner", "anthropicTurn", "aiSdkTools"]),
  );
  // Its command reaches the program that runs; here is none.
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const asked = spawnSync("npx", ["--offline", "consentry", "hook", "codex"], {
    cwd: folder,
    env,
    input: "{}",
    encoding: "utf8",
  });
  expect(asked.status).toBe(2);
  const listed = spawnSync("npx", ["--offline", "consentry", "mcp"], {
    cwd: folder,
    env,
    input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })}\n`,
    encoding: "utf8",
  });
  expect(listed.stdout).toContain("request_permission");
  // Where Codex is, it is entered into its settings; the person sees the change first.
  mkdirSync(join(folder, ".codex"));
  const connect = (...words: readonly string[]) =>
    spawnSync("npx", ["--offline", "consentry", "connect", ...words], {
      cwd: folder,
      env,
      input: "y\n",
      encoding: "utf8",
    });
  expect(connect("codex").stdout).toContain("+ [mcp_servers.consentry]");
  const settings = readFileSync(join(folder, ".codex/config.toml"), "utf8");
  expect(settings).toContain("--package=@consentry/agent-sdk");
  expect(connect().stdout).toMatch(/^codex\ttools\tconnected/);
  // What both entries share is in a file with a hash in its name.
  const files = readdirSync(join(folder, "node_modules/@consentry/agent-sdk"));
  expect(files.filter((file) => !/-[\w-]{8}\.js(\.map)?$/.test(file)).sort()).toEqual([
    "LICENSE",
    "README.md",
    "consentry.js",
    "index.js",
    "index.js.map",
    "models.js",
    "models.js.map",
    "package.json",
    "types",
  ]);
}, 120_000);
