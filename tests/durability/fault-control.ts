import { closeSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { constants } from "node:os";

/** Positions of the numbers in the control file, as in fault-shim.c: eight bytes each. */
const PLACES = { seen: 0, first: 1, last: 2, error: 3, shorten: 4, injected: 5 } as const;
type Place = keyof typeof PLACES;
const BYTES = 8;

export interface Fault {
  /** Number of the first call that fails, from 1. */
  readonly first: number;
  /**
   * True: only that call fails. False: every call from then on, like on a full disk, until the
   * fault is lifted.
   */
  readonly once: boolean;
  readonly error: "ENOSPC" | "EIO";
  /** The first failing write is cut in half instead. */
  readonly shorten: boolean;
}

/** Controls the shim through a file that it has mapped. */
export class FaultControl {
  readonly path: string;

  /** @param path a file outside the folder whose calls fail */
  constructor(path: string) {
    this.path = path;
  }

  /** No fault, and all counts at 0. */
  reset(): void {
    writeFileSync(this.path, Buffer.alloc(BYTES * Object.keys(PLACES).length));
  }

  arm({ first, once, error, shorten }: Fault): void {
    this.#write("last", once ? first : Number.MAX_SAFE_INTEGER);
    this.#write("error", constants.errno[error]);
    this.#write("shorten", shorten ? 1 : 0);
    this.#write("first", first);
  }

  /** The disk has space, or works, again. */
  lift(): void {
    this.#write("first", 0);
  }

  get seen(): number {
    return this.#read("seen");
  }

  get injected(): number {
    return this.#read("injected");
  }

  #write(place: Place, value: number): void {
    const bytes = Buffer.alloc(BYTES);
    bytes.writeBigUInt64LE(BigInt(value));
    this.#at("r+", (file) => writeSync(file, bytes, 0, BYTES, PLACES[place] * BYTES));
  }

  #read(place: Place): number {
    const bytes = Buffer.alloc(BYTES);
    this.#at("r", (file) => readSync(file, bytes, 0, BYTES, PLACES[place] * BYTES));
    return Number(bytes.readBigUInt64LE());
  }

  #at(flags: "r" | "r+", use: (file: number) => void): void {
    const file = openSync(this.path, flags);
    try {
      use(file);
    } finally {
      closeSync(file);
    }
  }
}
