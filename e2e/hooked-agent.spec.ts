import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";
import { HookedAgent } from "./support/hooked-agent.ts";
import { mcpClient } from "./support/mcp-client.ts";
import { press, type Stage } from "./support/stage.ts";

const CART = "export function total(items) {\n  return items.length;\n}\n";

async function connected(stage: Stage): Promise<HookedAgent> {
  const folder = stage.folderWith({ "cart.ts": CART });
  const agent = new HookedAgent(stage, folder);
  await agent.connect();
  return agent;
}

test("a plan is approved, or sent back with words", async ({ stage }) => {
  const agent = await connected(stage);
  const plan = { plan: "# Round prices\n\n1. Change `cart.ts`\n2. **Test** it" };
  const first = agent.asks("ExitPlanMode", plan);
  const card = await stage.card();
  await expect(card.getByRole("heading", { level: 2 })).toHaveText("Approve this plan?");
  await expect(card.getByTestId("consent-plan").locator("ol > li")).toHaveCount(2);
  await card.getByRole("button", { name: "Keep planning, and say…" }).click();
  await card.getByTestId("consent-tell-field").fill("Add a test for discounts.");
  await card.getByTestId("consent-tell-send").click();
  await stage.denialLeaves();
  expect(await first).toMatchObject({
    behavior: "deny",
    message: expect.stringMatching(/Keep planning.*Add a test for discounts\./),
  });
  const second = agent.asks("ExitPlanMode", plan);
  await press(card.getByRole("button", { name: "Approve", exact: true }));
  expect(await second).toEqual({ behavior: "allow", updatedInput: plan });
});

test("questions are answered by choosing, and in the person's own words", async ({ stage }) => {
  const agent = await connected(stage);
  const options = [
    { label: "Cents", description: "As whole numbers" },
    { label: "Decimals", description: "With a library" },
  ];
  const questions = [
    { question: "How are prices kept?", header: "Prices", options, multiSelect: false },
    { question: "Which tests?", header: "Tests", options, multiSelect: true },
  ];
  const asked = agent.asks("AskUserQuestion", { questions });
  const card = await stage.card();
  const allow = card.getByRole("button", { name: "Answer", exact: true });
  await card.getByRole("radio", { name: /^Decimals/ }).check();
  await card.getByRole("checkbox", { name: /^Cents/ }).check();
  await card.getByTestId("consent-own-answer").last().fill("rounding");
  await press(allow);
  expect(await asked).toEqual({
    behavior: "allow",
    updatedInput: {
      questions,
      answers: { "How are prices kept?": "Decimals", "Which tests?": "Cents, rounding" },
    },
  });
});

test("eight reads sent at once are one card, and none is refused", async ({ stage }) => {
  const names = Array.from({ length: 8 }, (_, at) => `part-${at}.ts`);
  const folder = stage.folderWith(Object.fromEntries(names.map((name) => [name, CART])));
  const agent = new HookedAgent(stage, folder);
  await agent.connect();
  const asked = Promise.all(
    names.map((name) => agent.asks("Read", { file_path: join(folder, name) })),
  );
  const card = await stage.card();
  await expect(card.getByTestId("consent-listed").getByRole("listitem")).toHaveCount(8);
  await press(card.getByRole("button", { name: "Allow 8" }));
  expect(await asked).toEqual(names.map(() => expect.objectContaining({ behavior: "allow" })));
});

test("a program that comes with another token is offered to be merged with what it is already", async ({
  stage,
}) => {
  const agent = await connected(stage);
  const command = { command: "git status" };
  const first = agent.asks("Bash", command);
  await stage.press("consent-allow-today");
  expect(await first).toMatchObject({ behavior: "allow" });

  // Its settings are new, so its token is: it is the same program in the same project.
  const again = new HookedAgent(stage, agent.folder, join(stage.home, "another"));
  const { main } = stage.program;
  const asked = again.hook({ hook_event_name: "PreToolUse", tool_name: "Task", tool_input: {} });
  const card = main.getByTestId("pairing-card");
  await expect(card.getByTestId("pairing-merge-no")).toBeChecked();
  await card.getByTestId("pairing-merge-yes").check();
  await card.getByTestId("pairing-accept").click();
  await expect(card).toHaveCount(0);
  await asked;
  // One agent, whose rule holds.
  expect(await again.asks("Bash", command)).toMatchObject({ behavior: "allow" });
  await stage.noCard();
  await stage.open("agents");
  await expect(main.getByTestId("agent-section")).toHaveCount(1);
});

test("the tools and the hooks of one program are on one card", async ({ stage }) => {
  const agent = await connected(stage);
  // It comes in with its hooks, without another question.
  const client = await mcpClient(stage, ["--name", "Claude Code"], agent.folder);
  await client.listTools();
  const { main } = stage.program;
  for (const page of ["agents", "permissions"] as const) {
    await stage.open(page);
    await expect(main.getByTestId("agent-program")).toHaveCount(1);
    await expect(main.getByTestId("agent-program").getByRole("heading", { level: 2 })).toHaveCount(
      1,
    );
  }
  await client.close();
});
