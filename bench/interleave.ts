import type { Flags } from "./flags.ts";
import type { Turn } from "./measure.ts";
import type { Mode, Subject } from "./subjects/subject.ts";

export interface Measured {
  readonly subject: Subject;
  readonly mode: Mode;
  /** One per round, in order. */
  readonly turns: readonly Turn[];
}

/**
 * Every subject is measured in every round, so that other activity on the machine affects all of
 * them alike. Every second round has the reverse order, so that no subject always follows the same
 * one.
 */
export async function interleave(
  subjects: readonly Subject[],
  { rounds, calls }: Pick<Flags, "rounds" | "calls">,
  say: (line: string) => void,
): Promise<readonly Measured[]> {
  const plan = subjects.flatMap((subject) =>
    subject.modes.map((mode) => ({ subject, mode, turns: [] as Turn[] })),
  );
  say("Warming up.");
  for (const { subject, mode } of plan) await subject.turn({ calls, inFlight: mode });
  for (let round = 1; round <= rounds; round += 1) {
    say(`Round ${round} of ${rounds}.`);
    for (const { subject, mode, turns } of round % 2 === 0 ? [...plan].reverse() : plan) {
      turns.push(await subject.turn({ calls, inFlight: mode }));
    }
  }
  return plan;
}
