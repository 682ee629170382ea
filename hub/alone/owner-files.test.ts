import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import { HubRig } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import { writeOwnerFiles } from "./owner-files.ts";

const scratch = ScratchFolder.forEachTest();
const rig = ofEachTest(new HubRig());
/** Apart from the hub's, so that what is awaited is the file's own timer. */
let renewal: ManualTime;
beforeEach(() => {
  renewal = new ManualTime();
});

const log = () => undefined;

test("the file always contains a token that is valid for minutes", async () => {
  const { tokenFile } = await writeOwnerFiles(rig.hub, scratch.base, renewal, log);
  for (let minutes = 0; minutes < 60; minutes += 2.5) {
    const token = readFileSync(tokenFile, "utf8").trim();
    rig.time.pass(149_000);
    expect((await rig.rest("GET", "/h2a/relations", { token })).status).toBe(200);
    rig.time.pass(1_000);
    const renewed = renewal.nextTimer();
    renewal.pass(150_000);
    await renewed;
    expect(readFileSync(tokenFile, "utf8").trim()).not.toBe(token);
  }
});

test("both files are deleted when the hub ends, and no timer is left", async () => {
  const files = await writeOwnerFiles(rig.hub, scratch.base, renewal, log);
  const urlFile = join(scratch.base, "hub.url");
  expect(readFileSync(urlFile, "utf8")).toBe(`${rig.hub.url}\n`);
  files.remove();
  expect([existsSync(files.tokenFile), existsSync(urlFile), renewal.pending]).toEqual([
    false,
    false,
    0,
  ]);
});
