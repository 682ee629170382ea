import { timingSafeEqual } from "node:crypto";
import { LIMITS } from "../../app/contract/limits.ts";
import { toBase64 } from "../../app/protocol/v1/base64.ts";
import type { PairingRequestedFrame } from "../../app/protocol/v1/frames.ts";
import type {
  AgentView,
  PairingRequest,
  PairingState,
  PairingTicket,
  RelationView,
} from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { putPairedCard } from "../keys/key-directory.ts";
import { readPublishedCard } from "../keys/read-published.ts";
import { Refusal } from "../refusal.ts";
import { registerAgent } from "../registry/agents.ts";
import { readCheckedManifest } from "../registry/read-checked-manifest.ts";
import { announceRelation } from "../relations/announce-relation.ts";
import { checkedScopes, putActiveRelation, relationView } from "../relations/relations.ts";
import { requireVisible } from "../rest/require-visible.ts";
import { agentView } from "../storage/agent-store.ts";
import { hashToken, newPairingToken } from "../tokens/bearer-token.ts";
import { isNewId, newId, pairingCode } from "../tokens/random-text.ts";
import { type PairedCard, Pairing, type PairingLife } from "./pairing.ts";

export type AnsweredPairing =
  | { readonly status: "refused" }
  | { readonly status: "accepted"; readonly relation: RelationView; readonly agent: AgentView };

/**
 * Pairings live in memory only: until the agent has collected it, an accepted pairing holds the
 * agent's token in clear, and that must not be written anywhere.
 */
export class Pairings {
  readonly #parts: HubParts;
  readonly #byId = new Map<string, Pairing>();
  #beingChecked = 0;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  /** @throws Refusal BAD_REQUEST (fault `identity_card`), TOO_MANY_PAIRINGS, MANIFEST_INVALID, MANIFEST_TOO_LARGE */
  async request(
    asked: Omit<PairingRequest, "capability_manifest">,
    manifestBytes: Uint8Array,
  ): Promise<PairingTicket> {
    requireVisible(asked.name);
    const card = this.#cardOf(asked);
    // Anybody on this machine may knock, so a place is taken before any work is done for it.
    if (this.waiting().length + this.#beingChecked >= LIMITS.pairingsWaiting) {
      throw new Refusal("TOO_MANY_PAIRINGS", { waiting: LIMITS.pairingsWaiting });
    }
    this.#beingChecked += 1;
    try {
      const checked = await readCheckedManifest(manifestBytes, this.#parts.checkSchema);
      return this.#open(asked.name, checked, card);
    } finally {
      this.#beingChecked -= 1;
    }
  }

  /** Those the person can answer now. */
  waiting(): PairingRequestedFrame["payload"][] {
    const all = [...this.#byId.values()];
    return all.filter((pairing) => pairing.state.status === "waiting").map(({ shown }) => shown);
  }

  /**
   * @param waitMs how long to wait for an answer, already bounded
   * @throws Refusal NOT_FOUND (never there, withdrawn, collected), UNAUTHENTICATED
   */
  async state(
    pairingId: string,
    token: string | undefined,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<PairingState> {
    const pairing = this.#authorised(pairingId, token);
    if (pairing.state.status === "waiting" && waitMs > 0) await pairing.settled(waitMs, signal);
    const { state } = pairing;
    if (state.status === "withdrawn" || state.status === "collected")
      throw new Refusal("NOT_FOUND");
    return state;
  }

  /** @throws Refusal NOT_FOUND, UNAUTHENTICATED, PAIRING_CLOSED, PAIRING_EXPIRED */
  withdraw(pairingId: string, token: string | undefined): void {
    const pairing = this.#authorised(pairingId, token);
    this.#refuseUnlessWaiting(pairing);
    this.#close(pairing, { status: "withdrawn" });
  }

  /** @throws Refusal NOT_FOUND, PAIRING_EXPIRED, PAIRING_CLOSED, SCOPE_UNKNOWN */
  answer(pairingId: string, accept: boolean, scopes: readonly string[]): AnsweredPairing {
    const pairing = this.#byId.get(pairingId);
    if (pairing === undefined) throw new Refusal("NOT_FOUND");
    this.#refuseUnlessWaiting(pairing);
    return accept ? this.#accept(pairing, scopes) : this.#refuse(pairing);
  }

  /** The agent has its token: from now on only its hash remains. */
  agentAuthenticated(agentId: string): void {
    for (const pairing of this.#byId.values()) {
      if (pairing.state.status !== "accepted" || pairing.state.agent_id !== agentId) continue;
      pairing.state = { status: "collected" };
      this.#forgetLater(pairing);
    }
  }

  /** Answers everybody who still waits. */
  end(): void {
    for (const pairing of this.#byId.values()) pairing.end();
    this.#byId.clear();
  }

  /** The id is the agent's own choice, so it must look like one of ours and be nobody's. */
  #cardOf({ identity_card, encryption }: Omit<PairingRequest, "capability_manifest">) {
    if (identity_card === undefined && encryption === undefined) return undefined;
    const card = readPublishedCard(identity_card ?? "");
    const { agents, keys, userId } = this.#parts;
    const isTaken =
      card.ownerId === userId ||
      agents.find(card.ownerId) !== undefined ||
      keys.find(card.ownerId) !== undefined;
    const { level } = card;
    if (level === null || level !== encryption || isTaken || !isNewId(card.ownerId)) {
      throw new Refusal("BAD_REQUEST", { fault: "identity_card" });
    }
    return { ...card, level };
  }

  #open(
    name: string,
    checked: Awaited<ReturnType<typeof readCheckedManifest>>,
    card: PairedCard | undefined,
  ): PairingTicket {
    const { random, clock, scheduler } = this.#parts;
    const token = newPairingToken(random);
    const shown = {
      pairing_id: newId(random),
      code: pairingCode(random),
      name,
      capability_manifest: checked.manifest,
      capability_manifest_hash: checked.hash,
      ...(card === undefined
        ? {}
        : { identity_card: toBase64(card.bytes), encryption: card.level }),
      expires_at: new Date(clock.now() + LIMITS.pairingLifeMs).toISOString(),
    };
    const pairing = new Pairing(shown, checked, hashToken(token), scheduler, card);
    this.#byId.set(shown.pairing_id, pairing);
    pairing.schedule(LIMITS.pairingLifeMs, () => this.#close(pairing, { status: "expired" }));
    this.#parts.connections.send(this.#parts.userId, { type: "pairing.requested", payload: shown });
    const { pairing_id, code, expires_at } = shown;
    return { pairing_id, code, pairing_token: token, expires_at };
  }

  #authorised(pairingId: string, token: string | undefined): Pairing {
    const pairing = this.#byId.get(pairingId);
    if (pairing === undefined) throw new Refusal("NOT_FOUND");
    const isTheirs = token !== undefined && timingSafeEqual(hashToken(token), pairing.tokenHash);
    if (!isTheirs) throw new Refusal("UNAUTHENTICATED");
    return pairing;
  }

  #refuseUnlessWaiting({ state }: Pairing): void {
    if (state.status === "expired") throw new Refusal("PAIRING_EXPIRED");
    if (state.status !== "waiting") throw new Refusal("PAIRING_CLOSED");
  }

  #refuse(pairing: Pairing): AnsweredPairing {
    this.#close(pairing, { status: "refused" });
    return { status: "refused" };
  }

  #accept(pairing: Pairing, scopes: readonly string[]): AnsweredPairing {
    const parts = this.#parts;
    const { agent, token, relation } = parts.atomically(() => {
      const { card } = pairing;
      if (card !== undefined && parts.agents.find(card.ownerId) !== undefined) {
        // Two asked under one id; the other was first.
        throw new Refusal("BAD_REQUEST", { fault: "identity_card" });
      }
      const registered = registerAgent(parts, pairing.shown.name, pairing.checked, card?.ownerId);
      if (card !== undefined) putPairedCard(parts, card);
      const granted = checkedScopes(registered.agent, scopes);
      const { agent_id } = registered.agent;
      return { ...registered, relation: putActiveRelation(parts, agent_id, granted) };
    });
    const { agent_id, user_id, conversation_id, granted_scopes } = relation;
    this.#close(pairing, {
      status: "accepted",
      agent_id,
      token,
      user_id,
      conversation_id,
      granted_scopes,
      person_card: this.#personCard(user_id),
    });
    announceRelation(parts, "relation.established", relation);
    return {
      status: "accepted",
      relation: relationView(parts, relation),
      agent: agentView(agent, false),
    };
  }

  #personCard(userId: string): string | null {
    const identity = this.#parts.keys.find(userId);
    return identity === undefined ? null : toBase64(identity.identity_card);
  }

  #close(pairing: Pairing, state: Exclude<PairingLife, { status: "waiting" | "collected" }>): void {
    pairing.settle(state);
    // An accepted one is handed out until its agent has used the token.
    if (state.status !== "accepted") this.#forgetLater(pairing);
    const { pairing_id } = pairing.shown;
    this.#parts.connections.send(this.#parts.userId, {
      type: "pairing.closed",
      payload: { pairing_id, outcome: state.status },
    });
  }

  #forgetLater(pairing: Pairing): void {
    pairing.schedule(LIMITS.pairingLifeMs, () => this.#byId.delete(pairing.shown.pairing_id));
  }
}
