/** One subject's turn: the duration of each call, and of all together, in milliseconds. */
export interface Turn {
  readonly samples_ms: readonly number[];
  readonly elapsed_ms: number;
  /** Of all threads of the measuring process; of other processes only if the subject adds them. */
  readonly cpu_ms: number;
}

export interface TurnOrder {
  readonly calls: number;
  /** 1: one call at a time. */
  readonly inFlight: number;
}

/** @param once makes one call and checks its answer; throws if that is wrong */
export async function measure(
  once: () => Promise<unknown>,
  { calls, inFlight }: TurnOrder,
): Promise<Turn> {
  const samples_ms: number[] = [];
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const began = performance.now();
      await once();
      samples_ms.push(performance.now() - began);
    }
  };
  const cpu = process.cpuUsage();
  const began = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const elapsed_ms = performance.now() - began;
  return { samples_ms, elapsed_ms, cpu_ms: cpuMs(process.cpuUsage(cpu)) };
}

export const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;
