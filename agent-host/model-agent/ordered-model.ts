import type { ModelOrder, ModelWords } from "../../app/contract/connected-model.ts";
import { type CallableModel, modelsOf } from "../providers.ts";
import { scriptedModel } from "../scripted-model/scripted-model.ts";
import { demonstration } from "./demonstration.ts";

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
