import { restartedAt } from "../../app/encryption/correspondence/cabinet.ts";
import { decodePeer, encodePeer } from "../../app/encryption/correspondence/peer.ts";
import type { KeyRecords } from "../../app/encryption/correspondence/ports.ts";
import type { CryptoPrimitives } from "../../app/encryption/crypto-primitives.ts";
import { NO_LEDGER } from "../../app/encryption/ledger/ledger-head.ts";

const PEER = "peer ";

/**
 * For a new identity of the person: the old one's sessions, sequence windows and prekeys are
 * deleted. Other owners' keys stay known, but not as compared, because the safety number is a
 * different one.
 * @param lostAt when the new identity's own records were lost, in ms; null: it never had any
 * @throws EncryptionError `corrupt_state`
 */
export async function renewRecords(
  crypto: CryptoPrimitives,
  records: KeyRecords,
  lostAt: number | null,
): Promise<void> {
  const renewed = new Map<string, Uint8Array | null>();
  for (const [name, bytes] of await records.load()) {
    renewed.set(name, name.startsWith(PEER) ? withoutMark(crypto, bytes) : null);
  }
  if (lostAt !== null) renewed.set(...restartedAt(crypto, lostAt));
  await records.save(renewed);
}

function withoutMark(crypto: CryptoPrimitives, bytes: Uint8Array): Uint8Array {
  const peer = decodePeer(crypto, bytes);
  return encodePeer(crypto, { ...peer, verified: false, ledger: NO_LEDGER });
}
