import { describe, expect, it } from "vitest";
import { CATALOGUE, catalogueEntry } from "../../app/contract/catalogue.ts";
import { CLIPBOARD_MAX_CHARS } from "../../app/contract/tools/clipboard.ts";
import { type ToolContext, toolFailure } from "../../app/execution/ports.ts";
import { createI18n } from "../../i18n/index.ts";
import { readClipboardTool, writeClipboardTool } from "./clipboard.ts";
import { foldNotifications } from "./platform/notification-fold.ts";
import {
  type ClipboardService,
  firstAvailable,
  NO_SERVICES,
  type NotificationService,
  type NotificationText,
  type PlatformServices,
} from "./platform/platform-services.ts";
import { sendNotificationTool } from "./send-notification.ts";
import { fakeFiles } from "./testing/fake-files.ts";
import { testToolBox } from "./testing/test-tool-box.ts";
import { holding, toolContext } from "./testing/tool-context.ts";

const contextOf = (more: Partial<ToolContext> = {}): ToolContext =>
  toolContext({ agent_name: "Mail helper", conversation_id: "c1", ...more });

const platformWith = (
  clipboard: ClipboardService | null,
  notifications: NotificationService | null = null,
): PlatformServices => ({
  ...NO_SERVICES,
  clipboard: () => clipboard,
  notifications: () => notifications,
});

const notificationTool = (platform: PlatformServices, wanted = true) =>
  sendNotificationTool({
    platform,
    folding: foldNotifications(() => 0),
    texts: () => createI18n("en").t,
    wanted: () => wanted,
    label: (agentId) => (agentId === "named" ? "Archivist" : null),
  });

function memoryClipboard(start = ""): ClipboardService & { text: string } {
  return {
    text: start,
    async read() {
      return this.text;
    },
    async write(text) {
      this.text = text;
    },
  };
}

const failing = (error: unknown): ClipboardService & NotificationService => ({
  read: () => Promise.reject(error),
  write: () => Promise.reject(error),
  show: () => Promise.reject(error),
});

const pending = <T>(): Promise<T> => new Promise<T>(() => undefined);
const hanging: ClipboardService & NotificationService = {
  read: () => pending(),
  write: () => pending(),
  show: () => pending(),
};

const allOver = (service: (ClipboardService & NotificationService) | null) => {
  const platform = platformWith(service, service);
  return [
    { tool: readClipboardTool(platform), args: {} },
    { tool: writeClipboardTool(platform), args: { text: "x" } },
    { tool: notificationTool(platform), args: { title: "x" } },
  ];
};

describe("the clipboard tools", () => {
  it("write and read the same text", async () => {
    const platform = platformWith(memoryClipboard());
    const written = await writeClipboardTool(platform).run({ text: "né\u202e" }, contextOf());
    expect(written).toEqual({ length: 3 });
    expect(await readClipboardTool(platform).run({}, contextOf())).toEqual({ text: "né\u202e" });
  });

  it("take exactly the limit and refuse one more unit, both ways", async () => {
    const fits = "x".repeat(CLIPBOARD_MAX_CHARS);
    const clipboard = memoryClipboard();
    const platform = platformWith(clipboard);
    await writeClipboardTool(platform).run({ text: fits }, contextOf());
    expect(await readClipboardTool(platform).run({}, contextOf())).toEqual({ text: fits });
    // Two units each: the schema counts characters, the clipboard UTF-16 units.
    const text = "🙈".repeat(CLIPBOARD_MAX_CHARS / 2 + 1);
    const over = writeClipboardTool(platform).run({ text }, contextOf());
    await expect(over).rejects.toMatchObject({ code: "too_large" });
    expect(clipboard.text).toBe(fits);
    clipboard.text = `${fits}x`;
    await expect(readClipboardTool(platform).run({}, contextOf())).rejects.toMatchObject({
      code: "too_large",
    });
  });
});

describe("the notification tool", () => {
  async function shown(
    args: { title: string; body?: string },
    agent_name = "Mail helper",
    agent_id = "a",
  ): Promise<NotificationText | undefined> {
    let text: NotificationText | undefined;
    const show = async (notification: NotificationText): Promise<void> => {
      text = notification;
    };
    const tool = notificationTool(platformWith(null, { show }));
    expect(await tool.run(args, contextOf({ agent_name, agent_id }))).toEqual({
      shown: true,
      folded: false,
    });
    return text;
  }

  it("names the agent before anything the agent says", async () => {
    expect(await shown({ title: "System update", body: "Click here" })).toEqual({
      title: "Mail helper: System update",
      body: "Click here",
      agentName: "Mail helper",
      agentId: "a",
      conversationId: "c1",
      replaces: null,
      folded: 0,
    });
    expect((await shown({ title: "Hi" }))?.body).toBe("");
  });

  it("names an agent as the person does", async () => {
    const named = await shown({ title: "Hi" }, "Mail helper", "named");
    expect([named?.title, named?.agentName]).toEqual(["Archivist: Hi", "Archivist"]);
  });

  it("shows controls and direction marks of title, body and name as escapes", async () => {
    expect(await shown({ title: "a\u202eb", body: "c\u0007\nd" }, "\u2066Bot")).toEqual({
      title: "\\u{2066}Bot: a\\u{202e}b",
      body: "c\\u{7}\\u{a}d",
      agentName: "\\u{2066}Bot",
      agentId: "a",
      conversationId: "c1",
      replaces: null,
      folded: 0,
    });
  });
});

describe("every platform tool", () => {
  it("is available exactly while its service is there", () => {
    let service: (ClipboardService & NotificationService) | null = null;
    const platform = {
      ...NO_SERVICES,
      clipboard: () => service,
      notifications: () => service,
    };
    const tools = [
      [readClipboardTool(platform), {}],
      [writeClipboardTool(platform), { text: "x" }],
      [notificationTool(platform), { title: "x" }],
    ] as const;
    expect(tools.map(([tool]) => tool.available())).toEqual([false, false, false]);
    service = hanging;
    expect(tools.map(([tool]) => tool.available())).toEqual([true, true, true]);
    expect(tools.map(([tool, args]) => tool.preflight(args, holding()))).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("passes a coded failure on", async () => {
    for (const { tool, args } of allOver(failing(toolFailure("not_text")))) {
      await expect(tool.run(args, contextOf())).rejects.toMatchObject({ code: "not_text" });
    }
  });

  it("is unavailable when its service has left since", async () => {
    const missing = { name: "ToolUnavailable", code: "no_provider" };
    for (const { tool, args } of allOver(null)) {
      await expect(tool.run(args, contextOf())).rejects.toMatchObject(missing);
    }
  });

  it("refuses notifications that the person has switched off, before they would be asked", async () => {
    const show = async (): Promise<void> => expect.unreachable();
    const tool = notificationTool(platformWith(null, { show }), false);
    const off = { name: "ToolUnavailable", code: "switched_off" };
    await expect(tool.run({ title: "x" }, contextOf())).rejects.toMatchObject(off);
    const context = {
      agent_id: "agent",
      roots: [],
      given: [],
      signal: new AbortController().signal,
    };
    await expect(tool.preview?.({ title: "x" }, context)).rejects.toMatchObject(off);
  });

  it("ends at once when aborted, before and during the call", async () => {
    for (const { tool, args } of allOver(hanging)) {
      const abort = new AbortController();
      const run = tool.run(args, contextOf({ signal: abort.signal }));
      abort.abort();
      await expect(run).rejects.toMatchObject({ code: "cancelled" });
      const late = tool.run(args, contextOf({ signal: abort.signal }));
      await expect(late).rejects.toMatchObject({ code: "cancelled" });
    }
  });
});

describe("firstAvailable", () => {
  it("takes each service from the first that has it at that moment", () => {
    const page = memoryClipboard();
    let system: ClipboardService | null = null;
    const joined = firstAvailable([
      { ...NO_SERVICES, clipboard: () => system },
      platformWith(page, hanging),
    ]);
    expect(joined.clipboard()).toBe(page);
    expect(joined.notifications()).toBe(hanging);
    system = hanging;
    expect(joined.clipboard()).toBe(hanging);
    expect(firstAvailable([]).clipboard()).toBeNull();
  });
});

describe("the tool box", () => {
  const { files } = fakeFiles();

  it("has every tool of the catalogue", () => {
    const box = testToolBox({ files });
    const missing = [...CATALOGUE.values()].filter((entry) => box.tool(entry) === undefined);
    expect(missing).toEqual([]);
  });

  it("checks paths by the rules of the platform it is told", () => {
    const box = testToolBox({ files, paths: "win32" });
    const entry = catalogueEntry("read_file");
    const tool = entry && box.tool(entry);
    expect(tool?.preflight({ path: "/etc/passwd" }, holding())).toMatchObject({
      word: "invalid_path",
    });
    expect(tool?.preflight({ path: "C:\\a\\b" }, holding())).toMatchObject({
      suggested_path: "C:\\a",
    });
  });
});
