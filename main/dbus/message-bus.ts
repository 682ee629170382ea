import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorKind } from "../../app/contract/coded-error.ts";

/** The little of D-Bus that is used here; `open-bus.ts` makes it of a real one. */
export interface MessageBus {
  /** @throws BusError */
  call(request: BusCall): Promise<BusReply>;
  /**
   * Hears a member's signals from now on. They may come from anybody: look at `sender`.
   * @throws BusError
   */
  hear(signal: SignalName, listener: (heard: BusReply) => void): Promise<void>;
}

export interface SignalName {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
}

export interface BusCall extends SignalName {
  readonly destination: string;
  /** D-Bus signature of `body`; empty where there is none. */
  readonly signature: string;
  readonly body: readonly BusValue[];
}

export type BusValue = string | number | Variant;

/** A value that carries its own signature. */
export interface Variant {
  readonly signature: string;
  readonly value: unknown;
}

export interface BusReply {
  /** The unique name of who really sent it: the bus itself fills it in. */
  readonly sender: string;
  /** Foreign data. */
  readonly body: readonly unknown[];
}

/** A call that was answered with an error, or could not be made. Only its name is kept. */
export const busError = errorKind<"bus_error", string>("BusError");

export interface BusPlace {
  readonly env: NodeJS.ProcessEnv;
  /** Whether anything stands at an absolute path (the bus's socket). */
  readonly exists?: (path: string) => boolean;
}

/** Where the D-Bus specification puts the system bus, and where its socket is on Linux today. */
const SYSTEM_SOCKETS = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"];

/** As D-Bus writes addresses; null while there is no such bus. */
export function systemBusAddress({ env, exists = existsSync }: BusPlace): string | null {
  return busAddress(env.DBUS_SYSTEM_BUS_ADDRESS, SYSTEM_SOCKETS, exists);
}

/** The bus of the person's own session; null while there is none. */
export function sessionBusAddress({ env, exists = existsSync }: BusPlace): string | null {
  const folder = env.XDG_RUNTIME_DIR;
  const sockets = folder?.startsWith("/") ? [join(folder, "bus")] : [];
  return busAddress(env.DBUS_SESSION_BUS_ADDRESS, sockets, exists);
}

/** A socket's address alone: other kinds would start a program or reach into the network. */
function busAddress(
  named: string | undefined,
  usual: readonly string[],
  exists: (path: string) => boolean,
): string | null {
  const path =
    named === undefined || named === ""
      ? usual.find(exists)
      : /^unix:path=(\/[^,;]*)/.exec(named)?.[1];
  return path !== undefined && exists(path) ? `unix:path=${path}` : null;
}
