import Type from "typebox";

/** Key directory and ledgers over REST (docs/encryption.md, "Keys at the hub"). Bytes are base64. */
const base64 = (bytes: number) =>
  Type.String({ minLength: 4, maxLength: 4 * Math.ceil(bytes / 3), pattern: "^[A-Za-z0-9+/]+=*$" });

/** Maximum size of a card in bytes: its owner's id has at most 512. */
const CARD_BYTES = 3 + 512 + 32 + 32 + 1 + 64;
const SIGNED_PREKEY_BYTES = 108;
const ONE_TIME_PREKEY_BYTES = 100;

export const KEY_LIMITS = {
  /** One-time prekeys accepted in one request. */
  oneTimeAtOnce: 100,
  /** One-time prekeys stored per owner. */
  oneTimeKept: 200,
  /** An owner with fewer than this is notified. */
  oneTimeLow: 20,
  ledgerEntries: 10_000,
  ledgerEntryBytes: 65_536,
  /** All entries together. */
  ledgerBytes: 4_194_304,
} as const;

export const Base64Card = base64(CARD_BYTES);

/** How a relation is encrypted, as stated in the agent's card, for those who do not parse cards. */
export const EncryptionLevelWord = Type.Union([Type.Literal("ratchet"), Type.Literal("sealed")]);
export type EncryptionLevelWord = Type.Static<typeof EncryptionLevelWord>;

/** `PUT /keys/mine` */
export const KeysPublish = Type.Object(
  {
    identity_card: Base64Card,
    signed_prekey: base64(SIGNED_PREKEY_BYTES),
    one_time_prekeys: Type.Array(base64(ONE_TIME_PREKEY_BYTES), {
      maxItems: KEY_LIMITS.oneTimeAtOnce,
    }),
  },
  { additionalProperties: false },
);
export type KeysPublish = Type.Static<typeof KeysPublish>;

/** `POST /h2a/relations/:id/ledger` */
export const LedgerAppend = Type.Object(
  {
    /** The number of entries before this one. */
    index: Type.Integer({ minimum: 0, maximum: KEY_LIMITS.ledgerEntries }),
    entry: base64(KEY_LIMITS.ledgerEntryBytes),
  },
  { additionalProperties: false },
);
export type LedgerAppend = Type.Static<typeof LedgerAppend>;
