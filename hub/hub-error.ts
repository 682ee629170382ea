export type HubStartFault =
  | "port_in_use"
  | "listen_failed"
  | "database_in_use"
  | "database_unusable"
  | "database_other_version";

/** What is wrong, and what to do about it. */
const FAULTS: Record<HubStartFault, string> = {
  port_in_use: "is used by another program",
  listen_failed: "cannot be opened. The system does not let this program use it",
  database_in_use: "is used by another program. End that one first",
  database_unusable: "cannot be used. Its folder has to be writable, and the disk needs room",
  database_other_version:
    "was written by another version. Start that version, or move the file away: agents are then put back from the copy beside it",
};

/** Why a hub did not start. */
export class HubError extends Error {
  override readonly name = "HubError";
  readonly code: HubStartFault;
  /** @param about the port, or the database's file */
  constructor(code: HubStartFault, options?: ErrorOptions, about?: number | string) {
    const what = typeof about === "number" ? "port" : "database";
    super(about === undefined ? code : `The hub's ${what} ${about} ${FAULTS[code]}.`, options);
    this.code = code;
  }
}

/** The error's own code, such as SQLite's, or its class: never its text, which may quote a value. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
