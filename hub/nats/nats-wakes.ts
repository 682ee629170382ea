import { connect, type NatsConnection } from "@nats-io/transport-node";
import { faultOf } from "../hub-error.ts";
import { joinPieces, piecesOf, type Wake, type Wakes } from "../hub-nodes.ts";
import type { Log, Scheduler } from "../hub-options.ts";

/** Below the server's usual limit of 1 MiB. */
const PIECE_CHARS = 900_000;
const RETRY_MS = 1_000;

const subjectOf = (nodeId: string): string => `consentry.hub.${nodeId}`;

/**
 * Wakes over NATS core, which stores nothing. While it is away, also at the start, the nodes find by asking.
 * @param address `nats://` or `tls://`, with the account in it, if there is one
 */
export function natsWakes(address: URL, nodeId: string, scheduler: Scheduler, log: Log): Wakes {
  const { host, username, password, protocol } = address;
  const account = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  let listener: (recipients: readonly Wake[]) => void = () => undefined;
  let connection: NatsConnection | undefined;
  let isClosed = false;
  let batches = 0;
  let cancel: () => void = () => undefined;

  async function open(): Promise<void> {
    const opened = await connect({
      servers: host,
      name: `consentry-hub ${nodeId}`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RETRY_MS / 2,
      reconnectJitter: RETRY_MS / 2,
      ...(username === "" ? {} : account),
      ...(protocol === "tls:" ? { tls: {} } : {}),
    });
    if (isClosed) return opened.close();
    const receive = joinPieces((recipients) => listener(recipients));
    opened.subscribe(subjectOf(nodeId), {
      callback: (error, message) => {
        if (error === null) receive(message.string());
      },
    });
    connection = opened;
  }
  function keepOpening(): void {
    open().catch((error: unknown) => {
      log({ code: "nats_away", fault: faultOf(error) });
      if (!isClosed) cancel = scheduler.after(RETRY_MS, keepOpening);
    });
  }
  keepOpening();
  return {
    wake(nodes, recipients) {
      batches += 1;
      const pieces = piecesOf(`${nodeId}:${batches}`, recipients, PIECE_CHARS);
      try {
        for (const id of nodes) {
          for (const piece of pieces) connection?.publish(subjectOf(id), piece);
        }
      } catch (error) {
        log({ code: "wake_lost", fault: faultOf(error) });
      }
    },
    onWake(heard) {
      listener = heard;
    },
    async close() {
      isClosed = true;
      cancel();
      await connection?.close();
    },
  };
}
