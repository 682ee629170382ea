import type { Flags } from "./flags.ts";
import type { Turn } from "./measure.ts";
import type { Mode, Subject } from "./subjects/subject.ts";

export interface Measured {
  readonly subject: Subject;
  readonly mode: Mode;
  /** One a round, in the order of the rounds. */
  readonly turns: readonly Turn[];
}

/**
 * Every subject has its turn in every round, so that whatever else the machine does falls on all
 * of them alike. Every second round goes the other way round: nobody always follows the same one.
 */
export async function interleave(
  subjects: readonly Subject[],
  { rounds, calls }: Flags,
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
