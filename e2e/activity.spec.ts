import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, sharedStage, test } from "./support/fixtures.ts";
import type { RunningAgent } from "./support/running-agent.ts";

const AUDIT = fileURLToPath(new URL("../scripts/audit.ts", import.meta.url));
const run = promisify(execFile);
const CALLS = 40;
const SEVENTH = { title: "call 7" };

const shared = sharedStage();
let agent: RunningAgent;

const call = (each: number) =>
  agent.call(
    "send_notification",
    { title: `call ${each}` },
    { callId: `c-${each}`, timeoutMs: 30_000 },
  );

/** A log of low calls under known ids, newest last, with one that is refused before them. */
test.beforeAll(async () => {
  ({ agent } = await shared().connectedAgent());
  await agent.call("write_clipboard", { text: 7 });
  for (let each = 0; each < CALLS; each += 1) await call(each);
});

const rows = (main: Page) => main.getByTestId("activity-row");
const choose = async (main: Page, filter: string, option: string) => {
  await main.getByTestId(`activity-filter-${filter}`).getByRole("button").click();
  await main.getByRole("option", { name: option, exact: true }).click();
};

test("the log is walked by arrow keys to its end, and the focus is never lost", async () => {
  const main = await shared().open("activity");
  await expect(rows(main).first()).toHaveAttribute("data-call-id", `c-${CALLS - 1}`);
  await rows(main).first().focus();
  await main.keyboard.press("End");
  await expect(main.locator(":focus")).toHaveAttribute("data-reason", "schema_violation");
  expect(await rows(main).count()).toBeLessThan(CALLS);
  await main.keyboard.press("Home");
  await expect(main.locator(":focus")).toHaveAttribute("data-call-id", `c-${CALLS - 1}`);
  await main.keyboard.press("ArrowDown");
  await main.keyboard.press("Enter");
  await expect(main.getByTestId("activity-details")).toContainText(`c-${CALLS - 2}`);
  await main.keyboard.press("Escape");
  await expect(main.locator(":focus")).toHaveAttribute("data-call-id", `c-${CALLS - 2}`);
});

test("filters combine, stand in the address, survive a reload and are cleared", async ({
  host,
}) => {
  const main = await shared().open("activity");
  await choose(main, "status", "Failed");
  await expect(rows(main)).toHaveCount(1);
  await choose(main, "rule", "Built-in rule");
  await expect(rows(main)).toHaveCount(1);
  // A desktop window goes nowhere, not even where it is.
  if (host === "browser") await main.reload();
  await expect(rows(main)).toHaveCount(1);
  await choose(main, "rule", "You");
  await main.getByTestId("activity-clear-empty").click();
  await expect(rows(main).first()).toHaveAttribute("data-call-id", `c-${CALLS - 1}`);
  await main.getByTestId("activity-find").fill("c-1");
  await expect(rows(main)).toHaveCount(11);
});

test("a day of the chart shows that day alone", async () => {
  const main = await shared().open("activity");
  await main.getByTestId("activity-charts").click();
  await main.getByTestId("activity-day").last().click();
  await expect(main.getByTestId("activity-from")).toBeVisible();
  await expect.poll(() => main.evaluate(() => location.hash)).toMatch(/from=\d+&to=\d+/);
  await expect(rows(main).first()).toHaveAttribute("data-call-id", `c-${CALLS - 1}`);
});

test("arguments find their call, what is no JSON is named, and nothing of it is kept", async () => {
  const main = await shared().open("activity");
  await main.getByTestId("activity-check").click();
  const text = main.getByTestId("activity-check-text");
  const result = main.getByTestId("activity-check-result");
  await text.fill('{"a":1,\n"a":2}');
  await main.getByTestId("activity-check-go").click();
  await expect(result).toContainText("Line 2, column 1");
  await text.fill(JSON.stringify(SEVENTH));
  await main.getByTestId("activity-check-go").click();
  await expect(result).toContainText("1 call had these arguments");
  await main.getByTestId("activity-check-show").click();
  await expect(rows(main)).toHaveCount(1);
  await expect(rows(main)).toHaveAttribute("data-call-id", "c-7");
  const kept = await main.evaluate(
    () =>
      location.href + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }),
  );
  expect(kept).not.toContain("call 7");
  await main.getByTestId("activity-check").click();
  await expect(text).toHaveValue("");
  await main.keyboard.press("Escape");
  await expect(text).toHaveCount(0);
});

test("a path, a name, a folder or a host that is typed finds the calls about it, new ones too", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const notes = { path: "/home/ada/proj/Notes.md" };
  // Refused before anybody is asked, but their arguments are known.
  await agent.call("read_file", { ...notes, offset: "x" }, { callId: "read" });
  await agent.call("list_directory", { path: "/home/ada/proj", x: 1 }, { callId: "list" });
  await agent.call("fetch_url", { url: "https://example.com/a", x: 1 }, { callId: "fetch" });
  const main = await stage.open("activity");
  const find = main.getByTestId("activity-find");
  const shown = () => rows(main).evaluateAll((all) => all.map((row) => row.dataset.callId));
  await find.fill("notes.md");
  await expect.poll(shown).toEqual(["read"]);
  await find.fill("/home/ada/proj/");
  await expect.poll(shown).toEqual(["list", "read"]);
  await expect(main.getByTestId("activity-charts")).toHaveText("2 calls");
  await find.fill("example.com");
  await expect.poll(shown).toEqual(["fetch"]);
  await find.fill("fet");
  await expect.poll(shown).toEqual(["fetch"]);
  await find.fill("/home/ada/proj/notes.md");
  await expect.poll(shown).toEqual(["read"]);
  await agent.call("edit_file", { ...notes, edits: 1 }, { callId: "edit" });
  await expect.poll(shown).toEqual(["edit", "read"]);
  await agent.call("read_file", { path: "/elsewhere", offset: "x" }, { callId: "other" });
  await agent.call("read_file", { ...notes, offset: "y" }, { callId: "again" });
  await expect.poll(shown).toEqual(["again", "edit", "read"]);
  await expect(main.getByTestId("activity-charts")).toHaveText("3 calls", { timeout: 15_000 });
});

test("Home and the log say what a call was about, and lead from one to the other", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  await agent.call("send_notification", { title: "Lunch is ready" }, { callId: "lunch" });
  const main = await stage.open("home");
  const recent = main.getByTestId("recent-call").filter({ hasText: "Lunch is ready" });
  await expect(recent).toHaveText("Show the notification “Lunch is ready”");
  await recent.click();
  await expect(rows(main)).toHaveCount(1);
  await expect(rows(main)).toContainText("Show the notification “Lunch is ready”");
  await rows(main).first().click();
  const details = main.getByTestId("activity-details");
  await details.getByTestId("call-asked").click();
  await expect(details.getByTestId("call-arguments")).toContainText("Lunch is ready");
});

test("a move says its folders where the name stays, and its names alone where that changes", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const from = join(stage.folderWith({ "notes.md": "hello" }), "notes.md");
  for (const name of ["notes.md", "old.md"]) {
    const to = join(dirname(from), "sub", name);
    const moved = agent.call("move_file", { from, to }, { callId: name });
    await stage.press("consent-deny");
    await moved;
  }
  const main = await stage.open("home");
  const told = main.getByTestId("recent-call").filter({ hasText: "to" }).last();
  await expect(told).toContainText("/sub/notes.md");
  const text = (await told.textContent()) ?? "";
  await stage.open("activity");
  const line = (name: string) => main.locator(`[data-call-id="${name}"]`);
  await expect(line("notes.md")).toContainText(text, { useInnerText: true });
  await expect(line("old.md")).toContainText("Move notes.md to old.md", { useInnerText: true });
});

test("a line of the log ends where its list does, however little room the page has", async () => {
  const stage = shared();
  const main = await stage.open("activity");
  const row = rows(main).first();
  const over = () =>
    row.evaluate((line) => {
      const ends = [...line.querySelectorAll("[role=gridcell] > *")].map(
        (cell) => cell.getBoundingClientRect().right,
      );
      return Math.max(...ends) - line.getBoundingClientRect().right;
    });
  for (const width of [1_300, 1_100, 1_000, 700]) {
    await main.setViewportSize({ width, height: 800 });
    await expect.poll(over, `${width} px`).toBeLessThanOrEqual(0);
  }
  await main.setViewportSize({ width: 1_100, height: 800 });
  const callId = "01M8C1JNMWQ7";
  const asked = agent.call("read_clipboard", {}, { callId });
  await stage.card();
  await main.getByTestId("consent-aside").click();
  await expect.poll(over, "beside a docked card").toBeLessThanOrEqual(0);
  await expect(main.getByTestId("activity-filters")).toBeVisible();
  await stage.press("consent-deny");
  await asked;
  await expect(main.locator(`[data-call-id="${callId}"]`)).toBeVisible();
});

test("from a call about a file to all calls about it", async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const path = join(stage.home, "notes.md");
  await writeFile(path, "hello");
  const read = agent.call("read_file", { path }, { callId: "read" });
  await stage.press("consent-deny");
  await read;
  await agent.call("edit_file", { path, edits: 1 }, { callId: "edit" });
  await agent.call("send_notification", { title: "x" }, { callId: "other" });
  const main = await stage.open("activity");
  await main.locator('[data-call-id="read"]').click();
  await main.getByTestId("activity-same-subject").click();
  await expect(rows(main)).toHaveCount(2);
  await expect(main.locator('[data-call-id="edit"]')).toBeVisible();
});

test("a file finds the calls that named it, and the one that wrote exactly what it has", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const folder = stage.folderWith({ "notes.md": "old" });
  const path = join(folder, "notes.md");
  const written = agent.call("write_file", { path, content: "hällo" }, { callId: "write" });
  await stage.press("consent-allow-once");
  expect(await written).toMatchObject({ result: { created: false } });
  await agent.call("read_file", { path, offset: "x" }, { callId: "read" });
  const main = await stage.open("activity");
  await main.getByTestId("activity-check").click();
  await main.getByTestId("activity-file-path").fill(path);
  const choosing = main.waitForEvent("filechooser");
  await main.getByTestId("activity-file-choose").click();
  await (await choosing).setFiles(path);
  await main.getByTestId("activity-file-go").click();
  const result = main.getByTestId("activity-file-result");
  await expect(result).toContainText("2 calls named this path.");
  await expect(result).toContainText("1 call wrote exactly this content there.");
  await main.getByTestId("activity-file-show-written").click();
  await expect(rows(main)).toHaveCount(1);
  await expect(rows(main)).toHaveAttribute("data-call-id", "write");
});

test("the log is exported without an argument in it; digests of what calls were about only on request", async () => {
  const stage = shared();
  const path = join(stage.folderWith({ "notes.md": "Buy milk." }), "notes.md");
  await agent.call("read_file", { path, offset: "x" }, { callId: "about" });
  const main = await stage.open("activity");
  await main.getByTestId("activity-export").click();
  const file = join(stage.home, "log.jsonl");
  await stage.program.saveAs(file, () => main.getByTestId("activity-export-jsonl").click());
  const written = await readFile(file, "utf8");
  expect(written).toContain('"c-7"');
  expect(written).not.toContain("call 7");
  expect(written).not.toContain('"subjects"');
  expect(written).not.toContain("notes.md");
  await main.getByTestId("activity-export").click();
  await main.getByTestId("activity-export-targets").click();
  await stage.program.saveAs(file, () => main.getByTestId("activity-export-jsonl").click());
  const told = (await readFile(file, "utf8"))
    .split("\n")
    .filter((line) => line.includes('"about"'));
  expect(told.map((line) => JSON.parse(line).target)).toContainEqual({ kind: "read", path });

  const args = ["export", "--format", "jsonl", "--subjects", "--data-dir", stage.dataDir];
  const { stdout } = await run(process.execPath, [AUDIT, ...args], { maxBuffer: 2 ** 24 });
  const lines = stdout.split("\n").filter((line) => line.includes('"about"'));
  // The file, the folders above it and its name, each under the key of this log.
  const [about] = lines.map((line) => JSON.parse(line)).filter(({ subjects }) => subjects);
  expect(about.subjects.length).toBeGreaterThan(2);
  for (const digest of about.subjects) expect(digest).toMatch(/^[0-9a-f]+$/);
  expect(stdout).not.toContain("notes.md");
});

test("lines that arrive move nothing while somebody reads further down", async () => {
  const main = await shared().open("activity");
  const list = main.getByTestId("activity-list");
  await expect(rows(main).first()).toBeVisible();
  await list.evaluate((element) => element.scrollTo({ top: 800 }));
  await expect(rows(main).first()).not.toHaveAttribute("data-call-id", `c-${CALLS - 1}`);
  await call(CALLS);
  await expect(main.getByTestId("activity-fresh")).toHaveText("1 new");
  expect(await list.evaluate((element) => element.scrollTop)).toBe(800);
  await main.getByTestId("activity-fresh").click();
  await expect(rows(main).first()).toHaveAttribute("data-call-id", `c-${CALLS}`);
  await call(CALLS + 1);
  await expect(rows(main).first()).toHaveAttribute("data-call-id", `c-${CALLS + 1}`);
});
