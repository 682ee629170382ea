import { expect, test } from "vitest";
import { digestOf } from "../../app/contract/digest.ts";
import type { ManifestAccepted } from "../../app/protocol/v1/rest.ts";
import { HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const WRITERS = 64;
const PATCHES_EACH = 4;

let checks = 0;
/** As a worker does, some take longer than others: turns of the event loop mix the writers. */
const checkSchema = async () => {
  checks += 7;
  for (let turns = checks % 4; turns > 0; turns -= 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return [];
};
const rig = ofEachTest(new HubRig(), { onDisk: true, checkSchema });

test("64 writers at once get consecutive versions, and each its own hash", async () => {
  const added = await rig.addAgent();
  const accepted: ManifestAccepted[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let nth = 0; nth < PATCHES_EACH; nth += 1) {
      const body = sampleManifest({ agent_version: `1.${writer}.${nth}` });
      const reply = await rig.patch(added, body);
      const data = reply.json.data as ManifestAccepted;
      expect(data.capability_manifest_hash).toBe(digestOf(body));
      accepted.push(data);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const versions = accepted.map((each) => each.capability_manifest_version);
  const expected = Array.from({ length: WRITERS * PATCHES_EACH }, (_, at) => at + 2);
  expect(versions.toSorted((one, other) => one - other)).toEqual(expected);
  const newest = accepted.find((each) => each.capability_manifest_version === expected.at(-1));
  expect(await rig.agentView(added.agentId)).toMatchObject({
    capability_manifest_version: expected.at(-1),
    capability_manifest_hash: newest?.capability_manifest_hash,
  });
});
