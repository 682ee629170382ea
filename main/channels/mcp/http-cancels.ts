import type { Server } from "@modelcontextprotocol/server";
import type { AgentPort, Waiting } from "./agent-port.ts";

/**
 * Requests of the older revisions over HTTP, which is served without sessions: a client's cancellation
 * comes as a request of its own. It ends the call with this number, unless two of the agent's have it.
 */
export class HttpCancels {
  readonly #underWay = new Map<string, Set<AbortController>>();

  /** The port for one request of `agent`, whose calls can be cancelled by another. */
  watched(port: AgentPort, agent: string): AgentPort {
    const watch = async <T>(waiting: Waiting, run: (waiting: Waiting) => Promise<T>) => {
      const key = keyOf(agent, waiting.request);
      const controller = new AbortController();
      const those = this.#underWay.get(key) ?? new Set();
      this.#underWay.set(key, those.add(controller));
      const signal = AbortSignal.any([waiting.signal, controller.signal]);
      try {
        return await run({ ...waiting, signal });
      } finally {
        those.delete(controller);
        if (those.size === 0) this.#underWay.delete(key);
      }
    };
    return {
      offer: () => port.offer(),
      call: (tool, args, waiting) => watch(waiting, (with_) => port.call(tool, args, with_)),
      collect: (ticket, waiting) => watch(waiting, (with_) => port.collect(ticket, with_)),
      task: (ticket, waiting) =>
        waiting === null
          ? port.task(ticket, null)
          : watch(waiting, (with_) => port.task(ticket, with_)),
      tasks: () => port.tasks(),
      cancelTask: (ticket) => port.cancelTask(ticket),
      ask: (scopes, waiting) => watch(waiting, (with_) => port.ask(scopes, with_)),
      onChanged: (listener, signal) => port.onChanged(listener, signal),
    };
  }

  /** Lets a server of the older revisions hear cancellations of requests that others serve. */
  listen(server: Server, agent: string): void {
    server.setNotificationHandler("notifications/cancelled", ({ params }) => {
      const those = this.#underWay.get(keyOf(agent, params.requestId));
      if (those?.size === 1) for (const controller of those) controller.abort();
    });
  }
}

const keyOf = (agent: string, requestId: string | number | undefined): string =>
  JSON.stringify([agent, requestId]);
