/** Jobs of one name run one after the other, in the order in which they were handed in. */
export class Queues {
  readonly #ends = new Map<string, Promise<unknown>>();

  run<T>(name: string, job: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(name);
    const result = before === undefined ? job() : before.then(job);
    // What becomes of one is no matter to the next.
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
