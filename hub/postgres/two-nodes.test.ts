import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Manifest } from "../../app/contract/manifest.ts";
import { realClock } from "../../sdk/options.ts";
import type { Admission, NewMessage, Relation } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { sampleManifest } from "../testing/sample-manifest.ts";
import {
  dropTestDatabases,
  hasPostgres,
  onTestDatabase,
  testDatabase,
} from "../testing/test-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

const manifest = sampleManifest() as unknown as Manifest;
const person = { id: "person", type: "human" } as const;
const agent = { id: "a", type: "agent" } as const;

const open = (address: string) =>
  openPostgres(address, {
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    scheduler: realClock,
    log: () => undefined,
  });

test.runIf(hasPostgres)(
  "a database is migrated once by the nodes that start on it at once",
  async () => {
    const address = await testDatabase(`${import.meta.filename} migrated`);
    const nodes = await Promise.all(Array.from({ length: 6 }, () => open(address)));
    const secrets = nodes.map(({ tokenSecret }) => Buffer.from(tokenSecret).toString("hex"));
    expect(new Set(secrets).size).toBe(1);
    await Promise.all(nodes.map((node) => node.close()));
    await onTestDatabase(
      address,
      "INSERT INTO kysely_migration VALUES ('9999', 'of a newer version')",
    );
    await expect(open(address)).rejects.toMatchObject({ code: "database_other_version" });
    await dropTestDatabases();
  },
);

/** What has to be exact although two nodes do it at once, each over connections of its own. */
describe.runIf(hasPostgres)("two nodes at once", () => {
  let nodes: readonly [HubStorage, HubStorage];
  let address = "";
  beforeEach(async () => {
    address = await testDatabase(import.meta.filename);
    nodes = await Promise.all([open(address), open(address)]);
    await nodes[0].addAgent(
      {
        ...{ agent_id: "a", owner_id: "person", name: "Agent", created_at: 0 },
        ...{ token_hash: Buffer.from("token"), manifest, manifest_hash: "hash" },
      },
      undefined,
    );
    await relate({ status: "active" });
  });
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await dropTestDatabases();
  });

  const relate = (change: Pick<Relation, "status">, node = nodes[0]) =>
    node.changeRelation({ agent_id: "a", user_id: "person" }, (_, present) => ({
      relation: {
        ...{ relation_id: "r", agent_id: "a", user_id: "person", conversation_id: "talk" },
        ...{ granted_scopes: [], connection_mode: "websocket", reauth: null, answer: null },
        ...present,
        ...change,
      },
      events: [],
    }));
  /** This many at once, turn by turn at either. */
  const race = <Value>(count: number, work: (node: HubStorage, nth: number) => Promise<Value>) =>
    Promise.all(Array.from({ length: count }, (_, nth) => work(nodes[nth % 2] ?? nodes[0], nth)));
  const counted = (from: number, count: number) =>
    Array.from({ length: count }, (_, nth) => from + nth);
  const sorted = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);

  const admission: Admission = { bytes: 0, isCall: false, isInHistory: true, refusal: null };
  const say = (node: HubStorage, id: string, over: Partial<Admission> = {}) => {
    const message: NewMessage = {
      ...{ message_id: `message-${id}`, client_message_id: id, conversation_id: "talk" },
      ...{ sender_id: "a", sender_type: "agent", content_type: "text", msg_subtype: null },
      ...{ payload: "AGhp", created_at: 0 },
    };
    return node.acceptMessage(message, { ...admission, ...over });
  };
  const seqOf = (kept: Awaited<ReturnType<typeof say>>) =>
    "refused" in kept ? kept.refused : kept.receipt.conversation_seq;

  test("give manifests versions without gaps", async () => {
    const versions = await race(20, async (node) => {
      const changed = await node.replaceManifest(
        "a",
        { manifest, manifest_hash: "h" },
        (found) => ({
          version: found.capability_manifest_version + 1,
          relations: [],
          leavesGroups: false,
        }),
      );
      return changed?.version ?? 0;
    });
    expect(sorted(versions)).toEqual(counted(2, 20));
    expect(await nodes[1].agent("a")).toMatchObject({ capability_manifest_version: 21 });
  });

  test("number a conversation's messages, and each recipient's deliveries, without gaps", async () => {
    const kept = await race(40, (node, nth) => say(node, `m${nth}`));
    expect(sorted(kept.map(seqOf) as number[])).toEqual(counted(1, 40));
    const waiting = await nodes[1].undelivered("person", 0, 100);
    expect(waiting.map(({ delivery_id }) => delivery_id)).toEqual(counted(1, 40));
    expect(waiting.map(({ conversation_seq }) => conversation_seq)).toEqual(counted(1, 40));
  });

  test("take a message once that comes to both", async () => {
    const kept = await race(10, (node) => say(node, "m"));
    expect(kept.map(seqOf)).toEqual(counted(1, 10).map(() => 1));
    const delivered = kept.filter((each) => !("refused" in each) && each.deliveries.length > 0);
    expect(delivered).toHaveLength(1);
  });

  test("keep a message until it is reported received, also to both at once", async () => {
    const kept = await race(20, (node, nth) => say(node, `m${nth}`, { bytes: 10 }));
    const count = async (sql: string) => (await onTestDatabase(address, sql))[0];
    const waiting = "SELECT sum(waiting)::int AS n FROM queues";
    expect(await count(waiting)).toEqual({ n: 20 });
    const numbers = sorted(kept.map(seqOf) as number[]);
    // Each to both, and all but the last.
    await race(38, (node, nth) => node.received("person", "talk", numbers[nth >> 1] ?? 0));
    const left = await nodes[1].undelivered("person", 0, 100);
    expect(left.map(({ conversation_seq }) => conversation_seq)).toEqual([20]);
    expect(await count(waiting)).toEqual({ n: 1 });
    expect(await count("SELECT waiting_bytes::int AS n FROM senders")).toEqual({ n: 10 });
    expect(await count("SELECT count(payload)::int AS n FROM messages")).toEqual({ n: 1 });
  });

  test("let one person in by an invitation that comes to both", async () => {
    const token_hash = Buffer.from("invitation");
    await nodes[0].invite({ token_hash, name: "Ada", role: "member", expires_at: 1_000 }, 0);
    const joined = await race(8, (node, nth) =>
      node.join(token_hash, { user_id: `user-${nth}`, key_id: `key-${nth}`, created_at: 1 }),
    );
    expect(joined.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await nodes[1].accounts()).toHaveLength(1);
  });

  test("let an agent make 60 calls in a minute", async () => {
    const kept = await race(80, (node, nth) => say(node, `c${nth}`, { isCall: true }));
    expect(kept.filter((each) => "refused" in each)).toHaveLength(20);
  });

  test("hand out each one-time prekey once, the oldest first, and say that none is left", async () => {
    const identity = { owner_id: "a", key_id: "k", identity_card: Buffer.from("card") };
    const keys = counted(1, 10).map((nth) => Buffer.from(String(nth).padStart(2, "0")));
    const signed = { ...identity, signed_prekey: Buffer.from("last resort") };
    await nodes[0].publishKeys(agent, signed, keys, () => undefined);
    const first = await nodes[1].takeBundle("a", "person");
    expect(first?.oneTimePrekey?.toString()).toBe("01");
    const taken = await race(12, (node) => node.takeBundle("a", "person"));
    const given = taken.flatMap((each) => each?.oneTimePrekey?.toString() ?? []);
    expect(given.toSorted()).toEqual(keys.slice(1).map(String));
    const without = taken.filter((each) => each?.oneTimePrekey === null);
    expect(without.map((each) => [each?.oneTimeLeft, each?.signedPrekey.toString()])).toEqual(
      counted(1, 3).map(() => [0, "last resort"]),
    );
  });

  test("keep one entry for each place of a ledger", async () => {
    const kept = await race(10, (node, nth) => node.appendLedger("r", 0, Buffer.from(String(nth))));
    expect(kept.filter(({ isKept }) => isKept)).toHaveLength(1);
  });

  /** One message waits for an agent that the hub calls. */
  async function call(): Promise<void> {
    await nodes[0].setWebhook({ agent_id: "a", url: "http://localhost/", secret: "s" });
    await nodes[0].acceptMessage(
      {
        ...{ message_id: "m", client_message_id: "m", conversation_id: "talk" },
        ...{ sender_id: "person", sender_type: "human", content_type: "text", msg_subtype: null },
        ...{ payload: "AGhp", created_at: 0 },
      },
      admission,
    );
  }

  test("attend to a webhook's conversation alone, and leave it to the other when it is empty", async () => {
    await call();
    expect(await nodes[0].nodes?.idleLanes()).toEqual([{ agent_id: "a", conversation_id: "talk" }]);
    const found = await race(6, (node) => node.nextDelivery("a", "talk"));
    const [first] = found.flatMap((each) => each ?? []);
    expect(found.filter((each) => each !== undefined)).toHaveLength(3);
    expect(await nodes[1].nodes?.idleLanes()).toEqual([]);
    if (first === undefined) throw new RangeError("nothing waits");
    await nodes[0].settleDelivery("a", first);
    expect(await race(6, (node) => node.nextDelivery("a", "talk"))).toEqual(
      counted(1, 6).map(() => undefined),
    );
  });

  test("leave a webhook that fails to the one that tries it, as long as that one lives", async () => {
    await call();
    const [one, other] = nodes;
    const seconds = (count: number) =>
      onTestDatabase(address, `UPDATE lane_owners SET until = until - interval '${count} seconds'`);
    const [first] = await Promise.all([one.nextDelivery("a", "talk"), one.nodes?.beat([])]);
    expect(first?.kind).toBe("message");
    for (let nth = 0; nth < 3; nth += 1) {
      await seconds(20);
      await Promise.all(nodes.map((node) => node.nodes?.beat([])));
      const looked = await race(6, () => other.nextDelivery("a", "talk"));
      expect(looked.filter((each) => each !== undefined)).toEqual([]);
      expect([await other.lanes("a"), await other.nodes?.idleLanes()]).toEqual([[], []]);
      expect(await one.lanes("a")).toEqual(["talk"]);
    }
    await seconds(31);
    expect(await other.lanes("a")).toEqual(["talk"]);
    expect(await other.nextDelivery("a", "talk")).toEqual(first);
    // Whoever was taken for dead does not take it back.
    await one.nodes?.beat([]);
    expect(await one.nextDelivery("a", "talk")).toBeUndefined();
  });

  test("keep what a revoked relation leaves from being delivered", async () => {
    const [kept] = await Promise.all([
      race(20, (node, nth) => say(node, `m${nth}`)),
      relate({ status: "revoked" }, nodes[1]),
    ]);
    const taken = kept.map(seqOf).filter((seq) => seq !== "NOT_A_MEMBER");
    expect(sorted(taken as number[])).toEqual(counted(1, taken.length));
    expect(await nodes[0].acceptMessage(...later)).toEqual({ refused: "NOT_A_MEMBER" });
    expect(await nodes[0].snapshot(person)).toMatchObject({ relations: [{ status: "revoked" }] });
  });

  const later: Parameters<HubStorage["acceptMessage"]> = [
    {
      ...{ message_id: "z", client_message_id: "z", conversation_id: "talk" },
      ...{ sender_id: "a", sender_type: "agent", content_type: "text", msg_subtype: null },
      ...{ payload: "AGhp", created_at: 0 },
    },
    admission,
  ];
});
