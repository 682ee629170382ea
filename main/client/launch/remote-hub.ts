import { WebSocket } from "ws";
import { toBase64 } from "../../../app/contract/base64.ts";
import { encodeCard, type Identity } from "../../../app/encryption/identity/identity.ts";
import { signInStatement } from "../../../app/encryption/identity/sign-in.ts";
import { frameSocketOf } from "../../../app/protocol/link/web-socket.ts";
import type { SignedIn, SignInRequest } from "../../../app/protocol/v1/account-rest.ts";
import type { FrameSocket } from "../../../app/protocol/v1/frame-socket.ts";
import { MAX_FRAME_BYTES } from "../../../app/protocol/v1/frames.ts";
import { type Hub, newId } from "../../../hub/index.ts";
import { nodePrimitives, randomBytes } from "../../../runtime/crypto/node-primitives.ts";
import { type HubRequest, hubRequest, hubRestError } from "../../channels/hub-rest.ts";
import type { KeptValues } from "../../storage/index.ts";
import { flagError, type HubLink } from "./flags.ts";
import { USER_KEPT } from "./start-embedded-hub.ts";

const ADDRESS_KEPT = "hub_address";
/** A token is asked for anew this long before it ends, in ms. */
const RENEW_BEFORE_MS = 60_000;

/**
 * The hub elsewhere that this data folder belongs to; null if it has a hub of its own. A folder keeps
 * the hub of its first start: agents and grants are with that one.
 * @throws FlagError
 */
export async function chosenHub(
  asked: HubLink | null,
  settings: Pick<KeptValues, "value" | "putValue">,
): Promise<(HubLink & { readonly userId: string }) | null> {
  const kept = settings.value(ADDRESS_KEPT);
  const user = settings.value(USER_KEPT);
  if (asked === null && kept === undefined) return null;
  const url = asked?.url ?? kept ?? "";
  const isOther = kept === undefined ? user !== undefined : kept !== url;
  if (isOther) {
    const message = `--hub: this data folder belongs to ${kept ?? "its own hub"}; give another --data-dir`;
    throw flagError("bad_flag", { message });
  }
  const userId = user ?? newId(randomBytes);
  await settings.putValue(USER_KEPT, userId);
  await settings.putValue(ADDRESS_KEPT, url);
  return { url, userId, invitation: asked?.invitation };
}

interface RemoteHubParts extends HubLink {
  readonly userId: string;
  /** ms since the epoch */
  readonly now: () => number;
  /** The hub does not let this device in: its code, told once. */
  readonly refused: (code: string) => void;
}

/** A hub elsewhere, which lets this device in by the person's key. */
export class RemoteHub implements Hub {
  readonly url: string;
  readonly userId: string;
  readonly #parts: RemoteHubParts;
  readonly #request: HubRequest;
  readonly #told = new Set<string>();
  #identity: Identity | undefined;
  #token: { readonly text: Promise<string>; readonly until: number } | undefined;

  constructor(parts: RemoteHubParts) {
    this.#parts = parts;
    this.url = parts.url;
    this.userId = parts.userId;
    this.#request = hubRequest(parts.url, null);
  }

  /** From now on, this is who signs in. */
  proveBy(identity: Identity): void {
    this.#identity = identity;
  }

  /** @throws HubRestError */
  issueAccessToken(): Promise<string> {
    const { now } = this.#parts;
    if (this.#token === undefined || this.#token.until < now()) {
      const text = this.#signIn();
      const token = { text, until: now() + RENEW_BEFORE_MS };
      this.#token = token;
      text.catch(() => {
        if (this.#token === token) this.#token = undefined;
      });
    }
    return this.#token.text;
  }

  connectHuman(): FrameSocket {
    const url = `${this.url.replace(/^http/, "ws")}/ws/human`;
    const options = { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES };
    return frameSocketOf(new WebSocket(url, { ...options, followRedirects: false }));
  }

  async close(): Promise<void> {}

  async #signIn(): Promise<string> {
    const { now } = this.#parts;
    try {
      const asked = await this.#request<{ challenge: string; hub: string }>(
        "POST",
        "/auth/challenge",
      );
      // Another's challenge, passed on: what we sign would let its owner in there.
      if (asked.hub !== this.url) throw hubRestError("hub_other_address");
      const proof = this.#proofOf(asked.challenge);
      const signedIn = await this.#letIn(proof);
      if (this.#token !== undefined) {
        const until = now() + signedIn.expires_in * 1_000 - RENEW_BEFORE_MS;
        this.#token = { ...this.#token, until };
      }
      return signedIn.access_token;
    } catch (error) {
      const code = hubRestError.is(error) ? error.code : "";
      const isRefusal = code !== "" && code !== "hub_unreachable";
      if (isRefusal && !this.#told.has(code)) this.#parts.refused(code);
      this.#told.add(code);
      throw error;
    }
  }

  /** The key alone first: an invitation that has become an account is over one day. */
  async #letIn(proof: SignInRequest): Promise<SignedIn> {
    const { invitation } = this.#parts;
    const signIn = (body: SignInRequest) => this.#request<SignedIn>("POST", "/auth/token", body);
    try {
      return await signIn(proof);
    } catch (error) {
      const isUnknown = hubRestError.is(error) && error.code === "UNAUTHENTICATED";
      if (invitation === undefined || !isUnknown) throw error;
      return signIn({ ...proof, invitation });
    }
  }

  #proofOf(challenge: string): SignInRequest {
    if (this.#identity === undefined) throw hubRestError("hub_unreachable");
    const { card, signing } = this.#identity;
    const statement = signInStatement({ hub: this.url, challenge });
    const signature = nodePrimitives.ed25519Sign(signing.privateKey, statement);
    return {
      identity_card: toBase64(encodeCard(card)),
      challenge,
      signature: toBase64(signature),
    };
  }
}
