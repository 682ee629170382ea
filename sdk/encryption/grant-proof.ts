import Type from "typebox";
import { guardOf } from "../../app/contract/checked.ts";
import type { Correspondence } from "../../app/encryption/correspondence/correspondence.ts";
import { fromBase64 } from "../../app/protocol/v1/base64.ts";
import { SealingError } from "../../app/protocol/v1/message-sealing.ts";
import type { EncryptionEvent } from "./encryption-events.ts";
import type { PatientHub } from "./rest-directory.ts";

interface Granted {
  readonly relation_id: string;
  readonly user_id: string;
  readonly granted_scopes: readonly string[];
}

const isLedger = guardOf(Type.Object({ entries: Type.Array(Type.String()) }));

/** Whether the person signed what the hub says is granted (contract §9, L6). */
export class GrantProof {
  readonly #ports: { readonly hub: PatientHub; tell(event: EncryptionEvent): void };
  readonly #correspondence: Correspondence;
  readonly #relations = new Map<string, Granted>();

  constructor(
    ports: { readonly hub: PatientHub; tell(event: EncryptionEvent): void },
    correspondence: Correspondence,
  ) {
    this.#ports = ports;
    this.#correspondence = correspondence;
  }

  /** The person's ledger is longer than the agent's, or differs from it. */
  async checkAgain(userId: string): Promise<void> {
    const relation = this.#relations.get(userId);
    if (relation !== undefined) await this.check(relation);
  }

  async check(relation: Granted): Promise<void> {
    const { relation_id, user_id, granted_scopes } = relation;
    this.#relations.set(user_id, relation);
    const path = `/h2a/relations/${encodeURIComponent(relation_id)}/ledger`;
    const ledger = await this.#ports.hub.ask({ method: "GET", path });
    try {
      const { granted } = await this.#correspondence.verifyLedger(user_id, entriesOf(ledger));
      const proven_scopes = [...granted.keys()];
      const unproven_scopes = granted_scopes.filter((scope) => !granted.has(scope));
      const payload = { user_id, proven_scopes, unproven_scopes };
      this.#ports.tell({ type: "encryption.grants", payload });
    } catch (error) {
      if (!(error instanceof SealingError)) throw error;
      const payload = { user_id, code: error.code };
      this.#ports.tell({ type: "encryption.ledger_refused", payload });
    }
  }
}

function entriesOf(ledger: unknown): readonly Uint8Array[] {
  if (!isLedger(ledger)) throw new SealingError("malformed");
  return ledger.entries.map((entry) => {
    const bytes = fromBase64(entry);
    if (bytes === undefined) throw new SealingError("malformed");
    return bytes;
  });
}
