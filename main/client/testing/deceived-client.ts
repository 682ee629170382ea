import { realClock } from "../../../sdk/options.ts";
import { eventually } from "./eventually.ts";
import { LaunchedClient } from "./launched-client.ts";
import { MeddlingHub } from "./meddling-hub.ts";

/** The hub, the client and agents in one process that may be slow. */
export const PATIENCE_MS = 120_000;

/** The client, with a hub between it and its agents that lies when a test says so. */
export class DeceivedClient {
  readonly client: LaunchedClient;
  readonly hub: MeddlingHub;

  private constructor(client: LaunchedClient, hub: MeddlingHub) {
    this.client = client;
    this.hub = hub;
  }

  static async start(): Promise<DeceivedClient> {
    const client = new LaunchedClient();
    await client.launch();
    const hub = await MeddlingHub.before(client.hubUrl);
    client.hubIsAt(hub.url);
    client.agentClock = realClock;
    return new DeceivedClient(client, hub);
  }

  /** Makes the hub honest again, and clears what was reported and shown. */
  begin(): void {
    this.hub.honest();
    this.client.stderr.length = 0;
    this.client.platform.shown.length = 0;
  }

  async end(): Promise<void> {
    await this.client.end();
    await this.hub.close();
  }

  /** The program's reports of refused envelopes, in order. */
  refusals = (): readonly string[] =>
    this.client.stderr.flatMap((line) => /EnvelopeFault (.*)/.exec(line)?.slice(1) ?? []);

  /** The refusals once there are this many. */
  refused(count: number): Promise<readonly string[]> {
    return eventually(async () => (this.refusals().length >= count ? this.refusals() : undefined));
  }

  /** Waits until an envelope is refused with this code. */
  async refusedAs(code: string): Promise<void> {
    await eventually(async () => this.refusals().includes(code) || undefined);
  }
}
