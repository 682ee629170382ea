import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { choose } from "./support/choose.ts";
import { expect, sharedStage, test } from "./support/fixtures.ts";
import type { Stage } from "./support/stage.ts";

const shared = sharedStage();

const TEXT = "Buy milk.\nCall Ada.\n";

async function withNotes(stage: Stage) {
  const folder = stage.folderWith({ "notes.md": TEXT });
  const { agent } = await stage.connectedAgent();
  return { agent, folder, path: join(folder, "notes.md") };
}

const EDIT = [{ old_text: "milk", new_text: "oat milk" }];

test("a folder that may only be read is asked for again before anything is written", async () => {
  const stage = shared();
  const { agent, folder, path } = await withNotes(stage);
  const read = agent.call("read_file", { path });
  await stage.opensFolder();
  await read;
  const { main } = stage.program;
  await stage.open("permissions");
  const access = main.getByTestId("root-row").getByTestId("root-access");
  await expect(access).toHaveAttribute("data-chosen", "read");

  const written = agent.call("write_file", { path, content: "x" });
  const card = await stage.card();
  await expect(card.getByTestId("consent-gives")).toContainText("this file, for this request only");
  await expect(await stage.choosesFolder("always")).toHaveValue(folder);
  await stage.press("consent-allow-always");
  expect(await written).toMatchObject({ result: { created: false } });
  await expect(access).toHaveAttribute("data-chosen", "read_write");

  await choose(access, "read");
  await expect(access).toHaveAttribute("data-chosen", "read");
  const again = agent.call("write_file", { path, content: "y" });
  await expect((await stage.card()).getByTestId("consent-root-change")).toBeVisible();
  await stage.press("consent-deny");
  expect(await again).toMatchObject({ error: { reason: "user_refused" } });
  expect(readFileSync(path, "utf8")).toBe("x");
});

test("an edit shows the whole difference, and does exactly that", async () => {
  const stage = shared();
  const { agent, path } = await withNotes(stage);
  const called = agent.call("edit_file", { path, edits: EDIT });
  const card = await stage.card();
  await expect(card.locator('.diff tr[data-kind="removed"]')).toContainText("Buy milk.");
  await expect(card.locator('.diff tr[data-kind="added"]')).toContainText("Buy oat milk.");
  await expect(card.locator('.diff tr[data-kind="same"]')).toContainText("Call Ada.");
  expect(readFileSync(path, "utf8")).toBe(TEXT);
  await stage.press("consent-allow-once");
  expect(await called).toMatchObject({ result: { replacements: 1 } });
  expect(readFileSync(path, "utf8")).toBe("Buy oat milk.\nCall Ada.\n");
});

test("a new file, a move and the trash: each asked for, each done", async () => {
  const stage = shared();
  const { agent, folder, path } = await withNotes(stage);
  const fresh = join(folder, "new.md");
  const written = agent.call("write_file", { path: fresh, content: "one\ntwo\n" });
  const card = await stage.card();
  await expect(card.locator('.diff tr[data-kind="added"]')).toHaveCount(2);
  await stage.opensFolder();
  expect(await written).toMatchObject({ result: { created: true, bytes_written: 8 } });

  // Nobody is asked about what cannot be done.
  const onto = await agent.call("move_file", { from: fresh, to: path });
  expect(onto).toMatchObject({ error: { reason: "already_exists" } });
  await stage.noCard();

  const moved = agent.call("move_file", { from: path, to: join(folder, "old.md") });
  await expect((await stage.card()).getByTestId("consent-preview")).toContainText("20 bytes");
  await stage.press("consent-allow-once");
  expect(await moved).toMatchObject({ result: { type: "file", overwrote: false } });
  expect(readFileSync(join(folder, "old.md"), "utf8")).toBe(TEXT);

  const deleted = agent.call("delete_file", { path: fresh });
  await expect((await stage.card()).getByTestId("consent-preview")).toContainText("trash");
  await stage.press("consent-allow-once");
  expect(await deleted).toMatchObject({ result: { type: "file" } });
  expect(existsSync(fresh)).toBe(false);
});
