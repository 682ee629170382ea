/** Jobs with the same name run one after the other, in the order they were added. */
export class Queues {
  readonly #ends = new Map<string, Promise<unknown>>();

  run<T>(name: string, job: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(name);
    const result = before === undefined ? job() : before.then(job);
    // Whether one job fails does not affect the next.
    const end = result.then(
      () => undefined,
      () => undefined,
    );
    this.#ends.set(name, end);
    void end.then(() => {
      if (this.#ends.get(name) === end) this.#ends.delete(name);
    });
    return result;
  }
}
