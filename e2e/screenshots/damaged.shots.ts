import { cpSync, linkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "../support/fixtures.ts";
import { shoot } from "./shoot.ts";

test("an older log, a lost hub, a linked key", async ({ stage, interfaceLanguage }) => {
  const { agent } = await stage.connectedAgent();
  const { dataDir } = stage;
  await stage.program.stop();
  cpSync(dataDir, `${dataDir}-copy`, { recursive: true });
  await stage.start();
  await agent.call("send_notification", { title: "Soon forgotten" });
  await agent.kill();
  await stage.program.stop();
  rmSync(dataDir, { recursive: true });
  renameSync(`${dataDir}-copy`, dataDir);
  for (const companion of ["", "-wal", "-shm"]) {
    rmSync(join(dataDir, `hub.db${companion}`), { force: true });
  }
  linkSync(join(dataDir, "host.key"), `${dataDir}-host.key`);
  const { main } = await stage.start();
  await main.getByTestId("notice").first().waitFor();
  await shoot(main, interfaceLanguage, "notices-damaged");
  await stage.open("activity");
  await main.getByTestId("activity-verify").click();
  await main.getByTestId("activity-verify-result").waitFor();
  await shoot(main, interfaceLanguage, "activity-rolled-back");
  await main.getByTestId("acknowledge-rollback").first().click();
  await shoot(main, interfaceLanguage, "acknowledge");
  await main.getByTestId("acknowledge-rollback-dialog-confirm").click();
  await main.getByTestId("acknowledge-rollback-dialog").waitFor({ state: "detached" });
  await main.getByTestId("activity-verify").click();
  await main.getByTestId("activity-acknowledged").waitFor();
  await shoot(main, interfaceLanguage, "activity-acknowledged");
});
