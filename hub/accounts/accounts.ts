import { fromBase64 } from "../../app/contract/base64.ts";
import { isSignedIn } from "../../app/encryption/identity/sign-in.ts";
import type { PersonView, SignedIn, SignInRequest } from "../../app/protocol/v1/account-rest.ts";
import { nodePrimitives } from "../../runtime/crypto/node-primitives.ts";
import { refusal } from "../hub-error.ts";
import type { Clock, RandomBytes } from "../hub-options.ts";
import type { Account, AccountRole, Subject } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { readPublishedCard } from "../keys/key-directory.ts";
import type { Connections } from "../lines/connections.ts";
import { CLOSE } from "../lines/line.ts";
import type { Relations } from "../relations/relations.ts";
import { requireVisible } from "../rest/route.ts";
import {
  ACCESS_TOKEN_LIFE_S,
  type AccessTokens,
  CHALLENGE_LIFE_S,
  hashToken,
  newInvitationToken,
} from "../tokens/access-token.ts";

const INVITATION_LIFE_MS = 7 * 24 * 3_600_000;

export interface AccountsParts {
  readonly storage: HubStorage;
  readonly connections: Connections;
  readonly relations: Relations;
  readonly tokens: AccessTokens;
  readonly random: RandomBytes;
  readonly clock: Clock;
  /** Whose hub it is, who needs no account. */
  readonly localPerson: string;
  /** The hub's, as people reach it. */
  readonly address: () => string;
}

/** The people of a hub besides the local one: an account is an identity key that was invited. */
export class Accounts {
  readonly #parts: AccountsParts;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
  }

  async challenge() {
    const { tokens, clock, address } = this.#parts;
    const expires_at = isoTime(clock.now() + CHALLENGE_LIFE_S * 1_000);
    return { challenge: await tokens.challenge(), hub: address(), expires_at };
  }

  /**
   * Lets a device in that proves the account's key. Unknown, removed and other people's keys are
   * refused alike, and only a proven key learns that its account is suspended.
   * @throws Refusal BAD_REQUEST (fault `identity_card`), UNAUTHENTICATED, INVITATION_INVALID,
   * ACCOUNT_SUSPENDED
   */
  async signIn(asked: SignInRequest): Promise<SignedIn> {
    const { storage, tokens, clock, localPerson, address } = this.#parts;
    const { challenge, invitation } = asked;
    const { ownerId: user_id, keyId: key_id, card } = readPublishedCard(asked.identity_card);
    const signature = fromBase64(asked.signature) ?? new Uint8Array(0);
    const proof = { hub: address(), challenge };
    const isProven =
      (await tokens.isChallenge(challenge)) && isSignedIn(nodePrimitives, card, proof, signature);
    if (!isProven) throw refusal("UNAUTHENTICATED");
    // The local person's account is this computer's, and no key of theirs makes another.
    const isLocal = user_id === localPerson;
    const account =
      invitation === undefined || isLocal
        ? await storage.account(user_id)
        : await storage.join(hashToken(invitation), { user_id, key_id, created_at: clock.now() });
    if (account?.key_id !== key_id) {
      throw refusal(invitation === undefined ? "UNAUTHENTICATED" : "INVITATION_INVALID");
    }
    if (account.status === "suspended") throw refusal("ACCOUNT_SUSPENDED");
    const access_token = await tokens.issue(user_id);
    return { user_id, role: account.role, access_token, expires_in: ACCESS_TOKEN_LIFE_S };
  }

  /** @returns the token for one person, told once. @throws Refusal BAD_REQUEST */
  async invite({ name, role = "member" }: { readonly name: string; readonly role?: AccountRole }) {
    requireVisible(name);
    const { storage, random, clock } = this.#parts;
    const invitation = newInvitationToken(random);
    const now = clock.now();
    const expires_at = now + INVITATION_LIFE_MS;
    await storage.invite({ token_hash: hashToken(invitation), name, role, expires_at }, now);
    return { invitation, name, role, expires_at: isoTime(expires_at) };
  }

  async list(): Promise<readonly PersonView[]> {
    return (await this.#parts.storage.accounts()).map(personView);
  }

  /** Whether somebody has this id who may use the hub. */
  async isPerson(userId: string): Promise<boolean> {
    const { storage, localPerson } = this.#parts;
    return userId === localPerson || (await storage.account(userId))?.status === "active";
  }

  /** A suspended person is cut off at once; what waits for them waits on. @throws Refusal NOT_FOUND */
  async setStatus(userId: string, status: Account["status"]): Promise<PersonView> {
    const { storage, connections } = this.#parts;
    const account = await storage.setAccountStatus(userId, status);
    if (account === undefined) throw refusal("NOT_FOUND");
    if (status === "suspended") connections.closeAll(userId, CLOSE.authFailed);
    return personView(account);
  }

  /** The person's agents learn that they were removed. @throws Refusal NOT_FOUND */
  async remove(userId: string): Promise<PersonView> {
    const { storage, connections, relations } = this.#parts;
    const person: Subject = { id: userId, type: "human" };
    // From here on nothing more of theirs is taken, also if the hub ends in between.
    const view = await this.setStatus(userId, "suspended");
    for (const { relation_id } of await storage.relationsOf(person)) {
      await relations.revoke(person, relation_id);
    }
    await storage.removeAccount(userId);
    connections.closeAll(userId, CLOSE.authFailed);
    return view;
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

const personView = ({ key_id: _, created_at, ...account }: Account): PersonView => ({
  ...account,
  created_at: isoTime(created_at),
});
