import Type from "typebox";
import { fromBase64 } from "../../app/contract/base64.ts";
import { guardOf } from "../../app/contract/checked.ts";
import type { E2eeClient } from "../../app/encryption/e2ee/e2ee-client.ts";
import { Queues } from "../../app/encryption/e2ee/peer-directory.ts";
import { sealingError } from "../../app/protocol/v1/message-sealing.ts";
import type { EncryptionEvent } from "./encryption-events.ts";
import type { PatientHub } from "./members.ts";

interface Granted {
  readonly relation_id: string;
  readonly user_id: string;
  readonly granted_scopes: readonly string[];
}

/** Pauses in milliseconds: a person's client signs a change just after it has told the hub. */
const LOOKED_AGAIN_AFTER_MS = [250, 1_000, 4_000];

const isLedger = guardOf(Type.Object({ entries: Type.Array(Type.String()) }));

interface GrantProofPorts {
  readonly hub: Pick<PatientHub, "ask" | "pause">;
  tell(event: EncryptionEvent): void;
}

/** Whether the person signed what the hub says is granted (contract §9, L6). */
export class GrantProof {
  readonly #ports: GrantProofPorts;
  readonly #e2ee: E2eeClient;
  readonly #relations = new Map<string, Granted>();
  /** An answer read after a newer one would count as a ledger that was rolled back. */
  readonly #checks = new Queues();
  /** The users whose next check has not begun. */
  readonly #waiting = new Set<string>();

  constructor(ports: GrantProofPorts, e2ee: E2eeClient) {
    this.#ports = ports;
    this.#e2ee = e2ee;
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
      return this.#checkNow(relation);
    });
  }

  /** Looks again before it reports that the ledger and the hub disagree. */
  async #checkNow(first: Granted): Promise<void> {
    const { hub, tell } = this.#ports;
    for (const pauseMs of [...LOOKED_AGAIN_AFTER_MS, undefined]) {
      const relation = this.#relations.get(first.user_id) ?? first;
      const path = `/h2a/relations/${encodeURIComponent(relation.relation_id)}/ledger`;
      const event = await this.#compared(relation, await hub.ask({ method: "GET", path }));
      if (pauseMs === undefined || !isDisagreement(event, relation)) return tell(event);
      await hub.pause(pauseMs);
    }
  }

  async #compared({ user_id, granted_scopes }: Granted, ledger: unknown): Promise<EncryptionEvent> {
    try {
      const { granted } = await this.#e2ee.verifyLedger(user_id, entriesOf(ledger));
      const proven_scopes = [...granted.keys()];
      const unproven_scopes = granted_scopes.filter((scope) => !granted.has(scope));
      const payload = { user_id, proven_scopes, unproven_scopes };
      return { type: "encryption.grants", payload };
    } catch (error) {
      if (!sealingError.is(error)) throw error;
      return { type: "encryption.ledger_refused", payload: { user_id, code: error.code } };
    }
  }
}

const isDisagreement = (event: EncryptionEvent, { granted_scopes }: Granted): boolean =>
  event.type === "encryption.grants" &&
  (event.payload.unproven_scopes.length > 0 ||
    event.payload.proven_scopes.length !== granted_scopes.length);

function entriesOf(ledger: unknown): readonly Uint8Array[] {
  if (!isLedger(ledger)) throw sealingError("malformed");
  return ledger.entries.map((entry) => {
    const bytes = fromBase64(entry);
    if (bytes === undefined) throw sealingError("malformed");
    return bytes;
  });
}
