import {
  createDecipheriv,
  createHash,
  createHmac,
  diffieHellman,
  hkdfSync,
  verify,
} from "node:crypto";
import { privateKeyFrom, publicKeyFrom } from "../../../runtime/crypto/node-primitives.ts";

/** docs/encryption.md, "Notation", implemented a second time, independently of the program. */
export const hex = (text = ""): Buffer => Buffer.from(text, "hex");
export const label = (purpose: string): Buffer => Buffer.from(`consentry-e2ee-v1 ${purpose}\0`);
export const zeros = (length: number): Buffer => Buffer.alloc(length);

export const sha256 = (...parts: readonly Buffer[]): Buffer =>
  createHash("sha256").update(Buffer.concat(parts)).digest();

export const hmac = (key: Buffer, ...bytes: readonly number[]): Buffer =>
  createHmac("sha256", key).update(Buffer.from(bytes)).digest();

export const hkdf = (secret: Buffer, salt: Buffer, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, label(purpose), length));

export const dh = (privateKey: Buffer, publicKey: Buffer): Buffer =>
  diffieHellman({
    privateKey: privateKeyFrom("x25519", privateKey),
    publicKey: publicKeyFrom("x25519", publicKey),
  });

export const isSigned = (key: Buffer, purpose: string, body: Buffer, signature: Buffer): boolean =>
  verify(null, Buffer.concat([label(purpose), body]), publicKeyFrom("ed25519", key), signature);

/** @throws if the tag does not match */
export function openGcm(keyAndNonce: Buffer, sealed: Buffer, associated: Buffer): Buffer {
  const [key, nonce] = [keyAndNonce.subarray(0, 32), keyAndNonce.subarray(32, 44)];
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 });
  decipher.setAAD(associated).setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
}

/** Takes fields from the front, and remembers what it took. */
export class Cursor {
  readonly bytes: Buffer;
  at = 0;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  take(length: number): Buffer {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  number(width: number): number {
    return this.take(width).readUIntBE(0, width);
  }
  u64(): number {
    return Number(this.take(8).readBigUInt64BE());
  }
  text(): string {
    return this.take(this.number(2)).toString("utf8");
  }
  before(): Buffer {
    return this.bytes.subarray(0, this.at);
  }
  rest(): Buffer {
    return this.take(this.bytes.length - this.at);
  }
}
