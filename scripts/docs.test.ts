import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  anchorsIn,
  codeBlocks,
  codeWords,
  linksIn,
  readDocument,
  readDocuments,
  tableOf,
} from "./read-markdown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const documents = readDocuments(root);
const scripts: Readonly<Record<string, string>> = JSON.parse(read("package.json")).scripts;

/** Every command in the documents, the file that runs it, and the words it is run with. */
const RUN_BY: Readonly<Record<string, readonly [file: string, ...words: string[]]>> = {
  "npm ci && npm start": ["scripts/quick-start.test.ts", '"npm", ["start"'],
  "npm ci && npm test": [".ci/run", "npm ci", "npm test"],
  "npm start -- --host browser --no-open": ["scripts/quick-start.test.ts", "--host", "--no-open"],
  "npm run sample-agent": ["e2e/first-run.spec.ts", '"sample-agent"'],
  "npm run test:unit -- app/execution": ["tests/runners/test-all.ts", '"vitest"'],
  "npm run audit -- verify": ["scripts/audit.test.ts", '"verify", "--data-dir"'],
  "npm run audit -- verify --file log.csv": ["scripts/audit.test.ts", '"verify", "--file"'],
  "npm run audit -- verify --file log.jsonl --json": ["scripts/audit.test.ts", '"--json"'],
  "npm run own-data -- data.consentry": ["main/client/launch/own-data.test.ts", "[SCRIPT, file]"],
  "npm run audit -- acknowledge": ["scripts/audit.test.ts", 'audit("acknowledge"'],
  "npm run audit -- export --format csv --output log.csv": [
    "scripts/audit.test.ts",
    '"export"',
    '"--output"',
  ],
  "npm run audit -- export --format jsonl --subjects --output subjects.jsonl": [
    "scripts/audit.test.ts",
    'subjectsOf("--subjects")',
  ],
  "npm run audit -- export --format jsonl --from 2026-01-01 --to 2026-01-31": [
    "scripts/audit.test.ts",
    '"--from"',
    '"--to"',
  ],
  "npm run audit -- salvage --file consentry.db.damaged-20260131T120000Z --output salvaged.jsonl": [
    "scripts/audit.test.ts",
    '"salvage", "--file"',
  ],
  "npm run audit -- seed 100000 --data-dir many-calls": ["scripts/audit.test.ts", '"seed"'],
  "npm run conformance": ["main/channels/mcp/conformance.test.ts", "runScenarios"],
  "npm run connect": ["scripts/connect.test.ts", "connect([])"],
  "npm run connect -- codex": ["scripts/connect.test.ts", 'connect(["codex"]'],
  "npm run connect -- codex --undo": ["scripts/connect.test.ts", '"codex", "--undo"'],
  "npm run connect -- codex --hook": ["scripts/connect.test.ts", '"codex", "--hook"'],
  "npm run --silent hook -- claude-code --data-dir consentry-data": [
    "scripts/hook.test.ts",
    '"claude-code", "--data-dir"',
  ],
  "npm run hub -- --listen 127.0.0.1:4800 --data-dir hub-data": [
    "scripts/hub.test.ts",
    '"--listen"',
    '"--data-dir"',
  ],
  "npm run hub:conform -- http://127.0.0.1:4800 --owner-token-file hub-data/owner.token": [
    "hub/testing/conform/run-conform.test.ts",
    '"--owner-token-file"',
  ],
  "npm run --silent hub -- token --data-dir consentry-data": [
    "e2e/support/owner-token.ts",
    '"--silent", "hub", "--", "token", "--data-dir"',
  ],
  "npm run --silent hub -- invite Ada --data-dir consentry-data": [
    "scripts/hub.test.ts",
    'people("invite", "Ada")',
    '"--data-dir", scratch.base',
  ],
  "npm run --silent mcp -- --data-dir consentry-data": [
    "e2e/support/mcp-client.ts",
    "scripts/mcp.mjs",
    '"--data-dir"',
  ],
  "npm run --silent mcp -- --http --name editor": [
    "main/channels/mcp/http-clients.test.ts",
    '"--http", "--name"',
  ],
  "npm run --silent hook -- claude-code --http --data-dir consentry-data": [
    "main/channels/hooks/hook-http.test.ts",
    '["--http"]',
  ],
  "npm run mcpb": ["scripts/mcpb.test.ts", "make(other)"],
  "npm run mcpb -- --url https://example.org/consentry-0.1.0.mcpb": [
    "scripts/mcpb.test.ts",
    '"--url", URL_OF_BUNDLE',
  ],
  "npm run --silent agent-host -- keys add laptop --config host.json": [
    "scripts/agent-host.test.ts",
    '"keys", "add", "laptop", "--config"',
  ],
  "npm run --silent agent-host -- --listen 127.0.0.1:4900 --config host.json": [
    "scripts/agent-host.test.ts",
    '"--listen"',
  ],
  "npm run --silent agent-host -- pair http://127.0.0.1:4800 --manifest manifest.json --config host.json":
    ["agent-host/paired-agent.test.ts", '"pair"', '"--manifest"'],
  // It only measures, so it is enough that it exists.
  "npm run bench": ["bench/run.ts"],
  // Without Electron, what is run is that they fail; with it, the release's workflow runs them.
  "npm run e2e:electron": ["scripts/e2e-electron.test.ts", "e2eElectron()"],
  "npm run e2e:electron -- --app release/linux-unpacked": [
    ".github/workflows/desktop.yml",
    "npm run e2e:electron -- --app",
  ],
  "npm run dist -- --dir --electron-dist electron --out release": [
    "scripts/dist.test.ts",
    '"--dir", "--electron-dist"',
    '"--out"',
  ],
  "npm run sign-feed -- release --percent 20": [
    "scripts/sign-feed.test.ts",
    '"--percent", "20"',
    "CONSENTRY_FEED_KEY",
  ],
  // It downloads, so no test runs it; that the command is Electron's own is tested below.
  "npx --no install-electron": ["node_modules/electron/package.json", '"install-electron"'],
};

const commands = documents.flatMap((document) =>
  codeBlocks(document, "sh").flatMap((block) => block.trim().split("\n")),
);

describe("commands", () => {
  it("are each run by a test, and none is listed that the documents do not give", () => {
    expect([...new Set(commands)].toSorted()).toEqual(Object.keys(RUN_BY).toSorted());
  });

  it.each(Object.entries(RUN_BY))(
    "%s is run where it is said to be",
    (_command, [file, ...words]) => {
      for (const word of words) expect(read(file)).toContain(word);
      expect(existsSync(join(root, file))).toBe(true);
    },
  );

  it("name npm scripts that exist, and CONTRIBUTING.md tells of every one a developer types", () => {
    const table = tableOf(readDocument(root, "CONTRIBUTING.md"), "command");
    const told = table.flatMap(([command = ""]) => codeWords(command)).map(scriptOf);
    const typed = commands
      .flatMap((line) => line.match(/npm (?:run (?:--silent )?)?[\w:-]+/g) ?? [])
      .map(scriptOf);
    const known = [...Object.keys(scripts), "ci"];
    expect([...told, ...typed].filter((name) => !known.includes(name))).toEqual([]);
    const forPeople = ["start", "sample-agent", "audit", "own-data", "connect"];
    expect(told.toSorted()).toEqual(
      Object.keys(scripts)
        .filter((name) => !forPeople.includes(name))
        .toSorted(),
    );
  });

  it("fetch Electron by the name that its package gives the command", () => {
    const { bin } = JSON.parse(read("node_modules/electron/package.json"));
    expect(existsSync(join(root, "node_modules/electron", bin["install-electron"]))).toBe(true);
  });
});

function scriptOf(command: string): string {
  return command.replace(/^npm (?:run (?:--silent )?)?/, "");
}

describe("snippets", () => {
  const examples = globSync("{sdk,agent-host}/examples/*.ts", { cwd: root }).map(read);

  it("in TypeScript are examples that are compiled and run", () => {
    const snippets = documents.flatMap((document) => codeBlocks(document, "ts"));
    expect(snippets.length).toBeGreaterThan(1);
    expect(snippets.filter((snippet) => !examples.includes(snippet))).toEqual([]);
  });
});

describe("links", () => {
  const anchors = new Map(documents.map((each) => [each.path, anchorsIn(each)]));

  it("lead to files, folders and headings that are there", () => {
    const broken = documents.flatMap((document) =>
      linksIn(document)
        .filter((link) => !/^https?:/.test(link) && !leadsSomewhere(document.path, link))
        .map((link) => `${document.path} -> ${link}`),
    );
    expect(broken).toEqual([]);
  });

  function leadsSomewhere(from: string, link: string): boolean {
    const [file = "", anchor] = link.split("#");
    const path = file === "" ? from : normalize(join(dirname(from), file)).replaceAll("\\", "/");
    if (!existsSync(join(root, path))) return false;
    return anchor === undefined || anchors.get(path)?.includes(anchor) === true;
  }

  it("include every decision in the list of decisions", () => {
    const listed = linksIn(readDocument(root, "docs/decisions/README.md"));
    const files = globSync("[0-9]*.md", { cwd: join(root, "docs/decisions") });
    expect([...listed].toSorted()).toEqual(files.toSorted());
  });
});

describe("words", () => {
  const UNFINISHED = /\bTODO\b|\bFIXME\b|\bTBD\b|\bXXX\b|coming soon|lorem ipsum/i;
  const NOT_THE_READERS = /\/work\/|\/tmp\/(?!notes\.md)|\bthis session\b|\bthe brief\b/i;

  it.each(documents)("of $path are finished and meant for its reader", ({ text }) => {
    expect(text).not.toMatch(UNFINISHED);
    expect(text).not.toMatch(NOT_THE_READERS);
  });
});
