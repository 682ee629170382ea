/** What tools do on the desktop through Electron's own services, on the Electron double. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { until } from "./electron-double/drive.ts";
import { choose } from "./support/choose.ts";
import { CONSENT, MAIN, sharedDesktop } from "./support/desktop.ts";
import { expect, test } from "./support/fixtures.ts";
import type { RunningAgent } from "./support/running-agent.ts";

/** One grey pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCA05RTSgAAAABJRU5ErkJggg==";

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

const desktop = sharedDesktop();
let agent: RunningAgent;
test.beforeAll(async () => {
  agent = await desktop.addAgent(undefined, MANIFEST);
});

async function answerNext(answer: string): Promise<void> {
  const { request_id } = await desktop.waiting();
  await desktop.call("consent.opened", { request_id });
  await desktop.call("consent.read", { request_id });
  // Too early until the card was visible for a while: then it counts.
  await until(async () => {
    await desktop.call("consent.answer", { request_id, answer });
    return (await desktop.snapshot()).consents.every((each) => each.request_id !== request_id);
  });
}

test("an image an agent copies is on the clipboard, and comes back as it was", async () => {
  const facts = { width: 1, height: 1, size_bytes: 67 };
  const writing = agent.call("write_clipboard", { image: PNG });
  const cards = await desktop.program.page(CONSENT);
  await expect(cards.getByTestId("consent-image")).toHaveJSProperty("naturalWidth", 1);
  await answerNext("allow_once");
  expect(await writing).toEqual({ result: facts });
  const reading = agent.call("read_clipboard", { format: "image" });
  await answerNext("allow_in_conversation");
  expect(await reading).toEqual({ result: { image: PNG, mime_type: "image/png", ...facts } });
  await desktop.program.act({ act: "copy", text: "words" });
  expect(await agent.call("read_clipboard", {})).toEqual({ result: { text: "words" } });
  expect(await agent.call("read_clipboard", { format: "image" })).toMatchObject({
    error: { reason: "clipboard_empty" },
  });
});

test("a click on a notification brings the window up, at its conversation", async () => {
  await agent.call("send_notification", { title: "Look" });
  const { page } = desktop;
  const { window } = await desktop.windowAt(MAIN);
  await desktop.program.act({ act: "close", window });
  await page.waitForFunction(() => document.hidden);
  expect(await desktop.program.act({ act: "notification", title: "Ada: Look" })).toBe(true);
  await page.waitForFunction(() => location.hash.startsWith("#/conversations?open="));
  await expect(page.getByTestId("thread")).toBeVisible();
  expect(await desktop.windowAt(MAIN)).toMatchObject({ visible: true, focused: true });
});

test("rules are saved where the person chooses, and come back from that file", async () => {
  const { page } = desktop;
  await page.getByTestId("nav-permissions").click();
  await page.getByTestId("rule-new").click();
  await choose(page.getByTestId("rule-effect"), "deny");
  await choose(page.getByTestId("rule-covers"), "read_clipboard");
  await choose(page.getByTestId("rule-time"), "always");
  await page.getByTestId("rule-save").click();
  await page.getByTestId("rules-export").click();
  await until(async () => (await desktop.recorded("dialog.save"))[0]);
  const file = join(desktop.folder, "rules.json");
  await desktop.program.act({ act: "choose", path: file });
  await until(async () => existsSync(file) || undefined);
  await page.getByTestId("remove-rule").click();
  await expect(page.getByTestId("rule-row")).toHaveCount(0);
  const choosing = page.waitForEvent("filechooser");
  await page.getByTestId("rules-import").click();
  await (await choosing).setFiles(file);
  await expect(page.getByTestId("rule-row")).toHaveAttribute("data-covers", "read_clipboard");
  await page.getByTestId("remove-rule").click();
});

test("the folder dialog opens on the asking window, and gives what was chosen to the button that keeps the keyboard", async () => {
  const { page } = desktop;
  const button = page.getByTestId("pick-folder");
  await button.press("Enter");
  const opened = await until(async () => (await desktop.recorded("dialog.open"))[0]);
  expect(opened).toMatchObject({ attached: true });
  await expect(button).toBeEnabled();
  await expect(button).toBeFocused();
  await desktop.program.act({ act: "choose", path: "/home/ada" });
  await expect(page.getByTestId("add-root-path")).toHaveValue("/home/ada");
});
