import type { Socket } from "node:net";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { AgentPresence } from "../local/local-agents.ts";
import type { ClientState, LocalClients } from "../local/local-clients.ts";
import type { Visitor } from "../local/local-pairings.ts";
import type { AgentPort } from "./agent-port.ts";
import { LineTransport } from "./line-transport.ts";

/** Bytes that a client may leave unread. */
const UNREAD_BYTES = 32 * 1024 * 1024;

interface PipedClient {
  readonly clients: LocalClients;
  readonly presence: Pick<AgentPresence, "came">;
  readonly visitor: Visitor;
  readonly socket: Socket;
}

/**
 * Serves MCP to a client that holds one connection open: it is there for as long as that stands, and hears when
 * the person has answered.
 * @returns says that what an agent may use has changed
 */
export function servePipe(
  { clients, presence, visitor, socket }: PipedClient,
  serverFor: (onChanged: AgentPort["onChanged"]) => Server,
): (agentId: string) => void {
  const gone = new AbortController();
  const listeners = new Set<() => void>();
  const tellAll = () => {
    for (const tell of listeners) tell();
  };
  let state: ClientState | null = null;
  let left = () => {};
  const look = () => {
    const now = clients.stateOf(visitor);
    if (JSON.stringify(now) === JSON.stringify(state)) return;
    state = now;
    left();
    left = now.word === "paired" ? presence.came(now.agent_id) : () => {};
    tellAll();
  };
  look();
  clients.onChanged(look, gone.signal);
  const onChanged: AgentPort["onChanged"] = (listener, signal) => {
    listeners.add(listener);
    signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
  };
  const write = (line: string) => {
    socket.write(line);
    if (socket.writableLength > UNREAD_BYTES) socket.destroy();
  };
  const transport = new LineTransport(write, () => socket.end());
  serveStdio(() => serverFor(onChanged), { transport });
  socket.on("data", (chunk: Buffer) => transport.receive(chunk));
  socket.once("end", () => void transport.close());
  socket.once("close", () => {
    gone.abort();
    left();
    void transport.close();
  });
  return (agentId) => {
    if (state?.word === "paired" && state.agent_id === agentId) tellAll();
  };
}
