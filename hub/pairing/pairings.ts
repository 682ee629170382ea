import { timingSafeEqual } from "node:crypto";
import { LIMITS } from "../../app/contract/limits.ts";
import type { PairingRequestedFrame } from "../../app/protocol/v1/frames.ts";
import type { PairingRequest, PairingState, PairingTicket } from "../../app/protocol/v1/rest.ts";
import { faultOf, refusal } from "../hub-error.ts";
import type { Clock, Log, RandomBytes, Scheduler } from "../hub-options.ts";
import type { ClosedPairing, StoredPairing, Subject } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { identityOf } from "../keys/key-directory.ts";
import type { Connections } from "../lines/connections.ts";
import type { Agents } from "../registry/agents.ts";
import { relationView } from "../relations/relation-frames.ts";
import { checkedScopes, type Relations } from "../relations/relations.ts";
import { requireVisible } from "../rest/route.ts";
import { hashToken, pairedAgentToken } from "../tokens/access-token.ts";
import { newId } from "../tokens/random-text.ts";
import {
  type AnsweredPairing,
  base64Or,
  cardOf,
  cardRefused,
  closed,
  GIVEN_MS,
  newPairing,
  type PairedCard,
  pairedAgent,
  refuseUnlessWaiting,
  tooMany,
} from "./new-pairing.ts";
import { PairingWaiters } from "./pairing-waiters.ts";

export interface PairingsParts {
  readonly storage: HubStorage;
  readonly connections: Connections;
  readonly agents: Agents;
  readonly relations: Relations;
  readonly random: RandomBytes;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Who is asked if nobody is named. */
  readonly localPerson: string;
  /** Whether somebody has this id who may use the hub. */
  readonly isPerson: (userId: string) => Promise<boolean>;
}

type Asked = Omit<PairingRequest, "capability_manifest">;

/** Agents that ask to be added. Their tokens are written nowhere: an accepted agent's follows from its pairing's. */
export class Pairings {
  readonly #parts: PairingsParts;
  /** By the person who is asked. */
  readonly #beingChecked = new Map<string, number>();
  /** Answers that are being stored, which come in time. */
  readonly #beingAnswered = new Map<string, Promise<unknown>>();
  readonly #waiters: PairingWaiters;
  readonly #cancelTimers = new Set<() => void>();

  constructor(parts: PairingsParts) {
    this.#parts = parts;
    this.#waiters = new PairingWaiters(parts.scheduler);
  }

  /** @throws Refusal NOT_FOUND, BAD_REQUEST (fault `identity_card`), TOO_MANY_PAIRINGS, MANIFEST_INVALID, MANIFEST_TOO_LARGE */
  async request(asked: Asked, manifestBytes: Uint8Array): Promise<PairingTicket> {
    requireVisible(asked.name);
    const card = cardOf(asked);
    const { localPerson, isPerson } = this.#parts;
    const { user_id = localPerson } = asked;
    // Anybody may ask, so a place is reserved before any work is done.
    const beingChecked = this.#beingChecked.get(user_id) ?? 0;
    if (beingChecked >= LIMITS.pairingsWaiting) throw tooMany();
    this.#beingChecked.set(user_id, beingChecked + 1);
    try {
      if ((await this.waiting(user_id)).length + beingChecked >= LIMITS.pairingsWaiting) {
        throw tooMany();
      }
      if (!(await isPerson(user_id))) throw refusal("NOT_FOUND");
      await this.#refuseTaken(card?.ownerId);
      return await this.#open(asked.name, user_id, card, manifestBytes);
    } finally {
      const left = (this.#beingChecked.get(user_id) ?? 1) - 1;
      if (left === 0) this.#beingChecked.delete(user_id);
      else this.#beingChecked.set(user_id, left);
    }
  }

  /** Those this person can answer now. */
  async waiting(userId: string): Promise<readonly PairingRequestedFrame["payload"][]> {
    const { storage, clock } = this.#parts;
    const found = await storage.pairingsWaiting(userId, clock.now());
    return found.map(({ shown }) => shown);
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
    let pairing = await this.#authorised(pairingId, token);
    let left = waitMs();
    while (pairing.status === "waiting" && left > 0 && !signal.aborted) {
      // Another node may have stored the answer.
      const ms = this.#parts.storage.nodes === null ? left : Math.min(left, LOOK_MS);
      if (!(await this.#waiters.settled(pairingId, ms, signal))) left -= ms;
      pairing = await this.#authorised(pairingId, token);
    }
    switch (pairing.status) {
      case "withdrawn":
      case "collected":
        throw refusal("NOT_FOUND");
      case "accepted":
        return this.#given(pairing, token ?? "");
      default:
        return { status: pairing.status };
    }
  }

  /** @throws Refusal NOT_FOUND, UNAUTHENTICATED, PAIRING_CLOSED, PAIRING_EXPIRED */
  async withdraw(pairingId: string, token: string | undefined): Promise<void> {
    const pairing = await this.#authorised(pairingId, token);
    await this.#close(pairing, "withdrawn");
  }

  /** @throws Refusal NOT_FOUND, PAIRING_EXPIRED, PAIRING_CLOSED, SCOPE_UNKNOWN, BAD_REQUEST */
  async answer(
    by: Subject,
    pairingId: string,
    accept: boolean,
    scopes: readonly string[],
  ): Promise<AnsweredPairing> {
    const pairing = await this.#current(pairingId);
    if (pairing?.user_id !== by.id) throw refusal("NOT_FOUND");
    if (!accept) {
      await this.#close(pairing, "refused");
      return { status: "refused" };
    }
    refuseUnlessWaiting(pairing);
    if (this.#beingAnswered.has(pairingId)) throw refusal("PAIRING_CLOSED");
    const accepted = this.#accept(pairing, scopes);
    this.#beingAnswered.set(
      pairingId,
      accepted.catch(() => undefined),
    );
    return accepted.finally(() => this.#beingAnswered.delete(pairingId));
  }

  /** The agent has its token: it is not told again. */
  agentAuthenticated(agentId: string): Promise<void> {
    return this.#parts.storage.collectPairing(agentId, this.#forgetAt());
  }

  /** Answers everybody who still waits. */
  end(): void {
    for (const cancel of this.#cancelTimers) cancel();
    this.#waiters.wakeAll();
  }

  async #refuseTaken(id: string | undefined): Promise<void> {
    const { storage, isPerson } = this.#parts;
    if (id !== undefined && ((await isPerson(id)) || (await storage.isTaken(id)))) {
      throw cardRefused();
    }
  }

  async #open(
    name: string,
    user_id: string,
    card: PairedCard | undefined,
    manifestBytes: Uint8Array,
  ): Promise<PairingTicket> {
    const { storage, agents, connections, random, clock } = this.#parts;
    const checked = await agents.read(manifestBytes);
    const person = await storage.keysOf(user_id, user_id);
    const { tokenSecret } = storage;
    const asked = { user_id, name };
    const now = clock.now();
    const { pairing, token } = newPairing(asked, checked, card, now, { random, tokenSecret });
    if (!(await storage.openPairing(pairing, LIMITS.pairingsWaiting, now))) throw tooMany();
    const { pairing_id, shown } = pairing;
    this.#expireAt(pairing_id);
    connections.send(user_id, { type: "pairing.requested", payload: shown });
    const { code, expires_at } = shown;
    const { warnings } = checked;
    const person_card = base64Or(person?.identity_card);
    return { pairing_id, code, pairing_token: token, expires_at, warnings, person_card };
  }

  /** The person is told by the node that was asked; whoever looks later sees the time. */
  #expireAt(pairingId: string): void {
    const { scheduler, log } = this.#parts;
    const cancel = scheduler.after(LIMITS.pairingLifeMs, () => {
      this.#cancelTimers.delete(cancel);
      this.#current(pairingId).catch((error: unknown) =>
        log({ code: "pairing_not_expired", fault: faultOf(error) }),
      );
    });
    this.#cancelTimers.add(cancel);
  }

  /** As it is now: one that has run out is closed, unless its answer is being stored. */
  async #current(pairingId: string): Promise<StoredPairing | undefined> {
    const { storage, clock } = this.#parts;
    const found = await storage.pairing(pairingId);
    const now = clock.now();
    if (found === undefined || (found.forget_at ?? now + 1) <= now) return undefined;
    if (found.status !== "waiting" || found.expires_at > now) return found;
    await this.#beingAnswered.get(pairingId);
    await this.#closeStored(found, "expired");
    return storage.pairing(pairingId);
  }

  async #authorised(pairingId: string, token: string | undefined): Promise<StoredPairing> {
    const pairing = await this.#current(pairingId);
    if (pairing === undefined) throw refusal("NOT_FOUND");
    const isTheirs = token !== undefined && timingSafeEqual(hashToken(token), pairing.token_hash);
    if (!isTheirs) throw refusal("UNAUTHENTICATED");
    return pairing;
  }

  async #accept(pairing: StoredPairing, scopes: readonly string[]): Promise<AnsweredPairing> {
    const { storage, agents, relations, clock } = this.#parts;
    const { pairing_id, user_id, shown, agent_token_hash: token_hash } = pairing;
    const { name, capability_manifest: manifest, capability_manifest_hash: hash } = shown;
    const card = cardOf(shown);
    const granted_scopes = checkedScopes(manifest, scopes);
    const agent_id = card?.ownerId ?? newId(this.#parts.random);
    const agent = agents.fresh(
      { agent_id, name, owner_id: user_id, token_hash },
      { manifest, hash },
    );
    const relation = relations.fresh(agent_id, user_id, granted_scopes);
    const identity = card === undefined ? undefined : identityOf(card, null);
    const forgetAt = clock.now() + GIVEN_MS;
    const answered = await storage.acceptPairing(pairing_id, agent, identity, relation, forgetAt);
    if (answered === null) throw closed(await storage.pairing(pairing_id));
    // Two asked under one id; the other was first.
    if (answered === undefined) throw cardRefused();
    this.#announceClosed(pairing, "accepted");
    await relations.announce("relation.established", relation);
    const view = relationView(relation);
    return { status: "accepted", relation: view, agent: pairedAgent(agent_id, shown) };
  }

  /** What an accepted agent is told. */
  async #given({ agent_id, user_id }: StoredPairing, token: string): Promise<PairingState> {
    const { storage } = this.#parts;
    const relations = await storage.relationsOf({ id: agent_id ?? "", type: "agent" });
    const relation = relations.find((each) => each.user_id === user_id);
    if (agent_id === null || relation === undefined) throw refusal("NOT_FOUND");
    const { conversation_id, granted_scopes } = relation;
    const person = await storage.keysOf(user_id, user_id);
    return {
      status: "accepted",
      ...{ agent_id, token: pairedAgentToken(storage.tokenSecret, token) },
      ...{ user_id, conversation_id, granted_scopes },
      person_card: base64Or(person?.identity_card),
    };
  }

  /** @throws Refusal PAIRING_CLOSED, PAIRING_EXPIRED */
  async #close(pairing: StoredPairing, status: ClosedPairing): Promise<void> {
    refuseUnlessWaiting(pairing);
    if (!(await this.#closeStored(pairing, status))) {
      throw closed(await this.#parts.storage.pairing(pairing.pairing_id));
    }
  }

  async #closeStored(pairing: StoredPairing, status: ClosedPairing): Promise<boolean> {
    const { storage } = this.#parts;
    const isClosed = await storage.closePairing(pairing.pairing_id, status, this.#forgetAt());
    if (isClosed) this.#announceClosed(pairing, status);
    return isClosed;
  }

  #announceClosed(
    { pairing_id, user_id }: StoredPairing,
    outcome: ClosedPairing | "accepted",
  ): void {
    this.#waiters.wake(pairing_id);
    this.#parts.connections.send(user_id, {
      type: "pairing.closed",
      payload: { pairing_id, outcome },
    });
  }

  #forgetAt(): number {
    return this.#parts.clock.now() + LIMITS.pairingLifeMs;
  }
}

/** How often an agent that waits looks for an answer that another node has stored, in milliseconds. */
const LOOK_MS = 1_000;
