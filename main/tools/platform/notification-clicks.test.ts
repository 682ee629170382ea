import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { notifySend, WAITING_AT_MOST } from "./notification-programs.ts";
import type { ConversationPlace } from "./platform-services.ts";

const never = new AbortController().signal;
let base: string;
let ended: AbortController;
let opened: ConversationPlace[];

beforeEach(() => {
  base = scratchFolder();
  ended = new AbortController();
  opened = [];
});
afterEach(() => ended.abort());

/**
 * A fake notify-send 0.8: prints the number when it ends. With an action, it waits for a file of
 * that number that says which one was invoked. Stores its arguments under its process id.
 */
function notifier(body = "") {
  const script = `#!${process.execPath}
    const fs = require("node:fs");
    const argv = process.argv.slice(2);
    if (argv[0] === "--help") { console.log("--action --print-id --replace-id"); process.exit(); }
    fs.writeFileSync("${base}/" + process.pid + ".part", JSON.stringify(argv));
    fs.renameSync("${base}/" + process.pid + ".part", "${base}/" + process.pid + ".argv");
    ${body}
    const replaced = argv.find((each) => each.startsWith("--replace-id="));
    const number = replaced ? replaced.slice(13) : String(process.pid);
    if (argv.includes("--print-id")) { console.log(number); process.exit(); }
    setInterval(() => {
      if (!fs.existsSync("${base}/click-" + number)) return;
      console.log(fs.readFileSync("${base}/click-" + number, "utf8"));
      process.exit();
    }, 5);`;
  writeFileSync(join(base, "notify-send"), script);
  chmodSync(join(base, "notify-send"), 0o755);
  const host = {
    opened: (place: ConversationPlace) => void opened.push(place),
    ended: ended.signal,
  };
  return notifySend(join(base, "notify-send"), { PATH: base }, host);
}

const note = (agentId: string, replaces: string | null = null) => ({
  title: "t",
  body: "<b>",
  agentName: "Bot",
  agentId,
  conversationId: `${agentId}-c`,
  replaces,
  folded: 0,
});

/** Process ids of the notifiers started, oldest first. */
const started = (): number[] =>
  readdirSync(base)
    .filter((name) => name.endsWith(".argv"))
    .map((name) => Number.parseInt(name, 10))
    .sort((one, other) => one - other);
const argvOf = (pid: number): string[] =>
  JSON.parse(readFileSync(join(base, `${pid}.argv`), "utf8")) as string[];
/** Like a server: writes the action's name in one piece. */
function invoke(id: number, action: string): void {
  writeFileSync(join(base, "part"), action);
  renameSync(join(base, "part"), join(base, `click-${id}`));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return (
      !existsSync(`/proc/${pid}/stat`) ||
      !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")
    );
  } catch {
    return false;
  }
}
const running = () => started().filter(isRunning);
const SHOWS = "--print-id";
/** The processes that wait for a click on this notification. */
const waitingOn = (id: number) =>
  running().filter((pid) => {
    const argv = argvOf(pid);
    return argv.includes(`--replace-id=${id}`) && !argv.includes(SHOWS);
  });

describe.skipIf(process.platform === "win32")("a notify-send that tells clicks", () => {
  it("leads a click to the conversation, once, and is gone", async () => {
    await notifier().show(note("a"), never);
    const text = ["--", "t", "&lt;b&gt;"];
    const [id = 0] = started().filter((pid) => argvOf(pid).includes(SHOWS));
    expect(argvOf(id)).toEqual(["--app-name=Consentry", SHOWS, ...text]);
    await expect.poll(() => waitingOn(id)).toHaveLength(1);
    expect(argvOf(waitingOn(id)[0] ?? 0)).toEqual([
      "--app-name=Consentry",
      `--replace-id=${id}`,
      "--action=default=Consentry",
      ...text,
    ]);
    expect(opened).toEqual([]);
    invoke(id, "default");
    await expect.poll(() => opened).toMatchObject([{ agentId: "a", conversationId: "a-c" }]);
    await expect.poll(running).toEqual([]);
  });

  it("takes nothing else a server says for a click", async () => {
    await notifier().show(note("a"), never);
    await expect.poll(running).toHaveLength(1);
    invoke(Math.min(...started()), "defaults");
    await expect.poll(running).toEqual([]);
    expect(opened).toEqual([]);
  });

  it("replaces the folded one in place, and waits once for its click", async () => {
    const service = notifier(`const fixed = { one: "101", more: "102", others: "103" };
      const id = fixed[argv.at(-1)];
      if (argv.includes("--print-id")) { console.log(id); process.exit(); }`);
    const show = (body: string, replaces: string | null) =>
      service.show({ ...note("a", replaces), body }, never);
    await show("one", null);
    await show("more", "folded:a");
    await show("others", "folded:b");
    await expect.poll(() => waitingOn(102)).toHaveLength(1);
    const [older = 0] = waitingOn(102);
    await show("more", "folded:a");
    await expect.poll(() => isRunning(older)).toBe(false);
    await expect.poll(() => [101, 102, 103].map((id) => waitingOn(id).length)).toEqual([1, 1, 1]);
    const replacing = started().filter((pid) => {
      const argv = argvOf(pid);
      return argv.includes("--replace-id=102") && argv.includes(SHOWS);
    });
    expect(replacing).toHaveLength(1);
    invoke(102, "default");
    await expect.poll(() => opened).toHaveLength(1);
  });

  it("keeps only so many waiting, and none once the host has ended", async () => {
    const service = notifier();
    for (let n = 0; n < WAITING_AT_MOST + 2; n += 1) await service.show(note(`a${n}`), never);
    const shown = () => started().filter((pid) => argvOf(pid).includes(SHOWS));
    await expect.poll(() => shown().flatMap(waitingOn)).toHaveLength(WAITING_AT_MOST);
    ended.abort();
    await expect.poll(running).toEqual([]);
  });

  it("ends when the call is aborted before the server answered", async () => {
    const service = notifier("setInterval(() => {}, 1000); return;");
    const abort = new AbortController();
    const showing = service.show(note("a"), abort.signal);
    const cancelled = expect(showing).rejects.toMatchObject({ code: "cancelled" });
    await expect.poll(started).toHaveLength(1);
    abort.abort();
    await cancelled;
    await expect.poll(running).toEqual([]);
    await expect(service.show(note("a"), AbortSignal.abort())).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(started()).toHaveLength(1);
  });

  it("is content with a server that knows no actions, and fails when nothing was shown", async () => {
    await notifier(`console.log("7"); process.exit(0);`).show(note("a"), never);
    await expect(notifier("process.exit(1);").show(note("a"), never)).rejects.toThrow();
    await expect(notifier("process.exit(0);").show(note("a"), never)).rejects.toThrow();
  });
});
