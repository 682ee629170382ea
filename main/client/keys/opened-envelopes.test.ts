import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fromBase64, toBase64 } from "../../../app/contract/base64.ts";
import {
  CONVERSATION_ID,
  type TestEnd,
  testEnd,
  testWorld,
} from "../../../app/encryption/testing/correspondents.ts";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";

const PROGRAM = fileURLToPath(new URL("../testing/person-until-killed.ts", import.meta.url));

interface Told {
  readonly step?: string;
  readonly opened?: string;
  readonly sealed?: string;
  readonly refused?: string;
  readonly keys?: { card: string; signedPrekey: string; oneTime: string[] };
}

/** The person's process, and all it has said. */
class Person {
  readonly told: Told[] = [];
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #heard: () => void = () => {};

  constructor(dataDir: string, stopAt: string) {
    this.#child = spawn(process.execPath, [PROGRAM, dataDir, stopAt], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#exited = new Promise((resolve) => this.#child.once("close", () => resolve()));
    if (this.#child.stdout === null) throw new Error("no stdout");
    createInterface(this.#child.stdout).on("line", (line) => {
      this.told.push(JSON.parse(line));
      this.#heard();
    });
  }

  give(line: object): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  /** The first output that matches. */
  async said<T>(pick: (told: Told) => T | undefined): Promise<T> {
    let hasEnded = false;
    const ended = this.#exited.then(() => {
      hasEnded = true;
    });
    for (;;) {
      const found = this.told.map(pick).find((each) => each !== undefined);
      if (found !== undefined) return found;
      if (hasEnded) throw new Error("the process ended");
      await Promise.race([new Promise<void>((resolve) => (this.#heard = resolve)), ended]);
    }
  }

  at = (step: string): Promise<true> => this.said((told) => told.step === step || undefined);

  kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    return this.#exited;
  }
}

// Three processes each, one after the other: slow on a slow machine.
const PATIENCE_MS = 120_000;

describe("an envelope and a kill -9 between two steps", { timeout: PATIENCE_MS }, () => {
  let folder: string;
  let agent: TestEnd;
  let person: Person | undefined;

  const start = (stopAt: string): Person => {
    person = new Person(join(folder, "data"), stopAt);
    return person;
  };

  beforeEach(async () => {
    folder = scratchFolder();
    const world = testWorld(crypto);
    agent = await testEnd(world, "agent-1", "agent");
    const setup = start("setup");
    const keys = await setup.said((told) => told.keys);
    const bytes = (text: string) => fromBase64(text) ?? new Uint8Array(0);
    await world.directory.for("person-1").publish({
      card: bytes(keys.card),
      signedPrekey: bytes(keys.signedPrekey),
      oneTimePrekeys: keys.oneTime.map(bytes),
    });
    const introduction = { level: "ratchet", conversationId: CONVERSATION_ID } as const;
    await agent.mail.introduce("person-1", bytes(keys.card), introduction);
    setup.give({ card: toBase64(agent.mail.card) });
    await setup.at("met");
    await setup.kill();
  }, PATIENCE_MS);

  afterEach(() => person?.kill());

  const write = (text: string): Promise<string> =>
    agent.mail.seal(new TextEncoder().encode(text), {
      conversation_id: CONVERSATION_ID,
      recipient_ids: ["person-1"],
      kind: "text",
      call_id: null,
    });

  const read = async (wire: string): Promise<string> => {
    const about = { conversation_id: CONVERSATION_ID, sender_id: "person-1", kind: "text" };
    const { plaintext } = await agent.mail.open(wire, about);
    return Buffer.from(plaintext).toString();
  };

  it.each([
    ["open storing"],
    ["open stored"],
    ["open given"],
    ["seal storing"],
    ["seal stored"],
    ["seal given"],
    ["done storing"],
  ])("is opened again or read from its copy: killed at %j", async (stopAt) => {
    const first = await write("first");
    const killed = start(stopAt);
    killed.give({ wire: first });
    await killed.at(stopAt);
    await killed.kill();
    const lost = killed.told.flatMap(({ sealed }) => sealed ?? []);

    const again = start("");
    again.give({ wire: first });
    expect(await again.said((told) => told.opened ?? told.refused)).toBe("first");
    for (const wire of [...lost, await again.said((told) => told.sealed)]) {
      expect(await read(wire)).toBe("first");
    }
    again.give({ wire: await write("second") });
    const answers = () => again.told.flatMap(({ sealed }) => sealed ?? []);
    await again.said(() => answers().length === 2 || undefined);
    expect(await read(answers()[1] ?? "")).toBe("second");
  });

  it.each([["done stored"], ["done given"]])(
    "is known as dealt with and opens no more: killed at %j",
    async (stopAt) => {
      const first = await write("first");
      const killed = start(stopAt);
      killed.give({ wire: first });
      await killed.at(stopAt);
      await killed.kill();
      const again = start("");
      again.give({ wire: first });
      expect(await again.said((told) => told.opened ?? told.refused)).toBe("replayed");
      again.give({ wire: await write("second") });
      expect(await again.said((told) => told.opened)).toBe("second");
    },
  );
});
