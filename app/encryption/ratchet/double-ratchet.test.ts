import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../crypto/node-primitives.ts";
import { text } from "../testing/conversation.ts";
import { expectRefusal, refusalOf } from "../testing/expect-refusal.ts";
import { ratchetDecrypt } from "./ratchet-decrypt.ts";
import { type RatchetMessage, ratchetEncrypt } from "./ratchet-encrypt.ts";
import { RATCHET_RULES, type RatchetState } from "./ratchet-state.ts";
import { startAsInitiator, startAsResponder } from "./start-ratchet.ts";

const AD = text("associated");
const DAY_MS = 24 * 3_600_000;

/** One end of a ratchet. Its state changes only when a call succeeds. */
class End {
  state: RatchetState;
  constructor(state: RatchetState) {
    this.state = state;
  }

  async send(content: string): Promise<RatchetMessage> {
    const { state, message } = await ratchetEncrypt(crypto, this.state, text(content), AD);
    this.state = state;
    return message;
  }

  async receive(message: RatchetMessage, now = 0): Promise<string> {
    const { state, plaintext } = await ratchetDecrypt(crypto, this.state, message, AD, now);
    this.state = state;
    return Buffer.from(plaintext).toString();
  }
}

interface Letter {
  readonly due: number;
  readonly to: End;
  readonly content: string;
  readonly message: RatchetMessage;
}

/** Delivers each message when it is due, then once more, which must be refused. */
class Post {
  #letters: readonly Letter[] = [];

  take(letter: Letter): void {
    this.#letters = [...this.#letters, letter];
  }

  async deliver(at: number): Promise<void> {
    for (const { to, content, message } of this.#letters.filter(({ due }) => due <= at)) {
      expect(await to.receive(message)).toBe(content);
      expect(["replayed", "unopenable"]).toContain(await refusalOf(() => to.receive(message)));
    }
    this.#letters = this.#letters.filter(({ due }) => due > at);
  }
}

async function makeEnds(): Promise<readonly [alice: End, bob: End]> {
  const secret = crypto.randomBytes(32);
  const prekey = await crypto.x25519Pair();
  const alice = await startAsInitiator(crypto, secret, prekey.publicKey);
  return [new End(alice), new End(startAsResponder(secret, prekey))];
}

let alice: End;
let bob: End;
beforeEach(async () => {
  [alice, bob] = await makeEnds();
});

async function sendMany(from: End, count: number): Promise<readonly RatchetMessage[]> {
  const messages: RatchetMessage[] = [];
  for (let at = 0; at < count; at += 1) messages.push(await from.send(String(at)));
  return messages;
}

const only = <T>(item: T | undefined): T => {
  if (item === undefined) throw new Error("missing");
  return item;
};

describe("the Double Ratchet", () => {
  it("brings messages both ways, each under keys of its own", async () => {
    const chains = new Set<string>();
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await bob.receive(await alice.send(`to bob ${turn}`))).toBe(`to bob ${turn}`);
      expect(await alice.receive(await bob.send(`to alice ${turn}`))).toBe(`to alice ${turn}`);
      chains.add(Buffer.from(alice.state.rootKey).toString("hex"));
    }
    expect(chains.size).toBe(5);
  });

  it("has the responder wait for the first message", async () => {
    await expectRefusal("no_session", () => bob.send("too early"));
  });

  it("opens messages in any order, with any lost, in any turns, each once", async () => {
    const step = fc.record({
      fromAlice: fc.boolean(),
      lost: fc.boolean(),
      delay: fc.nat({ max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
        [alice, bob] = await makeEnds();
        await bob.receive(await alice.send("hello"));
        const post = new Post();
        for (const [at, { fromAlice, lost, delay }] of steps.entries()) {
          const content = `message ${at}`;
          const message = await (fromAlice ? alice : bob).send(content);
          if (!lost) post.take({ due: at + delay, to: fromAlice ? bob : alice, content, message });
          await post.deliver(at);
        }
        await post.deliver(Number.POSITIVE_INFINITY);
      }),
      { numRuns: 40 },
    );
  });

  it("keeps the keys of a chain's lost messages past its end", async () => {
    const [first, ...late] = await sendMany(alice, 4);
    await bob.receive(only(first));
    await alice.receive(await bob.send("turn"));
    await bob.receive(await alice.send("new chain"));
    expect(bob.state.skipped).toHaveLength(3);
    for (const message of late.toReversed()) await bob.receive(message);
    expect(bob.state.skipped).toEqual([]);
  });

  it("skips as many as the rule says and not one more", async () => {
    const messages = await sendMany(alice, RATCHET_RULES.maxSkip + 2);
    const before = bob.state;
    await expectRefusal("too_many_skipped", () => bob.receive(only(messages.at(-1))));
    expect(bob.state).toBe(before);
    expect(await bob.receive(only(messages.at(-2)))).toBe(String(RATCHET_RULES.maxSkip));
    expect(bob.state.skipped).toHaveLength(RATCHET_RULES.maxSkip);
  });

  it("keeps a bounded number of keys in all, and forgets the oldest first", async () => {
    const oldest: RatchetMessage[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const messages = await sendMany(alice, 200);
      oldest.push(only(messages[0]));
      await bob.receive(only(messages.at(-1)));
      await alice.receive(await bob.send("turn"));
    }
    expect(bob.state.skipped).toHaveLength(RATCHET_RULES.maxKept);
    await expectRefusal("unopenable", () => bob.receive(only(oldest[0])));
    expect(await bob.receive(only(oldest[3]))).toBe("0");
  });

  it("forgets a key after its time, also when the clock was behind before", async () => {
    const [first, second, third] = await sendMany(alice, 3);
    await bob.receive(only(third), 10 * DAY_MS);
    expect(await bob.receive(only(first), 9 * DAY_MS)).toBe("0");
    await expectRefusal("replayed", () =>
      bob.receive(only(second), 10 * DAY_MS + RATCHET_RULES.keepMs + 1),
    );
    expect(await bob.receive(only(second), 10 * DAY_MS + RATCHET_RULES.keepMs)).toBe("1");
  });

  it("stays where it was when a message is forged, whatever of it", async () => {
    await bob.receive(await alice.send("hello"));
    const message = await alice.send("next");
    const { header, ciphertext } = message;
    const other = (await crypto.x25519Pair()).publicKey;
    const forgeries: readonly RatchetMessage[] = [
      { header, ciphertext: ciphertext.map((byte, at) => (at === 0 ? byte ^ 1 : byte)) },
      { header, ciphertext: ciphertext.subarray(1) },
      { header, ciphertext: new Uint8Array(0) },
      { header: { ...header, number: header.number + 1 }, ciphertext },
      { header: { ...header, previousSent: 5 }, ciphertext },
      { header: { ...header, ratchetKey: other }, ciphertext },
    ];
    const before = structuredClone(bob.state);
    for (const forged of forgeries) {
      await expectRefusal("unopenable", () => bob.receive(forged));
    }
    const zero = { header: { ...header, ratchetKey: new Uint8Array(32) }, ciphertext };
    await expectRefusal("bad_public_key", () => bob.receive(zero));
    const old = { header: { ...header, number: 0 }, ciphertext };
    await expectRefusal("replayed", () => bob.receive(old));
    expect(bob.state).toEqual(before);
    expect(await bob.receive(message)).toBe("next");
  });

  it("does not open what was bound to something else", async () => {
    const message = await alice.send("x");
    await expectRefusal("unopenable", () =>
      ratchetDecrypt(crypto, bob.state, message, text("other"), 0),
    );
  });

  it("gives a thief of its state neither earlier messages nor those after the next turn", async () => {
    const early = await alice.send("early");
    await bob.receive(early);
    const thief = new End(structuredClone(bob.state));
    expect(await refusalOf(() => thief.receive(early))).toBe("replayed");
    await alice.receive(await bob.send("one"));
    await bob.receive(await alice.send("two"));
    await alice.receive(await bob.send("three"));
    const healed = await alice.send("four");
    expect(await refusalOf(() => thief.receive(healed))).toBe("unopenable");
    expect(await bob.receive(healed)).toBe("four");
  });

  it("refuses the responder's prekey as a ratchet key: no message is ever sent with it", async () => {
    const { peerKey } = alice.state;
    const header = { ratchetKey: only(peerKey ?? undefined), previousSent: 0, number: 0 };
    await expectRefusal("unopenable", () =>
      alice.receive({ header, ciphertext: new Uint8Array(16) }),
    );
  });
});
