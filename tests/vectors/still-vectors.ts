import { safetyNumber } from "../../app/encryption/identity/fingerprint.ts";
import { createIdentity, type Suite } from "../../app/encryption/identity/identity.ts";
import {
  derivePasswordKey,
  type Protection,
  readIdentityFile,
  writeIdentityFile,
} from "../../app/encryption/keyfile/key-file.ts";
import { appendEntry, NO_LEDGER } from "../../app/encryption/ledger/ledger.ts";
import { describeIdentity, makeParties, toHex, VECTOR_TIME } from "./vector-parties.ts";

/** Cards of both forms, key ids, and the safety number. */
export function identityVectors() {
  const { crypto, person, agent } = makeParties("identity");
  const withLevel = (level: Suite) => {
    const identity = createIdentity(crypto, "agent-1", level);
    const number = safetyNumber(crypto, person.card, identity.card);
    return { ...describeIdentity(identity), level, safety_number: number };
  };
  return {
    person: describeIdentity(person),
    agent: describeIdentity(agent),
    safety_number: safetyNumber(crypto, person.card, agent.card),
    with_level: [withLevel("ratchet"), withLevel("sealed")],
  };
}

/** Two grants and a revocation, and the head after each. */
export function ledgerVectors() {
  const { crypto, person } = makeParties("ledger");
  const manifestHash = crypto.randomBytes(32);
  const changes = [
    { kind: "grant", scopes: ["filesystem:read", "clipboard:read"], at: VECTOR_TIME },
    { kind: "revocation", scopes: ["clipboard:read"], at: VECTOR_TIME + 1_000 },
    { kind: "grant", scopes: ["notification:send"], at: VECTOR_TIME + 2_000 },
  ] as const;
  let head = NO_LEDGER;
  const entries = [];
  for (const change of changes) {
    const made = appendEntry(crypto, person, head, {
      ...change,
      agentId: "agent-1",
      manifestHash,
    });
    head = made.head;
    const scopes = change.scopes.join(" ");
    entries.push({ ...change, scopes, entry: toHex(made.bytes), hash: toHex(head.hash) });
  }
  return { manifest_hash: toHex(manifestHash), entries };
}

/** One identity under a host key and under a password. */
export async function keyFileVectors() {
  const { crypto, person } = makeParties("key-file");
  const key = crypto.randomBytes(32);
  const password = "correct horse battery staple";
  const byHost: Protection = { kind: "host_key", key };
  const byPassword: Protection = { kind: "password", password, deriveKey: derivePasswordKey };
  const file = await writeIdentityFile(crypto, "identity", byHost, person);
  const backup = await writeIdentityFile(crypto, "backup", byPassword, person);
  await readIdentityFile(crypto, "identity", byHost, file);
  return {
    host_key: toHex(key),
    identity_file: toHex(file),
    password,
    backup_file: toHex(backup),
  };
}
