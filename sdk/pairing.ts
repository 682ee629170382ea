import { fromBase64 } from "../app/contract/base64.ts";
import { isJsonObject, ownValue } from "../app/contract/json.ts";
import { encryptionError } from "../app/encryption/encryption-error.ts";
import { type IdentityCard, readCard } from "../app/encryption/identity/identity.ts";
import { reconnectDelayMs } from "../app/protocol/link/connection.ts";
import type { PairingState, PairingTicket } from "../app/protocol/v1/rest.ts";
import { nodePrimitives as crypto } from "../runtime/crypto/node-primitives.ts";
import { type AgentCredentials, isAgentName } from "./credentials.ts";
import { levelFor, type PairedIdentity, pairedIdentity } from "./encryption/identity.ts";
import { AgentError, type ManifestRemark } from "./errors.ts";
import {
  ANSWER_LIMIT_MS,
  askHub,
  type HubPorts,
  pause,
  type StopSignal,
  stopSignal,
} from "./hub-client.ts";
import { remarksIn, unreadable } from "./manifest.ts";
import type { PairingRequestOptions } from "./options.ts";

export interface Paired {
  readonly credentials: AgentCredentials;
  /** What the hub noted about the manifest, such as its size. */
  readonly warnings: readonly ManifestRemark[];
}

type Accepted = Extract<PairingState, { status: "accepted" }>;

const POLL_WAIT_MS = 25_000;

/** What the hub would refuse anyway. @throws AgentError `name_invalid`, `manifest_invalid` */
export function checkRequest({ name, manifest }: PairingRequestOptions): void {
  if (!isAgentName(name)) throw new AgentError("name_invalid");
  const problems = unreadable(manifest);
  if (problems.length > 0) throw new AgentError("manifest_invalid", { problems });
}

/**
 * Asks a person to add this agent and waits for the answer, which comes with the person's card.
 * @throws AgentError
 */
export async function requestPairing(
  ports: HubPorts,
  options: PairingRequestOptions,
): Promise<{ readonly paired: Paired; readonly personCard: Uint8Array | null }> {
  if (options.signal?.aborted) throw new AgentError("aborted");
  const identity = pairedIdentity(options.keyStore, levelFor(options));
  const ticket = await createPairing(ports, options, identity);
  const stop = stopSignal(ports.clock, options);
  try {
    const shown = shownPerson(ticket);
    options.onCode(ticket.code);
    if (shown !== null) options.onSafetyNumber?.(identity.safetyNumber(shown.card));
    const accepted = await awaitAnswer(ports, ticket, stop);
    if (accepted.agent_id !== identity.agentId) throw new AgentError("hub_refused");
    const person = metPerson(accepted, shown);
    await identity.keep();
    const warnings = remarksIn(ticket.warnings);
    return { paired: { credentials: credentialsOf(accepted), warnings }, personCard: person };
  } catch (error) {
    // The person must not be left with a request that nobody waits for.
    const hubEndedIt =
      error instanceof AgentError && error.code !== "key_mismatch" && stop.reason === undefined;
    if (!hubEndedIt) await withdraw(ports, ticket);
    throw error;
  } finally {
    stop.release();
  }
}

/** Not abortable: a request whose ticket never arrived could not be withdrawn. */
async function createPairing(
  ports: HubPorts,
  { name, manifest, userId }: PairingRequestOptions,
  identity: PairedIdentity,
): Promise<Ticket> {
  const answer = await askHub(ports, {
    method: "POST",
    path: "/pairings",
    body: {
      ...{ name, capability_manifest: manifest, ...identity.fields },
      ...(userId === undefined ? {} : { user_id: userId }),
    },
  });
  if (answer.kind === "refused") throw refusalError(answer.code, answer.params);
  const ticket = answer.kind === "data" ? readTicket(answer.data) : undefined;
  if (ticket === undefined) {
    throw new AgentError("hub_unreachable", { value: ports.baseUrl });
  }
  return ticket;
}

async function awaitAnswer(ports: HubPorts, ticket: Ticket, stop: StopSignal): Promise<Accepted> {
  let failures = 0;
  for (;;) {
    if (stop.reason !== undefined) throw new AgentError(stop.reason);
    const state = await poll(ports, ticket, stop.signal);
    if (stop.reason !== undefined && state?.status !== "accepted") continue;
    if (state?.status === "accepted") return state;
    if (state?.status === "refused" || state?.status === "expired") {
      throw new AgentError(state.status);
    }
    failures = state === undefined ? failures + 1 : 0;
    if (failures === 0) continue;
    // The ticket must have expired by now, whatever the hub says.
    if (ports.clock.now() > Date.parse(ticket.expires_at)) {
      throw new AgentError("hub_unreachable", { value: ports.baseUrl });
    }
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
      throw new AgentError("hub_refused", { hubCode: answer.code });
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

/** A ticket as far as it was checked. */
type Ticket = Omit<PairingTicket, "warnings" | "person_card"> & {
  readonly warnings?: unknown;
  readonly person_card?: unknown;
};

/** `undefined` when the data is not a ticket. */
function readTicket(data: unknown): Ticket | undefined {
  if (!hasTexts(data, ["pairing_id", "code", "pairing_token", "expires_at"])) return undefined;
  return data as unknown as Ticket;
}

/** `undefined` when the data is not a state of a pairing. */
function readPairingState(data: unknown): PairingState | undefined {
  if (!isJsonObject(data)) return undefined;
  const status = ownValue(data, "status");
  if (status === "waiting" || status === "refused" || status === "expired") return { status };
  if (status !== "accepted") return undefined;
  if (!hasTexts(data, ["agent_id", "token", "user_id", "conversation_id"])) return undefined;
  const scopes = ownValue(data, "granted_scopes");
  const listed = Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string");
  return listed ? (data as unknown as PairingState) : undefined;
}

function hasTexts(data: unknown, keys: readonly string[]): data is Record<string, string> {
  return isJsonObject(data) && keys.every((key) => typeof ownValue(data, key) === "string");
}

/** What the hub's refusal of `POST /pairings` means. */
function refusalError(hubCode: string, params: Readonly<Record<string, unknown>>): AgentError {
  switch (hubCode) {
    case "TOO_MANY_PAIRINGS":
      return new AgentError("too_many");
    case "MANIFEST_INVALID":
    case "MANIFEST_TOO_LARGE":
      return new AgentError("manifest_invalid", {
        problems: remarksIn(params.problems),
        hubCode,
      });
    default:
      return new AgentError("hub_refused", { hubCode });
  }
}

/** The person's card as the hub showed it while the pairing waited. */
interface ShownPerson {
  readonly card: IdentityCard;
  readonly text: string;
}

/**
 * Null if the hub shows none.
 * @throws AgentError `key_mismatch` for one that nobody can have published
 */
function shownPerson({ person_card }: Ticket): ShownPerson | null {
  if (person_card === undefined || person_card === null) return null;
  const text = String(person_card);
  try {
    const bytes = fromBase64(text);
    if (bytes !== undefined) return { card: readCard(crypto, bytes), text };
  } catch (error) {
    if (!encryptionError.is(error)) throw error;
  }
  throw new AgentError("key_mismatch");
}

/**
 * The card to know the person by from now on; null if the hub has none.
 * @throws AgentError `key_mismatch` when it is not the one whose number was shown
 */
function metPerson(
  { person_card, user_id }: Extract<PairingState, { status: "accepted" }>,
  shown: ShownPerson | null,
): Uint8Array | null {
  const isShown = shown?.text === person_card && shown?.card.ownerId === user_id;
  if (shown !== null && !isShown) throw new AgentError("key_mismatch");
  return (typeof person_card === "string" ? fromBase64(person_card) : undefined) ?? null;
}
