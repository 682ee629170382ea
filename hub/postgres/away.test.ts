import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { realClock } from "../../sdk/options.ts";
import { startOwnNats } from "../../tests/servers/own-nats.ts";
import { OwnPostgres } from "../../tests/servers/own-postgres.ts";
import { CLOSE } from "../lines/line.ts";
import { natsWakes } from "../nats/nats-wakes.ts";
import { HubRig, messageTo } from "../testing/hub-rig.ts";
import type { TestClient } from "../testing/test-client.ts";
import { testNats } from "../testing/test-nats.ts";
import { openPostgres } from "./open-postgres.ts";

const postgres = await OwnPostgres.start("fsync=off");
const nats = await startOwnNats(testNats);
afterAll(async () => {
  await postgres?.end();
  await nats?.kill();
});

const inTime = { clock: realClock, monotonic: realClock, scheduler: realClock };
const [one, other] = [new HubRig(), new HubRig()];

/** On the servers that are stopped and started here. */
describe.runIf(postgres !== undefined && nats !== undefined)(
  "two nodes",
  { timeout: 60_000 },
  () => {
    beforeEach(async () => {
      const natsUrl = new URL(nats?.url ?? "");
      for (const rig of [one, other]) {
        await rig.start({
          ...inTime,
          open: (options) => openPostgres(postgres?.url ?? "", options),
          wakes: (nodeId) => natsWakes(natsUrl, nodeId, realClock, () => undefined),
        });
      }
    });
    afterEach(async () => {
      await one.end();
      await other.end();
    });

    async function talk() {
      const added = await one.addAgent();
      const [human, agent] = [await one.human(), await other.agent(added)];
      return { added, human, agent, id: added.relation.conversation_id };
    }
    const isOpen = (client: TestClient) =>
      Promise.race([client.closed.then(() => false), wait(200, true)]);
    const numbers = (client: TestClient) =>
      client.ofType("message.new").map(({ conversation_seq }) => conversation_seq);

    test.each(["SIGINT", "SIGKILL"] as const)(
      "refuse while PostgreSQL is away (%s), keep their sockets, and lose nothing",
      async (signal) => {
        const { added, human, agent, id } = await talk();
        await human.says(id, `${id} 1`);
        await agent.next("message.new");
        await postgres?.kill(signal);
        human.send(messageTo(id, `${id} 2`));
        const { error, client_message_id } = await human.next("message.refused");
        expect(client_message_id).toBe(`${id} 2`);
        expect(error).toMatchObject({ code: "UNAVAILABLE", params: { retry_after_ms: 1_000 } });
        const asked = await one.rest("GET", `/agents/${added.agentId}`);
        expect([asked.status, asked.json.error.code]).toEqual([503, "UNAVAILABLE"]);
        await expect(one.hub.isReady()).rejects.toMatchObject({ code: "UNAVAILABLE" });
        expect([await isOpen(human), await isOpen(agent)]).toEqual([true, true]);
        // Nobody is told that a good token is wrong.
        const { client: comes } = await one.openAgentSocket(added.agentId);
        comes.send({ type: "auth", agent_id: added.agentId, token: added.token });
        expect([await comes.closed, comes.frames]).toEqual([CLOSE.internal, []]);
        // Reported while it is away: it is delivered again, and can be reported again.
        agent.send({ type: "message.received", conversation_id: id, conversation_seq: 1 });
        await postgres?.start();
        // What was acknowledged is known, also to the node that did not take it; what was refused is new.
        const again = await other.human();
        expect(await again.says(id, `${id} 1`)).toMatchObject({ conversation_seq: 1 });
        expect(await human.says(id, `${id} 2`)).toMatchObject({ conversation_seq: 2 });
        while (!numbers(agent).includes(2)) await agent.next("message.new");
        expect(numbers(agent)).toEqual([1, 1, 2]);
        expect(await isOpen(agent)).toBe(true);
        // Nothing was reported as received: all of it comes again.
        const anew = await one.agent(added);
        await anew.next("message.new");
        await anew.next("message.new");
        expect(numbers(anew)).toEqual([1, 2]);
      },
    );

    test("deliver by asking while NATS is away, and are woken once it is back", async () => {
      const { human, agent, id } = await talk();
      await human.says(id, `${id} 1`);
      await agent.next("message.new");
      await nats?.kill();
      await human.says(id, `${id} 2`);
      await agent.next("message.new");
      await nats?.start();
      await human.says(id, `${id} 3`);
      await agent.next("message.new");
      expect(numbers(agent)).toEqual([1, 2, 3]);
    });
  },
);
