import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { setDefaultCACertificates } from "node:tls";
import { arrivalsAt } from "../../runtime/net/testing/arrivals.ts";
import { NAME_SERVER } from "../../runtime/net/testing/closed-internet.ts";
import { type NameAnswer, startNameServer } from "../../runtime/net/testing/name-server.ts";
import type { TestCertificate } from "../../runtime/net/testing/test-certificate.ts";
import { HubRig, messageTo } from "./hub-rig.ts";

export interface WebhookAttempt {
  /** What the endpoint's name is said to be when it is looked up for this attempt. */
  readonly answer: NameAnswer;
  /** What it is answered with where it reaches the server; 500 is tried again. */
  readonly status: 200 | 500;
}

export interface WebhookCase {
  readonly url: string;
  readonly certificate: TestCertificate;
  readonly attempts: readonly WebhookAttempt[];
}

/** By which addresses the server was reached, attempt by attempt. */
export type WebhookOutcome = readonly (readonly string[])[];

/** A hub calls an agent as the product does, by the system's own resolver. The case comes on standard input. */
const { url, certificate, attempts } = (await json(process.stdin)) as WebhookCase;
setDefaultCACertificates([certificate.authority]);
const nameServer = await startNameServer(NAME_SERVER.host, NAME_SERVER.port);
nameServer.serve({ [new URL(url).hostname]: attempts.map(({ answer }) => answer) });
const server = createServer(certificate);
const arrivals = await arrivalsAt(server, 443);
const rig = await HubRig.start();
const { agentId, token, relation } = await rig.addAgent();
const body = { connection_mode: "webhook", webhook_url: url };
const changed = await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
if (changed.status !== 200) throw new Error(changed.text);

const failures = () =>
  rig.log.flatMap((event) => (event.code === "webhook_waits" && "ms" in event ? [event.ms] : []));

/** The first attempt at a new message, or the next one at the message that failed last. */
async function attempt(nth: number, { status }: WebhookAttempt): Promise<readonly string[]> {
  const before = failures();
  let isAnswered = false;
  const answer = (_request: unknown, response: ServerResponse) => {
    response.writeHead(status).end();
    isAnswered = status === 200;
  };
  server.once("request", answer);
  // No more than it takes: an attempt that is not answered for 10 s ends.
  if (isNew) (await rig.human()).send(messageTo(relation.conversation_id, `m${nth}`));
  else rig.time.pass(Number(before.at(-1)));
  while (!isAnswered && failures().length === before.length) await setTimeout(1);
  server.off("request", answer);
  isNew = isAnswered;
  return arrivals.taken();
}

let isNew = true;
const found: (readonly string[])[] = [];
for (const [nth, each] of attempts.entries()) found.push(await attempt(nth, each));
process.stdout.write(JSON.stringify(found), () => process.exit());
