import Type, { type Static } from "typebox";
import { guardOf } from "../app/contract/checked.ts";
import { type HubMove, isOnThisComputer } from "../app/protocol/v1/hub-move.ts";
import type { KeyStore } from "./options.ts";

const RECORD = "hubs";

const Place = Type.Object({ baseUrl: Type.String(), token: Type.String() });
const Kept = Type.Object({
  moved_at: Type.Integer(),
  current: Place,
  /** Where it has been, and is, by origin. */
  places: Type.Record(Type.String(), Place),
});
type Kept = Static<typeof Kept>;
const isKept = guardOf(Kept);

interface HubPlace {
  baseUrl: string;
  token: string;
}

/**
 * At which hub the agent is, beside its keys: its program goes on with the address and the token that it
 * was first given.
 */
export class HubPlaces {
  readonly #at: HubPlace;
  readonly #records: KeyStore;
  #kept: Kept;

  private constructor(at: HubPlace, records: KeyStore, kept: Kept) {
    this.#at = at;
    this.#records = records;
    this.#kept = kept;
  }

  /** @param at as the program gave it; becomes where the agent is now, whenever that changes */
  static async open(records: KeyStore, at: HubPlace): Promise<HubPlaces> {
    const { baseUrl, token } = at;
    const given = { baseUrl, token };
    const stored = read((await records.load()).get(RECORD));
    // A program that names a hub where the agent never was has been set up anew.
    if (stored === undefined || stored.places[originOf(baseUrl)]?.token !== token) {
      const places = { [originOf(baseUrl)]: given };
      return new HubPlaces(at, records, { moved_at: 0, current: given, places });
    }
    Object.assign(at, stored.current);
    return new HubPlaces(at, records, stored);
  }

  isNewer({ moved_at }: HubMove): boolean {
    return moved_at > this.#kept.moved_at;
  }

  /** `undefined`: it never had one there. */
  tokenFor({ hub, token }: HubMove): string | undefined {
    const { current, places } = this.#kept;
    const known = token ?? places[originOf(hub)]?.token;
    if (known !== undefined || !isOnThisComputer(hub)) return known;
    // The person's own hub may have another port than before.
    const local = ({ baseUrl }: HubPlace) => isOnThisComputer(originOf(baseUrl));
    return Object.values(places).find((each) => local(each) && each.baseUrl !== current.baseUrl)
      ?.token;
  }

  /** Resolves once it is durable. */
  async become({ hub: baseUrl, moved_at }: HubMove, token: string): Promise<void> {
    const current = { baseUrl, token };
    const places = { ...this.#kept.places, [originOf(baseUrl)]: current };
    this.#kept = { moved_at, current, places };
    await this.#records.save(
      new Map([[RECORD, new TextEncoder().encode(JSON.stringify(this.#kept))]]),
    );
    Object.assign(this.#at, current);
  }
}

const originOf = (baseUrl: string): string =>
  URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;

function read(bytes: Uint8Array | undefined): Kept | undefined {
  if (bytes === undefined) return undefined;
  try {
    const kept: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isKept(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}
