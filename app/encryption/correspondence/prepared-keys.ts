import type { CryptoPrimitives, KeyPair } from "../crypto-primitives.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import { prepareToSend } from "../ratchet/ratchet-encrypt.ts";
import { type PeerSessions, sessionsWith } from "../sessions/peer-sessions.ts";
import type { CorrespondencePorts } from "./ports.ts";

/**
 * Keys for the next message, made in advance while nothing else waits. They are held in memory only
 * and used once; whatever is missing is made when it is needed.
 */
export class PreparedKeys {
  /** The primitives, but with a key pair prepared in advance. */
  readonly crypto: CryptoPrimitives;
  readonly #ports: Pick<CorrespondencePorts, "crypto" | "later">;
  #pair: KeyPair | undefined;

  constructor(ports: Pick<CorrespondencePorts, "crypto" | "later">) {
    this.#ports = ports;
    this.crypto = { ...ports.crypto, x25519Pair: () => this.#takePair() };
  }

  /** A message of theirs was opened, so an answer may follow. */
  forAnswer(peer: IdentityCard, sessions: PeerSessions): void {
    const [session] = sessionsWith(sessions, peer);
    if (session !== undefined) {
      this.#later(({ crypto }) => prepareToSend(crypto, session.ratchet));
    }
  }

  /** A message was sealed, so the pair that the next one or the next ratchet step takes is replaced. */
  forNext(): void {
    this.#later(async ({ crypto }) => {
      this.#pair ??= await crypto.x25519Pair();
    });
  }

  #takePair() {
    const pair = this.#pair;
    this.#pair = undefined;
    return pair ?? this.#ports.crypto.x25519Pair();
  }

  /** Errors are ignored: they occur again when the key is really needed. */
  #later(job: (ports: Pick<CorrespondencePorts, "crypto">) => Promise<void>): void {
    this.#ports.later?.(() => void job(this.#ports).catch(() => undefined));
  }
}
