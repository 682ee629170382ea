import { compareBytes, joinBytes } from "../bytes.ts";
import { type CryptoPrimitives, label, type Purpose } from "../crypto-primitives.ts";
import type { IdentityCard } from "./identity.ts";

const GROUPS = 12;
const GROUP_BYTES = 5;
const WORDS = 24;

/** The part of a card that is compared. */
type Keyed = Pick<IdentityCard, "keyId">;

/**
 * The number that two ends compare over another channel: twelve groups of five digits, the same at
 * both ends. Each group is 40 bits of one derived value modulo 100000, so the 60 digits carry about
 * 199 bits.
 * @example "04391 77120 … 61804"
 */
export function safetyNumber(crypto: CryptoPrimitives, one: Keyed, other: Keyed): string {
  const bytes = derived(crypto, one, other, "fingerprint", GROUPS * GROUP_BYTES);
  return Array.from({ length: GROUPS }, (_, at) => groupAt(bytes, at * GROUP_BYTES)).join(" ");
}

/**
 * The same value as 24 words of 8 bits each, for reading aloud.
 * @example "acorn tulip … owl"
 */
export function safetyWords(crypto: CryptoPrimitives, one: Keyed, other: Keyed): string {
  const bytes = derived(crypto, one, other, "fingerprintWords", WORDS);
  return [...bytes].map((byte) => SAFETY_WORDS[byte]).join(" ");
}

/** The same at both ends, whichever computes it. */
function derived(
  crypto: CryptoPrimitives,
  one: Keyed,
  other: Keyed,
  purpose: Purpose,
  length: number,
): Uint8Array {
  const ids = [one.keyId, other.keyId].toSorted(compareBytes);
  return crypto.hkdfSha256(joinBytes(...ids), new Uint8Array(0), label(purpose), length);
}

function groupAt(bytes: Uint8Array, start: number): string {
  const value = bytes
    .subarray(start, start + GROUP_BYTES)
    .reduce((sum, byte) => sum * 256 + byte, 0);
  return String(value % 100_000).padStart(5, "0");
}

/** 80 bits: too many for anybody to find another key with the same ones. */
const HEX_DIGITS = 20;

/**
 * Tells keys apart at a glance: the first 80 bits of the card's key id, in groups of four. It
 * proves nothing by itself; to verify the other end, compare the safety number.
 * @param keyId hex
 * @example "5b1e 07c2 9d44 a0f3 8e61"
 */
export const keyFingerprint = (keyId: string): string =>
  (keyId.slice(0, HEX_DIGITS).match(/.{4}/g) ?? []).join(" ");

/**
 * The words of a safety number, one for each byte: our own choice of short English nouns. No two
 * begin with the same four letters, so that a misheard word is noticed. In ascending order; must
 * never change.
 */
export const SAFETY_WORDS: readonly string[] = [
  "acorn actor agent album alley amber anchor angle apple april apron arch arrow aunt autumn avenue",
  "badge bagel baker balloon bamboo banjo barn basket beach beard beetle bell bench berry bicycle bishop",
  "blanket blossom boat bonfire bottle boulder branch bread bridge brush bubble bucket buffalo butter cabin cactus",
  "camera candle canoe canyon carpet carrot castle cedar cello chalk cherry chimney circus clay cliff clock",
  "clover cobweb coconut comet copper coral corner cotton cousin crane crayon cricket crown crystal cushion dagger",
  "daisy dancer desert diamond dinner doctor dolphin donkey dragon drawer drum dwarf eagle earth echo elbow",
  "elephant ember engine evening fabric falcon farmer feather fence ferry fiddle finger flag flute forest fossil",
  "fountain fox frog garden garlic gate giant ginger giraffe glacier glove goblet goose grape gravel guitar",
  "hammer harbor harp hazel hedge helmet herring hill honey horse hunter iceberg igloo insect island ivory",
  "jacket jaguar jelly jewel jigsaw jockey jungle kettle kitchen kite knight ladder lagoon lamp lantern laundry",
  "lemon leopard letter library lighthouse lion lizard lobster locket lotus magnet mango maple marble market meadow",
  "melon mirror monkey mosaic mountain mushroom napkin needle nephew nest nickel noodle nutmeg oasis ocean octopus",
  "olive onion orange orchard otter owl oyster paddle palace panda parrot peach pebble pencil pepper piano",
  "pigeon pillow pirate planet plum pocket pony poplar potato pumpkin puzzle quarry queen quilt rabbit radio",
  "raft rainbow raven ribbon river robin rocket rooster rope saddle sailor salad salmon sandal scarf school",
  "shadow shovel silver spider spoon sugar teapot thunder tiger tomato tower tulip umbrella violin walnut zebra",
].flatMap((line) => line.split(" "));
