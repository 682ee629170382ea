import type { EventEmitter } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Session } from "electron";
import { describe, expect, test, vi } from "vitest";

const made = vi.hoisted(() => [] as Record<string, unknown>[]);
vi.mock("electron", async () => {
  const { EventEmitter } = await import("node:events");
  class Contents extends EventEmitter {
    opener: unknown = null;
    reload = () => {};
    setWindowOpenHandler(handler: unknown): void {
      this.opener = handler;
    }
  }
  class BrowserWindow extends EventEmitter {
    webContents = new Contents();
    loadURL = async () => {};
    constructor(options: Record<string, unknown>) {
      super();
      made.push(options);
    }
  }
  return { BrowserWindow };
});
const { openWindow } = await import("./open-window.ts");

const root = fileURLToPath(new URL("../../", import.meta.url));
const sources = globSync(["main/desktop/**/*.ts", "preload/*.ts"], { cwd: root })
  .filter((path) => !path.endsWith(".test.ts") && !path.includes("testing"))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, "utf8") }));
const filesWith = (what: RegExp) =>
  sources.filter(({ text }) => what.test(text)).map(({ path }) => path);

interface Contents extends EventEmitter {
  readonly opener: (details: { readonly url: string }) => { readonly action: string };
}

// The mock's window is only as much of Electron's as openWindow uses.
const opened = (kind: "main" | "consent") =>
  openWindow({ kind, session: {} as Session, preload: "/p.cjs", place: null })
    .webContents as unknown as Contents;

describe.each(["main", "consent"] as const)("the %s window", (kind) => {
  test("is made without Node, isolated, in a sandbox, and with web security as it is by default", () => {
    opened(kind);
    expect(made.at(-1)).toMatchObject({
      show: false,
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        devTools: false,
        navigateOnDragDrop: false,
      },
    });
    const preferences = Object.keys(made.at(-1)?.webPreferences ?? {});
    for (const weaker of [
      "webSecurity",
      "allowRunningInsecureContent",
      "experimentalFeatures",
      "enableBlinkFeatures",
      "nodeIntegrationInWorker",
      "nodeIntegrationInSubFrames",
    ]) {
      expect(preferences).not.toContain(weaker);
    }
  });

  test.each(["will-navigate", "will-redirect", "will-attach-webview"])(
    "goes nowhere and embeds nothing: %s is prevented",
    (event) => {
      const preventDefault = vi.fn();
      opened(kind).emit(event, { preventDefault });
      expect(preventDefault).toHaveBeenCalledOnce();
    },
  );

  test("opens no other window", () => {
    expect(opened(kind).opener({ url: "https://example.org" })).toEqual({ action: "deny" });
  });
});

test("windows are made in one place, and nothing loads a file, opens a program or runs our own Node", () => {
  expect(filesWith(/new BrowserWindow\(/)).toEqual(["main/desktop/open-window.ts"]);
  expect(filesWith(/loadFile\(|\bshell\.|openExternal/)).toEqual([]);
  expect(filesWith(/ELECTRON_RUN_AS_NODE|crashReporter|openDevTools/)).toEqual([]);
  // The program itself, for another program that wants to reach it.
  expect(filesWith(/child_process/)).toEqual(["main/desktop/command-line.ts"]);
});
