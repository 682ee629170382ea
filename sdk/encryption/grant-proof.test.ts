import { beforeEach, expect, it } from "vitest";
import { appendEntry } from "../../app/encryption/ledger/append-entry.ts";
import { type LedgerHead, NO_LEDGER } from "../../app/encryption/ledger/ledger-head.ts";
import { correspondents } from "../../app/encryption/testing/correspondents.ts";
import { toBase64 } from "../../app/protocol/v1/base64.ts";
import { nodePrimitives as crypto } from "../../crypto/node-primitives.ts";
import type { EncryptionEvent } from "./encryption-events.ts";
import { GrantProof } from "./grant-proof.ts";

/** A ledger at a hub, which answers with what it had when it was asked. */
class LedgerRig {
  readonly told: EncryptionEvent[] = [];
  readonly relation = { relation_id: "r", user_id: "person-1", granted_scopes: ["x", "y"] };
  asked = 0;
  /** Answers are given once it settles. */
  answersAfter = Promise.resolve();
  readonly #entries: string[] = [];
  #head: LedgerHead = NO_LEDGER;
  #ends: Awaited<ReturnType<typeof correspondents>> | undefined;

  async proof(): Promise<GrantProof> {
    this.#ends = await correspondents(crypto);
    const hub = {
      ask: async () => {
        this.asked += 1;
        const entries = [...this.#entries];
        await this.answersAfter;
        return { entries };
      },
    };
    return new GrantProof({ hub, tell: (event) => this.told.push(event) }, this.#ends.agent.mail);
  }

  grant(scope: string): void {
    if (this.#ends === undefined) throw new Error("nobody is there yet");
    const { person, agent } = this.#ends;
    const change = { agentId: agent.id, scopes: [scope], manifestHash: new Uint8Array(32), at: 1 };
    const { bytes, head } = appendEntry(crypto, person.identity, this.#head, {
      ...change,
      kind: "grant",
    });
    this.#entries.push(toBase64(bytes));
    this.#head = head;
  }
}

let rig: LedgerRig;
let proof: GrantProof;
beforeEach(async () => {
  rig = new LedgerRig();
  proof = await rig.proof();
});

const proven = (...scopes: string[]) => ({
  type: "encryption.grants",
  payload: { proven_scopes: scopes },
});

it("refuses no ledger because the hub's answers overtake each other", async () => {
  const late = Promise.withResolvers<void>();
  rig.grant("x");
  rig.answersAfter = late.promise;
  const first = proof.check(rig.relation);
  rig.grant("y");
  rig.answersAfter = Promise.resolve();
  const second = proof.check(rig.relation);
  await new Promise<void>((resolve) => setImmediate(resolve));
  late.resolve();
  await Promise.all([first, second]);
  expect(rig.told).toMatchObject([proven("x"), proven("x", "y")]);
});

it("checks once more, however often it is asked to meanwhile", async () => {
  rig.grant("x");
  const checks = [1, 2, 3].map(() => proof.check(rig.relation));
  const last = proof.check({ ...rig.relation, granted_scopes: ["x"] });
  rig.grant("y");
  await Promise.all([...checks, last]);
  expect(rig.asked).toBe(2);
  expect(rig.told).toMatchObject([proven("x"), { payload: { unproven_scopes: [] } }]);
});
