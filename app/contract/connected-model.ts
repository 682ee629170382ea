import Type, { type Static } from "typebox";

/** Whose API a model is asked over; `demonstration`: no model, but a script that plays one. */
export const MODEL_PROVIDERS = [
  "anthropic",
  "openai",
  "openai_compatible",
  "demonstration",
] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Why the model does not answer. */
const MODEL_FAULTS = [
  "key_refused",
  /** The key that was kept cannot be opened here. */
  "key_unreadable",
  "model_unknown",
  /** The provider refuses more requests for now, or until it is paid. */
  "quota",
  "unreachable",
  /** The provider failed, or refused what it was sent. */
  "provider_failed",
  /** The person did not add the agent, or has removed it. */
  "not_added",
  /** The agent's program ended by itself. */
  "ended",
] as const;
export type ModelFault = (typeof MODEL_FAULTS)[number];

/** What the agent says in a conversation besides the model's own words. */
const MODEL_PHRASES = [
  "too_many_steps",
  "too_long",
  /** The model did not come to the end of what it was saying. */
  "broken_off",
  /** What was said before its program was started is not known to it. */
  "restarted",
  "demo_hello",
  "demo_fetched",
  "demo_located",
  "demo_denied",
  "demo_no_answer",
  "demo_failed",
] as const;

/** What the agent says in the person's language: it has no texts of its own. */
export const ModelWords = Type.Object({
  faults: Type.Record(Type.Enum([...MODEL_FAULTS]), Type.String()),
  phrases: Type.Record(Type.Enum([...MODEL_PHRASES]), Type.String()),
  /** What the demonstration says of a call that failed, by its reason. */
  failures: Type.Record(Type.String(), Type.String()),
});
export type ModelWords = Static<typeof ModelWords>;

/** What the program tells the model's agent when it starts it, over their own line: it holds the key. */
export const ModelOrder = Type.Object({
  hubUrl: Type.String(),
  /** Whom the agent asks there. */
  userId: Type.String(),
  /** Where the agent keeps who it is; there, for it alone. */
  folder: Type.String(),
  /** Under which it asks to be added. */
  name: Type.String(),
  provider: Type.Enum([...MODEL_PROVIDERS]),
  baseUrl: Type.Union([Type.String(), Type.Null()]),
  model: Type.String(),
  apiKey: Type.Union([Type.String(), Type.Null()]),
  words: ModelWords,
});
export type ModelOrder = Static<typeof ModelOrder>;

/** What the program tells it later. */
export const ModelNotice = Type.Union([
  /** The person has deleted what was said in a conversation. */
  Type.Object({ event: Type.Literal("history_deleted"), conversation_id: Type.String() }),
  /** The person has chosen another language. */
  Type.Object({ event: Type.Literal("words"), words: ModelWords }),
]);
export type ModelNotice = Static<typeof ModelNotice>;

/** The exit code of an agent of ours that the person did not add; of the model's, also when it was removed. */
export const NOT_ADDED_EXIT = 3;

/** What the model's agent tells the program. */
export const ModelReport = Type.Union([
  /** It asks to be added, and shows this code. */
  Type.Object({ event: Type.Literal("code"), code: Type.String() }),
  Type.Object({ event: Type.Literal("connected"), conversation_id: Type.String() }),
  Type.Object({ event: Type.Literal("answered") }),
  Type.Object({ event: Type.Literal("fault"), fault: Type.Enum([...MODEL_FAULTS]) }),
]);
export type ModelReport = Static<typeof ModelReport>;

/** A key is sent encrypted, or to this computer alone; without one there is nothing to protect. */
export function isUsableBaseUrl(text: string, hasKey: boolean): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  const { protocol, hostname, username, password } = url;
  if (username !== "" || password !== "") return false;
  if (protocol === "https:") return true;
  return protocol === "http:" && (!hasKey || isThisComputer(hostname));
}

const isThisComputer = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
