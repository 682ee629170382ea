import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { APP_IDS, type AppId } from "../../app/bridge/app-views.ts";
import { AppConnections } from "./app-connections.ts";
import { entryIn } from "./config-text.ts";
import { KNOWN_APPS } from "./known-apps.ts";

const MCP = { command: "/opt/node", args: ["/opt/consentry/mcp.ts", "--data-dir", "/data"] };
const OTHERS: Readonly<Record<string, string>> = {
  json: '{\n  // mine\n  "theme": "dark"\n}\n',
  toml: 'model = "m" # mine\n',
  yaml: "GOOSE_MODEL: m # mine\n",
};

let home: string;
let apps: AppConnections;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "consentry-apps-"));
  const dataDir = join(home, "data");
  mkdirSync(dataDir);
  const places = { platform: "linux", home, env: {} } as const;
  apps = new AppConnections({ dataDir, places, mcp: MCP });
});
afterEach(() => rmSync(home, { recursive: true }));

const placesOf = () => ({ platform: "linux", home, env: {} }) as const;
const fileOf = (id: AppId): string => KNOWN_APPS[id].file(placesOf());

function install(id: AppId, text?: string): string {
  const file = fileOf(id);
  for (const sign of KNOWN_APPS[id].signs(placesOf()).slice(-1))
    mkdirSync(sign, { recursive: true });
  mkdirSync(dirname(file), { recursive: true });
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

function make(id: AppId, connect = true): void {
  apps.apply(id, connect, apps.change(id, connect).digest);
}

const stateOf = (id: AppId) => apps.list().find(({ app_id }) => app_id === id)?.state;

it("lists the programs that are installed, and no others", () => {
  expect(apps.list()).toEqual([]);
  install("cursor");
  expect(apps.list()).toEqual([
    { app_id: "cursor", name: "Cursor", file: fileOf("cursor"), state: "not_connected" },
  ]);
});

describe.each(APP_IDS)("%s", (id) => {
  const { format, table, entry } = KNOWN_APPS[id];
  const other = OTHERS[format] ?? "";

  it("gets our entry beside its own settings, and its file back as it was", () => {
    const file = install(id, other);
    chmodSync(file, 0o640);
    make(id);
    const written = readFileSync(file, "utf8");
    expect(written).toContain("mine");
    expect(entryIn(format, written, [table, "consentry"])).toEqual(entry(MCP));
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(`${file}.before-consentry`, "utf8")).toBe(other);
    expect(stateOf(id)).toBe("connected");
    make(id, false);
    expect(readFileSync(file, "utf8")).toBe(other);
    expect(stateOf(id)).toBe("not_connected");
  });

  it("keeps what was written later when our entry is taken out", () => {
    const file = install(id, other);
    make(id);
    writeFileSync(file, readFileSync(file, "utf8").replace("mine", "mine, later"));
    make(id, false);
    const left = readFileSync(file, "utf8");
    expect(left).toContain("mine, later");
    expect(entryIn(format, left, [table, "consentry"])).toBeUndefined();
  });

  it("gets a file if it has none, which goes again with our entry", () => {
    const file = install(id);
    make(id);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    make(id, false);
    expect(existsSync(file)).toBe(false);
  });
});

describe("what others do to the file", () => {
  it("is seen: the entry removed, changed, or the file no longer readable", () => {
    const file = install("cursor", "{}\n");
    make("cursor");
    const written = readFileSync(file, "utf8");
    writeFileSync(file, written.replace("/data", "/elsewhere"));
    expect(stateOf("cursor")).toBe("changed");
    writeFileSync(file, "{}\n");
    expect(stateOf("cursor")).toBe("removed");
    writeFileSync(file, "{ half");
    expect(stateOf("cursor")).toBe("unreadable");
  });

  it("after the person looked at the change makes it a different one, which is refused", () => {
    const file = install("cursor", "{}\n");
    const { digest } = apps.change("cursor", true);
    writeFileSync(file, '{ "mine": 1 }\n');
    expect(() => apps.apply("cursor", true, digest)).toThrow("config_changed");
    expect(readFileSync(file, "utf8")).toBe('{ "mine": 1 }\n');
  });
});

it("writes through a link to the file that the person keeps elsewhere", () => {
  const file = install("cursor");
  const kept = join(home, "dotfiles.json");
  writeFileSync(kept, "{}\n");
  symlinkSync(kept, file);
  make("cursor");
  expect(readlinkSync(file)).toBe(kept);
  expect(readFileSync(kept, "utf8")).toContain("consentry");
});

it.each([
  ["what is no JSON", "{ half"],
  ["a list where the servers belong", '{ "mcpServers": [] }'],
])("refuses to touch %s", (_, text) => {
  const file = install("cursor", text);
  expect(() => apps.change("cursor", true)).toThrow("config_unreadable");
  expect(readFileSync(file, "utf8")).toBe(text);
});

it("keeps the byte order mark that a Windows editor put before the text", () => {
  const file = install("cursor", '\uFEFF{ "a": 1 }');
  make("cursor");
  expect(readFileSync(file, "utf8").startsWith('\uFEFF{ "a": 1')).toBe(true);
  expect(stateOf("cursor")).toBe("connected");
});

it("does nothing for a program that is not installed", () => {
  expect(() => apps.change("zed", true)).toThrow("not_found");
});
