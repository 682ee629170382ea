import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { E2eeClient } from "../e2ee/e2ee-client.ts";
import type {
  E2eeEvent,
  E2eePorts,
  EncryptionLevel,
  KeyDirectory,
  KeyRecords,
  PublishedKeys,
} from "../e2ee/ports.ts";
import { createIdentity, type Identity } from "../identity/identity.ts";
import { joinBundle } from "../x3dh/x3dh.ts";

/** Records in memory. What is durable is a copy, so that a restart can be simulated. */
export class MemoryRecords implements KeyRecords {
  readonly stored = new Map<string, Uint8Array>();
  /** Makes every further `save` fail. */
  isBroken = false;
  saves = 0;

  async load(): Promise<ReadonlyMap<string, Uint8Array>> {
    if (this.isBroken) throw new Error("the disk is broken");
    return new Map(this.stored);
  }

  async save(changes: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    if (this.isBroken) throw new Error("the disk is full");
    this.saves += 1;
    for (const [name, bytes] of changes) {
      if (bytes === null) this.stored.delete(name);
      else this.stored.set(name, bytes.slice());
    }
  }

  /** Simulates losing every record whose name begins like this. */
  forget(beginning: string): void {
    for (const name of [...this.stored.keys()]) {
      if (name.startsWith(beginning)) this.stored.delete(name);
    }
  }
}

interface Shelf {
  readonly card: Uint8Array;
  signedPrekey: Uint8Array;
  readonly oneTime: Uint8Array[];
}

/** The hub's key directory, without the hub. */
class MemoryDirectory {
  readonly #shelves = new Map<string, Shelf>();
  /** Bundles are given out once it settles. */
  answersAfter = Promise.resolve();

  for(ownerId: string): KeyDirectory {
    return {
      publish: async (keys) => this.#publish(ownerId, keys),
      left: async () => this.#shelves.get(ownerId)?.oneTime.length ?? null,
      card: async (id) => this.#shelves.get(id)?.card ?? null,
      bundle: (id) => this.answersAfter.then(() => this.#bundle(id)),
    };
  }

  #publish(ownerId: string, { card, signedPrekey, oneTimePrekeys }: PublishedKeys): void {
    const before = this.#shelves.get(ownerId)?.oneTime ?? [];
    this.#shelves.set(ownerId, { card, signedPrekey, oneTime: [...before, ...oneTimePrekeys] });
  }

  #bundle(ownerId: string): Uint8Array | null {
    const shelf = this.#shelves.get(ownerId);
    return shelf === undefined
      ? null
      : joinBundle({ ...shelf, oneTimePrekey: shelf.oneTime.shift() ?? null });
  }
}

/** One end, and what tests inspect. */
export interface TestEnd {
  readonly id: string;
  readonly identity: Identity;
  readonly records: MemoryRecords;
  readonly events: E2eeEvent[];
  readonly mail: E2eeClient;
  /** Starts again from what was durable. */
  restart(): Promise<TestEnd>;
}

export interface TestWorld {
  readonly crypto: CryptoPrimitives;
  readonly directory: MemoryDirectory;
  /** ms since the epoch; tests may advance it. */
  now: number;
  readonly later?: E2eePorts["later"] | undefined;
}

export const testWorld = (crypto: CryptoPrimitives, later?: E2eePorts["later"]): TestWorld => ({
  crypto,
  later,
  directory: new MemoryDirectory(),
  now: 1_800_000_000_000,
});

export async function testEnd(
  world: TestWorld,
  id: string,
  role: E2eePorts["role"],
  level: EncryptionLevel | null = null,
): Promise<TestEnd> {
  const identity = await createIdentity(world.crypto, id, level);
  const end = await started(world, identity, role, new MemoryRecords());
  await end.mail.replenish();
  return end;
}

async function started(
  world: TestWorld,
  identity: Identity,
  role: E2eePorts["role"],
  records: MemoryRecords,
): Promise<TestEnd> {
  const { crypto, directory, later } = world;
  const events: E2eeEvent[] = [];
  const id = identity.card.ownerId;
  const mail = await E2eeClient.open({
    crypto,
    identity,
    role,
    records,
    directory: directory.for(id),
    now: () => world.now,
    heard: (event) => events.push(event),
    ...(later === undefined ? {} : { later }),
  });
  const restart = () => started(world, identity, role, records);
  return { id, identity, records, events, mail, restart };
}

/** Introduces two ends to each other, as pairing does. */
export async function acquaint(
  one: Pick<TestEnd, "id" | "mail">,
  other: Pick<TestEnd, "id" | "mail">,
  level: EncryptionLevel,
  conversationId: string,
): Promise<void> {
  await one.mail.introduce(other.id, other.mail.card, { level, conversationId });
  await other.mail.introduce(one.id, one.mail.card, { level, conversationId });
}

/** A person and an agent who can write to each other. */
export async function correspondents(
  crypto: CryptoPrimitives,
  level: EncryptionLevel = "ratchet",
  later?: E2eePorts["later"],
) {
  const world = testWorld(crypto, later);
  const person = await testEnd(world, "person-1", "person");
  const agent = await testEnd(world, "agent-1", "agent", level);
  await acquaint(person, agent, level, CONVERSATION_ID);
  return { world, person, agent };
}

export const CONVERSATION_ID = "conversation-1";
