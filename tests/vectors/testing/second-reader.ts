import { Cursor, dh, hkdf, hmac, isSigned, openGcm, zeros } from "./second-primitives.ts";

/** docs/encryption.md, "Envelope", implemented a second time, for envelopes with one recipient. */
export interface SecondParts {
  readonly conversation: string;
  readonly sender: string;
  readonly sequence: number;
  readonly ledgerLength: number;
  readonly header: Buffer;
  readonly prefix: Buffer;
  readonly block: Buffer;
  readonly content: Buffer;
  readonly isSigned: boolean;
}

export function takeApart(envelope: Buffer, signingPublic: Buffer): SecondParts {
  const cursor = new Cursor(envelope);
  cursor.take(2);
  const conversation = cursor.text();
  const sender = cursor.text();
  cursor.take(32);
  const sequence = cursor.u64();
  const ledgerLength = cursor.u64();
  cursor.take(32 + 2);
  cursor.text();
  cursor.take(32);
  const header = cursor.before();
  const block = cursor.take(cursor.number(2));
  const prefix = cursor.before();
  const content = cursor.take(cursor.number(4));
  const holds = isSigned(signingPublic, "envelope signature", cursor.before(), cursor.rest());
  const read = { conversation, sender, sequence, ledgerLength };
  return { ...read, header, prefix, block, content, isSigned: holds };
}

export interface Agreement {
  readonly privateKey: Buffer;
  readonly publicKey: Buffer;
}

/** What L2 or the ratchet is bound to, for the only recipient. */
export const contextOf = ({ header }: SecondParts): Buffer => Buffer.concat([header, zeros(2)]);

/** L2: what a `sealed` envelope's block contains. */
export function openWrap(parts: SecondParts, own: Agreement): Buffer {
  const wrap = parts.block;
  const ephemeral = wrap.subarray(0, 32);
  const salt = Buffer.concat([ephemeral, own.publicKey]);
  const wrapKey = hkdf(dh(own.privateKey, ephemeral), salt, "wrap", 44);
  return openGcm(wrapKey, wrap.subarray(32), contextOf(parts));
}

/** L1, with what L2 or L4 contained. */
export function openContent(parts: SecondParts, secret: Buffer): string {
  const keys = hkdf(secret.subarray(0, 32), zeros(0), "content", 76);
  if (!keys.subarray(44).equals(parts.content.subarray(0, 32))) throw new Error("commitment");
  const associated = Buffer.concat([parts.prefix, secret.subarray(32)]);
  return openGcm(keys.subarray(0, 44), parts.content.subarray(32), associated).toString();
}

/** The responder's side of a Double Ratchet that only moves forward. */
export class SecondRatchet {
  #root: Buffer;
  #ownPrivate: Buffer;
  #peer = zeros(0);
  #chain = zeros(0);
  #received = 0;
  readonly #ad: Buffer;

  constructor(secret: Buffer, signedPrekeyPrivate: Buffer, ad: Buffer) {
    this.#root = secret;
    this.#ownPrivate = signedPrekeyPrivate;
    this.#ad = ad;
  }

  open(message: Buffer, context: Buffer): Buffer {
    const cursor = new Cursor(message);
    cursor.take(32);
    if (cursor.number(1) === 1) {
      cursor.take(4);
      if (cursor.number(1) === 1) cursor.take(4);
    }
    const prefix = cursor.before();
    const header = cursor.take(40);
    const peer = header.subarray(0, 32);
    if (!peer.equals(this.#peer)) this.#turn(peer);
    const messageKey = this.#keyOf(header.readUInt32BE(36));
    const ad = Buffer.concat([this.#ad, prefix, context]);
    const length = zeros(4);
    length.writeUInt32BE(ad.length);
    const keys = hkdf(messageKey, zeros(32), "ratchet message", 44);
    return openGcm(keys, cursor.rest(), Buffer.concat([length, ad, header]));
  }

  /** A message of the responder's own in a new chain, under this pair. */
  step(nextPrivate: Buffer): void {
    this.#ownPrivate = nextPrivate;
    this.#advanceRoot();
  }

  #turn(peer: Buffer): void {
    this.#peer = peer;
    this.#chain = this.#advanceRoot();
    this.#received = 0;
  }

  #advanceRoot(): Buffer {
    const bytes = hkdf(dh(this.#ownPrivate, this.#peer), this.#root, "ratchet root", 64);
    this.#root = bytes.subarray(0, 32);
    return bytes.subarray(32);
  }

  #keyOf(number: number): Buffer {
    for (; this.#received < number; this.#received += 1) this.#chain = hmac(this.#chain, 2);
    const key = hmac(this.#chain, 1);
    this.#chain = hmac(this.#chain, 2);
    this.#received += 1;
    return key;
  }
}
