import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { recordedModel } from "../agent-host/scripted-model/recorded-model.ts";
import { findText } from "./support/find-text.ts";
import { test as base, expect } from "./support/fixtures.ts";
import type { Stage } from "./support/stage.ts";

const KEY = "sk-typed-by-the-person-2f81";

/** The page that is asked for, on the person's own network: so its host stands on the card. */
const test = base.extend<{ address: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  address: async ({}, use) => {
    const server = createServer((_request, response) => response.end("Example Domain"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.close();
  },
});

/** The provider, which has one key and one model. */
const provider = (path: string) =>
  recordedModel(({ user, key, results: [result] }) => {
    if (key !== KEY) return { status: 401 };
    if (result !== undefined) return { text: `The tool said ${result.text.slice(0, 60)}` };
    if (user.startsWith("Write")) {
      return { calls: [{ name: "write_file", input: { path, content: "x" } }] };
    }
    return { text: `You wrote: ${user}` };
  });

async function say(main: Page, text: string): Promise<void> {
  await main.getByTestId("composer").fill(text);
  await main.getByTestId("composer").press("Enter");
}

const lastMessage = (main: Page) => main.getByTestId("message").last();

/** The person adds it with all that it asks for, and opens the conversation. */
async function addAndOpen(stage: Stage): Promise<Page> {
  const { main } = stage.program;
  const pairing = main.getByTestId("pairing-card");
  const code = await pairing.getByTestId("pairing-code").textContent();
  await expect(main.getByTestId("model-panel")).toContainText(String(code));
  for (const scope of await pairing.locator('[data-testid^="pairing-scope-"]').all()) {
    if (!(await scope.getByRole("checkbox").isChecked())) await scope.click();
  }
  await pairing.getByTestId("pairing-accept").click();
  await main.getByTestId("model-open").click();
  await expect(main.getByTestId("composer")).toBeVisible();
  return main;
}

async function fillIn(main: Page, fields: Record<string, string>): Promise<void> {
  await main.getByTestId("model-provider").getByRole("button").click();
  await main.locator('[data-choice="openai_compatible"]').click();
  for (const [name, value] of Object.entries(fields)) await main.getByTestId(name).fill(value);
  await main.getByTestId("model-save").click();
}

/** What others on this computer can see of processes. */
function shownByProcesses(text: string): readonly string[] {
  if (process.platform !== "linux") return [];
  const files = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => [join("/proc", pid, "cmdline"), join("/proc", pid, "environ")]);
  return files.filter((file) => {
    try {
      return readFileSync(file, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

test("without a key, a script plays the model: a question, consent, the answer, and a denial", {
  tag: "@once",
}, async ({ stage, address }) => {
  const { main } = stage.program;
  await main.getByTestId("model-demonstration").click();
  await expect(main.getByTestId("model-panel")).toContainText("Demonstration: a script answers");
  await addAndOpen(stage);

  await say(main, `What does ${address} say?`);
  await expect((await stage.card()).getByTestId("consent-gives")).toContainText("127.0.0.1");
  await stage.press("consent-allow-once");
  await expect(lastMessage(main)).toContainText("Example Domain");

  await say(main, `And ${address}other?`);
  await stage.press("consent-deny");
  await expect(lastMessage(main)).toContainText("All right, I will not do that.");
  await expect(await stage.logLine({ tool: "fetch_url", reason: "user_refused" })).toHaveCount(1);
});

test("a model with a key asks before it writes; 30 s of silence are told to it as such", {
  tag: "@once",
}, async ({ stage }) => {
  const path = join(stage.folderWith({}), "note.md");
  await using model = await provider(path);
  const { main } = stage.program;
  await main.getByTestId("model-connect").click();
  await fillIn(main, {
    "model-base-url": `${model.url}/v1`,
    "model-name": "any",
    "model-key": KEY,
  });
  await addAndOpen(stage);
  await say(main, "Hello");
  await expect(lastMessage(main)).toContainText("You wrote: Hello");

  await say(main, "Write a note");
  const card = await stage.card();
  await expect(card.getByTestId("consent-countdown")).toHaveAttribute("data-running", "true");
  await expect(card.getByTestId("consent-deny")).not.toHaveAttribute("aria-disabled", "true");
  await stage.program.jump(30_000);
  await stage.noCard();
  await expect(lastMessage(main)).toContainText("user_timeout");
  await expect(await stage.logLine({ tool: "write_file", reason: "user_timeout" })).toHaveCount(1);
});

test("the key stays where it is: it can be replaced and removed, and is shown to nobody", async ({
  stage,
}) => {
  await using model = await provider("/");
  const { main } = stage.program;
  await main.getByTestId("model-connect").click();
  const place = { "model-base-url": `${model.url}/v1`, "model-name": "any" };
  await fillIn(main, { ...place, "model-key": "sk-wrong" });
  await addAndOpen(stage);
  await say(main, "Hello");
  await expect(lastMessage(main)).toContainText("did not accept the key");
  await stage.open("home");
  await expect(main.getByTestId("model-fault")).toContainText("did not accept the key");

  await main.getByTestId("model-change").click();
  await expect(main.getByTestId("model-key")).toHaveValue("");
  await fillIn(main, { ...place, "model-key": KEY });
  await main.getByTestId("model-open").click();
  await say(main, "Again");
  await expect(lastMessage(main)).toContainText("You wrote: Again");
  expect(await main.content()).not.toContain(KEY);
  expect(shownByProcesses(KEY)).toEqual([]);
  expect(findText(stage.dataDir, KEY)).toEqual([]);

  await stage.program.stop();
  const again = await stage.start();
  const card = again.main.getByTestId("model-panel");
  await expect(card).toHaveAttribute("data-state", "stopped");
  await card.getByTestId("model-start").click();
  await card.getByTestId("model-open").click();
  await expect(again.main.getByTestId("pairing-card")).toHaveCount(0);
  await say(again.main, "After the restart");
  await expect(lastMessage(again.main)).toContainText("You wrote: After the restart");
  expect(model.asked.at(-1)?.key).toBe(KEY);
  expect([...again.stdout, ...again.stderr].join("\n")).not.toContain(KEY);

  await stage.open("home");
  await card.getByTestId("model-stop").click();
  await expect(card).toHaveAttribute("data-state", "stopped");
  await card.getByTestId("model-remove").click();
  await again.main.getByTestId("model-remove-dialog-confirm").click();
  await expect(card).toHaveAttribute("data-state", "none");
});
