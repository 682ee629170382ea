import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "../support/fixtures.ts";

const FOLDER = fileURLToPath(new URL("../../.screenshots", import.meta.url));

test.use({ host: "electron-double" });

/** As large as the consent window is made, and as small as it may become. */
const SIZES = [
  { width: 560, height: 680 },
  { width: 360, height: 480 },
];

test("the consent window", async ({ stage, interfaceLanguage }) => {
  const { cards } = stage.program;
  const folder = stage.folderWith({ "notes.md": "Buy milk.\nCall Ada.\n" });
  const { agent } = await stage.connectedAgent();
  mkdirSync(join(FOLDER, interfaceLanguage), { recursive: true });
  const shoot = async (scene: string): Promise<void> => {
    for (const size of SIZES) {
      await cards.setViewportSize(size);
      const path = join(FOLDER, interfaceLanguage, `${scene}-${size.width}.png`);
      await cards.screenshot({ path, animations: "disabled" });
    }
  };
  const content = `Buy oat milk.\n${"Call Ada.\n".repeat(20)}`;
  void agent.call("write_file", { path: join(folder, "notes.md"), content });
  await stage.card();
  await shoot("window-one");
  void agent.call("write_clipboard", { text: "two" });
  void agent.call("fetch_url", { url: "http://192.168.1.1/" });
  await stage.waits(3);
  await shoot("window-three");
  await cards.getByTestId("consent-deny").click();
  await cards.getByTestId("consent-undo").waitFor();
  await shoot("window-denied");
});
