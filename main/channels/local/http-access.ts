import { createInterface } from "node:readline";
import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { type LocalReply, replyTo, requestLocally } from "./local-request.ts";

interface HttpAccessOptions {
  /** The private socket of the channel that it is to be added to. */
  readonly address: string;
  readonly token: string;
  /** How the client is called where the person sees it. */
  readonly name: string;
  /** Starts the program; resolves when it may be reached, or cannot be started. */
  readonly start: () => Promise<void>;
  readonly say: (line: string) => void;
}

interface HttpAccess {
  readonly url: string;
  readonly headers: { readonly Authorization: string };
}

/** What the program says of a client: while it waits, its code; at the end, where it is served. */
const isTold = guardOf(
  Type.Object({ code: Type.Optional(Type.String()), url: Type.Optional(Type.String()) }),
);

/**
 * Asks the person to add a client that connects over HTTP, and waits for their answer; null: they
 * refused, did not answer, or the program does not run. Another program that uses this token is shown to
 * them again.
 */
export async function httpAccess(options: HttpAccessOptions): Promise<HttpAccess | null> {
  const { address, token, name, start, say } = options;
  const headers = { "Consentry-Name": encodeURIComponent(name) };
  const ask = () => requestLocally(address, { path: "/access", token, headers });
  const reply = await ask().catch(() =>
    start()
      .then(ask)
      .catch(() => null),
  );
  if (reply === null) {
    say("Consentry is not running.");
    return null;
  }
  const url = await told(await replyTo(reply), say);
  if (url !== undefined) return { url, headers: { Authorization: `Bearer ${token}` } };
  say("The client was not added.");
  return null;
}

async function told(
  { socket }: LocalReply,
  say: (line: string) => void,
): Promise<string | undefined> {
  for await (const line of createInterface({ input: socket })) {
    const said: unknown = JSON.parse(line);
    if (!isTold(said)) return undefined;
    if (said.url !== undefined) return said.url;
    if (said.code !== undefined) say(`Allow it in Consentry. The code there must be ${said.code}.`);
  }
  return undefined;
}
