import { fitted, roomOf } from "./room.ts";

/** An address as a heading shows it, with its host emphasized. */
export interface TargetAddress {
  readonly kind: "address";
  readonly lead: string;
  /** With its port, where the address names one. */
  readonly host: string;
  readonly rest: string;
  /** Whether the three are the whole address; if not, it ends with `…`. */
  readonly whole: boolean;
}

const HOST_ROOM = 120;
/** For path and query. */
const REST_ROOM = 120;

/**
 * Only addresses whose host is unambiguous: with a user, a backslash, white space or invisible
 * characters a URL parser may find a different host (WHATWG URL §4.4). What follows cannot change it.
 */
const ADDRESS = /^(https?:\/\/)([^\s\p{C}/?#\\@]+)((?:[/?#].*)?)$/isu;

/** Null where the host is not certain: then only the argument itself is shown. */
export function targetAddress(url: string): TargetAddress | null {
  const [, lead, host, rest] = ADDRESS.exec(url) ?? [];
  if (lead === undefined || host === undefined || rest === undefined) return null;
  if (roomOf(host) > HOST_ROOM) return null;
  const { text, whole } = fitted(rest, REST_ROOM);
  return { kind: "address", lead, host, rest: text, whole };
}

/** The host alone, for data that is sent there. */
export function targetHost(url: string): TargetAddress | null {
  const address = targetAddress(url);
  return address === null ? null : { ...address, lead: "", rest: "", whole: false };
}
