import Type from "typebox";
import { fromBase64, toBase64 } from "../../app/contract/base64.ts";
import { guardOf } from "../../app/contract/checked.ts";
import type { KeyDirectory } from "../../app/encryption/e2ee/ports.ts";
import { type HubRequest, hubRestError } from "./hub-rest.ts";

/** The ledgers that the hub keeps for both ends. */
export interface LedgerRest {
  /** The whole ledger, oldest entry first. */
  entries(relationId: string): Promise<readonly Uint8Array[]>;
  /** @throws HubRestError `LEDGER_CONFLICT` unless `index` is the next */
  append(relationId: string, index: number, entry: Uint8Array): Promise<void>;
}

const OwnKeys = Type.Object({ key_id: Type.String(), one_time_left: Type.Integer({ minimum: 0 }) });
const isOwnKeys = guardOf(OwnKeys);
const isCard = guardOf(Type.Object({ identity_card: Type.String() }));
const isBundle = guardOf(Type.Object({ bundle: Type.String() }));
const isLedger = guardOf(Type.Object({ entries: Type.Array(Type.String()) }));

/** The hub's key directory as the person's client uses it (docs/encryption.md, "Keys at the hub"). */
export function hubKeyDirectory(request: HubRequest): KeyDirectory {
  return {
    publish: async ({ card, signedPrekey, oneTimePrekeys }) => {
      const body = {
        identity_card: toBase64(card),
        signed_prekey: toBase64(signedPrekey),
        one_time_prekeys: oneTimePrekeys.map(toBase64),
      };
      await request("PUT", "/keys/mine", body);
    },
    left: async (ownKeyId) => {
      const answer = await orNone(request("GET", "/keys/mine"));
      const held = answer === null ? null : checked(isOwnKeys, answer);
      return held?.key_id === toBase64(ownKeyId) ? held.one_time_left : null;
    },
    card: async (ownerId) => {
      const answer = await orNone(request("GET", `/keys/${encodeURIComponent(ownerId)}`));
      return answer === null ? null : bytesOf(checked(isCard, answer).identity_card);
    },
    bundle: async (ownerId) => {
      const answer = await orNone(request("POST", `/keys/${encodeURIComponent(ownerId)}/bundle`));
      return answer === null ? null : bytesOf(checked(isBundle, answer).bundle);
    },
  };
}

export function hubLedgers(request: HubRequest): LedgerRest {
  const pathOf = (relationId: string) => `/h2a/relations/${encodeURIComponent(relationId)}/ledger`;
  return {
    entries: async (relationId) =>
      checked(isLedger, await request("GET", pathOf(relationId))).entries.map(bytesOf),
    append: async (relationId, index, entry) => {
      await request("POST", pathOf(relationId), { index, entry: toBase64(entry) });
    },
  };
}

/** @throws HubRestError `hub_unreadable` for an answer of the wrong shape */
function checked<T>(isIt: (value: unknown) => value is T, value: unknown): T {
  if (!isIt(value)) throw hubRestError("hub_unreadable");
  return value;
}

function bytesOf(text: string): Uint8Array {
  const bytes = fromBase64(text);
  if (bytes === undefined) throw hubRestError("hub_unreadable");
  return bytes;
}

async function orNone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (hubRestError.is(error) && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
