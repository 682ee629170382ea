import { test } from "../support/fixtures.ts";
import type { Stage } from "../support/stage.ts";
import { shoot } from "./shoot.ts";

async function add({ program: { main } }: Stage): Promise<void> {
  await main.getByTestId("pairing-accept").click();
  await main.getByTestId("model-open").waitFor();
}

test("a model", async ({ stage, interfaceLanguage }) => {
  const { main } = stage.program;
  await main.getByTestId("model-connect").click();
  await main.getByTestId("model-provider").getByRole("button").click();
  await shoot(main, interfaceLanguage, "model-providers");
  await main.locator('[data-choice="openai_compatible"]').click();
  await main.getByTestId("model-base-url").fill("http://models.example/v1");
  await main.getByTestId("model-name").fill("a-model-with-a-long-name-2026-11-22-instruct");
  await main.getByTestId("model-key").fill("sk-of-the-pictures");
  await main.getByTestId("model-save").click();
  await main.getByTestId("model-problem").getByText(/./).first().waitFor();
  await shoot(main, interfaceLanguage, "model-dialog");
  await main.getByTestId("model-base-url").fill("http://127.0.0.1:9/v1");
  await main.getByTestId("model-save").click();
  await main.getByTestId("pairing-card").waitFor();
  await shoot(main, interfaceLanguage, "model-waiting");
  await add(stage);
  await main.getByTestId("model-open").click();
  await main.getByTestId("composer").fill("Hello");
  await main.getByTestId("composer").press("Enter");
  await main.getByTestId("message").nth(1).waitFor();
  await shoot(await stage.open("home"), interfaceLanguage, "model-fault");
});

test("a demonstration of a model", async ({ stage, interfaceLanguage }) => {
  const { main } = stage.program;
  await main.getByTestId("model-demonstration").click();
  await main.getByTestId("pairing-card").waitFor();
  await add(stage);
  await shoot(main, interfaceLanguage, "model-demonstration");
  await main.getByTestId("model-open").click();
  await main.getByTestId("composer").fill("Hello");
  await main.getByTestId("composer").press("Enter");
  await main.getByTestId("message").nth(1).waitFor();
  await main.getByTestId("composer").fill("https://example.com");
  await main.getByTestId("composer").press("Enter");
  await stage.press("consent-deny");
  await main.getByTestId("message").nth(3).waitFor();
  await shoot(main, interfaceLanguage, "model-conversation");
});
