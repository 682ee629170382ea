import { chromiumLaunchOptions } from "./chromium.ts";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

const launchOptions = await chromiumLaunchOptions();
// The person answers the browser's question with no.
const args = [...launchOptions.args, "--use-fake-ui-for-media-stream=deny"];
test.use({ launchOptions: { ...launchOptions, args } });

test("without the microphone, it says what to do", async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  await agent.manifest({ ...MANIFEST, capability_flags: { supports_voice: true } });
  const main = await stage.open("conversations");
  await main.getByTestId("conversation-row").filter({ hasText: "End-to-end agent" }).click();
  await main.getByTestId("composer-voice").click();
  await expect(main.getByTestId("voice-failed")).toHaveAttribute("data-fault", "denied");
  await expect(main.getByTestId("voice-failed")).toContainText("Allow it in the settings");
  await main.getByTestId("voice-cancel").click();
  await expect(main.getByTestId("composer")).toBeVisible();
});
