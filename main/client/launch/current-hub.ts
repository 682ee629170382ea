import type { Identity } from "../../../app/encryption/identity/identity.ts";
import { type Hub, newId } from "../../../hub/index.ts";
import { randomBytes } from "../../../runtime/crypto/node-primitives.ts";
import type { KeptValues } from "../../storage/index.ts";
import type { ChangingHub, HubLink } from "../program-parts.ts";
import { flagError } from "./flags.ts";
import { RemoteHub, type RemoteHubParts } from "./remote-hub.ts";

/** The person's id, which is the same at every hub. */
export const USER_KEPT = "hub_user_id";
/** Where the person's hub is, if it is not the program's own. */
const ADDRESS_KEPT = "hub_address";

interface HubChoice extends Pick<RemoteHubParts, "now" | "refused"> {
  readonly settings: KeptValues;
  /** The data folder has had a hub of its own. */
  readonly hasOwn: boolean;
  /** The policy says which hub: the program's own, also for somebody who has moved elsewhere. */
  readonly isManaged: boolean;
  startOwn(): Promise<Hub>;
  /** The person is at the hub of this address now. */
  moved(url: string): void;
}

/** The hub that the person is at: the program's own, or one elsewhere. */
export class CurrentHub implements ChangingHub {
  readonly userId: string;
  readonly #choice: HubChoice;
  #at: Hub | RemoteHub;
  #own: Promise<Hub> | undefined;
  #identity: Identity | undefined;
  #changed: () => void = () => {};

  private constructor(choice: HubChoice, userId: string, own: Hub | undefined, link?: HubLink) {
    this.#choice = choice;
    this.userId = userId;
    this.#own = own && Promise.resolve(own);
    this.#at = own !== undefined && link === undefined ? own : this.#remote(link);
  }

  /**
   * While the person is elsewhere, a hub that the folder has had goes on: agents that were away hear from it
   * where the person is.
   * @param asked on the command line
   * @throws FlagError if the folder belongs to another hub, HubError
   */
  static async open(asked: HubLink | null, choice: HubChoice): Promise<CurrentHub> {
    const { settings, hasOwn, isManaged } = choice;
    const kept = isManaged ? undefined : settings.value(ADDRESS_KEPT);
    const user = settings.value(USER_KEPT);
    if (asked !== null && user !== undefined && asked.url !== kept) {
      const message = `--hub: this data folder belongs to ${kept ?? "its own hub"}; change that in the settings, or give another --data-dir`;
      throw flagError("bad_flag", { message });
    }
    const url = asked?.url ?? kept;
    if (url === undefined) {
      const own = await choice.startOwn();
      return new CurrentHub(choice, own.userId, own);
    }
    const userId = user ?? newId(randomBytes);
    await settings.putValue(USER_KEPT, userId);
    await settings.putValue(ADDRESS_KEPT, url);
    const own = hasOwn ? await choice.startOwn() : undefined;
    return new CurrentHub(choice, userId, own, { url, invitation: asked?.invitation });
  }

  get url(): string {
    return this.#at.url;
  }

  get isOwn(): boolean {
    return !(this.#at instanceof RemoteHub);
  }

  /** Why a hub elsewhere does not let this device in, as a code; null: it does, as far as is known. */
  get fault(): string | null {
    return this.#at instanceof RemoteHub ? this.#at.fault : null;
  }

  /** From now on, this is who signs in. */
  proveBy(identity: Identity): void {
    this.#identity = identity;
    if (this.#at instanceof RemoteHub) this.#at.proveBy(identity);
  }

  /** Replaces the listener. */
  hear(changed: () => void): void {
    this.#changed = changed;
  }

  /** @param link null: the program's own @throws HubError */
  async reach(link: HubLink | null): Promise<Hub> {
    if (link !== null) return this.#remote(link);
    this.#own ??= this.#choice.startOwn();
    return this.#own;
  }

  /** @param hub as `reach` gave it */
  async become(hub: Hub): Promise<void> {
    const { settings, moved } = this.#choice;
    if (hub instanceof RemoteHub) await settings.putValue(ADDRESS_KEPT, hub.url);
    else await settings.removeValue(ADDRESS_KEPT);
    this.#at = hub;
    moved(hub.url);
    this.#changed();
  }

  issueAccessToken(): Promise<string> {
    return this.#at.issueAccessToken();
  }

  connectHuman() {
    return this.#at.connectHuman();
  }

  async close(): Promise<void> {
    await (await this.#own)?.close();
  }

  #remote(link: HubLink = { url: "", invitation: undefined }): RemoteHub {
    const { now, refused } = this.#choice;
    const { userId } = this;
    const remote = new RemoteHub({ ...link, userId, now, refused, changed: () => this.#changed() });
    if (this.#identity !== undefined) remote.proveBy(this.#identity);
    return remote;
  }
}
