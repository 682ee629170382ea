import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, sharedStage, test } from "./support/fixtures.ts";
import { ALL_SCOPES } from "./support/manifest.ts";
import { press } from "./support/stage.ts";

const REFUSED = { error: { name: "ToolCallError", code: "denied", reason: "user_refused" } };

const shared = sharedStage();

test("a request comes before an open dialog, or beside it where the person types, and the dialog stays", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  const { main } = stage.program;
  await stage.open("agents");
  await main.getByTestId("agent-menu").click();
  await main.getByTestId("agent-rename").click();
  const name = main.getByTestId("rename-agent-name");
  await name.fill("Archivist");

  const first = agent.call("write_clipboard", { text: "x" });
  await stage.card();
  await expect(name).toBeFocused();
  await main.keyboard.type("us");
  await stage.press("consent-deny");
  expect(await first).toMatchObject(REFUSED);
  await stage.noCard();
  await expect(name).toBeFocused();

  await main.keyboard.press("Tab");
  const button = main.getByTestId("rename-agent").locator("button:focus");
  await expect(button).toHaveCount(1);
  const second = agent.call("write_clipboard", { text: "x" });
  const heading = (await stage.card()).getByRole("heading", { level: 2 });
  await expect(heading).toBeFocused();
  await stage.press("consent-deny");
  expect(await second).toMatchObject(REFUSED);
  await stage.noCard();
  await expect(button).toHaveCount(1);
  await expect(name).toHaveValue("Archivistus");
  await name.press("Enter");
  await expect(main.getByTestId("agent-section")).toContainText("Archivist");
});

test("a low call runs without a prompt, and the log shows it", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  expect(await agent.call("send_notification", { title: "Hello" })).toEqual({
    result: { shown: true, folded: false },
  });
  await stage.noCard();
  const line = await stage.logLine({ tool: "send_notification", status: "ok" });
  await expect(line).toHaveAttribute("data-decided-by", "silent_low");
});

test("with notifications switched off none is shown, and the agent is told so", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent(["notification:send"]);
  const main = await stage.open("settings");
  const wanted = main.getByTestId("settings-notifications");
  await expect(wanted).toBeChecked();
  await wanted.press("Space");
  await expect(wanted).not.toBeChecked();
  await expect(main.getByTestId("settings-notifications-browser")).toHaveCount(0);
  expect(await agent.call("send_notification", { title: "Unwanted" })).toMatchObject({
    error: { name: "ToolCallError", code: "TOOL_UNAVAILABLE", reason: "switched_off" },
  });
  await wanted.press("Space");
  await expect(wanted).toBeChecked();
  expect(await agent.call("send_notification", { title: "Again" })).toMatchObject({
    result: { shown: true },
  });
});

test("this file alone, or a folder for one request, is all that an approval gives", async () => {
  const stage = shared();
  const folder = stage.folderWith({ "a.md": "A", "b.md": "B" });
  const { agent } = await stage.connectedAgent();
  const read = (name: string) => agent.call("read_file", { path: join(folder, name) });

  const first = read("a.md");
  const card = await stage.card();
  const gives = card.getByTestId("consent-gives");
  await expect(gives).toHaveText("End-to-end agent may read this file, for this request only.");
  await stage.choosesFolder("once");
  await expect(gives).toContainText(`read ${folder} and everything in it, for this request only`);
  await stage.press("consent-allow-once");
  expect(await first).toMatchObject({ result: { content: "A" } });

  const second = read("a.md");
  stage.decidesAbout(join(folder, "a.md"));
  await stage.press("consent-allow-always");
  expect(await second).toMatchObject({ result: { content: "A" } });

  const third = read("b.md");
  await expect((await stage.card()).getByTestId("consent-root-change")).toBeVisible();
  await stage.press("consent-deny");
  expect(await third).toMatchObject(REFUSED);
  const main = await stage.open("permissions");
  await expect(main.getByTestId("root-row")).toHaveCount(1);
  await expect(main.getByTestId("root-only-file")).toContainText("This file only");
  // The folder is listed by another test.
  for (const name of ["a.md", "b.md"]) rmSync(join(folder, name));
});

test("allow once runs a medium call once, inside the folder chosen in the prompt", async ({
  host,
}) => {
  const stage = shared();
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  const path = join(folder, "notes.md");
  const { agent, credentials } = await stage.connectedAgent();
  const first = agent.call("read_file", { path });
  const card = await stage.card();
  await expect(card.getByRole("heading", { level: 2 })).toHaveText(`Read ${path}?`);
  // Identifiers are in the details alone.
  const facts = card.getByTestId("consent-facts");
  await expect(facts).toHaveText("Read a file · Read files and folders · Medium");
  await expect(card.getByTestId("consent-details")).toContainText(credentials.conversationId);
  await expect(card.getByText(credentials.conversationId)).toBeHidden();
  await expect(await stage.choosesFolder("always")).toHaveValue(folder);
  await stage.press("consent-allow-always");
  expect(await first).toMatchObject({ result: { content: "Buy milk.\n", end_of_file: true } });
  await stage.noCard();

  const listed = agent.call("list_directory", { path: folder });
  await expect((await stage.card()).getByTestId("consent-root-change")).toHaveCount(0);
  await stage.press("consent-allow-once");
  expect(await listed).toEqual({
    result: {
      entries: [{ name: "notes.md", type: "file", size_bytes: 10 }],
      next_after: null,
      names_skipped: 0,
    },
  });

  const missing = agent.call("read_file", { path: join(folder, "none.md") });
  expect(await missing).toMatchObject({ error: { reason: "not_found" } });
  await stage.noCard();

  const OUTSIDE = { error: { reason: "outside_roots" } };
  expect(await agent.call("read_file", { path: "/etc/hostname" })).toMatchObject(OUTSIDE);
  await stage.noCard();
  const { main } = stage.program;
  const notice = main.getByTestId("tried-folder");
  await expect(notice).toContainText("/etc");
  await notice.getByTestId("tried-folder-ignore").click();
  await expect(notice).toHaveCount(0);

  const second = join(stage.home, "second");
  mkdirSync(second);
  writeFileSync(join(second, "todo.md"), "Call Ada.\n");
  const todo = { path: join(second, "todo.md") };
  expect(await agent.call("read_file", { path: "/etc/passwd" })).toMatchObject(OUTSIDE);
  expect(await agent.call("read_file", todo)).toMatchObject(OUTSIDE);
  await expect(notice).toHaveAttribute("data-path", second);
  await notice.getByTestId("tried-folder-open").click();
  const dialog = main.getByTestId("tried-folder-dialog");
  const field = dialog.getByTestId("add-root-path");
  await expect(field).toHaveValue(second);
  await field.fill(join(second, "none"));
  await dialog.getByTestId("add-root").click();
  await expect(dialog.getByTestId("add-root-problem")).toContainText("no folder at this path");
  await field.fill(second.slice(0, -1));
  // Where the system has no picker of its own, the field offers the folders that begin so.
  const offers = dialog.getByTestId("add-root-path-offers").locator("option");
  if (host === "browser") await expect(offers).toHaveAttribute("value", second);
  await field.fill(second);
  await dialog.getByTestId("add-root").click();
  await expect(dialog).toHaveCount(0);
  await expect(notice).toHaveCount(0);
  const again = agent.call("read_file", todo);
  await stage.press("consent-allow-once");
  expect(await again).toMatchObject({ result: { content: "Call Ada.\n" } });
});

test("of one agent three folders that it tried are named within five minutes, and none below an ignored one", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  const path = join(stage.folderWith({ "notes.md": "Buy milk." }), "notes.md");
  const given = agent.call("read_file", { path });
  await stage.opensFolder();
  await given;
  const tries = async (name: string): Promise<string> => {
    const folder = join(stage.home, name);
    mkdirSync(folder, { recursive: true });
    await agent.call("list_directory", { path: folder });
    return folder;
  };
  const notice = stage.program.main.getByTestId("tried-folder");
  for (const name of ["one", "two", "three"]) {
    const folder = await tries(name);
    stage.decidesAbout(folder);
    await expect(notice).toHaveAttribute("data-path", folder);
    await notice.getByTestId("tried-folder-ignore").click();
    await expect(notice).toHaveCount(0);
  }
  await tries("four");
  await stage.program.jump(5 * 60_000);
  await tries("one/below");
  await expect(notice).toHaveCount(0);
  const folder = await tries("five");
  await expect(notice).toHaveAttribute("data-path", folder);
});

test("always deny is a rule that can be taken back", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  const first = agent.call("read_clipboard", {});
  await stage.press("consent-always-deny");
  expect(await first).toMatchObject(REFUSED);
  expect(await agent.call("read_clipboard", {})).toMatchObject(REFUSED);
  await expect(await stage.logLine({ tool: "read_clipboard", "decided-by": "rule" })).toHaveCount(
    1,
  );

  const main = await stage.open("permissions");
  const denied = main.getByTestId("rule-row").filter({ hasText: "clipboard" });
  await denied.getByTestId("remove-rule").click();
  await expect(denied).toHaveCount(0);
  const third = agent.call("read_clipboard", {});
  await stage.press("consent-deny");
  expect(await third).toMatchObject(REFUSED);
});

test("several requests: one card is open, lines and keys open others, and no key for one answers the next", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent(ALL_SCOPES, "Copyist");
  const calls = ["first", "second", "third"].map((text) => agent.call("write_clipboard", { text }));
  const { cards } = stage.program;
  const card = await stage.waits(3);
  const rows = cards.getByTestId("waiting-row");
  const ids = await rows.evaluateAll((all) =>
    all.map((one) => one.getAttribute("data-request-id")),
  );
  await expect(card).toHaveAttribute("data-request-id", ids[0] ?? "");
  const allow = card.getByTestId("consent-allow-once");
  await expect(allow).not.toHaveAttribute("aria-disabled", "true");
  // As quickly as one types: the letter is not for the card that has just been opened.
  await cards.keyboard.type("jad");
  await expect(card).toHaveAttribute("data-request-id", ids[1] ?? "");
  await cards.keyboard.press("k");
  await cards.keyboard.press("k");
  await expect(card).toHaveAttribute("data-request-id", ids[2] ?? "");
  await expect(card.getByRole("heading", { level: 2 })).toBeFocused();
  // A fourth finds no place, and the person is told of which agent it was.
  expect(await agent.call("write_clipboard", { text: "fourth" })).toMatchObject({
    error: { reason: "consent_queue_full" },
  });
  const note = cards.locator(".consent-list").getByTestId("turned-away");
  await expect(note).toContainText("1 more request was turned away");
  await expect(note.getByText("Copyist (1)")).toBeHidden();
  await note.locator("summary").click();
  await expect(note.getByText("Copyist (1)")).toBeVisible();
  await expect(
    stage.program.main.locator("main").getByTestId("turned-away").first(),
  ).toBeAttached();
  await note.getByTestId("turned-away-seen").click();
  await expect(stage.program.main.getByTestId("turned-away")).toHaveCount(0);
  await expect(note).toHaveCount(0);
  // Open where it has room beside the card, also after the window was resized.
  const fold = cards.getByTestId("waiting-fold");
  await cards.setViewportSize({ width: 1_300, height: 800 });
  await expect(fold).toHaveAttribute("aria-expanded", "true");
  await cards.setViewportSize({ width: 900, height: 800 });
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await fold.click();
  await rows.nth(1).click();
  await expect(card).toHaveAttribute("data-request-id", ids[1] ?? "");
  await stage.waits(3);
  await cards.keyboard.press("?");
  const sheet = cards.getByTestId("key-sheet");
  await expect(sheet).toContainText("Next request");
  // Esc closes what has the keyboard.
  await expect(sheet.and(cards.locator(":focus-within"))).toBeVisible();
  await cards.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await stage.waits(3);
  await press(allow);
  expect(await calls[1]).toHaveProperty("result");
  await expect(card).toHaveAttribute("data-request-id", ids[2] ?? "");
  await cards.getByTestId("consent-deny-all").click();
  await stage.denialLeaves();
  for (const call of [calls[0], calls[2]]) expect(await call).toMatchObject(REFUSED);
  await stage.noCard();
});
