import { fitted, roomOf } from "./room.ts";

/** An address as a heading draws it, its host to stand out. */
export interface TargetAddress {
  readonly kind: "address";
  readonly lead: string;
  /** With its port, where the address names one. */
  readonly host: string;
  readonly rest: string;
  /** Whether the three are the whole address; if not, `…` ends it. */
  readonly whole: boolean;
}

const HOST_ROOM = 120;
/** For path and query. */
const REST_ROOM = 120;

/**
 * What is read here as the host is the host: where it has a user, a backslash, white space or what is
 * not seen, a URL parser may find another one (WHATWG URL §4.4). What follows it cannot change it.
 */
const ADDRESS = /^(https?:\/\/)([^\s\p{C}/?#\\@]+)((?:[/?#].*)?)$/isu;

/** Null for what cannot be told by its looks: then the argument itself is all there is to show. */
export function targetAddress(url: string): TargetAddress | null {
  const [, lead, host, rest] = ADDRESS.exec(url) ?? [];
  if (lead === undefined || host === undefined || rest === undefined) return null;
  if (roomOf(host) > HOST_ROOM) return null;
  const { text, whole } = fitted(rest, REST_ROOM);
  return { kind: "address", lead, host, rest: text, whole };
}

/** The host alone, for what is sent there. */
export function targetHost(url: string): TargetAddress | null {
  const address = targetAddress(url);
  return address === null ? null : { ...address, lead: "", rest: "", whole: false };
}
