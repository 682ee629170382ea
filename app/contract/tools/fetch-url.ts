import Type from "typebox";
import { inAnyCase } from "../ascii-case.ts";
import { targetAddress, targetHost } from "../target/target.ts";
import { NOTHING_MORE, type TargetOf } from "../target/targets.ts";
import { type ArgumentsOf, CHANGES, ownTool, type ResultOf } from "./tool-contract.ts";

/**
 * Fields that neither authenticate nor say anything about the person, in lower case. With any other
 * field a request counts as sending data: servers accept keys in fields that nobody can list.
 */
export const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-charset",
  "accept-language",
  "cache-control",
  "content-type",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "pragma",
  "range",
  "user-agent",
]);

interface RequestArguments {
  readonly method?: unknown;
  readonly headers?: unknown;
}

/**
 * Whether a request only reads, as far as its method and fields show (contract §3). Arguments may have
 * any shape: one that is not understood counts as sending data.
 */
export const isOnlyReading = ({ method, headers = {} }: RequestArguments): boolean =>
  (method === undefined || method === "GET" || method === "HEAD") &&
  typeof headers === "object" &&
  headers !== null &&
  Object.keys(headers).every((name) => HARMLESS_HEADERS.has(name.toLowerCase()));

/** Bytes of a response's body, after decoding, that one `fetch_url` may return. */
export const FETCH_MAX_BODY_BYTES = 786_432;
/** Redirects that one `fetch_url` follows. */
export const FETCH_MAX_REDIRECTS = 5;
/** Header fields, and bytes of them, that a response may have. */
export const FETCH_MAX_RESPONSE_HEADERS = 256;
export const FETCH_MAX_RESPONSE_HEADER_BYTES = 32_768;

/**
 * Fields that an agent cannot set: they belong to the connection (RFC 9110 §7.6.1), name a host other
 * than the checked one, or would send a session's cookies. `authorization` is not among them: the
 * person sees every argument.
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

const FIELD_NAME = `^(?!(?:${OURS.map(inAnyCase).join("|")})$)[A-Za-z0-9!#$%&'*+.^_\`|~-]{1,64}$`;
/** No line breaks, so a value never becomes a field of its own. */
const FIELD_VALUE = "^[\\t\\x20-\\x7e]*$";

const common = {
  // A JSON Schema can say only as an annotation that a text is a URL, so it is checked here.
  url: Type.Refine(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description:
        "Absolute, http or https, without user or password; its fragment is not sent. What is no URL is `TOOL_INVALID_ARGUMENTS`.",
    }),
    (text) => URL.parse(text) !== null,
  ),
  headers: Type.Optional(
    Type.Record(
      Type.String({ pattern: FIELD_NAME }),
      Type.String({ maxLength: 4096, pattern: FIELD_VALUE }),
      {
        maxProperties: 32,
        additionalProperties: false,
        description: `Fields of the request. Names are tokens of 1 to 64 characters, values printable ASCII and tabs. None of \`${OURS.join("`, `")}\`, in any case: those are not the agent's to set.`,
      },
    ),
  ),
};

const target: TargetOf = ({ arguments: args }) => {
  const { url, method } = args;
  if (typeof url !== "string") return null;
  const reads = isOnlyReading(args);
  const address = reads ? targetAddress(url) : targetHost(url);
  if (address === null) return null;
  const kind = !reads ? "send" : method === "HEAD" ? "fetch_headers" : "fetch";
  const says = reads ? [...(address.whole ? ["url"] : []), "method"] : [];
  return { kind, parts: { address }, ...NOTHING_MORE, says };
};

export const fetchUrl = ownTool({
  name: "fetch_url",
  scope: "network:http",
  leastSensitivity: "medium",
  quiet: "host",
  // With POST it can do what the server lets it.
  nature: { ...CHANGES, open_world: true },
  target,
  takesLong: true,
  example: { url: "https://example.com/" },
  arguments: Type.Union(
    [
      Type.Object(
        {
          ...common,
          method: Type.Optional(
            Type.Union([Type.Literal("GET"), Type.Literal("HEAD")], {
              default: "GET",
              description: "The request's method.",
            }),
          ),
        },
        { additionalProperties: false, title: "to fetch" },
      ),
      Type.Object(
        {
          ...common,
          method: Type.Literal("POST", { description: "The request's method." }),
          body: Type.Optional(
            Type.String({ maxLength: 65_536, default: "", description: "Sent as UTF-8." }),
          ),
        },
        { additionalProperties: false, title: "to send" },
      ),
    ],
    {
      description: `Makes one HTTP request. A redirect is followed to the same host and port, from port 80 to 443 of it, and to what the person allowed, ${FETCH_MAX_REDIRECTS} at most; any other is the result, its status and \`location\`, for a call of its own. A body over ${FETCH_MAX_BODY_BYTES} bytes after decoding, over ${FETCH_MAX_RESPONSE_HEADERS} fields or ${FETCH_MAX_RESPONSE_HEADER_BYTES} bytes of them are \`too_large\`.`,
    },
  ),
  result: Type.Object(
    {
      status_code: Type.Integer({
        minimum: 100,
        maximum: 999,
        description: "Of the last response, which may be a redirect that was not followed.",
      }),
      headers: Type.Record(Type.String(), Type.String(), {
        description:
          'By lower-case name, values of a repeated field joined by ", ". Without `set-cookie`, and without `content-encoding` and `content-length` where the body was decompressed. `location` of a redirect is as the server wrote it, to be read from `url`.',
      }),
      body: Type.String({
        description: "Text, or base64; empty for a redirect that names a place.",
      }),
      body_encoding: Type.Union([Type.Literal("utf-8"), Type.Literal("base64")], {
        description: "`base64` for what is not valid UTF-8, or says it is in another charset.",
      }),
      url: Type.String({ description: "Where the last response came from, without fragment." }),
    },
    { additionalProperties: false },
  ),
  failures: ["access_denied", "network_error", "too_large"],
});
export type FetchUrlResult = ResultOf<typeof fetchUrl>;
export type FetchUrlArguments = ArgumentsOf<typeof fetchUrl>;
