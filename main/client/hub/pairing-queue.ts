import type { PairingView } from "../../../app/bridge/agent-views.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import { checkManifest, type ManifestVerdict } from "../../../app/contract/check-manifest.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import type { PairingRequestedFrame } from "../../../app/protocol/v1/frames.ts";
import { type HubRest, hubRestError } from "../../channels/hub-rest.ts";
import { markOf } from "../../names/looks.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import { pairingsChanged } from "../agents/all-pairings.ts";
import { scopeView } from "../agents/scope-view.ts";
import type { AgentKeyring } from "../keys/agent-keyring.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { RelationSync } from "./relation-sync.ts";

type Waiting = PairingRequestedFrame["payload"];

/** The agents that ask to be added, and the person's answers. */
export class PairingQueue {
  readonly #waiting = new Map<string, { payload: Waiting; verdict: ManifestVerdict }>();
  readonly #rest: HubRest;
  readonly #sync: RelationSync;
  readonly #keyring: Pick<AgentKeyring, "offered" | "met" | "withdrawn">;
  readonly #naming: Pick<AgentNaming, "lookalikes">;
  readonly #events: ProgramEvents;

  constructor(
    rest: HubRest,
    sync: RelationSync,
    keyring: Pick<AgentKeyring, "offered" | "met" | "withdrawn">,
    naming: Pick<AgentNaming, "lookalikes">,
    events: ProgramEvents,
  ) {
    this.#keyring = keyring;
    this.#naming = naming;
    this.#rest = rest;
    this.#sync = sync;
    this.#events = events;
  }

  /**
   * The hub has checked card and manifest; both are checked again here, because the person decides on
   * them. A pairing with a worthless card is refused at once.
   */
  requested(payload: Waiting): void {
    if (!this.#keyring.offered(payload)) {
      const refusal = { accept: false, granted_scopes: [] };
      // If the hub cannot be reached, it names the pairing again at the next connect.
      void this.#rest.answerPairing(payload.pairing_id, refusal).catch(() => {});
      return;
    }
    const manifest = payload.capability_manifest as JsonValue;
    const verdict = checkManifest(manifest, JSON.stringify(manifest).length);
    this.#waiting.set(payload.pairing_id, { payload, verdict });
    this.#changed();
  }

  closed(pairingId: string): void {
    this.#keyring.withdrawn(pairingId);
    if (this.#waiting.delete(pairingId)) this.#changed();
  }

  /** After each connect the hub lists all waiting pairings. */
  forget(): void {
    for (const pairingId of this.#waiting.keys()) this.#keyring.withdrawn(pairingId);
    this.#waiting.clear();
    this.#changed();
  }

  list(): readonly PairingView[] {
    return [...this.#waiting.values()].map(({ payload, verdict }) => ({
      pairing_id: payload.pairing_id,
      code: payload.code,
      name: payload.name,
      lookalikes: this.#naming.lookalikes(payload.name),
      name_mark: markOf(payload.name),
      scopes: verdict.ok
        ? verdict.manifest.permission_scopes.map((scope) => scopeView(verdict.manifest, scope))
        : [],
      warnings: verdict.warnings,
      problems: verdict.ok ? [] : verdict.problems,
      expires_at: Date.parse(payload.expires_at),
      local: null,
    }));
  }

  /** @throws BridgeError `not_found` when it is gone, `not_offered`, `hub_unreachable` */
  async answer(pairingId: string, accept: boolean, scopes: readonly string[]): Promise<void> {
    const waiting = this.#waiting.get(pairingId);
    if (waiting === undefined) throw bridgeError("not_found");
    if (accept && !isOffered(waiting.verdict, scopes)) throw bridgeError("not_offered");
    await this.#sync.while(this.#tellHub(waiting.payload, accept, scopes));
  }

  #changed(): void {
    pairingsChanged(this.#events);
  }

  async #tellHub(payload: Waiting, accept: boolean, scopes: readonly string[]): Promise<void> {
    const pairingId = payload.pairing_id;
    const answer = { accept, granted_scopes: scopes };
    const related = await this.#rest.answerPairing(pairingId, answer).catch((error: unknown) => {
      const unreachable = hubRestError.is(error) && error.code === "hub_unreachable";
      throw bridgeError(unreachable ? "hub_unreachable" : "not_found");
    });
    if (related !== null) {
      await this.#keyring.met(payload, related).catch(async (error: unknown) => {
        // Nothing is added here, so nothing may stay added there. An unreachable hub names it again
        // later, as an agent without permissions.
        await this.#rest.revokeRelation(related.relation_id).catch(() => {});
        this.closed(pairingId);
        throw error;
      });
      await this.#sync.adopt(related, related, scopes);
    }
    this.closed(pairingId);
    // The hub may have closed it before the agent was stored.
    this.#changed();
  }
}

const isOffered = (verdict: ManifestVerdict, scopes: readonly string[]): boolean =>
  verdict.ok &&
  scopes.every((scope) => verdict.manifest.permission_scopes.some(({ id }) => id === scope));
