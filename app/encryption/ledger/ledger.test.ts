import { beforeAll, describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { createIdentity, type Identity } from "../identity/identity.ts";
import { NOW } from "../testing/conversation.ts";
import { expectRefusal, refusalOf } from "../testing/expect-refusal.ts";
import {
  appendEntry,
  compareHeads,
  encodeEntry,
  type GrantChange,
  type LedgerHead,
  NO_LEDGER,
  readEntry,
  verifyLedger,
} from "./ledger.ts";

const MANIFEST = new Uint8Array(32).fill(1);
const READ = "filesystem:read";
const WRITE = "filesystem:write";
const agentId = "agent-1";
const change = (kind: GrantChange["kind"], scopes: readonly string[], at = NOW): GrantChange => ({
  kind,
  agentId,
  scopes,
  at,
  manifestHash: MANIFEST,
});
const STORY = [
  change("grant", [WRITE, READ, WRITE]),
  change("revocation", [WRITE], NOW + 1),
  change("grant", ["shell:exec"], NOW + 2),
];

interface Ledger {
  readonly entries: readonly Uint8Array[];
  readonly heads: readonly LedgerHead[];
}

async function write(person: Identity, changes: readonly GrantChange[]): Promise<Ledger> {
  const entries: Uint8Array[] = [];
  const heads: LedgerHead[] = [NO_LEDGER];
  for (const each of changes) {
    const { bytes, head } = await appendEntry(crypto, person, heads.at(-1) ?? NO_LEDGER, each);
    entries.push(bytes);
    heads.push(head);
  }
  return { entries, heads };
}

let person: Identity;
let ledger: Ledger;
beforeAll(async () => {
  person = await createIdentity(crypto, "person-1");
  ledger = await write(person, STORY);
});

const verify = (entries: readonly Uint8Array[], seen: LedgerHead = NO_LEDGER) =>
  verifyLedger(crypto, entries, { person: person.card, agentId, seen });

describe("a grant ledger", () => {
  it("tells what is granted, under which manifest, and where and when it ends", async () => {
    const { granted, head, at } = await verify(ledger.entries);
    expect([...granted.keys()].toSorted()).toEqual([READ, "shell:exec"]);
    expect(granted.get(READ)).toEqual(MANIFEST);
    expect(head).toEqual(ledger.heads[3]);
    expect(at).toBe(NOW + 2);
  });

  it("grants nothing when it is empty, or when all was revoked", async () => {
    expect(await verify([])).toEqual({ granted: new Map(), head: NO_LEDGER, at: 0 });
    const { entries } = await write(person, [
      change("grant", [READ]),
      change("revocation", [READ]),
    ]);
    expect((await verify(entries)).granted.size).toBe(0);
  });

  it("goes on from any head that was seen of it", async () => {
    for (const seen of ledger.heads) {
      expect((await verify(ledger.entries, seen)).head.length).toBe(3);
    }
  });

  it("is refused with any bit of any entry flipped", async () => {
    for (const [place, entry] of ledger.entries.entries()) {
      for (let bit = 0; bit < entry.length * 8; bit += 1) {
        const flipped = entry.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        const code = await refusalOf(() => verify(ledger.entries.with(place, flipped)));
        expect(code).not.toBeNull();
      }
    }
  });

  it("is refused with an entry left out, repeated, exchanged or cut", async () => {
    const [first, second, third] = ledger.entries;
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    for (const wrong of [[second], [first, third], [first, first], [first, third, second]]) {
      await expectRefusal("ledger_broken", () => verify(wrong));
    }
    await expectRefusal("malformed", () => verify([first, second.subarray(0, -1)]));
    await expectRefusal("malformed", () => verify([new Uint8Array([...first, 0])]));
  });

  it("is refused when it ends before what was seen: a revocation cannot be hidden again", async () => {
    const seen = ledger.heads[2] ?? NO_LEDGER;
    await expectRefusal("ledger_rolled_back", () => verify(ledger.entries.slice(0, 1), seen));
    await expectRefusal("ledger_rolled_back", () => verify([], seen));
  });

  it("is refused when it differs from what was seen, though it is signed throughout", async () => {
    const other = await write(person, [change("grant", [WRITE]), change("grant", [READ])]);
    const seen = ledger.heads[1] ?? NO_LEDGER;
    await expectRefusal("ledger_rolled_back", () => verify(other.entries, seen));
  });

  it("is refused under another agent, person or key", async () => {
    const { card } = await createIdentity(crypto, "person-1");
    const expected = { person: person.card, agentId, seen: NO_LEDGER };
    const wrong = [
      ["bad_signature", { ...expected, person: card }],
      ["ledger_broken", { ...expected, agentId: "agent-2" }],
      ["ledger_broken", { ...expected, person: { ...person.card, ownerId: "person-2" } }],
    ] as const;
    for (const [code, each] of wrong) {
      await expectRefusal(code, () => verifyLedger(crypto, ledger.entries, each));
    }
  });

  it("is refused when its time runs backwards", async () => {
    const { entries } = await write(person, [
      change("grant", [READ]),
      change("revocation", [READ], NOW - 1),
    ]);
    await expectRefusal("ledger_broken", () => verify(entries));
  });

  it("has one form for an entry: scopes sorted, each once, at least one", async () => {
    const { entry } = readEntry(ledger.entries[0] ?? new Uint8Array(0));
    expect(entry.scopes).toEqual([READ, WRITE]);
    for (const scopes of [[], [WRITE, READ], [READ, READ]]) {
      await expectRefusal("malformed", () => encodeEntry({ ...entry, scopes }));
    }
  });
});

describe("two ends' heads", () => {
  it("tell who knows more, and when somebody showed them different ledgers", () => {
    const head = (length: number, fill: number) => ({
      length,
      hash: new Uint8Array(32).fill(fill),
    });
    expect(compareHeads(head(2, 1), head(2, 1))).toBe("same");
    expect(compareHeads(head(2, 1), head(3, 2))).toBe("behind");
    expect(compareHeads(head(3, 1), head(2, 1))).toBe("ahead");
    expect(compareHeads(head(2, 1), head(2, 2))).toBe("forked");
    expect(compareHeads(NO_LEDGER, NO_LEDGER)).toBe("same");
  });
});
