import { isJsonObject, ownValue } from "../app/contract/json.ts";
import type { PairingState, PairingTicket } from "../app/protocol/v1/rest.ts";
import { remarksIn } from "./manifest-remarks.ts";
import { PairingError } from "./pairing-error.ts";

/** A ticket as far as it was checked. */
export type Ticket = Omit<PairingTicket, "warnings" | "person_card"> & {
  readonly warnings?: unknown;
  readonly person_card?: unknown;
};

/** `undefined` when the data is not a ticket. */
export function readTicket(data: unknown): Ticket | undefined {
  if (!hasTexts(data, ["pairing_id", "code", "pairing_token", "expires_at"])) return undefined;
  return data as unknown as Ticket;
}

/** `undefined` when the data is not a state of a pairing. */
export function readPairingState(data: unknown): PairingState | undefined {
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
export function refusalError(
  hubCode: string,
  params: Readonly<Record<string, unknown>>,
): PairingError {
  switch (hubCode) {
    case "TOO_MANY_PAIRINGS":
      return new PairingError("too_many");
    case "MANIFEST_INVALID":
    case "MANIFEST_TOO_LARGE":
      return new PairingError("manifest_invalid", {
        problems: remarksIn(params.problems),
        hubCode,
      });
    default:
      return new PairingError("hub_refused", { hubCode });
  }
}
