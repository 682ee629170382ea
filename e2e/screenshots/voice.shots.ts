import { test } from "../support/fixtures.ts";
import { MANIFEST } from "../support/manifest.ts";
import { shoot } from "./shoot.ts";

const LONG = "Ich habe die Fahrpläne verglichen: Der Nachtzug ist eine Stunde länger unterwegs. ";

test("voice messages", async ({ stage, interfaceLanguage: language }) => {
  const { agent } = await stage.connectedAgent();
  await agent.manifest({ ...MANIFEST, capability_flags: { supports_voice: true } });
  const main = await stage.open("conversations");
  await main.setViewportSize({ width: 1180, height: 820 });
  await main.locator('[data-testid="conversation-row"][data-kind="direct"]').first().click();
  const bar = main.getByTestId("voice-bar");
  const composer = main.getByTestId("composer-voice");
  await composer.waitFor();
  await shoot(main, language, "voice-key", composer);
  await composer.click();
  await main.getByTestId("voice-elapsed").filter({ hasText: "0:02" }).waitFor();
  await shoot(main, language, "voice-recording", bar);
  await main.getByTestId("voice-stop").click();
  await main.getByTestId("voice-send").waitFor();
  await shoot(main, language, "voice-recorded", bar);
  const heard = agent.heardVoice();
  await main.getByTestId("voice-send").click();
  const { data, duration_s } = await heard;
  await agent.speak({ data, duration_s, transcript: LONG.repeat(3) });
  const messages = main.locator('[data-testid="message"][data-content="voice"]');
  await messages.nth(1).waitFor();
  await shoot(main, language, "voice-messages", messages.last());
});
