import { expect, test } from "vitest";
import { HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig());

const REFUSED = {
  status: 400,
  json: { error: { code: "BAD_REQUEST", params: { fault: "nothing_visible" } } },
};
const BLANKS = [" ", "\u200d", "\u3164", "\u2800", "\u00a0\u202e"];

test.each(BLANKS)("nobody registers or asks to be added as %j", async (name) => {
  const body = { name, capability_manifest: sampleManifest() };
  expect(await rig.asPerson("POST", "/agents", body)).toMatchObject(REFUSED);
  expect(await rig.rest("POST", "/pairings", { body })).toMatchObject(REFUSED);
  expect((await rig.asPerson("GET", "/pairings")).json.data).toEqual([]);
});

test.each(BLANKS)("no group is made or renamed to %j", async (title) => {
  const group = { type: "group", agent_ids: [] };
  expect(await rig.asPerson("POST", "/conversations", { ...group, title })).toMatchObject(REFUSED);
  const { json } = await rig.asPerson("POST", "/conversations", { ...group, title: "Plans" });
  const path = `/conversations/${json.data.conversation_id}`;
  expect(await rig.asPerson("PATCH", path, { title })).toMatchObject(REFUSED);
  expect((await rig.asPerson("GET", path)).json.data.title).toBe("Plans");
});
