import type { ModelOrder, ModelWords } from "../../app/contract/connected-model.ts";
import { type CallableModel, modelsOf } from "../providers.ts";
import type { ScriptedTurn } from "../scripted-model/script.ts";
import { type ModelScript, scriptedModel } from "../scripted-model/scripted-model.ts";

const APIS = {
  anthropic: "anthropic",
  openai: "openai",
  openai_compatible: "openai-compatible",
  demonstration: "openai-compatible",
} as const;

/** The model that was chosen; for the demonstration one on loopback, which ends with this process. */
export async function orderedModel(order: ModelOrder, words: ModelWords): Promise<CallableModel> {
  const isShow = order.provider === "demonstration";
  const baseUrl = isShow ? `${(await scriptedModel(demonstration(words))).url}/v1` : order.baseUrl;
  const chosen = {
    api: APIS[order.provider],
    ...(baseUrl === null ? {} : { baseUrl }),
    ...(order.apiKey === null ? {} : { apiKey: order.apiKey }),
  };
  return modelsOf({ providers: { chosen } })(`chosen/${order.model}`);
}

/** Characters of a page that the answer repeats. */
const QUOTED_CHARS = 400;

/** What plays a model where the person has none: it asks for what it was told to, and says what came. */
const demonstration =
  (words: ModelWords): ModelScript =>
  ({ user, results: [result] }): ScriptedTurn => {
    if (result !== undefined) return { text: said(words, result.text) };
    const [url] = /https?:\/\/\S+/.exec(user) ?? [];
    if (url !== undefined) return { calls: [{ name: "fetch_url", input: { url } }] };
    const isWhere = /location|standort|位置/i.test(user);
    if (isWhere) return { calls: [{ name: "get_location", input: {} }] };
    return { text: words.phrases.demo_hello };
  };

function said({ phrases, failures }: ModelWords, result: string): string {
  const [, code] = /^(?:\{"error":")?([a-z_]+): /.exec(result) ?? [];
  if (code === "user_refused") return phrases.demo_denied;
  if (code === "user_timeout") return phrases.demo_no_answer;
  if (code !== undefined) return failures[code] ?? phrases.demo_failed;
  const { body } = JSON.parse(result) as { readonly body?: unknown };
  if (typeof body !== "string") return phrases.demo_located;
  return `${phrases.demo_fetched}\n\n${body.slice(0, QUOTED_CHARS)}`;
}
