const HOST_ERRORS = [
  "port_in_use",
  "renderer_missing",
  "listen_failed",
  "store_unwritable",
] as const;
export type HostErrorCode = (typeof HOST_ERRORS)[number];

/** Why a host could not start; the message is a sentence for the person who started it. */
export class HostError extends Error {
  override readonly name = "HostError";
  readonly code: HostErrorCode;
  constructor(code: HostErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
