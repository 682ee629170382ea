import type { Manifest } from "../app/contract/manifest.ts";
import { reconnectDelayMs } from "../app/protocol/link/reconnect-delay.ts";
import type { PairingState } from "../app/protocol/v1/rest.ts";
import { isAgentName } from "./agent-name.ts";
import type { SafetyNumber } from "./encryption/encryption-events.ts";
import type { KeyStore } from "./encryption/key-store.ts";
import { levelFor } from "./encryption/level-for.ts";
import { type PairedIdentity, pairedIdentity } from "./encryption/paired-identity.ts";
import { ANSWER_LIMIT_MS, askHub, type HubPorts } from "./hub-request.ts";
import { type ManifestRemark, remarksIn, unreadable } from "./manifest-remarks.ts";
import { readPairingState, readTicket, refusalError, type Ticket } from "./pairing-answers.ts";
import { PairingError } from "./pairing-error.ts";
import { metPerson, shownPerson } from "./person-card.ts";
import { pause, type StopSignal, stopSignal } from "./stop-signal.ts";

export interface PairingRequestOptions {
  /** The agent's name, as the person sees it: 1–64 characters. */
  readonly name: string;
  readonly manifest: Manifest;
  /** Called once, with the code that the person compares. */
  onCode(code: string): void;
  /**
   * Called right after `onCode`, with the number that the person sees too, while they have not answered yet.
   * Not called if they have published no keys. A hub that lied about their key is found out: `key_mismatch`.
   */
  onSafetyNumber?(safety: SafetyNumber): void;
  readonly signal?: AbortSignal;
  /** As in `AgentOptions`. */
  readonly keyStore?: KeyStore;
  /** As in `AgentOptions`. It is signed with the agent's keys and cannot change (docs/encryption.md). */
  readonly connectionMode?: "websocket" | "webhook";
  /** How long to wait for the person, in milliseconds. Default: as long as the hub waits. */
  readonly timeoutMs?: number;
}

export interface AgentCredentials {
  readonly agentId: string;
  /** `hsk_…`: a secret. Whoever holds it is the agent. */
  readonly token: string;
  readonly userId: string;
  readonly conversationId: string;
  readonly grantedScopes: readonly string[];
}

export interface Paired {
  readonly credentials: AgentCredentials;
  /** What the hub noted about the manifest, such as its size. */
  readonly warnings: readonly ManifestRemark[];
}

type Accepted = Extract<PairingState, { status: "accepted" }>;

const POLL_WAIT_MS = 25_000;

/** What the hub would refuse anyway. @throws PairingError `name_invalid`, `manifest_invalid` */
export function checkRequest({ name, manifest }: PairingRequestOptions): void {
  if (!isAgentName(name)) throw new PairingError("name_invalid");
  const problems = unreadable(manifest);
  if (problems.length > 0) throw new PairingError("manifest_invalid", { problems });
}

/**
 * Asks a person to add this agent and waits for the answer, which comes with the person's card.
 * @throws PairingError
 */
export async function requestPairing(
  ports: HubPorts,
  options: PairingRequestOptions,
): Promise<{ readonly paired: Paired; readonly personCard: Uint8Array | null }> {
  if (options.signal?.aborted) throw new PairingError("aborted");
  const identity = pairedIdentity(options.keyStore, levelFor(options));
  const ticket = await createPairing(ports, options, identity);
  const stop = stopSignal(ports.clock, options);
  try {
    const shown = shownPerson(ticket);
    options.onCode(ticket.code);
    if (shown !== null) options.onSafetyNumber?.(identity.safetyNumber(shown.card));
    const accepted = await awaitAnswer(ports, ticket, stop);
    if (accepted.agent_id !== identity.agentId) throw new PairingError("hub_refused");
    const person = metPerson(accepted, shown);
    await identity.keep();
    const warnings = remarksIn(ticket.warnings);
    return { paired: { credentials: credentialsOf(accepted), warnings }, personCard: person };
  } catch (error) {
    // The person must not be left with a request that nobody waits for.
    const hubEndedIt =
      error instanceof PairingError && error.code !== "key_mismatch" && stop.reason === undefined;
    if (!hubEndedIt) await withdraw(ports, ticket);
    throw error;
  } finally {
    stop.release();
  }
}

/** Not abortable: a request whose ticket never arrived could not be withdrawn. */
async function createPairing(
  ports: HubPorts,
  { name, manifest }: PairingRequestOptions,
  identity: PairedIdentity,
): Promise<Ticket> {
  const answer = await askHub(ports, {
    method: "POST",
    path: "/pairings",
    body: { name, capability_manifest: manifest, ...identity.fields },
  });
  if (answer.kind === "refused") throw refusalError(answer.code, answer.params);
  const ticket = answer.kind === "data" ? readTicket(answer.data) : undefined;
  if (ticket === undefined) throw new PairingError("hub_unreachable");
  return ticket;
}

async function awaitAnswer(ports: HubPorts, ticket: Ticket, stop: StopSignal): Promise<Accepted> {
  let failures = 0;
  for (;;) {
    if (stop.reason !== undefined) throw new PairingError(stop.reason);
    const state = await poll(ports, ticket, stop.signal);
    if (stop.reason !== undefined && state?.status !== "accepted") continue;
    if (state?.status === "accepted") return state;
    if (state?.status === "refused" || state?.status === "expired") {
      throw new PairingError(state.status);
    }
    failures = state === undefined ? failures + 1 : 0;
    if (failures === 0) continue;
    // The ticket must have expired by now, whatever the hub says.
    if (ports.clock.now() > Date.parse(ticket.expires_at))
      throw new PairingError("hub_unreachable");
    await pause(ports.clock, reconnectDelayMs(failures - 1, ports.clock.random()), stop.signal);
  }
}

/** @returns `undefined` when the poll was lost; the next one may find the answer */
async function poll(
  ports: HubPorts,
  { pairing_id, pairing_token }: Ticket,
  signal: AbortSignal,
): Promise<PairingState | undefined> {
  const answer = await askHub(ports, {
    method: "GET",
    path: `/pairings/${encodeURIComponent(pairing_id)}?wait_ms=${POLL_WAIT_MS}`,
    token: pairing_token,
    limitMs: POLL_WAIT_MS + ANSWER_LIMIT_MS,
    signal,
  });
  if (answer.kind === "data") return readPairingState(answer.data);
  if (answer.kind === "unreachable") return undefined;
  switch (answer.code) {
    case "PAIRING_EXPIRED":
    // A hub that was restarted no longer knows the pairing.
    case "NOT_FOUND":
      return { status: "expired" };
    case "PAIRING_CLOSED":
      return { status: "refused" };
    default:
      throw new PairingError("hub_refused", { hubCode: answer.code });
  }
}

async function withdraw(ports: HubPorts, ticket: Ticket): Promise<void> {
  await askHub(ports, {
    method: "DELETE",
    path: `/pairings/${encodeURIComponent(ticket.pairing_id)}`,
    token: ticket.pairing_token,
  });
}

const credentialsOf = (accepted: Accepted): AgentCredentials => ({
  agentId: accepted.agent_id,
  token: accepted.token,
  userId: accepted.user_id,
  conversationId: accepted.conversation_id,
  grantedScopes: accepted.granted_scopes,
});
