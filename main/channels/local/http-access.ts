import { randomUUID } from "node:crypto";
import { LocalClient } from "./local-client.ts";

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

/**
 * Asks the person to add a client that connects over HTTP, and waits for their answer; null: they
 * refused, did not answer, or the program does not run. Another program that uses this token is shown to
 * them again.
 */
export async function httpAccess(options: HttpAccessOptions): Promise<HttpAccess | null> {
  const { address, token, name, start, say } = options;
  const decided = Promise.withResolvers<boolean>();
  const connect = () =>
    LocalClient.connect({
      address,
      token,
      name,
      session: randomUUID(),
      standing: (standing, code) => {
        if (standing === "waiting") {
          say(`Allow it in Consentry.${code === null ? "" : ` The code there must be ${code}.`}`);
        } else decided.resolve(standing === "paired");
      },
      changed: () => {},
      closed: () => decided.resolve(false),
    });
  const client = await connect().catch(() =>
    start()
      .then(connect)
      .catch(() => null),
  );
  if (client === null) {
    say("Consentry is not running.");
    return null;
  }
  try {
    const url = (await decided.promise) ? await client.request("http", {}) : null;
    if (typeof url === "string") return { url, headers: { Authorization: `Bearer ${token}` } };
    say("The client was not added.");
    return null;
  } finally {
    client.close();
  }
}
