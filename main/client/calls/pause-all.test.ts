import { expect, test } from "vitest";
import { PauseAll } from "./pause-all.ts";

/** Values whose writes become durable when the test says so. */
class SlowValues {
  readonly stored = new Map<string, string>();
  fails = false;
  #writes: (() => void)[] = [];

  value(name: string): string | undefined {
    return this.stored.get(name);
  }
  putValue(name: string, value: string): Promise<void> {
    return this.#later(() => this.stored.set(name, value));
  }
  removeValue(name: string): Promise<void> {
    return this.#later(() => this.stored.delete(name));
  }
  flush(): void {
    for (const write of this.#writes.splice(0)) write();
  }
  #later(write: () => unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#writes.push(() => {
        if (this.fails) return reject(new Error("disk"));
        write();
        resolve();
      });
    });
  }
}

function switched(values = new SlowValues()) {
  const told: boolean[] = [];
  const pause: PauseAll = new PauseAll(values, () => told.push(pause.isOn()));
  return { values, pause, told };
}

test("pausing takes effect at once, resuming once it is stored", async () => {
  const { values, pause, told } = switched();
  const pausing = pause.set(true);
  expect(pause.isOn()).toBe(true);
  values.flush();
  await pausing;
  const resuming = pause.set(false);
  expect(pause.isOn()).toBe(true);
  values.flush();
  await resuming;
  expect([pause.isOn(), ...told]).toEqual([false, true, false]);
});

test("it is as it was after a restart", async () => {
  const { values, pause } = switched();
  const pausing = pause.set(true);
  values.flush();
  await pausing;
  expect(switched(values).pause.isOn()).toBe(true);
  const resuming = pause.set(false);
  values.flush();
  await resuming;
  expect(switched(values).pause.isOn()).toBe(false);
});

test("a pause that cannot be stored still applies; a resume that cannot does not", async () => {
  const { values, pause } = switched();
  values.fails = true;
  const pausing = pause.set(true);
  values.flush();
  await expect(pausing).rejects.toThrow("disk");
  const resuming = pause.set(false);
  values.flush();
  await expect(resuming).rejects.toThrow("disk");
  expect(pause.isOn()).toBe(true);
});

test("a pause during a resume wins", async () => {
  const { values, pause } = switched();
  const first = pause.set(true);
  const both = [first, pause.set(false), pause.set(true)];
  values.flush();
  await Promise.all(both);
  expect(pause.isOn()).toBe(true);
  expect(switched(values).pause.isOn()).toBe(true);
});
