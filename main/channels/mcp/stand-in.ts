import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type AgentPort, type Unavailable, unavailableError } from "./agent-port.ts";
import { LineTransport } from "./line-transport.ts";
import { mcpServer } from "./mcp-server.ts";
import type { ClientTool } from "./serve-calls.ts";

/** An MCP server in the client's own process, for what the program itself does not answer. */
export interface StandIn {
  receive(line: Buffer, why: Unavailable): void;
  /** Its client is told to look again at what there is. */
  tellChanged(): void;
}

export function standIn(
  version: string,
  clientTool: ClientTool | null,
  write: (line: string) => void,
): StandIn {
  const port = new AbsentPort();
  const transport = new LineTransport(write);
  serveStdio(() => mcpServer(port, version, clientTool), { transport });
  return {
    receive(line, why) {
      port.why = why;
      transport.receive(line);
    },
    tellChanged: () => port.tellChanged(),
  };
}

/** Stands in for the program while it cannot be reached: every answer is the reason. */
class AbsentPort implements AgentPort {
  why: Unavailable = { kind: "not_running" };
  readonly #listeners = new Set<() => void>();

  offer = (): Promise<never> => this.#refuse();
  call = (): Promise<never> => this.#refuse();
  collect = (): Promise<never> => this.#refuse();
  task = (): Promise<never> => this.#refuse();
  tasks = (): Promise<never> => this.#refuse();
  cancelTask = (): Promise<never> => this.#refuse();
  ask = (): Promise<never> => this.#refuse();

  onChanged(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  tellChanged(): void {
    for (const listener of this.#listeners) listener();
  }

  async #refuse(): Promise<never> {
    throw unavailableError(this.why);
  }
}
