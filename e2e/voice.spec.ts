import type { Page } from "@playwright/test";
import { expect, sharedStage, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

test.skip(({ host }) => host === "electron", "its binary has no microphone to play with");

const shared = sharedStage();

const flags = (supports_voice: boolean) => ({ ...MANIFEST, capability_flags: { supports_voice } });

/** The agent takes voice messages, and the page may have the microphone. */
async function talking() {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  await agent.manifest(flags(true));
  const main = await stage.openConversation(credentials);
  await expect(main.getByTestId("composer-voice")).toBeVisible();
  return { agent, credentials, main };
}
const bar = (main: Page, state: string) =>
  expect(main.getByTestId("voice-bar")).toHaveAttribute("data-state", state);
const time = (main: Page, seconds: RegExp) =>
  expect(main.getByTestId("voice-elapsed")).toHaveText(seconds);

async function record(main: Page): Promise<void> {
  await main.getByTestId("composer-voice").click();
  await bar(main, "recording");
  await time(main, /^0:0[1-9] of 3:00$/);
  await main.getByTestId("voice-stop").click();
  await bar(main, "recorded");
}

test("a voice message is recorded, listened to, sent, heard by the agent and answered with one", async () => {
  const { agent, main } = await talking();
  await main.getByTestId("composer-voice").click();
  await bar(main, "recording");
  const level = main.getByTestId("voice-level").locator("div");
  await expect(level).toHaveAttribute("style", /inline-size: [1-9]\d*%/);
  await time(main, /^0:0[1-9] of 3:00$/);
  await main.getByTestId("voice-stop").click();
  await bar(main, "recorded");
  const draft = main.getByTestId("voice-bar").getByTestId("voice-player");
  await draft.getByTestId("voice-play").click();
  await expect(draft).toHaveAttribute("data-playing", "true");
  await expect(draft).toHaveAttribute("data-playing", "false");

  const heard = agent.heardVoice();
  await main.getByTestId("voice-send").click();
  const { mime, duration_s, data } = await heard;
  expect(mime).toBe("audio/webm");
  expect(duration_s).toBeGreaterThanOrEqual(1);
  expect(Buffer.from(data, "base64").length).toBeGreaterThan(1_000);
  await expect(main.getByTestId("composer")).toBeVisible();
  const messages = main.locator('[data-testid="message"][data-content="voice"]');
  await expect(messages.first()).toHaveAttribute("data-state", "sent");

  await agent.speak({ data, duration_s, transcript: "You said <b>this</b>" });
  await expect(messages).toHaveCount(2);
  const answer = messages.last();
  await expect(answer).toContainText("You said <b>this</b>");
  const player = answer.getByTestId("voice-player");
  await expect(player).toHaveAttribute("data-playing", "false");
  await player.getByTestId("voice-play").click();
  await expect(player).toHaveAttribute("data-playing", "true");
  // One at a time.
  await messages.first().getByTestId("voice-play").click();
  await expect(player).toHaveAttribute("data-playing", "false");
  await expect(main.locator("audio, video")).toHaveCount(0);
});

test("a recording that ends before anything was recorded says so", { tag: "@once" }, async () => {
  const { main } = await talking();
  await main.evaluate(() => {
    const { prototype } = MediaRecorder;
    const { start, stop } = prototype;
    prototype.start = function soLong() {
      start.call(this, 600_000);
    };
    prototype.stop = function withoutData() {
      Object.assign(prototype, { start, stop });
      this.dispatchEvent(new Event("stop"));
    };
  });
  await main.getByTestId("composer-voice").click();
  await bar(main, "recording");
  await main.getByTestId("voice-stop").click();
  await expect(main.getByTestId("voice-failed")).toHaveAttribute("data-fault", "empty");
  await main.getByTestId("voice-cancel").click();
  await expect(main.getByTestId("composer")).toBeVisible();
});

test("a recording that is discarded is sent to nobody", { tag: "@once" }, async () => {
  const { main } = await talking();
  await record(main);
  await main.getByTestId("voice-cancel").click();
  await expect(main.getByTestId("composer")).toBeVisible();
  await main.getByTestId("composer-voice").click();
  await bar(main, "recording");
  await main.getByTestId("voice-cancel").click();
  await expect(main.getByTestId("composer")).toBeVisible();
  await expect(main.getByTestId("message")).toHaveCount(0);
});

test("the key is there while the manifest says so, also in the middle of a recording", {
  tag: "@once",
}, async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  const main = await stage.openConversation(credentials);
  await expect(main.getByTestId("composer")).toBeVisible();
  await expect(main.getByTestId("composer-voice")).toHaveCount(0);
  await agent.manifest(flags(true));
  await main.getByTestId("composer-voice").click();
  await bar(main, "recording");
  await agent.manifest(flags(false));
  await expect(main.getByTestId("voice-bar")).toHaveCount(0);
  await expect(main.getByTestId("composer-voice")).toHaveCount(0);
  expect(await agent.speak({ data: "T2dnUw==", duration_s: 1 })).toBe("voice_type_unknown");
});

test("a desktop window gets the microphone only while the person records", {
  tag: "@double",
}, async () => {
  const { main } = await talking();
  const asked = () =>
    main.evaluate(() =>
      navigator.mediaDevices.getUserMedia({ audio: true }).then(
        (stream) => {
          for (const track of stream.getTracks()) track.stop();
          return "given";
        },
        (error: DOMException) => error.name,
      ),
    );
  expect(await asked()).toBe("NotAllowedError");
  await main.getByTestId("composer-voice").click();
  await bar(main, "recording");
  expect(await asked()).toBe("given");
  // A recording that is stopped at once has nothing in it.
  await time(main, /^0:0[1-9] of 3:00$/);
  await main.getByTestId("voice-stop").click();
  await bar(main, "recorded");
  await expect.poll(asked).toBe("NotAllowedError");
});

test("in a group, the key is there when every agent takes voice messages", {
  tag: "@once",
}, async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  const other = await stage.connectedAgent([], "Another agent");
  await agent.manifest(flags(true));
  await stage.newGroup("Talks", credentials.agentId, other.credentials.agentId);
  const { main } = stage.program;
  await expect(main.getByTestId("composer")).toBeVisible();
  await expect(main.getByTestId("composer-voice")).toHaveCount(0);
  await other.agent.manifest(flags(true));
  await record(main);
  const heard = [agent.heardVoice(), other.agent.heardVoice()];
  await main.getByTestId("voice-send").click();
  for (const voice of heard) expect(await voice).toMatchObject({ mime: "audio/webm" });
});
