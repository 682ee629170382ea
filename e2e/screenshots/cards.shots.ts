import { join } from "node:path";
import { test } from "../support/fixtures.ts";
import { HookedAgent } from "../support/hooked-agent.ts";
import { shoot } from "./shoot.ts";

const CART = "export const total = (items) =>\nitems.length;\n";
const PLAN =
  "# Round prices\n\n1. Change `cart.ts`\n2. **Test** it\n\nPrices are kept as whole cents.";
const QUESTIONS = [
  {
    question: "How are prices kept?",
    header: "Prices",
    options: [
      { label: "Cents", description: "As whole numbers" },
      { label: "Decimals", description: "With a library" },
    ],
    multiSelect: false,
  },
];

test("what an agent with hooks asks", async ({ stage, interfaceLanguage }) => {
  const folder = stage.folderWith({ "cart.ts": CART, "price.ts": CART });
  const agent = new HookedAgent(stage, folder);
  const { main, cards } = stage.program;
  const first = agent.hook({ hook_event_name: "PreToolUse", tool_name: "Task", tool_input: {} });
  await main.getByTestId("pairing-card").waitFor();
  await shoot(main, interfaceLanguage, "card-connect");
  await main.getByTestId("pairing-accept").click();
  await first;

  const again = new HookedAgent(stage, folder, join(stage.home, "another"));
  void again.hook({ hook_event_name: "PreToolUse", tool_name: "Task", tool_input: {} });
  await main.getByTestId("pairing-merge").waitFor();
  await shoot(main, interfaceLanguage, "card-merge");
  await main.getByTestId("pairing-refuse").click();

  const shows = async (scene: string, tool: string, input: object): Promise<void> => {
    const asked = agent.asks(tool, input);
    await stage.card();
    await shoot(cards, interfaceLanguage, scene);
    await stage.press("consent-deny");
    await asked;
  };
  const command = "git status --short && npm test -- cart";
  const description = "Check the working tree, then run the cart tests";
  await shows("card-command", "Bash", { command, description });
  await shows("card-danger", "Bash", {
    command: 'git add -A && git commit -m "Use let" && git push --force origin main',
  });
  await shows("card-edit", "Edit", {
    file_path: join(folder, "cart.ts"),
    old_string: "items.length",
    new_string: "items.reduce((sum, item) => sum + item.price * item.count, 0)",
  });
  await shows("card-plan", "ExitPlanMode", { plan: PLAN });
  await shows("card-question", "AskUserQuestion", { questions: QUESTIONS });
  const reads = ["cart.ts", "price.ts"].map((name) =>
    agent.asks("Read", { file_path: join(folder, name) }),
  );
  await cards.getByTestId("consent-listed").waitFor();
  await shoot(cards, interfaceLanguage, "card-list");
  await stage.press("consent-deny");
  await Promise.all(reads);
});

test("the dialogs to take changes back, and to go to another hub", async ({
  stage,
  interfaceLanguage,
}) => {
  const path = join(stage.folderWith({ "notes.md": "Buy milk.\nCall Ada.\n" }), "notes.md");
  const { agent } = await stage.connectedAgent();
  const written = agent.call("write_file", { path, content: "Buy oat milk.\n" });
  await stage.opensFolder();
  await written;
  const main = await stage.open("activity");
  await (await stage.logLine({ tool: "write_file", status: "ok" })).first().click();
  await main.getByTestId("take-back").click();
  await main.getByTestId("take-back-dialog").waitFor();
  await shoot(main, interfaceLanguage, "take-back");
  await main.getByTestId("take-back-dialog").getByRole("button").first().click();
  await main.getByTestId("activity-details-close").click();
  await stage.open("settings");
  await main.getByTestId("hub-link").fill("https://hub.example/#join=of-a-friend");
  await shoot(main, interfaceLanguage, "settings-hub", main.getByTestId("hub-settings"));
  await main.getByTestId("hub-move").click();
  await main.getByTestId("hub-move-dialog-confirm").waitFor();
  await shoot(main, interfaceLanguage, "hub-move");
});
