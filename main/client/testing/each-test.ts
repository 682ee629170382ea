import { beforeEach } from "vitest";
import { LaunchedClient } from "./launched-client.ts";
import type { TestAgent } from "./test-agent.ts";

/** Of the test that runs. */
export let client: LaunchedClient;
export let agent: TestAgent;
/** The conversation of the person and the agent. */
export let talk: string;

interface Begun {
  /** The person uses another client too, as `startWithAnother` has it. */
  readonly withAnother?: boolean;
  /** How the agent is added. */
  readonly added?: Parameters<LaunchedClient["addAgent"]>;
}

export function launchForEachTest({ withAnother = false }: Begun = {}): void {
  beforeEach(async () => {
    client = await (withAnother ? LaunchedClient.startWithAnother() : LaunchedClient.start());
  });
}

/** The client with one agent. */
export function connectForEachTest(begun: Begun = {}): void {
  launchForEachTest(begun);
  beforeEach(async () => {
    agent = await client.addAgent(...(begun.added ?? []));
    talk = agent.credentials.conversationId;
  });
}

/** It starts again, with its keys and nothing that it was told to do. */
export async function agentReturns(): Promise<void> {
  agent = await client.returning(agent);
}
