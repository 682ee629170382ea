import { toBase64 } from "../../app/contract/base64.ts";
import { createIdentity, encodeCard } from "../../app/encryption/identity/identity.ts";
import { signInStatement } from "../../app/encryption/identity/sign-in.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import type { HubRig, RestReply } from "./hub-rig.ts";
import { openSocket } from "./test-client.ts";

/** A person with a device of their own, who knows the hub by its address alone. */
export class InvitedPerson {
  readonly id: string;
  readonly identity: ReturnType<typeof createIdentity>;
  readonly #rig: HubRig;
  token = "";

  constructor(rig: HubRig, id: string) {
    this.#rig = rig;
    this.id = id;
    this.identity = createIdentity(crypto, id);
  }

  static async at(rig: HubRig, id: string, role?: "owner"): Promise<InvitedPerson> {
    const person = new InvitedPerson(rig, id);
    const { status } = await person.signIn({ invitation: await invitationOf(rig, id, role) });
    if (status !== 200) throw new Error(`not let in: ${status}`);
    return person;
  }

  /** What the device sends; `hub` is the address that it signs. */
  async proof({ hub = this.#rig.url } = {}) {
    const { json } = await this.#rig.rest("POST", "/auth/challenge");
    const { challenge } = json.data;
    const statement = signInStatement({ hub, challenge });
    const signature = crypto.ed25519Sign(this.identity.signing.privateKey, statement);
    const identity_card = toBase64(encodeCard(this.identity.card));
    return { identity_card, challenge, signature: toBase64(signature) };
  }

  /** Keeps the token. */
  async signIn(over: object = {}): Promise<RestReply> {
    const reply = await this.#rig.rest("POST", "/auth/token", {
      body: { ...(await this.proof()), ...over },
    });
    this.token = reply.json.data?.access_token ?? this.token;
    return reply;
  }

  ask(method: string, path: string, body?: unknown): Promise<RestReply> {
    return this.#rig.rest(method, path, { token: this.token, body });
  }

  async add(agent_id: string, granted_scopes: readonly string[]) {
    const { json } = await this.ask("POST", "/h2a/relations", { agent_id, granted_scopes });
    return json.data;
  }

  /** A WebSocket that has said who it is. */
  async connect() {
    const { client } = await openSocket(this.#rig.wsUrl("/ws/human"));
    client.send({ type: "auth", token: this.token });
    return client;
  }
}

/** Made by the hub's local person. */
export async function invitationOf(
  rig: HubRig,
  name: string,
  role: "owner" | "member" = "member",
): Promise<string> {
  const { json } = await rig.asPerson("POST", "/people/invitations", { name, role });
  return json.data.invitation;
}
