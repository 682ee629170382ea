import type { JsonObject } from "../../app/contract/json.ts";
import { fromBase64, toBase64 } from "../../app/protocol/v1/base64.ts";
import type { MessageSealing } from "../../app/protocol/v1/message-sealing.ts";
import { AgentEngine } from "../../sdk/agent-engine.ts";
import type { PairOptions } from "../../sdk/agent-options.ts";
import { realClock } from "../../sdk/clock.ts";
import type { Mail } from "../../sdk/encryption/mail.ts";
import { requestPairing } from "../../sdk/pairing.ts";
import { placeCall } from "../../sdk/place-call.ts";
import { toolScopes } from "../../sdk/tool-scopes.ts";
import { findWebSocket } from "../../sdk/web-socket.ts";

/** Version 0 of the envelope neither signs nor encrypts. The product refuses it. */
const VERSION = 0;

const seal = (plaintext: Uint8Array): string => {
  const wire = new Uint8Array(plaintext.byteLength + 1);
  wire[0] = VERSION;
  wire.set(plaintext, 1);
  return toBase64(wire);
};

function open(wire: string): Uint8Array {
  const bytes = fromBase64(wire);
  if (bytes?.[0] !== VERSION) throw new Error("not plain");
  return bytes.subarray(1);
}

const noStream = (): never => {
  throw new Error("no streams are measured here");
};

/** For the client. */
export const plainSealing: MessageSealing = {
  seal: async (plaintext) => seal(plaintext),
  open: async (wire) => ({
    plaintext: open(wire),
    call_id: null,
    kept: async () => {},
    done: async () => {},
  }),
  sealStream: noStream,
  openStream: noStream,
};

const opened: Mail["openNow"] = ({ encrypted_payload }) => ({
  plaintext: open(encrypted_payload),
  callId: undefined,
  done: () => undefined,
});

const plainMail: Mail = {
  seal: ({ plaintext }) => seal(plaintext),
  open: opened,
  openNow: opened,
  stream: noStream,
  connected: () => undefined,
  ready: () => undefined,
  heard: () => undefined,
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
        { clock, outbox, pending, queue, closed: false, scope },
        { conversationId, name, args },
      );
    };
    return { agent: { callTool }, credentials };
  },
};
