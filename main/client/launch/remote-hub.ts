import { WebSocket } from "ws";
import { toBase64 } from "../../../app/contract/base64.ts";
import { encodeCard, type Identity } from "../../../app/encryption/identity/identity.ts";
import { signInStatement } from "../../../app/encryption/identity/sign-in.ts";
import { frameSocketOf } from "../../../app/protocol/link/web-socket.ts";
import type { SignedIn, SignInRequest } from "../../../app/protocol/v1/account-rest.ts";
import type { FrameSocket } from "../../../app/protocol/v1/frame-socket.ts";
import { MAX_FRAME_BYTES } from "../../../app/protocol/v1/frames.ts";
import type { Hub } from "../../../hub/index.ts";
import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import { type HubRequest, hubRequest, hubRestError } from "../../channels/hub-rest.ts";
import { hubAgent, trustSystemCertificates } from "../../channels/hub-transport.ts";
import type { HubLink } from "../program-parts.ts";

/** A token is asked for anew this long before it ends, in ms. */
const RENEW_BEFORE_MS = 60_000;
/** The token counts no more (docs/protocol.md). */
const AUTH_FAILED = 4401;

export interface RemoteHubParts extends HubLink {
  readonly userId: string;
  /** ms since the epoch */
  readonly now: () => number;
  /** The hub at this address does not let this device in: its code, told once. */
  readonly refused: (code: string, url: string) => void;
  readonly changed: () => void;
}

/** A hub elsewhere, which lets this device in by the person's key. */
export class RemoteHub implements Hub {
  readonly url: string;
  readonly userId: string;
  /** Why it did not let this device in the last time, as a code. */
  fault: string | null = null;
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
    if (parts.url.startsWith("https:")) trustSystemCertificates();
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
    const agent = hubAgent(this.url);
    const options = { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES, agent };
    const socket = new WebSocket(url, { ...options, followRedirects: false });
    // The next one asks whether this device is let in at all, as after a suspension.
    socket.on("close", (code) => {
      if (code === AUTH_FAILED) this.#token = undefined;
    });
    return frameSocketOf(socket);
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
      this.#stands(null);
      return signedIn.access_token;
    } catch (error) {
      const code = hubRestError.is(error) ? error.code : "";
      this.#stands(code);
      const isRefusal = code !== "" && code !== "hub_unreachable";
      if (isRefusal && !this.#told.has(code)) this.#parts.refused(code, this.url);
      this.#told.add(code);
      throw error;
    }
  }

  #stands(fault: string | null): void {
    if (this.fault === fault) return;
    this.fault = fault;
    this.#parts.changed();
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
