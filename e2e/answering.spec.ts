import { join } from "node:path";
import { expect, sharedStage, test } from "./support/fixtures.ts";
import { HookedAgent } from "./support/hooked-agent.ts";
import { ALL_SCOPES } from "./support/manifest.ts";
import { mcpClient } from "./support/mcp-client.ts";
import { press, STILL_MS } from "./support/stage.ts";

const shared = sharedStage();

test("a denial tells the agent what the person wrote, and the field keeps its keys", async () => {
  const stage = shared();
  const { cards } = stage.program;
  const { agent } = await stage.connectedAgent();
  const copied = agent.call("write_clipboard", { text: "words to be copied" });
  const card = await stage.card();
  await card.getByTestId("consent-tell").click();
  const field = card.getByTestId("consent-tell-field");
  await expect(field).toBeFocused();
  await cards.keyboard.type("A, D or S?");
  await cards.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(card.getByTestId("consent-tell")).toBeFocused();
  await cards.keyboard.press("Enter");
  await expect(card.getByTestId("consent-tell-send")).toBeDisabled();
  await field.fill("Put it into notes.md\ninstead.");
  await card.getByTestId("consent-tell-send").click();
  await stage.denialLeaves();
  const told = "Put it into notes.md\ninstead.";
  expect(await copied).toMatchObject({ error: { reason: "user_refused", told } });
  await stage.noCard();
});

test("letters answer a card that has been in sight, a high one too, and Enter and Space approve nothing", async () => {
  const stage = shared();
  const { cards } = stage.program;
  const { agent } = await stage.connectedAgent();
  const copied = agent.call("write_clipboard", { text: "words to be copied" });
  const allow = (await stage.card()).getByTestId("consent-allow-once");
  await expect(allow).toHaveAttribute("aria-keyshortcuts", "A");
  await expect(allow).not.toHaveAttribute("aria-disabled", "true");
  await allow.focus();
  for (const key of ["Enter", "Space", "a"]) {
    await expect(allow).toBeVisible();
    await cards.waitForTimeout(STILL_MS);
    await cards.keyboard.press(key);
  }
  expect(await copied).toHaveProperty("result");
  await stage.noCard();

  const read = agent.call("read_clipboard", {});
  const high = (await stage.card()).getByTestId("consent-allow-once");
  await expect(high).not.toHaveAttribute("aria-disabled", "true");
  await expect(async () => {
    await cards.keyboard.press("d");
    await expect(cards.getByTestId("consent-undo")).toBeVisible({ timeout: 500 });
  }).toPass({ intervals: [700] });
  await stage.denialLeaves();
  expect(await read).toMatchObject({ error: { reason: "user_refused" } });
  await stage.noCard();
});

test("what comes together is one card, allowed with one press, each call with an entry of its own", async () => {
  const stage = shared();
  const { cards } = stage.program;
  const { agent } = await stage.connectedAgent(ALL_SCOPES, "Reader");
  const folder = stage.folderWith({ "one.md": "one", "two.md": "two", "three.md": "three" });
  const first = agent.call("write_file", { path: join(folder, "four.md"), content: "four" });
  await stage.opensFolder();
  await first;
  await stage.noCard();
  const reading = ["one.md", "two.md", "three.md"].map((name) =>
    agent.call("read_file", { path: join(folder, name) }),
  );
  const ticks = cards.getByTestId("consent-tick");
  await expect(ticks).toHaveCount(3);
  const card = await stage.card();
  await expect(card.getByRole("heading", { level: 2 })).toHaveText("Read 3 files?");
  await expect(cards.getByTestId("consent-listed")).toContainText("three.md");
  await ticks.nth(1).click();
  await expect(card.getByTestId("consent-allow-once")).toHaveText("Allow 2");
  await press(card.getByTestId("consent-allow-once"));
  expect(await Promise.all([reading[0], reading[2]])).toMatchObject([
    { result: { content: "one" } },
    { result: { content: "three" } },
  ]);
  // What was not ticked waits on, on a card of its own.
  await expect(card.getByRole("heading", { level: 2 })).toContainText("two.md");
  await expect(ticks).toHaveCount(0);
  await stage.press("consent-allow-once");
  expect(await reading[1]).toMatchObject({ result: { content: "two" } });
  await stage.noCard();
  const read = await stage.logLine({ tool: "read_file", "decided-by": "person" });
  await expect(read).toHaveCount(3);
});

test("how the next agent connects stays on Home, folded away", async () => {
  const stage = shared();
  const main = await stage.open("home");
  await expect(main.getByText(stage.program.ready.hub, { exact: true })).toHaveCount(0);
  await main.getByTestId("home-connect").click();
  await expect(main.getByText(stage.program.ready.hub, { exact: true })).toBeVisible();
});

test("a denial can be taken back for 5 s: the request waits again, and is allowed or denied anew", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  const { cards } = stage.program;
  const size = cards.viewportSize();
  const call = agent.call("write_clipboard", { text: "kept" });
  await stage.deny(await stage.card());
  await stage.noCard();
  await expect(cards.getByTestId("consent-denied")).toHaveText(
    "Denied: Copy “kept” to the clipboard",
  );
  await cards.keyboard.press("Control+z");
  await expect((await stage.card()).getByRole("heading", { level: 2 })).toBeFocused();
  await expect(cards.getByTestId("consent-undo")).toHaveCount(0);
  await stage.press("consent-allow-once");
  expect(await call).toHaveProperty("result");

  const others = ["one", "two"].map((text) => agent.call("write_clipboard", { text }));
  const card = await stage.waits(2);
  await stage.deny(card);
  // In a low window too, who asks next is not hidden by it.
  await cards.setViewportSize({ width: 560, height: 480 });
  await expect(async () => {
    await card.evaluate((next) => next.scrollIntoView({ block: "nearest" }));
    const note = await cards.locator(".denied-note").boundingBox();
    const next = await card.boundingBox();
    expect(next?.y).toBeGreaterThan((note?.y ?? 1_000) + (note?.height ?? 0));
  }).toPass();
  await cards.getByTestId("consent-undo").click();
  await stage.waits(2);
  // A press just after a card was scrolled into view does not count.
  const allow = card.getByTestId("consent-allow-once");
  await allow.scrollIntoViewIfNeeded();
  await expect(allow).not.toHaveAttribute("aria-disabled", "true");
  await cards.getByTestId("consent-deny-all").click();
  await stage.denialLeaves();
  if (size !== null) await cards.setViewportSize(size);
  for (const other of others)
    expect(await other).toMatchObject({ error: { reason: "user_refused" } });
});

test("letters in a card's list find a choice there, and answer nothing", async () => {
  const stage = shared();
  const { cards } = stage.program;
  const { agent } = await stage.connectedAgent();
  const read = agent.call("read_file", { path: join(stage.home, "notes.md") });
  const card = await stage.card();
  await expect(card.getByTestId("consent-allow-once")).not.toHaveAttribute("aria-disabled", "true");
  await card.getByTestId("consent-root-change").click();
  const list = card.getByTestId("consent-root-what");
  await list.getByRole("button").focus();
  // Typed in a closed list; elsewhere on the card these answer, and `j` opens another request.
  for (const key of ["d", "a", "j"]) {
    await cards.waitForTimeout(STILL_MS);
    await cards.keyboard.press(key);
  }
  await cards.keyboard.press("ArrowDown");
  await expect(cards.getByRole("option").first()).toBeVisible();
  for (const key of ["a", "d", "Escape"]) {
    await cards.waitForTimeout(STILL_MS);
    await cards.keyboard.press(key);
  }
  await expect(cards.getByRole("option")).toHaveCount(0);
  await expect(cards.getByTestId("consent-undo")).toHaveCount(0);
  await press(card.getByTestId("consent-deny"));
  await stage.denialLeaves();
  expect(await read).toMatchObject({ error: { reason: "user_refused" } });
  await stage.noCard();
});

test("how long is chosen with the arrow keys, whoever asks", async ({ stage }) => {
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  const path = join(folder, "notes.md");
  const arrows = async (kind: string): Promise<void> => {
    const card = await stage.card();
    const times = card.getByRole("radiogroup", { name: "How long" });
    const [once, next] = await times.getByRole("radio").all();
    await once?.focus();
    await expect(once ?? times, kind).toBeChecked();
    await stage.program.cards.keyboard.press("ArrowRight");
    await expect(next ?? times, kind).toBeChecked();
    await expect(next ?? times, kind).toBeFocused();
    await stage.program.cards.keyboard.press("ArrowLeft");
    await expect(once ?? times, kind).toBeChecked();
    await stage.press("consent-deny");
  };

  const { agent } = await stage.connectedAgent();
  const read = agent.call("read_file", { path });
  await arrows("an agent of the hub");
  await read;

  const hooked = new HookedAgent(stage, folder);
  await hooked.connect();
  const asked = hooked.asks("Bash", { command: "git status" });
  await arrows("an agent with hooks");
  await asked;

  const client = await mcpClient(stage);
  await client.listTools();
  await stage.program.main.getByTestId("pairing-accept").click();
  await expect.poll(async () => (await client.listTools()).tools.length).toBeGreaterThan(2);
  const called = client.callTool({ name: "read_file", arguments: { path } });
  await arrows("an MCP client");
  await called;
  await client.close();
});
