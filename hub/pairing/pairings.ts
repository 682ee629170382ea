import { timingSafeEqual } from "node:crypto";
import { toBase64 } from "../../app/contract/base64.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import type { PairingRequestedFrame } from "../../app/protocol/v1/frames.ts";
import type {
  AgentView,
  PairingRequest,
  PairingState,
  PairingTicket,
  RelationView,
} from "../../app/protocol/v1/rest.ts";
import { Refusal } from "../hub-error.ts";
import type { Clock, RandomBytes, Scheduler } from "../hub-options.ts";
import type { Subject } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { identityOf, readPublishedCard } from "../keys/key-directory.ts";
import type { Connections } from "../lines/connections.ts";
import type { Agents } from "../registry/agents.ts";
import type { CheckedManifest } from "../registry/read-checked-manifest.ts";
import { relationView } from "../relations/relation-frames.ts";
import { checkedScopes, type Relations } from "../relations/relations.ts";
import { requireVisible } from "../rest/route.ts";
import { hashToken, newPairingToken } from "../tokens/access-token.ts";
import { isNewId, newId, pairingCode } from "../tokens/random-text.ts";
import { type PairedCard, Pairing, type PairingLife } from "./pairing.ts";

export interface PairingsParts {
  readonly storage: HubStorage;
  readonly connections: Connections;
  readonly agents: Agents;
  readonly relations: Relations;
  readonly random: RandomBytes;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Whether somebody has this id who may use the hub. */
  readonly isPerson: (userId: string) => Promise<boolean>;
}

type Asked = Omit<PairingRequest, "capability_manifest">;
export type AnsweredPairing =
  | { readonly status: "refused" }
  | { readonly status: "accepted"; readonly relation: RelationView; readonly agent: AgentView };

/**
 * Pairings are in memory only: until the agent has collected it, an accepted pairing contains the
 * agent's token in plain text, which must not be written anywhere.
 */
export class Pairings {
  readonly #parts: PairingsParts;
  readonly #byId = new Map<string, Pairing>();
  /** By the person who is asked. */
  readonly #beingChecked = new Map<string, number>();

  constructor(parts: PairingsParts) {
    this.#parts = parts;
  }

  /** @throws Refusal NOT_FOUND, BAD_REQUEST (fault `identity_card`), TOO_MANY_PAIRINGS, MANIFEST_INVALID, MANIFEST_TOO_LARGE */
  async request(asked: Asked, manifestBytes: Uint8Array): Promise<PairingTicket> {
    requireVisible(asked.name);
    const card = cardOf(asked);
    const { storage, agents, isPerson } = this.#parts;
    const { name, user_id = storage.userId } = asked;
    // Anybody may ask, so a place is reserved before any work is done.
    const beingChecked = this.#beingChecked.get(user_id) ?? 0;
    if (this.waiting(user_id).length + beingChecked >= LIMITS.pairingsWaiting) {
      throw new Refusal("TOO_MANY_PAIRINGS", { waiting: LIMITS.pairingsWaiting });
    }
    this.#beingChecked.set(user_id, beingChecked + 1);
    try {
      if (!(await isPerson(user_id))) throw new Refusal("NOT_FOUND");
      await this.#refuseTaken(card?.ownerId);
      const checked = await agents.read(manifestBytes);
      const person = await storage.keysOf(user_id, user_id);
      return this.#open(name, user_id, checked, card, person?.identity_card ?? null);
    } finally {
      const left = (this.#beingChecked.get(user_id) ?? 1) - 1;
      if (left === 0) this.#beingChecked.delete(user_id);
      else this.#beingChecked.set(user_id, left);
    }
  }

  /** Those this person can answer now. */
  waiting(userId: string): PairingRequestedFrame["payload"][] {
    const own = [...this.#byId.values()].filter((pairing) => pairing.userId === userId);
    return own.filter((pairing) => pairing.state.status === "waiting").map(({ shown }) => shown);
  }

  /**
   * @param waitMs how long to wait for an answer, bounded; asked once the token is known to be right
   * @throws Refusal NOT_FOUND (never there, withdrawn, collected), UNAUTHENTICATED
   */
  async state(
    pairingId: string,
    token: string | undefined,
    waitMs: () => number,
    signal: AbortSignal,
  ): Promise<PairingState> {
    const pairing = this.#authorised(pairingId, token);
    const ms = waitMs();
    if (pairing.state.status === "waiting" && ms > 0) await pairing.settled(ms, signal);
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

  /** @throws Refusal NOT_FOUND, PAIRING_EXPIRED, PAIRING_CLOSED, SCOPE_UNKNOWN, BAD_REQUEST */
  async answer(
    by: Subject,
    pairingId: string,
    accept: boolean,
    scopes: readonly string[],
  ): Promise<AnsweredPairing> {
    const pairing = this.#byId.get(pairingId);
    if (pairing?.userId !== by.id) throw new Refusal("NOT_FOUND");
    this.#refuseUnlessWaiting(pairing);
    if (!accept) {
      this.#close(pairing, { status: "refused" });
      return { status: "refused" };
    }
    pairing.isBeingAnswered = true;
    try {
      return await this.#accept(pairing, scopes);
    } catch (error) {
      pairing.isBeingAnswered = false;
      if (pairing.hasRunOut) this.#close(pairing, { status: "expired" });
      throw error;
    }
  }

  /** The agent has its token: from now on only the hash is kept. */
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

  async #refuseTaken(id: string | undefined): Promise<void> {
    const { storage, isPerson } = this.#parts;
    if (id !== undefined && ((await isPerson(id)) || (await storage.isTaken(id)))) {
      throw cardRefused();
    }
  }

  #open(
    name: string,
    userId: string,
    checked: CheckedManifest,
    card: PairedCard | undefined,
    personCard: Uint8Array | null,
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
    const pairing = new Pairing(shown, checked, hashToken(token), scheduler, card, userId);
    this.#byId.set(shown.pairing_id, pairing);
    pairing.schedule(LIMITS.pairingLifeMs, () => this.#expire(pairing));
    this.#parts.connections.send(userId, { type: "pairing.requested", payload: shown });
    const { pairing_id, code, expires_at } = shown;
    return {
      pairing_id,
      code,
      pairing_token: token,
      expires_at,
      warnings: checked.warnings,
      person_card: base64Or(personCard),
    };
  }

  #authorised(pairingId: string, token: string | undefined): Pairing {
    const pairing = this.#byId.get(pairingId);
    if (pairing === undefined) throw new Refusal("NOT_FOUND");
    const isTheirs = token !== undefined && timingSafeEqual(hashToken(token), pairing.tokenHash);
    if (!isTheirs) throw new Refusal("UNAUTHENTICATED");
    return pairing;
  }

  #refuseUnlessWaiting({ state, isBeingAnswered }: Pairing): void {
    if (state.status === "expired") throw new Refusal("PAIRING_EXPIRED");
    if (state.status !== "waiting" || isBeingAnswered) throw new Refusal("PAIRING_CLOSED");
  }

  async #accept(pairing: Pairing, scopes: readonly string[]): Promise<AnsweredPairing> {
    const { storage, agents, relations } = this.#parts;
    const { card, checked, shown, userId } = pairing;
    const granted_scopes = checkedScopes(checked.manifest, scopes);
    const { agent, token } = agents.fresh(shown.name, userId, checked, card?.ownerId);
    const { agent_id } = agent;
    const relation = relations.fresh(agent_id, userId, granted_scopes);
    const identity = card === undefined ? undefined : identityOf(card, null);
    const answered = await storage.answerPairing(agent, identity, relation);
    // Two asked under one id; the other was first.
    if (answered === undefined) throw cardRefused();
    const { personCard } = answered;
    const { user_id, conversation_id } = relation;
    const person_card = base64Or(personCard);
    const given = { agent_id, token, user_id, conversation_id, granted_scopes, person_card };
    this.#close(pairing, { status: "accepted", ...given });
    relations.announce("relation.established", relation);
    return {
      status: "accepted",
      relation: relationView(relation),
      agent: {
        agent_id,
        name: shown.name,
        connection_mode: "websocket",
        capability_manifest: checked.manifest,
        capability_manifest_version: 1,
        capability_manifest_hash: checked.hash,
      },
    };
  }

  #close(pairing: Pairing, state: Exclude<PairingLife, { status: "waiting" | "collected" }>): void {
    pairing.settle(state);
    // An accepted one is handed out until its agent has used the token.
    if (state.status !== "accepted") this.#forgetLater(pairing);
    const { pairing_id } = pairing.shown;
    this.#parts.connections.send(pairing.userId, {
      type: "pairing.closed",
      payload: { pairing_id, outcome: state.status },
    });
  }

  /** An answer that is being stored came in time. */
  #expire(pairing: Pairing): void {
    pairing.hasRunOut = true;
    if (!pairing.isBeingAnswered) this.#close(pairing, { status: "expired" });
  }

  #forgetLater(pairing: Pairing): void {
    pairing.schedule(LIMITS.pairingLifeMs, () => this.#byId.delete(pairing.shown.pairing_id));
  }
}

/** The agent chose the id, so it must have the form of ours and be free. */
function cardOf({ identity_card, encryption }: Asked): PairedCard | undefined {
  if (identity_card === undefined && encryption === undefined) return undefined;
  const { level, ...card } = readPublishedCard(identity_card ?? "");
  if (level === null || level !== encryption || !isNewId(card.ownerId)) throw cardRefused();
  return { ...card, level };
}

const base64Or = (card: Uint8Array | null) => (card === null ? null : toBase64(card));

const cardRefused = () => new Refusal("BAD_REQUEST", { fault: "identity_card" });
