import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { fromBase64, toBase64 } from "../../../app/contract/base64.ts";
import { sealingError } from "../../../app/protocol/v1/message-sealing.ts";
import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import { openHostKey } from "../../keys/index.ts";
import { openStore } from "../../storage/index.ts";
import { openPersonEncryption } from "../keys/person-encryption.ts";

// A killed process leaves nothing behind for the next one to start with.
flushCompileCache();

/**
 * The person's side in a process of its own, to be killed: opens the envelope of each line, handles it
 * and seals an answer. Prints each step to stdout, and stops for good at the named one.
 * Arguments: the data folder, the step. First line of stdin: `{card, bundle, conversation}`.
 */
const [, , dataDir = "", stopAt = ""] = process.argv;
const { store } = openStore({
  dataDir,
  wallClock: { now: () => Date.now() },
  monotonic: { now: () => performance.now() },
  random: (bytes) => randomBytes(bytes),
});
const say = (told: object) => writeSync(1, `${JSON.stringify(told)}\n`);
let round = "";
/** Stops the whole thread, so that nothing already started continues. */
const step = (name: string): void => {
  say({ step: name });
  if (name === stopAt) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};

const { key: hostKey } = await openHostKey({
  dataDir,
  noted: null,
  crypto: nodePrimitives,
  vault: null,
  passphrase: { given: null, ask: null },
  deriveKey: () => new Uint8Array(32),
});
const { keyRecords } = store;
const end = await openPersonEncryption({
  dataDir,
  hostKey,
  store: {
    ...store,
    settings: store.settings,
    clock: store.clock,
    keyRecords: {
      all: () => keyRecords.all(),
      async save(changes, isAwaited) {
        const of = round;
        step(`${of}storing`);
        await keyRecords.save(changes, isAwaited);
        step(`${of}stored`);
      },
    },
  },
  ownerId: "person-1",
  directory: {
    publish: async ({ card, signedPrekey, oneTimePrekeys }) => {
      const oneTime = oneTimePrekeys.map(toBase64);
      say({ keys: { card: toBase64(card), signedPrekey: toBase64(signedPrekey), oneTime } });
    },
    left: async () => (stopAt === "setup" ? null : 100),
    card: async () => null,
    bundle: async () => null,
  },
  passwords: {
    deriveKey: () => new Uint8Array(32),
    judge: async () => ({ level: "weak", warning: null, suggestions: [] }),
  },
});
const { e2ee } = end;
await e2ee.replenish();

const CONVERSATION = "conversation-1";
const lines = createInterface({ input: process.stdin });
for await (const line of lines) {
  const { card, wire } = JSON.parse(line);
  if (card !== undefined) {
    const introduction = { level: "ratchet", conversationId: CONVERSATION } as const;
    await e2ee.introduce("agent-1", fromBase64(card) ?? new Uint8Array(0), introduction);
    step("met");
    continue;
  }
  await answer(wire);
}

async function answer(wire: string): Promise<void> {
  const about = { conversation_id: CONVERSATION, sender_id: "agent-1", kind: "text" };
  try {
    round = "open ";
    const message = await e2ee.open(wire, about);
    say({ opened: Buffer.from(message.plaintext).toString() });
    step(`${round}given`);
    round = "seal ";
    const recipient_ids = ["agent-1"];
    const context = { conversation_id: CONVERSATION, recipient_ids, kind: "text", call_id: null };
    const sealed = await e2ee.seal(message.plaintext, context);
    say({ sealed });
    step(`${round}given`);
    round = "done ";
    await message.done();
    step(`${round}given`);
  } catch (error) {
    if (!sealingError.is(error)) throw error;
    say({ refused: error.code });
  }
  round = "";
}
