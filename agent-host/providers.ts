import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModel } from "ai";
import type { HostConfig } from "./config.ts";
import { ApiError } from "./http/api-error.ts";

/** @throws ApiError NotFound for a provider that is not configured */
export type FindModel = (name: string) => LanguageModel;

/** Not a model's name, which the AI SDK would look for at its own gateway. */
export type CallableModel = Exclude<LanguageModel, string>;

type Provider = HostConfig["providers"][string];

/** Models by `provider/name`. A provider is first contacted at its first chat. */
export function modelsOf({ providers }: Pick<HostConfig, "providers">) {
  return (name: string): CallableModel => {
    const [id = "", ...rest] = name.split("/");
    if (!Object.hasOwn(providers, id)) {
      throw new ApiError("NotFound", `Unknown model: ${name}`, { model: name });
    }
    return make(id, providers[id] as Provider, rest.join("/"));
  };
}

function make(id: string, { api, baseUrl, apiKey }: Provider, name: string): CallableModel {
  // Without this, the client would take a key from the environment that was meant for something
  // else.
  const settings = { apiKey: apiKey ?? "", ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) };
  switch (api ?? DEFAULT_APIS[id] ?? "openai-compatible") {
    case "anthropic":
      return createAnthropic(settings)(name);
    case "openai":
      return createOpenAI(settings).responses(name);
    case "openai-compatible":
      return createOpenAI({ ...settings, name: id }).chat(name);
  }
}

const DEFAULT_APIS: Readonly<Record<string, NonNullable<Provider["api"]>>> = {
  anthropic: "anthropic",
  openai: "openai",
};
