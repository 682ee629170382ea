import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findText, formsIn } from "./support/find-text.ts";
import { test as base, expect } from "./support/fixtures.ts";
import { messagesHeld } from "./support/hub-queue.ts";
import type { Program } from "./support/program.ts";
import type { RunningAgent } from "./support/running-agent.ts";
import { openSite } from "./support/site.ts";
import { type Stage, scrollCardToEnd } from "./support/stage.ts";

/** Begins every argument of this file's calls: nothing else in the world does. */
const MARK = `mark${randomBytes(9).toString("hex")}`;
/** A call's id: the log has it, the hub must not. */
const CALL_ID = `call${randomBytes(9).toString("hex")}`;
const HUB_FILES = /^hub\.db(-wal|-shm)?$/;
let marks = 0;
const marked = (): string => {
  marks += 1;
  return `${MARK}n${marks}`;
};

const test = base.extend<{ address: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  address: async ({}, use) => {
    const site = await openSite((request, response) => {
      if (request.url?.includes("answer")) response.end(marked());
    });
    await use(`http://${site.host}`);
    site.close();
  },
});
test.use({ keepsProfile: true });

/** What the pages of a program put into their own storage. */
async function pageStorage(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    // Not there under an address that is no secure context.
    const caches = "caches" in globalThis ? await globalThis.caches.keys() : [];
    return JSON.stringify({
      local: { ...localStorage },
      session: { ...sessionStorage },
      databases,
      caches,
    });
  });
}

/** Everywhere outside memory, as it is now. */
async function expectNoMark(stage: Stage, programs: readonly Program[]): Promise<void> {
  expect(findText(stage.dataDir, MARK)).toEqual([]);
  for (const { stdout, stderr, profile } of programs) {
    expect(formsIn(Buffer.from([...stdout, ...stderr].join("\n")), MARK)).toEqual([]);
    if (profile !== null && profile === stage.program.profile) {
      expect(findText(profile, MARK)).toEqual([]);
    }
  }
}

async function expectNoMarkInPages({ main, cards }: Program): Promise<void> {
  for (const page of [main, cards]) {
    const stored = await pageStorage(page);
    expect(formsIn(Buffer.from(stored), MARK)).toEqual([]);
    expect(JSON.parse(stored)).toMatchObject({ databases: [], caches: [] });
  }
}

async function allowed(stage: Stage, called: Promise<unknown>): Promise<unknown> {
  await stage.press("consent-allow-once");
  return await called;
}

/** Calls of every tool that a test machine has, allowed. */
async function callTools(stage: Stage, agent: RunningAgent, address: string): Promise<void> {
  const [name, content] = [`${marked()}.txt`, marked()];
  const folder = stage.folderWith({ [name]: content });
  const path = join(folder, name);
  await agent.call("send_notification", { title: marked() });
  const read = agent.call("read_file", { path });
  expect(await allowed(stage, read)).toMatchObject({ result: { content } });
  const listed = agent.call("list_directory", { path: folder });
  await stage.opensFolder();
  expect(await listed).toMatchObject({ result: { entries: [{ name }] } });
  const text = marked();
  const copied = agent.call("write_clipboard", { text });
  expect(await allowed(stage, copied)).toEqual({ result: { length: text.length } });
  expect(await allowed(stage, agent.call("read_clipboard", {}))).toEqual({ result: { text } });
  const written = agent.call("write_file", { path: join(folder, marked()), content: marked() });
  expect(await allowed(stage, written)).toMatchObject({ result: { created: true } });
  const fetched = agent.call("fetch_url", { url: `${address}/answer?${marked()}` });
  expect(await allowed(stage, fetched)).toMatchObject({ result: { status_code: 200 } });
}

/** The person looks at what a call asked and was given; by keys, for what unfolds moves the rest. */
async function lookAtCalls(stage: Stage): Promise<void> {
  const main = await stage.open("conversations");
  await main.getByTestId("conversation-row").filter({ hasText: "End-to-end agent" }).click();
  const card = main.locator('[data-testid="call-entry"][data-tool="fetch_url"]');
  await card.getByTestId("call-open").press("Enter");
  await card.getByTestId("call-asked").press("Enter");
  await expect(card.getByTestId("call-arguments")).toContainText(MARK);
  await card.getByTestId("call-given").press("Enter");
  await expect(card.getByTestId("call-result")).toContainText(MARK);
}

/** Calls that fail, each in another way. */
async function callInVain(stage: Stage, agent: RunningAgent, address: string): Promise<void> {
  const denied = agent.call("write_clipboard", { text: marked() });
  await stage.press("consent-deny");
  expect(await denied).toMatchObject({ error: { reason: "user_refused" } });

  const path = join(stage.folderWith({}), marked());
  const late = agent.call("write_file", { path, content: marked() });
  const card = await stage.card();
  await expect(card.getByTestId("consent-countdown")).toBeVisible();
  const allow = card.getByTestId("consent-allow-once");
  await allow.evaluate(scrollCardToEnd);
  await expect(allow).not.toHaveAttribute("aria-disabled", "true");
  await stage.program.jump(30_000);
  expect(await late).toMatchObject({ error: { reason: "user_timeout" } });

  const hanging = agent.call("fetch_url", { url: `${address}/hang?${marked()}` });
  await stage.press("consent-allow-once");
  await expect(async () => {
    await stage.program.jump(15_000);
    expect(await Promise.race([hanging, null])).not.toBeNull();
  }).toPass();
  expect(await hanging).toMatchObject({ error: { reason: "tool_timeout" } });

  const missing = agent.call("read_file", { path: join(stage.folderWith({}), marked()) });
  expect(await missing).toMatchObject({ error: { reason: "not_found" } });
}

/** Calls that nobody is asked about. */
async function callHostile(agent: RunningAgent, group: string): Promise<void> {
  const invalid = { error: { code: "TOOL_INVALID_ARGUMENTS" } };
  expect(await agent.call("write_clipboard", { text: 7, more: marked() })).toMatchObject(invalid);
  expect(await agent.call("write_clipboard", { [marked()]: marked() })).toMatchObject(invalid);
  expect(await agent.call("send_notification", { title: [marked()] })).toMatchObject(invalid);
  const command = { argv: marked(), directory: marked() };
  expect(await agent.call("run_command", command)).toMatchObject(invalid);
  const paths = [
    `/etc/${marked()}`,
    `../../${marked()}`,
    `C:\\${marked()}:x`,
    `\\\\h\\${marked()}`,
  ];
  for (const path of [...paths, `/proc/self/${marked()}`, `/tmp/\u0000${marked()}`]) {
    expect(await agent.call("read_file", { path })).toHaveProperty("error");
  }
  const once = { callId: "used-again", timeoutMs: 30_000 };
  await agent.call("send_notification", { title: marked() }, once);
  expect(await agent.call("send_notification", { title: marked() }, once)).toMatchObject({
    error: { reason: "call_id_reused" },
  });
  const inGroup = agent.call(
    "send_notification",
    { title: marked() },
    { timeoutMs: 30_000 },
    group,
  );
  expect(await inGroup).toMatchObject({ error: { reason: "tool_not_supported_in_group" } });
  for (const [call_id, args] of Object.entries(hostileArguments())) {
    const scope = { tool_name: "send_notification", permission_scope: "notification:send" };
    const flat = { subtype: "tool_call", call_id, arguments: args, ...scope };
    expect(await agent.artifact(flat, call_id)).toMatchObject({ status: "error" });
  }
  const undeclared = { call_id: "rocket", tool_name: "launch_rocket", permission_scope: "a:b" };
  const payload = { ...undeclared, arguments: { where: marked() } };
  const nested = { subtype: "tool_call", artifact_id: "rocket", payload };
  expect(await agent.artifact(nested, "rocket")).toMatchObject({ status: "denied" });
}

function hostileArguments(): Readonly<Record<string, unknown>> {
  return {
    surrogate: { title: `${marked()}\ud800` },
    list: [marked()],
    text: marked(),
    large: { title: marked().repeat(3_000) },
  };
}

test("no argument is in the clear anywhere, whatever becomes of the call", async ({
  stage,
  address,
}) => {
  test.setTimeout(180_000);
  const before = stage.program;
  const { agent, credentials } = await stage.connectedAgent();
  await callTools(stage, agent, address);
  await lookAtCalls(stage);
  await callInVain(stage, agent, address);
  const group = await stage.newGroup("", credentials.agentId);
  await callHostile(agent, group);
  await stage.open("activity");
  await expectNoMarkInPages(before);
  await expectNoMark(stage, [before]);

  const name = `${marked()}.txt`;
  const path = join(stage.folderWith({ [name]: marked() }), name);
  const options = { timeoutMs: 120_000, callId: CALL_ID };
  const waiting = agent.call("read_file", { path }, options);
  await stage.card();
  // What waits for its recipient is still with the hub, and encrypted.
  await expect.poll(() => messagesHeld(stage.dataDir)).toBeGreaterThan(0);
  await stage.program.kill();
  expect(findText(stage.dataDir, MARK)).toEqual([]);
  expect(findText(stage.dataDir, CALL_ID, HUB_FILES)).toEqual([]);
  const after = await stage.start();
  // The agent comes back when its next attempt is due: up to 30 s later.
  await expect(after.cards.getByTestId("consent-card")).toHaveCount(1, { timeout: 45_000 });
  await stage.press("consent-deny");
  expect(await waiting).toMatchObject({ error: { reason: "user_refused" } });
  await expectNoMarkInPages(after);
  await expectNoMark(stage, [before, after]);

  // The look itself works.
  expect(findText(stage.dataDir, CALL_ID)).not.toEqual([]);

  // Nothing is left for the hub to keep, once everybody has what was sent.
  await expect.poll(() => messagesHeld(stage.dataDir)).toBe(0);
  await agent.kill();
  expect(await stage.program.stop()).toBe(0);
  expect(findText(stage.dataDir, MARK)).toEqual([]);
});

test("the look finds a text in each form in which it could have been written", () => {
  const folder = mkdtempSync(join(tmpdir(), "consentry-look-"));
  mkdirSync(join(folder, "within"));
  const forms = ["utf8", "utf16le", "base64", "base64url", "hex"] as const;
  for (const form of forms) {
    for (const before of ["", "a", "ab"]) {
      const bytes = Buffer.from(`${before}${MARK} and more`, form === "utf16le" ? form : "utf8");
      const written = form === "utf16le" ? bytes : bytes.toString(form);
      writeFileSync(join(folder, "within", `${form}-${before.length}`), written);
    }
  }
  const found = new Set(findText(folder, MARK).map((line) => line.split(": ")[0]));
  expect(found.size).toBe(forms.length * 3);
  expect(findText(folder, `${MARK}x`)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});
