import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, "utf8");
const types = read("node_modules/electron/electron.d.ts");
const sources = globSync(["main/desktop/**/*.ts", "preload/*.ts"], { cwd: root })
  .filter((path) => !path.endsWith(".test.ts") && !path.includes("testing"))
  .map((path) => ({ path, text: read(path) }));

/** A member or event of one of Electron's classes, with the comment that stands before it. */
function declared(owner: string, member: string, event = false): readonly string[] {
  const block = new RegExp(
    `^ {2}(?:class|interface) ${owner}(?: extends [\\w.<>]+)? \\{\\n(.*?)^ {2}\\}`,
    "ms",
  );
  const body = block.exec(types)?.[1] ?? "";
  const name = event ? `(?:on|once)\\(event: '${member}'` : `(?:static |readonly )*${member}[(?:<]`;
  const found = body.matchAll(
    new RegExp(`((?:^ {4}/\\*\\*\\n(?:^ {5}\\*.*\\n)*?^ {5}\\*/\\n)?)^ {4}${name}`, "gm"),
  );
  return [...found].map(([, comment = ""]) => comment);
}

/** What our sources call an object → Electron's name for its class. */
const OWNERS: Readonly<Record<string, string>> = {
  app: "App",
  BrowserWindow: "BrowserWindow",
  clipboard: "Clipboard",
  contents: "WebContents",
  contextBridge: "ContextBridge",
  dialog: "Dialog",
  globalShortcut: "GlobalShortcut",
  ipcMain: "IpcMain",
  ipcRenderer: "IpcRenderer",
  main: "BrowserWindow",
  Menu: "Menu",
  nativeImage: "NativeImage",
  Notification: "Notification",
  powerMonitor: "PowerMonitor",
  protocol: "Protocol",
  safeStorage: "SafeStorage",
  screen: "Screen",
  session: "Session",
  systemPreferences: "SystemPreferences",
  tray: "Tray",
  utilityProcess: "UtilityProcess",
  window: "BrowserWindow",
  webContents: "WebContents",
};

/** Names that stand for something of ours in these files. */
const OUR_OWN: Readonly<Record<string, readonly string[]>> = {
  "main/desktop/desktop-host.ts": ["main", "tray"],
  "main/desktop/follow-program.ts": ["tray"],
  "main/desktop/open-window.ts": ["protocol"],
};

const LISTENS = ["on", "once", "off"];

const used = sources.flatMap(({ path, text }) => {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const calls = [...code.matchAll(/\b(\w+)\??\.(\w+)\((?:"([a-z-]+)")?/g)];
  return calls.flatMap(([, object = "", member = "", event]) => {
    const owner = OWNERS[object];
    if (owner === undefined || OUR_OWN[path]?.includes(object)) return [];
    const listens = LISTENS.includes(member) && event !== undefined;
    return [{ path, owner, member: listens ? event : member, listens }];
  });
});

const once = [...new Map(used.map((use) => [`${use.owner} ${use.member}`, use])).values()];

describe("every part of Electron that is used", () => {
  test("is found: each imported name is called, or is one of the classes that are checked", () => {
    expect(once.length).toBeGreaterThan(50);
    const imported = sources.flatMap(({ text }) =>
      [...text.matchAll(/import \{([^}]*)\} from "electron"/g)].flatMap(([, names = ""]) =>
        names.split(",").map((name) => name.trim()),
      ),
    );
    const values = imported.filter((name) => name !== "" && !name.startsWith("type "));
    const unknown = values.filter(
      (name) => !new RegExp(`^ {2}(?:class|const|interface) ${name}\\b`, "m").test(types),
    );
    expect(unknown).toEqual([]);
  });

  test("is looked for where it would be found: neither what is not there nor what is deprecated passes", () => {
    expect(declared("Protocol", "interceptBufferProtocol")[0]).toContain("@deprecated");
    expect(declared("Tray", "interceptBufferProtocol")).toEqual([]);
    expect(declared("Tray", "exploded", true)).toEqual([]);
  });

  test.each(once)(
    "$owner $member exists and is not deprecated ($path)",
    ({ owner, member, listens }) => {
      const found = declared(owner, member, listens);
      expect(found.length).toBeGreaterThan(0);
      expect(found.every((comment) => comment.includes("@deprecated"))).toBe(false);
    },
  );
});
