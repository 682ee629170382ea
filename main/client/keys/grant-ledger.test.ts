import { beforeEach, describe, expect, it } from "vitest";
import { encryptionError } from "../../../app/encryption/encryption-error.ts";
import { createIdentity } from "../../../app/encryption/identity/identity.ts";
import {
  appendEntry,
  NO_LEDGER,
  readEntry,
  verifyLedger,
} from "../../../app/encryption/ledger/ledger.ts";
import { sealingError } from "../../../app/protocol/v1/message-sealing.ts";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { hubRestError } from "../../channels/hub-rest.ts";
import { agent as knownAgent } from "../../storage/testing/scratch-store.ts";
import { GrantLedger } from "./grant-ledger.ts";

const identity = await createIdentity(crypto, "person-1");
const KNOWN = knownAgent();
const AGENT = KNOWN.agent_id;
const RELATION = { relation_id: "relation-1", conversation_id: "conversation-1" };
const [READ, NOTIFY, CLIPBOARD] = [
  "filesystem:read",
  "notification:send",
  "clipboard:read",
] as const;
const MANIFEST = {
  ...KNOWN.manifest,
  permission_scopes: [READ, NOTIFY, CLIPBOARD].map((id) => ({
    id,
    label_i18n_key: id,
    sensitivity: "medium" as const,
  })),
};

const EMPTY = new Uint8Array(0);
const flipped = (entry: Uint8Array) => entry.with(60, (entry[60] ?? 0) ^ 1);

/** A hub that keeps one ledger, and an agent whose grants a test sets. */
class Rig {
  entries: Uint8Array[] = [];
  granted: string[] = [];
  hash = "11".repeat(32);
  now = 1_000;
  isAway = false;
  beforeAppend: () => void | Promise<void> = () => {};
  seen = NO_LEDGER;
  readonly disagreements: string[] = [];
  readonly reports: unknown[] = [];
  readonly ledger = new GrantLedger({
    crypto,
    identity,
    agent: () => ({
      ...KNOWN,
      relation: RELATION,
      manifest: MANIFEST,
      reviewed_hash: this.hash,
      grants: new Map(
        this.granted.map((scope) => [scope, { scope, state: "granted", changed_at: 0 }]),
      ),
    }),
    verify: async (agentId, entries) => {
      try {
        const expected = { person: identity.card, agentId, seen: this.seen };
        const standing = await verifyLedger(crypto, entries, expected);
        this.seen = standing.head;
        return standing;
      } catch (error) {
        throw encryptionError.is(error) ? sealingError(error.code) : error;
      }
    },
    rest: {
      entries: async () => {
        if (this.isAway) throw hubRestError("hub_unreachable");
        return [...this.entries];
      },
      append: async (_, index, entry) => {
        await this.beforeAppend();
        if (index !== this.entries.length) throw hubRestError("LEDGER_CONFLICT");
        this.entries.push(entry);
      },
    },
    clock: { now: () => this.now },
    changed: () => {},
    disagreed: (_, state) => this.disagreements.push(state),
    report: (error) => this.reports.push(error),
  });

  get told(): string[] {
    return this.entries.map((bytes) => {
      const { kind, scopes } = readEntry(bytes).entry;
      return `${kind} ${scopes.join("+")}`;
    });
  }

  async grant(...scopes: string[]): Promise<void> {
    this.granted = scopes;
    await this.ledger.sync(AGENT);
  }
}

describe("the grant ledger", () => {
  let rig: Rig;

  beforeEach(() => {
    rig = new Rig();
  });

  it("gets an entry for each grant, change and revocation, and no others", async () => {
    await rig.grant(READ, NOTIFY);
    await rig.grant(READ, NOTIFY);
    await rig.grant(NOTIFY);
    rig.hash = "22".repeat(32);
    await rig.grant(NOTIFY);
    await rig.grant();
    expect(rig.told).toEqual([
      `grant ${READ}+${NOTIFY}`,
      `revocation ${READ}`,
      `grant ${NOTIFY}`,
      `revocation ${NOTIFY}`,
    ]);
    expect(rig.ledger.state(AGENT)).toBe("in_step");
    expect(rig.seen.length).toBe(4);
  });

  it("adds what was granted while the hub was away, and stops calls until it was checked", async () => {
    expect(rig.ledger.state(AGENT)).toBe("unchecked");
    rig.isAway = true;
    await rig.grant(READ);
    expect(rig.ledger.state(AGENT)).toBe("unchecked");
    rig.isAway = false;
    await rig.ledger.checked(AGENT);
    expect(rig.ledger.state(AGENT)).toBe("in_step");
    expect(rig.told).toEqual([`grant ${READ}`]);
    expect(rig.disagreements).toEqual([]);
  });

  it("gets no entry that is older than the one before, although the clock was set back", async () => {
    await rig.grant(READ);
    rig.now -= 1;
    await rig.grant();
    expect(rig.ledger.state(AGENT)).toBe("in_step");
    expect(rig.entries.map((bytes) => readEntry(bytes).entry.at)).toEqual([1_000, 1_000]);
  });

  it("continues after an entry that arrived although its answer did not", async () => {
    await rig.grant(READ);
    rig.beforeAppend = async () => {
      rig.beforeAppend = () => {};
      const change = {
        kind: "revocation" as const,
        agentId: AGENT,
        scopes: [READ],
        manifestHash: new Uint8Array(32).fill(0x11),
        at: rig.now,
      };
      rig.entries.push((await appendEntry(crypto, identity, rig.seen, change)).bytes);
    };
    await rig.grant();
    expect(rig.told).toEqual([`grant ${READ}`, `revocation ${READ}`]);
    expect(rig.ledger.state(AGENT)).toBe("in_step");
  });

  it("refuses a ledger without one of its revocations, reports it once, and recovers with it", async () => {
    await rig.grant(READ);
    await rig.grant();
    const revocation = rig.entries.splice(1);
    await rig.ledger.sync(AGENT);
    await rig.ledger.sync(AGENT);
    expect(rig.ledger.state(AGENT)).toBe("rolled_back");
    expect(rig.disagreements).toEqual(["rolled_back"]);
    expect(rig.entries).toHaveLength(1);
    rig.entries.push(...revocation);
    await rig.ledger.sync(AGENT);
    expect(rig.ledger.state(AGENT)).toBe("in_step");
  });

  it("refuses entries that this person did not sign", async () => {
    await rig.grant(READ);
    const thief = await createIdentity(crypto, "person-1");
    const change = {
      kind: "grant" as const,
      agentId: AGENT,
      scopes: [CLIPBOARD],
      manifestHash: new Uint8Array(32),
      at: rig.now,
    };
    rig.entries.push((await appendEntry(crypto, thief, rig.seen, change)).bytes);
    await rig.grant(READ, NOTIFY);
    expect(rig.ledger.state(AGENT)).toBe("forged");
    expect(rig.entries).toHaveLength(2);
  });

  it.each<readonly [what: string, lie: (entries: Uint8Array[]) => Uint8Array[]]>([
    ["one bit of an entry is another", ([first = EMPTY, ...rest]) => [flipped(first), ...rest]],
    ["entries change places", (entries) => entries.toReversed()],
    ["an entry is there twice", (entries) => [...entries, ...entries.slice(-1)]],
    [
      "an entry was taken out of the middle",
      ([first = EMPTY, , ...rest]) => [first, ...rest, first],
    ],
    ["an entry is cut", (entries) => entries.map((entry) => entry.subarray(0, -1))],
  ])(
    "refuses a ledger in which %s, grants nothing by it, and heals with the whole one",
    async (_, lie) => {
      await rig.grant(READ);
      await rig.grant(READ, NOTIFY);
      await rig.grant(NOTIFY);
      const whole = rig.entries;
      rig.entries = lie(whole);
      await rig.ledger.sync(AGENT);
      expect(rig.ledger.state(AGENT)).toBe("forged");
      expect(rig.disagreements).toEqual(["forged"]);
      rig.entries = whole;
      await rig.ledger.sync(AGENT);
      expect(rig.ledger.state(AGENT)).toBe("in_step");
    },
  );

  it("refuses a ledger other than the one seen, even if this person signed all of it", async () => {
    await rig.grant(READ);
    await rig.grant(READ, NOTIFY);
    const [first = EMPTY] = rig.entries;
    const parties = { person: identity.card, agentId: AGENT, seen: NO_LEDGER };
    const { head } = await verifyLedger(crypto, [first], parties);
    const kind = "grant" as const;
    const manifestHash = new Uint8Array(32);
    const change = { kind, agentId: AGENT, scopes: [CLIPBOARD], manifestHash, at: rig.now };
    rig.entries = [first, (await appendEntry(crypto, identity, head, change)).bytes];
    await rig.ledger.sync(AGENT);
    expect(rig.ledger.state(AGENT)).toBe("rolled_back");
    expect(rig.disagreements).toEqual(["rolled_back"]);
    expect(rig.entries).toHaveLength(2);
  });

  it("stops calls of an agent that was shown another ledger, until it knows the one signed here", async () => {
    await rig.grant(READ);
    rig.ledger.compared(AGENT, "forked");
    rig.ledger.compared(AGENT, "forked");
    expect(rig.ledger.state(AGENT)).toBe("forked");
    expect(rig.disagreements).toEqual(["forked"]);
    await rig.grant(READ, NOTIFY);
    rig.ledger.compared(AGENT, "ahead");
    expect(rig.ledger.state(AGENT)).toBe("forked");
    rig.ledger.compared(AGENT, "same");
    expect(rig.ledger.state(AGENT)).toBe("in_step");
  });

  it("is in step with the final grants after many changes at once", async () => {
    const scopes = [READ, NOTIFY, CLIPBOARD];
    await Promise.all(scopes.map((_, at) => rig.grant(...scopes.slice(at))));
    const standing = await verifyLedger(crypto, rig.entries, {
      person: identity.card,
      agentId: AGENT,
      seen: rig.seen,
    });
    expect([...standing.granted.keys()]).toEqual([CLIPBOARD]);
    expect(rig.reports).toEqual([]);
  });
});

it("reports nothing after it is closed", async () => {
  const rig = new Rig();
  rig.granted = [READ];
  await rig.ledger.sync(AGENT);
  rig.entries = [];
  const looking = rig.ledger.sync(AGENT);
  rig.ledger.close();
  await looking;
  expect(rig.disagreements).toEqual([]);
});
