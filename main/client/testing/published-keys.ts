import { fromBase64, toBase64 } from "../../../app/contract/base64.ts";
import { createIdentity, encodeCard, readCard } from "../../../app/encryption/identity/identity.ts";
import { SIGNED_PREKEY_BYTES } from "../../../app/encryption/x3dh/x3dh.ts";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import type { TestAgent } from "./test-agent.ts";

export const bytesOf = (text: unknown): Uint8Array => fromBase64(String(text)) ?? new Uint8Array(0);
export const field = (body: unknown, name: string): Uint8Array =>
  bytesOf((body as { data: Record<string, string> }).data[name]);

export const signedPrekeyIn = (bundle: Uint8Array, card: Uint8Array): Uint8Array =>
  bundle.subarray(3 + card.length, 3 + card.length + SIGNED_PREKEY_BYTES);

export interface Published {
  readonly card: Uint8Array;
  readonly signedPrekey: Uint8Array;
  /** Base64. */
  readonly keyId: string;
}

/** Reads and changes an agent's keys at the hub, with the agent's own token. */
export class PublishedKeys {
  readonly #agent: TestAgent;
  readonly #hubUrl: string;

  constructor(agent: TestAgent, hubUrl: string) {
    this.#agent = agent;
    this.#hubUrl = hubUrl;
  }

  async ask(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#agent.credentials.token}` };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(new URL(path, this.#hubUrl), init)).json();
  }

  async now(): Promise<Published> {
    const { id } = this.#agent;
    const card = field(await this.ask("GET", `/keys/${id}`), "identity_card");
    const bundle = field(await this.ask("POST", `/keys/${id}/bundle`), "bundle");
    return published(card, signedPrekeyIn(bundle, card));
  }

  /** Somebody else's keys, with the agent's id. */
  async another(): Promise<Published> {
    const { card, signedPrekey } = await this.now();
    const { level } = await readCard(crypto, card);
    const other = await createIdentity(crypto, this.#agent.id, level);
    return published(encodeCard(other.card), signedPrekey);
  }

  async put({ card, signedPrekey }: Omit<Published, "keyId">): Promise<void> {
    const identity_card = toBase64(card);
    const signed_prekey = toBase64(signedPrekey);
    await this.ask("PUT", "/keys/mine", { identity_card, signed_prekey, one_time_prekeys: [] });
  }

  async exchange(): Promise<void> {
    await this.put(await this.another());
  }
}

async function published(card: Uint8Array, signedPrekey: Uint8Array): Promise<Published> {
  const { keyId } = await readCard(crypto, card);
  return { card, signedPrekey, keyId: toBase64(keyId) };
}
