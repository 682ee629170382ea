import { measure, type TurnOrder } from "../measure.ts";

/**
 * Runs in a measured process: reports that it is ready, measures on request, and ends with its
 * parent process.
 */
export function serveTurns(
  once: () => Promise<unknown>,
  end: () => Promise<void> = async () => {},
): void {
  process.on("message", (order: TurnOrder) => {
    void measure(once, order).then(
      (turn) => process.send?.({ event: "turn", turn }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.once("disconnect", () => void end().then(() => process.exit(0)));
  process.send?.({ event: "ready" });
}
