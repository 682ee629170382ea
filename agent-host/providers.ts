import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError, type LanguageModel } from "ai";
import type { ModelFault } from "../app/contract/connected-model.ts";
import type { HostConfig } from "./config.ts";
import { apiError } from "./http/api-error.ts";
import { compatibleFetch, providerFetch } from "./provider-fetch.ts";

/** @throws ApiError NotFound for a provider that is not configured */
export type FindModel = (name: string) => CallableModel;

/** Not a model's name, which the AI SDK would look for at its own gateway. */
export type CallableModel = Exclude<LanguageModel, string>;

type Provider = HostConfig["providers"][string];

/** Models by `provider/name`. A provider is first contacted at its first chat. */
export function modelsOf({ providers }: Pick<HostConfig, "providers">) {
  return (name: string): CallableModel => {
    const [id = "", ...rest] = name.split("/");
    if (!Object.hasOwn(providers, id)) {
      throw apiError("NotFound", `Unknown model: ${name}`, { model: name });
    }
    return make(id, providers[id] as Provider, rest.join("/"));
  };
}

function make(id: string, { api, baseUrl, apiKey }: Provider, name: string): CallableModel {
  // Without this, the client would take a key from the environment that was meant for something
  // else.
  const settings = {
    apiKey: apiKey ?? "",
    fetch: providerFetch,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  };
  switch (api ?? DEFAULT_APIS[id] ?? "openai-compatible") {
    case "anthropic":
      return createAnthropic(settings)(name);
    case "openai":
      return createOpenAI(settings).responses(name);
    case "openai-compatible":
      return createOpenAI({ ...settings, fetch: compatibleFetch, name: id }).chat(name);
  }
}

const DEFAULT_APIS: Readonly<Record<string, NonNullable<Provider["api"]>>> = {
  anthropic: "anthropic",
  openai: "openai",
};

/** The HTTP status that a model's API failed with; null where it was not even reached. */
export function modelStatus(failure: unknown): number | null {
  return callError(failure)?.statusCode ?? null;
}

/** The same in the words that a person is told. */
export function modelFault(failure: unknown): ModelFault {
  if (failure instanceof DOMException && failure.name === "TimeoutError") return "unreachable";
  const error = callError(failure);
  if (error === undefined) return "provider_failed";
  switch (error.statusCode) {
    case undefined:
      return "unreachable";
    case 401:
    case 403:
      return "key_refused";
    case 404:
      return "model_unknown";
    case 402:
    case 429:
      return "quota";
    default:
      return "provider_failed";
  }
}

/** The last of several attempts, where there were several. */
function callError(failure: unknown): APICallError | undefined {
  const causes = [failure, (failure as { lastError?: unknown } | null)?.lastError];
  return causes.find((each) => APICallError.isInstance(each));
}
