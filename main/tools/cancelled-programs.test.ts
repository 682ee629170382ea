import { getEventListeners } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import type { Tool, ToolContext } from "../../app/execution/ports.ts";
import { createI18n } from "../../i18n/index.ts";
import { readClipboardTool, writeClipboardTool } from "./clipboard.ts";
import { CommandHarness, until } from "./command/testing/command-harness.ts";
import { WAYS } from "./command/testing/ways.ts";
import { programClipboard, programImages } from "./platform/clipboard-programs.ts";
import { foldNotifications } from "./platform/notification-fold.ts";
import { notifySend } from "./platform/notification-programs.ts";
import { NO_SERVICES, type PlatformServices } from "./platform/platform-services.ts";
import { testPng } from "./platform/testing/test-png.ts";
import { sendNotificationTool } from "./send-notification.ts";
import { children, expectHeld, held, turns } from "./testing/cancel-many.ts";
import { toolContext } from "./testing/tool-context.ts";

/**
 * Real programs, killed together with the calls that started them. Starting one takes milliseconds,
 * so there are not ten thousand unless the variable asks for it.
 */
const CALLS = Number(process.env.CONSENTRY_CANCELLED_PROGRAMS ?? 100);
const AT_ONCE = 10;
const TIMEOUT = { timeout: 20_000 + CALLS * 200 };

/**
 * Event-loop turns after which a call is aborted: before it begins, on its way, or once its program
 * runs.
 */
const MOMENTS = ["before", 0, 1, 2, 3, 5, 8, 20, 100, "begun"] as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "consentry-programs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that never ends, except when it is asked about its features. */
function endless(): string {
  const path = join(folder, "endless");
  const help = "echo --action --print-id --replace-id";
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --help ] && ${help} || exec sleep 600\n`);
  chmodSync(path, 0o755);
  return path;
}

interface Told {
  readonly words: ReadonlySet<unknown>;
  readonly listeners: number;
}

interface Programs {
  readonly tool: Tool;
  readonly args: (nth: number) => JsonObject;
  readonly given?: Partial<ToolContext>;
  /** Whether this call's program is running. */
  readonly hasBegun: (nth: number) => boolean;
}

async function cancelEach({ tool, args, given, hasBegun }: Programs): Promise<Told> {
  const words = new Set<unknown>();
  let listeners = 0;
  const one = async (nth: number): Promise<void> => {
    const stop = new AbortController();
    const { signal } = stop;
    const moment = MOMENTS[nth % MOMENTS.length];
    if (moment === "before") stop.abort();
    const call = tool.run(args(nth), toolContext({ ...given, signal })).then(
      () => words.add("done"),
      (error: { readonly code?: unknown }) => words.add(error.code),
    );
    if (moment === "begun") await until(() => hasBegun(nth));
    if (typeof moment === "number") await turns(moment);
    stop.abort();
    await call;
    listeners += getEventListeners(signal, "abort").length;
  };
  for (let from = 0; from < CALLS; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => one(from + at)));
  }
  return { words, listeners };
}

const CANCELLED: Told = { words: new Set(["cancelled"]), listeners: 0 };

describe.skipIf(process.platform !== "linux")("run_command cancelled many times", () => {
  it.each(WAYS)("leaves nothing over, $way", TIMEOUT, async ({ options }) => {
    using harness = new CommandHarness(options);
    await harness.run(["true"]);
    const before = held();
    const temporary = temporaryFolders();
    const script = 'echo > "$1"; sleep 600 & sleep 600 & wait';
    const programs: Programs = {
      tool: harness.tool,
      args: (nth) => ({ argv: ["sh", "-c", script, "x", `${nth}`], directory: harness.root }),
      given: { roots: harness.roots },
      hasBegun: (nth) => existsSync(harness.inside(`${nth}`)),
    };
    expect(await cancelEach(programs)).toEqual(CANCELLED);
    // Immediately: once a call has ended, everything that it started must have ended too.
    expect(children()).toBe("");
    await expectHeld(before);
    expect(temporaryFolders()).toEqual(temporary);
  });
});

const temporaryFolders = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("consentry-command-"));

describe.skipIf(process.platform !== "linux")("a desktop's programs cancelled many times", () => {
  const PNG = testPng(2, 2).toString("base64");
  /** Minutes apart, so that none is combined with others. */
  const notifying = (of: PlatformServices): Tool => {
    let at = 0;
    const now = () => (at += 60_000);
    return sendNotificationTool({
      platform: of,
      folding: foldNotifications(now),
      texts: () => createI18n("en").t,
      wanted: () => true,
      label: () => null,
    });
  };

  const platform = (): PlatformServices => {
    const command = [endless()] as const;
    const both = { read: command, write: command };
    const host = { opened: () => {}, ended: new AbortController().signal };
    return {
      ...NO_SERVICES,
      clipboard: () => programClipboard(both, {}),
      clipboardImages: () => programImages({ ...both, types: command, carried: "bytes" }, {}),
      notifications: () => notifySend(endless(), {}, host),
    };
  };
  const TOOLS: readonly (readonly [string, (of: PlatformServices) => Tool, JsonObject])[] = [
    ["read_clipboard", readClipboardTool, {}],
    ["write_clipboard", writeClipboardTool, { text: "x" }],
    ["read_clipboard, an image", readClipboardTool, { format: "image" }],
    ["write_clipboard, an image", writeClipboardTool, { image: PNG }],
    ["send_notification", notifying, { title: "t" }],
  ];

  it.each(TOOLS)("%s leaves nothing over", TIMEOUT, async (_, make, args) => {
    const before = held();
    const tool = make(platform());
    const hasBegun = () => children() !== "";
    expect(await cancelEach({ tool, args: () => args, hasBegun })).toEqual(CANCELLED);
    for (let at = 0; at < 100_000 && children() !== ""; at += 1) await turns(1);
    expect(children()).toBe("");
    await expectHeld(before);
  });
});
