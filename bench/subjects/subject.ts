import type { Turn, TurnOrder } from "../measure.ts";

/** How many calls are in flight at once. */
export type Mode = 1 | 32 | 100;

/** Something to measure, in its own process that waits for its turns. */
export interface Subject {
  readonly name: string;
  readonly modes: readonly Mode[];
  turn(order: TurnOrder): Promise<Turn>;
  close(): Promise<void>;
}
