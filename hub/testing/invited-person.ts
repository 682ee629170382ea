import { toBase64 } from "../../app/contract/base64.ts";
import { createIdentity, encodeCard } from "../../app/encryption/identity/identity.ts";
import { signInStatement } from "../../app/encryption/identity/sign-in.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { HubCaller, type RestReply } from "./hub-caller.ts";
import type { HubRig } from "./hub-rig.ts";
import { openSocket } from "./test-client.ts";

/** A person with a device of their own, who knows the hub by its address alone. */
export class InvitedPerson extends HubCaller {
  readonly id: string;
  url: string;
  readonly identity: ReturnType<typeof createIdentity>;
  token = "";

  constructor(url: string, id: string) {
    super();
    this.url = url;
    this.id = id;
    this.identity = createIdentity(crypto, id);
  }

  static async at(rig: HubRig, id: string, role?: "owner"): Promise<InvitedPerson> {
    const person = new InvitedPerson(rig.url, id);
    const { status } = await person.signIn({ invitation: await invitationOf(rig, id, role) });
    if (status !== 200) throw new Error(`not let in: ${status}`);
    return person;
  }

  protected personToken(): Promise<string> {
    return Promise.resolve(this.token);
  }

  /** What the device sends; `hub` is the address that it signs. */
  async proof({ hub = this.url } = {}) {
    const { json } = await this.rest("POST", "/auth/challenge");
    const { challenge } = json.data;
    const statement = signInStatement({ hub, challenge });
    const signature = crypto.ed25519Sign(this.identity.signing.privateKey, statement);
    const identity_card = toBase64(encodeCard(this.identity.card));
    return { identity_card, challenge, signature: toBase64(signature) };
  }

  /** Keeps the token. */
  async signIn(over: object = {}): Promise<RestReply> {
    const body = { ...(await this.proof()), ...over };
    const reply = await this.rest("POST", "/auth/token", { body });
    this.token = reply.json.data?.access_token ?? this.token;
    return reply;
  }

  ask(method: string, path: string, body?: unknown): Promise<RestReply> {
    return this.asPerson(method, path, body);
  }

  add(agentId: string, granted_scopes: readonly string[]) {
    return this.relate(agentId, granted_scopes);
  }

  /** A WebSocket that has said who it is. */
  async connect() {
    const { client } = await openSocket(`${this.url.replace("http", "ws")}/ws/human`);
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
