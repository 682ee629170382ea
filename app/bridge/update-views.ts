import type { UpdateFault } from "../contract/update-faults.ts";

/** How far the program is with its own update. */
export interface UpdatesView {
  /** `ready`: fetched, and installed when the program ends. */
  readonly state: "idle" | "looking" | "fetching" | "ready";
  /** The version that is fetched or ready. */
  readonly version: string | null;
  /** Why the last attempt came to nothing. */
  readonly fault: UpdateFault | null;
  /** When it was last looked for, in milliseconds since the epoch. */
  readonly checked_at: number | null;
}
