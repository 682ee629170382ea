/** What tools do on the desktop through Electron's own services, on the Electron double. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type DrivenProgram, startUnderDouble, until } from "./electron-double/drive.ts";
import { expect, test } from "./support/fixtures.ts";
import { dropDataDir, newDataDir } from "./support/program.ts";
import { RunningAgent } from "./support/running-agent.ts";

const MAIN = "consentry://app/index.html";
/** One grey pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCA05RTSgAAAABJRU5ErkJggg==";

interface TestWindow extends Window {
  readonly consentry: { call(name: string, args: unknown): Promise<{ readonly result: unknown }> };
}

const MANIFEST = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    tool("send_notification", "notification:send"),
    tool("write_clipboard", "clipboard:write"),
    tool("read_clipboard", "clipboard:read"),
  ],
  permission_scopes: [
    scope("notification:send", "low"),
    scope("clipboard:write", "medium"),
    scope("clipboard:read", "medium"),
  ],
  capability_flags: {},
};

function tool(name: string, permission_scope: string) {
  const input_schema = { type: "object" };
  const description_i18n_key = `agent.tools.${name}.desc`;
  return { name, description_i18n_key, description_fallback: name, input_schema, permission_scope };
}

function scope(id: string, sensitivity: string) {
  return { id, label_i18n_key: `agent.scopes.${id}`, label_fallback: id, sensitivity };
}

let program: DrivenProgram;
let folder: string;
let agent: RunningAgent;
let page: Page;

test.describe.configure({ mode: "serial" });

const call = (name: string, args: unknown) =>
  page.evaluate(
    ([asked, given]) => (window as unknown as TestWindow).consentry.call(asked, given),
    [name, args] as const,
  );
const snapshot = async () => (await call("app.snapshot", {})).result as Snapshot;

interface Snapshot {
  readonly pairings: readonly { readonly pairing_id: string }[];
  readonly consents: readonly { readonly request_id: string }[];
}

async function answerNext(answer: string): Promise<void> {
  const { request_id } = await until(async () => (await snapshot()).consents[0]);
  await call("consent.opened", { request_id });
  // Too early until the card was visible for a while: then it counts.
  await until(async () => {
    await call("consent.answer", { request_id, answer });
    return (await snapshot()).consents.every((each) => each.request_id !== request_id);
  });
}

test.beforeAll(async () => {
  folder = newDataDir();
  program = await startUnderDouble({ args: ["--data-dir", join(folder, "data")] });
  page = await program.page(MAIN);
  agent = new RunningAgent((program.ready as { readonly hub: string }).hub, folder);
  const { done } = agent.pair("Ada", MANIFEST);
  const { pairing_id } = await until(async () => (await snapshot()).pairings[0]);
  const granted_scopes = MANIFEST.permission_scopes.map(({ id }) => id);
  await call("pairing.answer", { pairing_id, accept: true, granted_scopes });
  await done;
});

test.afterAll(async () => {
  await agent?.kill();
  await program?.stop();
  dropDataDir(folder);
});

test("an image an agent copies is on the clipboard, and comes back as it was", async () => {
  const facts = { width: 1, height: 1, size_bytes: 67 };
  const writing = agent.call("write_clipboard", { image: PNG });
  const cards = await program.page("consentry://app/consent.html");
  await expect(cards.getByTestId("consent-image")).toHaveJSProperty("naturalWidth", 1);
  await answerNext("allow_once");
  expect(await writing).toEqual({ result: facts });
  const reading = agent.call("read_clipboard", { format: "image" });
  await answerNext("allow_in_conversation");
  expect(await reading).toEqual({ result: { image: PNG, mime_type: "image/png", ...facts } });
  await program.act({ act: "copy", text: "words" });
  expect(await agent.call("read_clipboard", {})).toEqual({ result: { text: "words" } });
  expect(await agent.call("read_clipboard", { format: "image" })).toMatchObject({
    error: { reason: "clipboard_empty" },
  });
});

test("a click on a notification brings the window up, at its conversation", async () => {
  await agent.call("send_notification", { title: "Look" });
  const { window } = await until(async () =>
    (await program.windows()).find(({ url }) => url.startsWith(MAIN)),
  );
  await program.act({ act: "close", window });
  await page.waitForFunction(() => document.hidden);
  expect(await program.act({ act: "notification", title: "Ada: Look" })).toBe(true);
  await page.waitForFunction(() => location.hash.startsWith("#/conversations?open="));
  await expect(page.getByTestId("thread")).toBeVisible();
  const shown = (await program.windows()).find(({ url }) => url.startsWith(MAIN));
  expect(shown).toMatchObject({ visible: true, focused: true });
});

test("more than five within a minute, of requests too, become one, replaced in place", async () => {
  const results = [];
  for (let n = 0; n < 6; n += 1)
    results.push(await agent.call("send_notification", { title: "x" }));
  expect(results.at(-1)).toEqual({ result: { shown: true, folded: true } });
  const record = await program.record();
  const bodies = (what: string) =>
    record
      .filter((each) => each.what === what)
      .map(({ detail }) => (detail as { body: string }).body);
  // Two requests and a notification came before these six.
  const folded = [
    "1 more notification within a minute",
    "2 more notifications within a minute",
    "3 more notifications within a minute",
    "4 more notifications within a minute",
  ];
  expect(bodies("notification").slice(-4)).toEqual(folded);
  expect(bodies("notification.close")).toEqual(folded.slice(0, 3));
});

test("the folder dialog opens on the asking window and gives what was chosen", async () => {
  const picking = call("folders.pick", {});
  const opened = await until(async () =>
    (await program.record()).find(({ what }) => what === "dialog.open"),
  );
  expect(opened.detail).toMatchObject({ attached: true });
  await program.act({ act: "choose", path: "/home/ada" });
  expect(await picking).toEqual({ ok: true, result: { path: "/home/ada" } });
});
