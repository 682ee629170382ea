import { expect, test } from "./support/fixtures.ts";
import { HookedAgent } from "./support/hooked-agent.ts";
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
