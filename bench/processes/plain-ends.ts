import { fromBase64, toBase64 } from "../../app/contract/base64.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import type { MessageSealing } from "../../app/protocol/v1/message-sealing.ts";
import { AgentEngine } from "../../sdk/agent-engine.ts";
import type { Mail } from "../../sdk/encryption/keyed-mail.ts";
import { findWebSocket } from "../../sdk/link.ts";
import { toolScopes } from "../../sdk/manifest.ts";
import { type PairOptions, realClock } from "../../sdk/options.ts";
import { requestPairing } from "../../sdk/pairing.ts";
import { placeCall } from "../../sdk/tool-calls.ts";

/** Version 0 of the envelope neither signs nor encrypts. The product refuses it. */
const VERSION = 0;

const seal = async (plaintext: Uint8Array, { call_id }: { call_id: string | null }) => {
  const about = Buffer.from(call_id ?? "");
  return toBase64(Buffer.concat([Uint8Array.of(VERSION, about.length), about, plaintext]));
};

function open(wire: string) {
  const bytes = fromBase64(wire);
  if (bytes?.[0] !== VERSION) throw new Error("not plain");
  const start = 2 + (bytes[1] ?? 0);
  const call_id = Buffer.from(bytes.subarray(2, start)).toString() || null;
  return { plaintext: bytes.subarray(start), call_id };
}

const noStream = (): never => {
  throw new Error("no streams are measured here");
};

/** For the client. */
export const plainSealing: MessageSealing = {
  seal,
  open: async (wire) => ({
    ...open(wire),
    kept: async () => {},
    done: async () => {},
  }),
  sealStream: noStream,
  openStream: noStream,
};

const opened: Mail["openNow"] = async ({ encrypted_payload }) => {
  const { plaintext, call_id: callId } = open(encrypted_payload);
  return { plaintext, callId, done: async () => {} };
};

const plainMail: Mail = {
  seal: (message) => seal(message.plaintext, message),
  open: opened,
  openNow: opened,
  stream: noStream,
  connected: () => undefined,
  ready: async () => {},
  heard: () => undefined,
  follow: async () => null,
  close: () => undefined,
};

/** The SDK's parts for a call, combined with unencrypted messages. */
export const PlainAgent = {
  async pair(options: PairOptions) {
    const { baseUrl, manifest } = options;
    const ports = { baseUrl, fetch: globalThis.fetch, clock: realClock };
    const { credentials } = (await requestPairing(ports, options)).paired;
    const { agentId, token } = credentials;
    const known = { ...options, agentId, token };
    const engine = new AgentEngine(known, await findWebSocket(), async () => plainMail);
    await engine.openMail(known);
    await engine.connect(new AbortController());
    const { clock, outbox, pending, queue } = engine;
    const scopes = toolScopes(manifest);
    const callTool = (conversationId: string, name: string, args: JsonObject) => {
      const scope = scopes.get(name);
      return placeCall(
        { clock, outbox, pending, queue, ended: undefined, scope },
        { conversationId, name, args },
      );
    };
    return { agent: { callTool }, credentials };
  },
};
