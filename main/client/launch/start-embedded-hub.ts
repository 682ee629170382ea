import { join } from "node:path";
import {
  type Hub,
  type HubRecovery,
  hubError,
  type SendLimits,
  startHub,
} from "../../../hub/index.ts";
import { randomBytes } from "../../../runtime/crypto/node-primitives.ts";
import type { BoundedValidator } from "../../schemas/bounded-validator.ts";
import type { KeptValues } from "../../storage/index.ts";
import type { TimeSource } from "../time-source.ts";
import { USER_KEPT } from "./current-hub.ts";

/** The hub's default port; agents keep the address they paired with. */
const USUAL_PORT = 4800;
const PORT_KEPT = "hub_port";
/** The agent id for the hub's manifest checks: pairing comes before an identity. */
const CHECK_OWNER = "hub";

export interface EmbeddedHubParts {
  readonly dataDir: string;
  /** As asked for on the command line; null: the port of the last start, else the usual one. */
  readonly port: number | null;
  readonly time: TimeSource;
  readonly settings: Pick<KeptValues, "value" | "putValue">;
  readonly validator: Pick<BoundedValidator, "check">;
  readonly recovered: (recovery: HubRecovery) => void;
  readonly limits: SendLimits;
}

/**
 * Starts the hub inside the client. A port that was asked for is taken or refused; otherwise the
 * last one is tried first, so that paired agents find the hub again, and then any free one.
 * @throws HubError
 */
export async function startEmbeddedHub(parts: EmbeddedHubParts): Promise<Hub> {
  const hub = await startAnywhere(parts);
  await parts.settings.putValue(USER_KEPT, hub.userId);
  return hub;
}

async function startAnywhere(parts: EmbeddedHubParts): Promise<Hub> {
  const { port, settings } = parts;
  if (port !== null) return startAt(parts, port);
  const last = Number(settings.value(PORT_KEPT) ?? USUAL_PORT);
  const hub = await startAt(parts, last).catch((error: unknown) => {
    if (isAboutPort(error)) return startAt(parts, 0);
    throw error;
  });
  await settings.putValue(PORT_KEPT, new URL(hub.url).port);
  return hub;
}

const startAt = (parts: EmbeddedHubParts, port: number): Promise<Hub> => {
  const { dataDir, time, settings, validator, limits, recovered } = parts;
  const formerUserId = settings.value(USER_KEPT);
  return startHub({
    databasePath: join(dataDir, "hub.db"),
    port,
    clock: time.wall,
    monotonic: time.sleepAware ?? time.monotonic,
    scheduler: time.scheduler,
    random: randomBytes,
    ...(formerUserId === undefined ? {} : { formerUserId }),
    recovered,
    checkSchema: (schema) => validator.check(CHECK_OWNER, schema),
    limits,
  });
};

/** `listen_failed`: the system may reserve ports, as Windows does for Hyper-V and WSL. */
const isAboutPort = (error: unknown): boolean =>
  hubError.is(error) && (error.code === "port_in_use" || error.code === "listen_failed");
