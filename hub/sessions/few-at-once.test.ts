import { expect, test } from "vitest";
import { openStorage } from "../storage/open-storage.ts";
import { HubRig } from "../testing/hub-rig.ts";

test("many who come at once are let in a few at a time, and messages pass meanwhile", async () => {
  const rig = new HubRig();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let [isHeld, running, most] = [false, 0, 0];
  await rig.start({
    async open(options) {
      const storage = await openStorage(options);
      const snapshot: typeof storage.snapshot = async (subject) => {
        running += 1;
        most = Math.max(most, running);
        if (isHeld) await held;
        running -= 1;
        return storage.snapshot(subject);
      };
      return { ...storage, snapshot };
    },
  });
  try {
    const agents = await Promise.all(Array.from({ length: 9 }, () => rig.addAgent()));
    const [first, ...others] = agents;
    if (first === undefined) throw new RangeError("no agent");
    const talking = await rig.agent(first);
    isHeld = true;
    const coming = others.map((each) => rig.agent(each));
    await expect.poll(() => running).toBe(4);
    await talking.says(first.relation.conversation_id, "m");
    expect(running).toBe(4);
    release();
    expect(await Promise.all(coming)).toHaveLength(8);
    expect(most).toBe(4);
  } finally {
    await rig.end();
  }
});

test("one that fails makes room for the next", async () => {
  const rig = await HubRig.start({
    async open(options) {
      const storage = await openStorage(options);
      return { ...storage, agentWithToken: () => Promise.reject(new RangeError("broken")) };
    },
  });
  try {
    const added = await rig.addAgent();
    for (let nth = 0; nth < 6; nth += 1) {
      const { client } = await rig.openAgentSocket(added.agentId);
      client.send({ type: "auth", agent_id: added.agentId, token: added.token });
      expect(await client.closed).toBe(1011);
    }
    expect((await rig.human()).ofType("auth.ok")).toHaveLength(1);
  } finally {
    await rig.end();
  }
});
