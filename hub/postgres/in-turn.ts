/** Runs work of one key in the order it was asked for, and of different keys at once. */
export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function inTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work, work);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return result;
  };
}
