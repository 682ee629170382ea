import { encryptionError } from "../../app/encryption/encryption-error.ts";
import {
  NOTHING_RECEIVED,
  type OpenRequest,
  openEnvelope,
  type SealRequest,
  sealEnvelope,
} from "../../app/encryption/envelope/envelope.ts";
import { NO_LEDGER } from "../../app/encryption/ledger/ledger.ts";
import { EMPTY_PREKEYS } from "../../app/encryption/x3dh/prekeys.ts";
import { bytesOf, makeParties, toHex, VECTOR_TIME, type VectorParties } from "./vector-parties.ts";

const KIND = "artifact/artifact_tool_call";
const CONTENT = "What is in my folder?";

const sealRequest = ({ person, agent }: VectorParties): SealRequest => ({
  suite: "sealed",
  sender: agent,
  recipients: [{ card: person.card, sessions: [] }],
  conversationId: "conversation-1",
  sequence: 1,
  ledger: NO_LEDGER,
  kind: KIND,
  callId: "call-1",
  content: bytesOf(CONTENT),
  now: VECTOR_TIME,
});

const openRequest = ({ person, agent }: VectorParties): OpenRequest => ({
  suite: "sealed",
  own: person,
  sender: agent.card,
  conversationId: "conversation-1",
  kind: KIND,
  window: NOTHING_RECEIVED,
  sessions: [],
  prekeys: EMPTY_PREKEYS,
  now: VECTOR_TIME,
});

/** L1 to L3, with all random values: the content's key, then the ephemeral private key. */
export function sealedVectors() {
  const parties = makeParties("envelope-sealed");
  const request = sealRequest(parties);
  const { bytes } = sealEnvelope(parties.crypto, request);
  const drawn = parties.crypto.takeDrawn().join(" ");
  const ledger = { length: 3, hash: parties.crypto.randomBytes(32) };
  const further = { ...request, sequence: 2, callId: null, ledger };
  parties.crypto.takeDrawn();
  const second = sealEnvelope(parties.crypto, further);
  return {
    conversation_id: request.conversationId,
    content: CONTENT,
    kind: KIND,
    first: { sequence: 1, call_id: "call-1", drawn, envelope: toHex(bytes) },
    second: {
      sequence: 2,
      ledger_length: ledger.length,
      ledger_hash: toHex(ledger.hash),
      drawn: parties.crypto.takeDrawn().join(" "),
      envelope: toHex(second.bytes),
    },
  };
}

/** Envelopes that must not open, and the code with which each is refused. */
export function refusalVectors() {
  const parties = makeParties("refusals");
  const { bytes } = sealEnvelope(parties.crypto, sealRequest(parties));
  const changed = (at: number, value: number) => bytes.with(at, value);
  const last = bytes.length - 1;
  const wrong: Readonly<Record<string, Uint8Array>> = {
    "version 0": changed(0, 0),
    "version 2": changed(0, 2),
    "suite 2 under suite 1": changed(1, 2),
    "suite 3": changed(1, 3),
    "cut by one byte": bytes.slice(0, last),
    "one byte more": Uint8Array.of(...bytes, 0),
    "signature's last bit": changed(last, (bytes[last] ?? 0) ^ 1),
    "content's last bit": changed(last - 64, (bytes[last - 64] ?? 0) ^ 1),
    "another conversation": changed(17, 0x32),
    "an id that is not UTF-8": changed(17, 0xff),
  };
  const refused = [];
  for (const [name, envelope] of Object.entries(wrong)) {
    const code = codeOf(parties, envelope);
    refused.push({ name, code, envelope: toHex(envelope) });
  }
  return { opens: toHex(bytes), refused };
}

function codeOf(parties: VectorParties, envelope: Uint8Array): string {
  try {
    openEnvelope(parties.crypto, openRequest(parties), envelope);
  } catch (error) {
    if (encryptionError.is(error)) return error.code;
    throw error;
  }
  throw new Error("a vector that must be refused was opened");
}
