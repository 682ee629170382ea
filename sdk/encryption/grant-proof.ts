import Type from "typebox";
import { guardOf } from "../../app/contract/checked.ts";
import type { Correspondence } from "../../app/encryption/correspondence/correspondence.ts";
import { Queues } from "../../app/encryption/correspondence/queues.ts";
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

interface GrantProofPorts {
  readonly hub: Pick<PatientHub, "ask">;
  tell(event: EncryptionEvent): void;
}

/** Whether the person signed what the hub says is granted (contract §9, L6). */
export class GrantProof {
  readonly #ports: GrantProofPorts;
  readonly #correspondence: Correspondence;
  readonly #relations = new Map<string, Granted>();
  /** An answer read after a newer one would count as a ledger that was rolled back. */
  readonly #checks = new Queues();
  /** The users whose next check has not begun. */
  readonly #waiting = new Set<string>();

  constructor(ports: GrantProofPorts, correspondence: Correspondence) {
    this.#ports = ports;
    this.#correspondence = correspondence;
  }

  /** The person's ledger is longer than the agent's, or differs from it. */
  async checkAgain(userId: string): Promise<void> {
    const relation = this.#relations.get(userId);
    if (relation !== undefined) await this.check(relation);
  }

  /** One at a time for each user. Resolves at once if the next one, which includes this, has not begun. */
  async check(relation: Granted): Promise<void> {
    const { user_id } = relation;
    this.#relations.set(user_id, relation);
    if (this.#waiting.has(user_id)) return;
    this.#waiting.add(user_id);
    await this.#checks.run(user_id, () => {
      this.#waiting.delete(user_id);
      return this.#checkNow(this.#relations.get(user_id) ?? relation);
    });
  }

  async #checkNow({ relation_id, user_id, granted_scopes }: Granted): Promise<void> {
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
