import { beforeEach, expect, it } from "vitest";
import { toBase64 } from "../../app/contract/base64.ts";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { appendEntry, type LedgerHead, NO_LEDGER } from "../../app/encryption/ledger/ledger.ts";
import { correspondents } from "../../app/encryption/testing/correspondents.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { pause } from "../hub-client.ts";
import type { EncryptionEvent } from "./encryption-events.ts";
import { GrantProof } from "./grant-proof.ts";

/** A ledger at a hub, which answers with what it had when it was asked. */
class LedgerRig {
  readonly told: EncryptionEvent[] = [];
  readonly relation = { relation_id: "r", user_id: "person-1", granted_scopes: ["x", "y"] };
  readonly clock = new ManualTime();
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
      pause: (ms: number) => pause(this.clock, ms, new AbortController().signal),
    };
    return new GrantProof({ hub, tell: (event) => this.told.push(event) }, this.#ends.agent.mail);
  }

  sign(kind: "grant" | "revocation", scope: string): void {
    if (this.#ends === undefined) throw new Error("nobody is there yet");
    const { person, agent } = this.#ends;
    const change = { agentId: agent.id, scopes: [scope], manifestHash: new Uint8Array(32), at: 1 };
    const { bytes, head } = appendEntry(crypto, person.identity, this.#head, { ...change, kind });
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
  rig.sign("grant", "x");
  rig.answersAfter = late.promise;
  const first = proof.check({ ...rig.relation, granted_scopes: ["x"] });
  rig.sign("grant", "y");
  rig.answersAfter = Promise.resolve();
  const second = proof.check(rig.relation);
  await new Promise<void>((resolve) => setImmediate(resolve));
  late.resolve();
  await Promise.all([first, second]);
  expect(rig.told).toMatchObject([proven("x"), proven("x", "y")]);
});

it("checks once more, however often it is asked to meanwhile", async () => {
  rig.sign("grant", "x");
  const before = { ...rig.relation, granted_scopes: ["x"] };
  const checks = [1, 2, 3].map(() => proof.check(before));
  const last = proof.check(rig.relation);
  rig.sign("grant", "y");
  await Promise.all([...checks, last]);
  expect(rig.asked).toBe(2);
  expect(rig.told).toMatchObject([proven("x"), { payload: { unproven_scopes: [] } }]);
});

it("waits for the person to sign what the hub has just been told", async () => {
  rig.sign("grant", "x");
  const granted = proof.check(rig.relation);
  await rig.clock.advance(0);
  rig.sign("grant", "y");
  await rig.clock.advance(1_000);
  await granted;
  const revoked = proof.check({ ...rig.relation, granted_scopes: ["y"] });
  await rig.clock.advance(0);
  rig.sign("revocation", "x");
  await rig.clock.advance(1_000);
  await revoked;
  expect(rig.told.map(({ payload }) => payload)).toEqual([
    { user_id: "person-1", proven_scopes: ["x", "y"], unproven_scopes: [] },
    { user_id: "person-1", proven_scopes: ["y"], unproven_scopes: [] },
  ]);
});

it("reports what the person does not sign, and stops looking for it", async () => {
  rig.sign("grant", "x");
  const checked = proof.check(rig.relation);
  await rig.clock.advance(10_000);
  await checked;
  const payload = { user_id: "person-1", proven_scopes: ["x"], unproven_scopes: ["y"] };
  expect(rig.told).toEqual([{ type: "encryption.grants", payload }]);
  expect(rig.clock.pending).toBe(0);
});
