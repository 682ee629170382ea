import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ScratchFolder } from "../main/testing/scratch-folder.ts";
import { anchorsIn, linksIn, readDocuments } from "./read-markdown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const scratch = new ScratchFolder();
const folder = scratch.base;

/** Alone, and without the network. */
beforeAll(() => {
  execFileSync("npm", ["run", "--silent", "pack-sdk", "--", folder], { cwd: root });
  const [tarball = ""] = readdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  execFileSync("npm", ["install", "--offline", "--omit=optional", `./${tarball}`], {
    cwd: folder,
  });
}, 120_000);

afterAll(() => scratch.remove());

test("the packed SDK is what its README imports", () => {
  const exported = (entry: string) => {
    const program = `import("${entry}").then((it) => console.log(Object.keys(it).join()))`;
    const run = execFileSync(process.execPath, ["-e", program], { cwd: folder });
    return run.toString().trim().split(",");
  };
  expect(exported("@consentry/agent-sdk")).toEqual(
    expect.arrayContaining(["HasheeAgent", "AgentError", "ToolCallError"]),
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
    "docs",
    "examples",
    "index.js",
    "index.js.map",
    "models.js",
    "models.js.map",
    "package.json",
    "types",
  ]);
}, 120_000);

test("every link of the packed pages leads to a heading that is there, and the tools are told", () => {
  const packed = join(folder, "node_modules/@consentry/agent-sdk");
  const pages = new Map(readDocuments(packed).map((page) => [page.path, page]));
  expect([...pages.keys()]).toEqual(expect.arrayContaining(["README.md", "docs/tools.md"]));
  const broken = [...pages.values()].flatMap((page) =>
    linksIn(page).filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [file = "", anchor] = link.split("#");
      const path = posix.join(dirname(page.path), file);
      if (path.startsWith("examples/")) return !existsSync(join(packed, path));
      const target = pages.get(file === "" ? page.path : path);
      if (target === undefined) return true;
      return anchor !== undefined && !anchorsIn(target).includes(anchor);
    }),
  );
  expect(broken).toEqual([]);
});

test("the packed types are complete without the packages that the code was built with", () => {
  cpSync(join(root, "sdk/examples"), join(folder, "program"), { recursive: true });
  const client = "node_modules/@anthropic-ai/sdk";
  mkdirSync(join(folder, "node_modules/@anthropic-ai"));
  symlinkSync(join(root, client), join(folder, client), "junction");
  const compilerOptions = {
    target: "ES2022",
    module: "NodeNext",
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  const config = JSON.stringify({ compilerOptions, include: ["program/*.ts"] });
  writeFileSync(join(folder, "tsconfig.json"), config);
  const tsc = join(root, "node_modules/.bin/tsc");
  expect(spawnSync(tsc, ["-p", "."], { cwd: folder, encoding: "utf8" }).stdout).toBe("");
}, 120_000);
