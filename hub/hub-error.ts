export type HubStartFault =
  | "port_in_use"
  | "host_refused"
  | "listen_failed"
  | "database_in_use"
  | "database_unusable"
  | "database_too_new";

/** Why a hub did not start. */
export class HubError extends Error {
  override readonly name = "HubError";
  readonly code: HubStartFault;
  /** @param file the database it is about */
  constructor(code: HubStartFault, options?: ErrorOptions, file?: string) {
    super(file === undefined ? code : `the hub's database ${file}`, options);
    this.code = code;
  }
}
