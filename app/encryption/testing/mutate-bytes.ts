/** A number from 0 up to, not including, `below`. */
export type Draw = (below: number) => number;

/**
 * The same numbers for the same seed (mulberry32). Good enough for choosing mutations, not for
 * keys.
 */
export function seededDraw(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Mutation = (bytes: Buffer, other: Buffer, draw: Draw) => Buffer;

const range = ({ length }: Buffer, draw: Draw): readonly [start: number, end: number] => {
  const start = draw(length);
  return [start, Math.min(length, start + 1 + draw(48))];
};

const replace = (bytes: Buffer, start: number, end: number, middle: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, start), middle, bytes.subarray(end)]);

const INTERESTING = [0x00, 0x01, 0x02, 0x7f, 0x80, 0xfe, 0xff] as const;

/** Ways in which bytes are damaged or tampered with. */
const MUTATIONS: readonly Mutation[] = [
  (bytes, _, draw) => {
    const at = draw(bytes.length);
    return replace(bytes, at, at + 1, Uint8Array.of((bytes[at] ?? 0) ^ (1 << draw(8))));
  },
  (bytes, _, draw) => {
    const at = draw(bytes.length);
    return replace(bytes, at, at + 1, Uint8Array.of(draw(256)));
  },
  (bytes, _, draw) => {
    const at = draw(bytes.length);
    return replace(bytes, at, at + 1, Uint8Array.of(INTERESTING[draw(INTERESTING.length)] ?? 0));
  },
  (bytes, _, draw) => bytes.subarray(0, draw(bytes.length)),
  (bytes, _, draw) => Buffer.concat([bytes, Buffer.alloc(1 + draw(64), draw(256))]),
  (bytes, _, draw) => replace(bytes, ...range(bytes, draw), new Uint8Array(0)),
  (bytes, _, draw) => {
    const [start, end] = range(bytes, draw);
    return replace(bytes, end, end, bytes.subarray(start, end));
  },
  (bytes, _, draw) => {
    const [start, end] = range(bytes, draw);
    return replace(bytes, start, end, new Uint8Array(end - start).fill(draw(2) * 255));
  },
  (bytes, _, draw) => {
    const [start, end] = range(bytes, draw);
    return replace(bytes, start, end, bytes.subarray(start, end).toReversed());
  },
  (bytes, other, draw) => {
    const [start, end] = range(bytes, draw);
    return replace(bytes, start, end, other.subarray(start, end));
  },
  (bytes, other, draw) => {
    const at = draw(Math.min(bytes.length, other.length));
    return Buffer.concat([bytes.subarray(0, at), other.subarray(at)]);
  },
];

/** Changes `bytes` in one to three ways, some of which insert pieces of `other`. */
export function mutate(bytes: Uint8Array, other: Uint8Array, draw: Draw): Uint8Array {
  let mutated = Buffer.from(bytes);
  const times = 1 + draw(3);
  for (let time = 0; time < times && mutated.length > 0; time += 1) {
    const mutation = MUTATIONS[draw(MUTATIONS.length)] ?? ((same: Buffer) => same);
    mutated = Buffer.from(mutation(mutated, Buffer.from(other), draw));
  }
  return new Uint8Array(mutated);
}
