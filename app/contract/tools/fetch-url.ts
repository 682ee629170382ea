import Type from "typebox";

/** Bytes of a response's body, after decoding, that one `fetch_url` may return. */
export const FETCH_MAX_BODY_BYTES = 786_432;
/** Redirects that one `fetch_url` follows. */
export const FETCH_MAX_REDIRECTS = 5;
/** Header fields, and bytes of them, that a response may have. */
export const FETCH_MAX_RESPONSE_HEADERS = 256;
export const FETCH_MAX_RESPONSE_HEADER_BYTES = 32_768;

/**
 * Fields no agent sets: they belong to the connection (RFC 9110 §7.6.1), name another host than
 * the one that was checked, or would bring a session's cookies along. `authorization` is not among
 * them: the person sees every argument.
 */
const OURS = [
  "accept-encoding",
  "connection",
  "content-length",
  "cookie",
  "cookie2",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
];

const inAnyCase = (name: string): string =>
  name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const FIELD_NAME = `^(?!(?:${OURS.map(inAnyCase).join("|")})$)[A-Za-z0-9!#$%&'*+.^_\`|~-]{1,64}$`;
/** No line break can be written: a value never becomes a field of its own. */
const FIELD_VALUE = "^[\\t\\x20-\\x7e]*$";

const common = {
  /** http or https, without user or password; its fragment is not sent. */
  url: Type.String({ minLength: 1, maxLength: 4096 }),
  headers: Type.Optional(
    Type.Record(
      Type.String({ pattern: FIELD_NAME }),
      Type.String({ maxLength: 4096, pattern: FIELD_VALUE }),
      { maxProperties: 32, additionalProperties: false },
    ),
  ),
};

export const fetchUrlSchema = Type.Union([
  Type.Object(
    {
      ...common,
      /** GET when absent. */
      method: Type.Optional(Type.Union([Type.Literal("GET"), Type.Literal("HEAD")])),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      ...common,
      method: Type.Literal("POST"),
      /** Sent as UTF-8. */
      body: Type.Optional(Type.String({ maxLength: 65_536 })),
    },
    { additionalProperties: false },
  ),
]);
export type FetchUrlArguments = Type.Static<typeof fetchUrlSchema>;

export interface FetchUrlResult {
  /** Of the last response; a redirect only when it names no place to go. */
  readonly status_code: number;
  /**
   * By lower-case name, values of a repeated field joined by ", ". Without `set-cookie`, and
   * without `content-encoding` and `content-length` where the body was decompressed.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `base64` for what is not valid UTF-8, or says it is in another charset. */
  readonly body_encoding: "utf-8" | "base64";
  /** Where the last response came from, without fragment. */
  readonly url: string;
}
