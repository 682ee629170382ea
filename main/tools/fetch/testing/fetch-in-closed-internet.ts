import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { systemNetwork } from "../../../../runtime/net/addresses.ts";
import { arrivalsAt } from "../../../../runtime/net/testing/arrivals.ts";
import { NAME_SERVER } from "../../../../runtime/net/testing/closed-internet.ts";
import { type Names, startNameServer } from "../../../../runtime/net/testing/name-server.ts";
import { fetching, wordOf } from "./fetching.ts";

export interface FetchCase {
  readonly names: Names;
  /** Fetched one after the other. With `?to=URL` the server redirects there. */
  readonly urls: readonly string[];
}

export interface FetchOutcome {
  /** Each body, or the word it failed with. */
  readonly outcomes: readonly unknown[];
  /** The addresses that were connected to. */
  readonly connected: readonly string[];
  readonly asked: readonly string[];
}

/** Fetches each of the cases on standard input as the product does, with the system's resolver. */
const cases = (await json(process.stdin)) as readonly FetchCase[];
const nameServer = await startNameServer(NAME_SERVER.host, NAME_SERVER.port);
const server = createServer((request, response) => {
  const to = new URL(request.url ?? "", "http://here").searchParams.get("to");
  if (to !== null) response.writeHead(302, { location: to });
  response.end("reached");
});
const arrivals = await arrivalsAt(server, 80);

async function outcomeOf({ names, urls }: FetchCase): Promise<FetchOutcome> {
  nameServer.serve(names);
  const outcomes: unknown[] = [];
  for (const url of urls) {
    // Given the whole scope, so that a redirect to another public name is followed.
    const given = { allow: [], wholeScope: true };
    const fetched = fetching({ url }, given, systemNetwork).then(({ body }) => body);
    outcomes.push(await wordOf(fetched));
  }
  return { outcomes, connected: arrivals.taken(), asked: nameServer.asked() };
}

const found: FetchOutcome[] = [];
for (const each of cases) found.push(await outcomeOf(each));
process.stdout.write(JSON.stringify(found), () => process.exit());
