import type { Delivery } from "./agent-views.ts";

/** A program on this computer that asks for something, as the system describes it. */
export interface AskingProgram {
  readonly pid: number;
  readonly executable: string;
  /** The folder it works in; null: not known. */
  readonly folder: string | null;
  /** What started it, nearest first. */
  readonly parents: readonly { readonly pid: number; readonly executable: string }[];
  /** The nearest of them that is neither a shell nor npm; null: not known. */
  readonly started_by: string | null;
}

/**
 * What a program on this computer asks the person: to be added as an agent, to use an agent's token
 * from another program than before, or for more permissions.
 */
const LOCAL_ASKS = ["connect", "other_program", "more_scopes"] as const;
export type LocalAsk = (typeof LOCAL_ASKS)[number];

/** How an agent without the hub is reached. */
export type LocalDelivery = Extract<Delivery, "hook" | "local">;

/** What stands on a pairing's card for a program on this computer. */
export interface LocalPairing {
  readonly asks: LocalAsk;
  /** The agent it is already; null: none yet. */
  readonly agent_id: string | null;
  /** Null: the system does not say which program it is. */
  readonly program: AskingProgram | null;
  readonly delivery: LocalDelivery;
  /** Whether it shows the person the same code, to compare. */
  readonly shows_code: boolean;
}
