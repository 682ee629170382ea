import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { ByteReader, ByteWriter } from "../bytes.ts";
import { text } from "../testing/conversation.ts";
import { expectRefusal, refusalOf } from "../testing/expect-refusal.ts";
import {
  type RatchetMessage,
  ratchetDecrypt,
  ratchetEncrypt,
  startAsInitiator,
  startAsResponder,
  withNothingSetAside,
} from "./double-ratchet.ts";
import { RATCHET_RULES, type RatchetState, readRatchet, writeRatchet } from "./ratchet-state.ts";

const AD = text("associated");
const { chainMs, chainMessages, setAside, keepMs } = RATCHET_RULES;

/** What the sender's clock says, in ms. */
let time: number;

/** One end of a ratchet. Its state changes only when a call succeeds. */
class End {
  state: RatchetState;
  constructor(state: RatchetState) {
    this.state = state;
  }

  async send(content: string): Promise<RatchetMessage> {
    const { state, message } = await ratchetEncrypt(crypto, this.state, text(content), AD, time);
    this.state = state;
    return message;
  }

  async receive(message: RatchetMessage, now = time): Promise<string> {
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
  const alice = await startAsInitiator(crypto, secret, prekey.publicKey, time);
  return [new End(alice), new End(startAsResponder(secret, prekey))];
}

let alice: End;
let bob: End;
beforeEach(async () => {
  time = 0;
  [alice, bob] = await makeEnds();
});

async function sendMany(from: End, count: number): Promise<readonly RatchetMessage[]> {
  const messages: RatchetMessage[] = [];
  for (let at = 0; at < count; at += 1) messages.push(await from.send(String(at)));
  return messages;
}

/** Both ends take a step, each with a message that arrives. */
async function turn(): Promise<void> {
  time += chainMs;
  await alice.receive(await bob.send("turn"));
  await bob.receive(await alice.send("turn"));
}

/** An end that was started again from what was stored. */
function restarted({ state }: End): End {
  const stored = writeRatchet(new ByteWriter(), state).done();
  return new End(readRatchet(new ByteReader(stored)));
}

const keyOf = ({ header }: RatchetMessage): string =>
  Buffer.from(header.ratchetKey).toString("hex");

const only = <T>(item: T | undefined): T => {
  if (item === undefined) throw new Error("missing");
  return item;
};

describe("the Double Ratchet", () => {
  it("brings messages both ways, each under keys of its own", async () => {
    const roots = new Set<string>();
    const chains = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      time += chainMs;
      for (const [from, to] of [
        [alice, bob],
        [bob, alice],
      ] as const) {
        const message = await from.send(`message ${round}`);
        chains.add(keyOf(message));
        expect(await to.receive(message)).toBe(`message ${round}`);
      }
      roots.add(Buffer.from(alice.state.rootKey).toString("hex"));
    }
    expect(roots.size).toBe(5);
    expect(chains.size).toBe(10);
  });

  it("stays in a chain until the minute is over, or its messages are used up", async () => {
    await bob.receive(await alice.send("hello"));
    await alice.receive(await bob.send("hello"));
    const keys: string[] = [];
    for (let at = 1; at <= 2 * chainMessages; at += 1) {
      const message = await alice.send("x");
      keys.push(keyOf(message));
      await bob.receive(message);
      await alice.receive(await bob.send("y"));
    }
    expect(new Set(keys.slice(0, chainMessages - 1)).size).toBe(1);
    expect(new Set(keys).size).toBe(3);
    const sameMinute = keyOf(await alice.send("x"));
    time += chainMs - 1;
    expect(keyOf(await alice.send("x"))).toBe(sameMinute);
    time += 1;
    const next = await alice.send("x");
    expect(keyOf(next)).not.toBe(sameMinute);
    expect(await bob.receive(next)).toBe("x");
  });

  it("takes a step when the clock was set back", async () => {
    await bob.receive(await alice.send("hello"));
    await alice.receive(await bob.send("hello"));
    const before = keyOf(await alice.send("x"));
    time -= 1;
    expect(keyOf(await alice.send("x"))).not.toBe(before);
  });

  it("takes no second step until the other end has taken one", async () => {
    await bob.receive(await alice.send("hello"));
    await alice.receive(await bob.send("hello"));
    time += chainMs;
    const stepped = keyOf(await alice.send("x"));
    time += chainMs;
    expect(keyOf(await alice.send("x"))).toBe(stepped);
  });

  it("uses no key twice when it goes on from what was stored", async () => {
    await bob.receive(await alice.send("hello"));
    const stored = restarted(alice);
    const numbers = (await sendMany(alice, setAside - 1)).map(({ header }) => header.number);
    expect(alice.state.sendChain?.stored).toEqual(stored.state.sendChain?.stored);
    const message = await stored.send("after a restart");
    expect(message.header.number).toBe(only(numbers.at(-1)) + 1);
    expect(await bob.receive(message)).toBe("after a restart");
    expect(bob.state.skipped).toHaveLength(setAside - 1);
  });

  it("leaves no number out when it was stored with nothing set aside", async () => {
    await bob.receive(await alice.send("hello"));
    const stored = restarted(new End(withNothingSetAside(alice.state)));
    expect(await bob.receive(await stored.send("goes on"))).toBe("goes on");
    expect(bob.state.skipped).toEqual([]);
  });

  it("goes on from what was stored before a step that it received", async () => {
    await bob.receive(await alice.send("hello"));
    const stored = restarted(alice);
    time += chainMs;
    await alice.receive(await bob.send("in a new chain"));
    const next = await bob.send("next");
    expect(await stored.receive(next)).toBe("next");
    time += chainMs;
    expect(await bob.receive(await stored.send("in another"))).toBe("in another");
  });

  it("has the responder wait for the first message", async () => {
    await expectRefusal("no_session", () => bob.send("too early"));
  });

  it("opens messages in any order, with any lost, in any turns, each once", async () => {
    const step = fc.record({
      fromAlice: fc.boolean(),
      lost: fc.boolean(),
      delay: fc.nat({ max: 6 }),
      passed: fc.constantFrom(0, chainMs),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
        [alice, bob] = await makeEnds();
        await bob.receive(await alice.send("hello"));
        const post = new Post();
        for (const [at, { fromAlice, lost, delay, passed }] of steps.entries()) {
          time += passed;
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
    await turn();
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
    for (let round = 0; round < 4; round += 1) {
      const messages = await sendMany(alice, 100);
      oldest.push(only(messages[0]));
      await bob.receive(only(messages.at(-1)));
      await turn();
    }
    expect(bob.state.skipped).toHaveLength(RATCHET_RULES.maxKept);
    await expectRefusal("unopenable", () => bob.receive(only(oldest[0])));
    expect(await bob.receive(only(oldest[3]))).toBe("0");
  });

  it("forgets a key after its time, also when the clock was behind before", async () => {
    const [first, second, third] = await sendMany(alice, 3);
    const arrival = 10 * keepMs;
    await bob.receive(only(third), arrival);
    expect(await bob.receive(only(first), arrival - keepMs)).toBe("0");
    await expectRefusal("replayed", () => bob.receive(only(second), arrival + keepMs + 1));
    expect(await bob.receive(only(second), arrival + keepMs)).toBe("1");
  });

  it("stays where it was when a message is forged, whatever of it", async () => {
    await bob.receive(await alice.send("hello"));
    await turn();
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
    await turn();
    await turn();
    const healed = await alice.send("healed");
    expect(await refusalOf(() => thief.receive(healed))).toBe("unopenable");
    expect(await bob.receive(healed)).toBe("healed");
  });

  it("refuses the responder's prekey as a ratchet key: no message is ever sent with it", async () => {
    const { peerKey } = alice.state;
    const header = { ratchetKey: only(peerKey ?? undefined), previousSent: 0, number: 0 };
    await expectRefusal("unopenable", () =>
      alice.receive({ header, ciphertext: new Uint8Array(16) }),
    );
  });
});
