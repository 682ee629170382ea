import type { LedgerState } from "../../../app/bridge/agent-views.ts";
import type { CryptoPrimitives } from "../../../app/encryption/crypto-primitives.ts";
import type { Identity } from "../../../app/encryption/identity/identity.ts";
import {
  appendEntry,
  type GrantChange,
  type HeadComparison,
  type VerifiedLedger,
} from "../../../app/encryption/ledger/ledger.ts";
import { grantedScopes, type HubAgent, type KnownAgent } from "../../../app/grants/grant.ts";
import { sealingError } from "../../../app/protocol/v1/message-sealing.ts";
import type { LedgerRest } from "../../channels/hub-keys.ts";
import { hubRestError } from "../../channels/hub-rest.ts";

export interface GrantLedgerPorts {
  readonly crypto: CryptoPrimitives;
  readonly identity: Identity;
  readonly agent: (agentId: string) => HubAgent | undefined;
  /** Checks a whole ledger against what was seen before, and remembers its end. */
  readonly verify: (agentId: string, entries: readonly Uint8Array[]) => Promise<VerifiedLedger>;
  readonly rest: LedgerRest;
  /** ms since the epoch */
  readonly clock: { now(): number };
  readonly changed: () => void;
  /** The hub's ledger is not the one this person signed. */
  readonly disagreed: (agentId: string, state: LedgerState) => void;
  readonly report: (error: unknown) => void;
}

const CONFLICTS_BORNE = 3;

/**
 * Adds the person's grants and revocations to the ledger at the hub, and checks that the ledger there
 * is the one this person signed (docs/encryption.md, "L6"). Until it is, no call of the agent runs
 * (contract §9).
 */
export class GrantLedger {
  readonly #ports: GrantLedgerPorts;
  readonly #states = new Map<string, LedgerState>();
  readonly #running = new Map<string, Promise<void>>();
  /** Agents that the hub has shown another ledger. */
  readonly #forked = new Set<string>();
  #closed = false;

  constructor(ports: GrantLedgerPorts) {
    this.#ports = ports;
  }

  /** Reports nothing from now on, because what it reports to is being closed. */
  close(): void {
    this.#closed = true;
  }

  state(agentId: string): LedgerState {
    const state = this.#states.get(agentId) ?? "unchecked";
    return state === "in_step" && this.#forked.has(agentId) ? "forked" : state;
  }

  /** A message of the agent shows how much of the ledger it knows, and which one. */
  compared(agentId: string, comparison: HeadComparison): void {
    const { changed, disagreed } = this.#ports;
    if (this.#closed) return;
    if (comparison === "forked" && !this.#forked.has(agentId)) {
      this.#forked.add(agentId);
      changed();
      disagreed(agentId, "forked");
    } else if (comparison === "same" && this.#forked.delete(agentId)) changed();
    // `ahead`: the agent will catch up. The rest may be a ledger that was never signed here.
    if (comparison === "behind" || comparison === "forked") void this.sync(agentId);
  }

  /** Brings the ledger up to date with the grants; one update at a time for each agent. */
  sync(agentId: string): Promise<void> {
    const before = this.#running.get(agentId) ?? Promise.resolve();
    const run = before.then(() => this.#syncNow(agentId));
    this.#running.set(agentId, run);
    return run;
  }

  /** Resolves when it was checked since the agent became known, or could not be. */
  async checked(agentId: string): Promise<void> {
    await this.#running.get(agentId);
    if (this.state(agentId) === "unchecked") await this.sync(agentId);
  }

  async #syncNow(agentId: string): Promise<void> {
    try {
      for (let left = CONFLICTS_BORNE; ; left -= 1) {
        try {
          await this.#bringInStep(agentId);
          break;
        } catch (error) {
          const conflict = hubRestError.is(error) && error.code === "LEDGER_CONFLICT";
          if (!conflict || left === 0) throw error;
        }
      }
      this.#becomes(agentId, "in_step");
    } catch (error) {
      this.#becomes(agentId, stateAfter(error));
      this.#ports.report(error);
    }
  }

  async #bringInStep(agentId: string): Promise<void> {
    const { rest, crypto, identity, clock, verify, agent } = this.#ports;
    const known = agent(agentId);
    if (known === undefined) return;
    let entries = await rest.entries(known.relation.relation_id);
    let ledger = await verify(agentId, entries);
    for (const change of changesTo(ledger, agent(agentId) ?? known)) {
      // A clock that lost its stored mark with the database may be behind the last entry.
      const next = { ...change, agentId, at: Math.max(clock.now(), ledger.at) };
      const { bytes } = appendEntry(crypto, identity, ledger.head, next);
      await rest.append(known.relation.relation_id, ledger.head.length, bytes);
      entries = [...entries, bytes];
      ledger = await verify(agentId, entries);
    }
  }

  #becomes(agentId: string, state: LedgerState): void {
    if (this.#closed || this.#states.get(agentId) === state) return;
    this.#states.set(agentId, state);
    this.#ports.changed();
    if (state === "rolled_back" || state === "forged") this.#ports.disagreed(agentId, state);
  }
}

/** Revocations first, so that they take effect before grants. */
function changesTo(
  { granted }: VerifiedLedger,
  known: KnownAgent,
): readonly Pick<GrantChange, "kind" | "scopes" | "manifestHash">[] {
  const manifestHash = new Uint8Array(Buffer.from(known.reviewed_hash, "hex"));
  const wanted = grantedScopes(known);
  const taken = [...granted.keys()].filter((scope) => !wanted.includes(scope));
  const given = wanted.filter((scope) => {
    const under = granted.get(scope);
    return under === undefined || Buffer.compare(under, manifestHash) !== 0;
  });
  return [
    ...(taken.length === 0 ? [] : [{ kind: "revocation" as const, scopes: taken, manifestHash }]),
    ...(given.length === 0 ? [] : [{ kind: "grant" as const, scopes: given, manifestHash }]),
  ];
}

/** A hub that does not answer proves nothing; a wrong ledger does. */
function stateAfter(error: unknown): LedgerState {
  if (!sealingError.is(error)) return "unchecked";
  if (error.code === "ledger_rolled_back") return "rolled_back";
  const isForged = ["ledger_broken", "bad_signature", "malformed", "unsupported_version"];
  return isForged.includes(error.code) ? "forged" : "unchecked";
}
