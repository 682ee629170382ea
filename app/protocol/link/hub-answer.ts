import { isJsonObject, ownValue } from "../../contract/json.ts";

export type HubAnswer =
  | { readonly kind: "data"; readonly data: unknown }
  /** `code` is the hub's, or `HTTP_<status>` when the body does not come from a hub. */
  | {
      readonly kind: "refused";
      readonly code: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  /** No answer, or one that does not come from a hub. */
  | { readonly kind: "unreachable" };

/** The hub's REST envelope, `{data}` or `{error}` (contract §8), unchecked. */
export function readHubAnswer(status: number, text: string): HubAnswer {
  const body = readJson(text);
  if (status >= 200 && status < 300) {
    const data = isJsonObject(body) ? ownValue(body, "data") : undefined;
    return data === undefined && status !== 204 ? { kind: "unreachable" } : { kind: "data", data };
  }
  const error = isJsonObject(body) ? ownValue(body, "error") : undefined;
  const fields = error !== undefined && isJsonObject(error) ? error : {};
  const code = ownValue(fields, "code");
  const params = ownValue(fields, "params");
  return {
    kind: "refused",
    code: typeof code === "string" ? code : `HTTP_${status}`,
    params: params !== undefined && isJsonObject(params) ? params : {},
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
