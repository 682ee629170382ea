import type { ServerContext } from "@modelcontextprotocol/server";
import type { Waiting } from "./agent-port.ts";
import type { CallProgress } from "./call-answer.ts";

/** How a client waits for the answer to its request: told every 10 s if it asked for that. */
export function waitingOf({ mcpReq }: ServerContext): Waiting {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal: mcpReq.signal, progress: null };
  let count = 0;
  const progress = ({ waits_for, done, total }: CallProgress) => {
    count += 1;
    const told = done === null ? "" : `, ${done}${total === null ? "" : ` of ${total}`} done`;
    const message =
      waits_for === "person" ? "Waiting for the person to answer" : `The tool is running${told}`;
    // It must rise from one to the next, whatever the tool reports.
    const params = { progressToken, progress: count, message };
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  return { signal: mcpReq.signal, progress };
}
